import { readFileSync, statfsSync } from "node:fs";
import { dirname } from "node:path";

import { PawlError } from "#core";

/** Magic numbers of statfs(2), from `linux/magic.h` and the file systems' own sources (2025). */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "SMB"],
  [0xfe534d42, "SMB"],
  [0x5346414f, "AFS"],
  [0x6b414653, "AFS"],
  [0x73757245, "Coda"],
  [0x564c, "NCP"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
  [0x47504653, "GPFS"],
  [0x19830326, "BeeGFS"],
]);
const fuseType = 0x65735546;
const networkFuse =
  /^fuse\.(sshfs|rclone|s3fs|goofys|gcsfuse|davfs\d?|glusterfs|cephfs|curlftpfs|smbnetfs|gvfsd-fuse)$/;

/**
 * Refuses a place where locks and syncs may mean nothing. Asks the nearest folder that exists; what cannot be told
 * apart from a local disk is taken for one.
 * @throws PawlError `network_file_system`
 */
export function requireLocalDisk(path: string): void {
  const kind = networkKind(path);
  if (kind === null) return;
  throw new PawlError(
    "network_file_system",
    `${path} is on a network file system (${kind}), where a session could be written twice or lost. Set PAWL_HOME to a folder on a local disk.`,
    { values: { path, kind } },
  );
}

function networkKind(path: string): string | null {
  let type: number;
  try {
    // macOS and others number their types differently; the numbers here do not occur there.
    type = statfsSync(path).type >>> 0;
  } catch {
    const parent = dirname(path);
    return parent === path ? null : networkKind(parent);
  }
  return networkTypes.get(type) ?? (type === fuseType ? networkFuseKind(path, mountTable()) : null);
}

function mountTable(): string {
  try {
    return readFileSync("/proc/self/mounts", "utf8");
  } catch {
    // Nothing more can be known.
    return "";
  }
}

/** FUSE has one number for all its file systems; the mount table (`device folder type …`, one a line) names the one. */
export function networkFuseKind(path: string, mounts: string): string | null {
  const around = mounts
    .split("\n")
    .map((line) => line.split(" "))
    .map(([, folder = "", type = ""]) => ({ folder: unescaped(folder), type }))
    .filter(({ folder }) => `${path}/`.startsWith(folder === "/" ? "/" : `${folder}/`))
    .toSorted((a, b) => a.folder.length - b.folder.length);
  const type = around.at(-1)?.type ?? "";
  return networkFuse.test(type) ? type : null;
}

/** Blanks in names stand as octal numbers (fstab(5)). */
function unescaped(folder: string): string {
  return folder.replace(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
}
