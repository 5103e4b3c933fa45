const dayMs = 86_400_000;

/** A moment as the clock on the wall shows it, with its day when that is not near: `14:05`, `2025-11-30 14:05`. */
export function clockTime(at: number, now: number): string {
  const moment = new Date(at);
  const two = (part: number): string => String(part).padStart(2, "0");
  const time = `${two(moment.getHours())}:${two(moment.getMinutes())}`;
  if (Math.abs(at - now) < dayMs / 2) return time;
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())} ${time}`;
}
