import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { nodeFiles } from "../../src/platform/files.ts";
import { sampleFiles } from "../../src/platform/sample-copy.ts";

/** Hashes of the files as they were copied last, by their path. */
type Copied = Record<string, string>;

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

function readCopied(file: string): Copied {
  if (!existsSync(file)) return {};
  return JSON.parse(readFileSync(file, "utf8")) as Copied;
}

/** Whether the file in the copy is as it was copied: one that a person edited or removed stays so. */
function isUntouched(file: string, copied: string | undefined): boolean {
  if (!existsSync(file)) return copied === undefined;
  return hashOf(readFileSync(file)) === copied;
}

/**
 * The copy of the sample that `npm start` opens, so that nothing is written into the checkout. Takes over what has changed in the sample since
 * the last start, except in files that a person edited or removed.
 */
export async function refreshSample(from: string, to: string): Promise<void> {
  const list = `${to}.json`;
  const before = readCopied(list);
  const after: Copied = { ...before };
  for (const path of await sampleFiles(nodeFiles(), from)) {
    const target = join(to, path);
    if (!isUntouched(target, before[path])) continue;
    const bytes = await readFile(join(from, path));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes);
    after[path] = hashOf(bytes);
  }
  await mkdir(dirname(list), { recursive: true });
  await writeFile(list, `${JSON.stringify(after, undefined, 2)}\n`);
}
