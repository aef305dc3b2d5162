import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";

const READ_BY_ALL = 0o004;
const ENTERED_BY_ALL = 0o001;

function isReadableByAll(file: string): boolean {
  for (
    let at = fs.realpathSync(file), needed = READ_BY_ALL;
    ;
    at = path.dirname(at), needed = ENTERED_BY_ALL
  ) {
    const stat = fs.statSync(at);
    if ((stat.mode & needed) === 0) return false;
    if (path.dirname(at) === at) return true;
  }
}

/** The folder that copies are made in. The folder of temporary files of this user may be closed to other users. */
const folderOfCopies = (): string => (isReadableByAll(os.tmpdir()) ? os.tmpdir() : "/tmp");

/** `data` with all that is in it, readable by all. */
function openToAll(data: string): void {
  const stat = fs.statSync(data);
  fs.chmodSync(data, stat.isDirectory() || (stat.mode & ENTERED_BY_ALL) !== 0 ? 0o755 : 0o644);
  if (stat.isDirectory()) for (const name of fs.readdirSync(data)) openToAll(path.join(data, name));
}

/**
 * The same files where every user of this machine can read them. Started by root, Bubblewrap runs as nobody, who may not enter root's folders:
 * what lies there is copied for as long as it is used. Throws where a copy cannot be written.
 */
export function readableByAll<Name extends string>(
  files: Readonly<Record<Name, string>>,
): { readonly files: Readonly<Record<Name, string>>; remove(): void } {
  const hidden = Object.entries<string>(files).filter(([, file]) => !isReadableByAll(file));
  if (process.getuid?.() !== 0 || hidden.length === 0) return { files, remove: () => undefined };
  const folder = fs.mkdtempSync(path.join(folderOfCopies(), "hasp-containment-"));
  const remove = (): void => fs.rmSync(folder, { recursive: true, force: true });
  try {
    fs.chmodSync(folder, 0o755);
    const copies = hidden.map(([name, file]) => {
      const copy = path.join(folder, name);
      fs.cpSync(file, copy, { recursive: true, dereference: true });
      openToAll(copy);
      return [name, copy] as const;
    });
    return { files: { ...files, ...Object.fromEntries(copies) }, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
