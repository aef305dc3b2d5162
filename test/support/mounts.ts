import process from "node:process";

/** Folders as they look to one command: the disk under each has no room left, or can only be read. */
export interface Mounts {
  readonly full?: readonly string[];
  readonly readOnly?: readonly string[];
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A tmpfs of one page more than what the folder holds, then filled up. The folder's files stay in it. */
function fullDisk(folder: string): string {
  const at = quoted(folder);
  const copy = quoted(`${folder}.before`);
  return `cp -a ${at} ${copy}
mount -t tmpfs -o size=1m hasp-test ${at}
cp -a ${copy}/. ${at}/
dd if=/dev/zero of=${at}/filler bs=4k 2>/dev/null || true
rm -rf ${copy}`;
}

function readOnlyDisk(folder: string): string {
  const at = quoted(folder);
  return `mount --bind ${at} ${at}\nmount -o remount,bind,ro ${at}`;
}

/**
 * The words to put before a command so that it alone sees these disks: a mount namespace of its own, which ends with it. Needs root, or a
 * kernel that lets users have namespaces.
 */
export function withMounts({ full = [], readOnly = [] }: Mounts): readonly string[] {
  const script = [...full.map(fullDisk), ...readOnly.map(readOnlyDisk), 'exec "$@"'].join("\n");
  const asRoot = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  return ["unshare", ...asRoot, "--mount", "sh", "-ec", script, "sh"];
}
