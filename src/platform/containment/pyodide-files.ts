import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { cacheFolder } from "../user-folders.ts";

/** Its snapshots are made by an internal option, which every other version must be tried with. */
export const PYODIDE_VERSION = "314.0.7";

/** The package as npm hands it out, by the sum that npm calls `integrity`. */
export const PYODIDE_PACKAGE = {
  name: `pyodide@${PYODIDE_VERSION}`,
  sha512: "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A==",
  downloadMb: 6.5,
  /** Unpacked, with its memory snapshot. */
  diskMb: 45,
} as const;

/** SHA-256 of the files of the package that are used, in hexadecimal digits. */
export const FILE_DIGESTS: Readonly<Record<string, string>> = {
  "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
  "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
  "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
  "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
};

/** Files of one Pyodide on this machine. */
export interface PyodideFiles {
  /** Folder of the package, whose files have the pinned digests. */
  readonly folder: string;
  /** Memory of an interpreter that has started, to start from; empty: start without one, to make it. */
  readonly snapshot: string;
}

/** The folder of what this user's containments need. */
const containmentFolder = (): string => path.join(cacheFolder(), "containment");

/** This user's Pyodide, as `hasp containment --pyodide` makes it. */
export const pyodideFolder = (): string => path.join(containmentFolder(), `pyodide-${PYODIDE_VERSION}`);

/** Where its memory snapshots are. */
export const snapshotFolder = (): string => path.join(containmentFolder(), "snapshots");

export const sha256 = (data: Uint8Array | string): string => createHash("sha256").update(data).digest("hex");

/** SHA-256 of a file, in hexadecimal digits. Rejects where it cannot be read. */
export async function fileDigest(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(fs.createReadStream(file), hash);
  return hash.digest("hex");
}

/** Whether the folder has all the files of the pinned version, unchanged. */
export async function isPyodide(folder: string): Promise<boolean> {
  try {
    for (const [name, digest] of Object.entries(FILE_DIGESTS))
      if ((await fileDigest(path.join(folder, name))) !== digest) return false;
    return true;
  } catch {
    return false;
  }
}
