const orientationTag = 0x0112;
const short = 3;

/** The orientation in EXIF data (a TIFF head and its first directory); 1 where there is none. Source: EXIF 2.3, 4.6. */
export function orientationIn(exif: Buffer): number {
  const order = exif.toString("latin1", 0, 2);
  if (exif.length < 8 || (order !== "II" && order !== "MM")) return 1;
  const isLittle = order === "II";
  const u16 = (at: number): number => (isLittle ? exif.readUInt16LE(at) : exif.readUInt16BE(at));
  const directory = isLittle ? exif.readUInt32LE(4) : exif.readUInt32BE(4);
  if (directory + 2 > exif.length) return 1;
  const entries = u16(directory);
  for (let index = 0; index < entries; index += 1) {
    const entry = directory + 2 + index * 12;
    if (entry + 12 > exif.length) return 1;
    if (u16(entry) !== orientationTag || u16(entry + 2) !== short) continue;
    const value = u16(entry + 8);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
