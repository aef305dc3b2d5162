import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { FILE_DIGESTS, PYODIDE_PACKAGE, sha256 } from "./pyodide-files.ts";

const BLOCK = 512;
const NAME_BYTES = 100;
const SIZE_AT = 124;
const SIZE_BYTES = 12;
/** In bytes, unpacked: more is no package of Pyodide. */
const MAX_BYTES = 64 << 20;

/** Whether it is the pinned package, byte for byte. */
export const isPyodidePackage = (archive: Uint8Array): boolean =>
  createHash("sha512").update(archive).digest("base64") === PYODIDE_PACKAGE.sha512;

/** Files of a tar archive by their names without `package/`. Reads what npm packs: short names, and files alone. */
function* tarFiles(tar: Buffer): Generator<readonly [name: string, data: Buffer]> {
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0;) {
    const text = (from: number, bytes: number): string =>
      tar.toString("latin1", at + from, at + from + bytes).split("\0")[0] ?? "";
    const size = Number.parseInt(text(SIZE_AT, SIZE_BYTES), 8);
    if (!Number.isSafeInteger(size)) return;
    const start = at + BLOCK;
    yield [text(0, NAME_BYTES).replace(/^package\//, ""), tar.subarray(start, start + size)];
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
}

/** The files of the package that are used. Throws where one is missing or another than the pinned one. */
export function pyodideFilesIn(archive: Uint8Array): ReadonlyMap<string, Buffer> {
  const tar = gunzipSync(archive, { maxOutputLength: MAX_BYTES });
  const files = new Map([...tarFiles(tar)].filter(([name]) => name in FILE_DIGESTS));
  for (const [name, digest] of Object.entries(FILE_DIGESTS))
    if (sha256(files.get(name) ?? "") !== digest) throw new Error(`${name} is not the expected file`);
  return files;
}
