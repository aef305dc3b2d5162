import fs from "node:fs";
import path from "node:path";
import { parseJson } from "../../model/read-json.ts";
import { makeOwnFolder } from "../own-folder.ts";
import { replaceSync } from "../sync-files.ts";
import { boundedText } from "./bounded-text.ts";
import { pipeOf } from "./contained-child.ts";
import { startChild } from "./pyodide-child.ts";
import prepare from "./pyodide-guest/prepare.py?text";
import realm from "./pyodide-guest/realm.js?text";
import { fileDigest, PYODIDE_VERSION, sha256 } from "./pyodide-files.ts";
import { bareLaunch } from "./pyodide-launch.ts";

/** Bytes of a snapshot; one of an interpreter with common modules has 30 MB. */
const MAX_BYTES = 256 << 20;
/** Of its messages where it fails. */
const MESSAGE_BYTES = 4096;
/** Milliseconds until one must be made, on a busy machine. */
const PATIENCE_MS = 180_000;
const LIMITS = { memoryBytes: 512 << 20, processorSeconds: 300 };
/** Users that Bubblewrap runs as must read it: the folder is closed to others, not the file. */
const READABLE = 0o644;

/** Whether the file is whole and as it was made. */
async function isIntact(file: string): Promise<boolean> {
  try {
    const { bytes, digest } = parseJson(fs.readFileSync(`${file}.json`, "utf8")) as Record<string, unknown>;
    return fs.statSync(file).size === bytes && (await fileDigest(file)) === digest;
  } catch {
    return false;
  }
}

/** The memory of an interpreter that has started without a snapshot, or why there is none. */
async function takeMemory(folder: string, signal: AbortSignal): Promise<Buffer | string> {
  const { child, kill } = startChild(bareLaunch({ folder, snapshot: "" }, LIMITS));
  const timer = setTimeout(kill, PATIENCE_MS);
  signal.addEventListener("abort", kill, { once: true });
  if (signal.aborted) kill();
  const chunks: Buffer[] = [];
  let bytes = 0;
  pipeOf(child, 3).on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) kill();
    else chunks.push(chunk);
  });
  pipeOf(child, 1).resume();
  const messages = boundedText(pipeOf(child, 2), () => MESSAGE_BYTES);
  pipeOf(child, 0).end(JSON.stringify({ prepare }));
  const [code, by] = await new Promise<readonly [number | null, string | null]>((resolve) => {
    child.once("close", (...end) => resolve(end));
  });
  clearTimeout(timer);
  signal.removeEventListener("abort", kill);
  const memory = Buffer.concat(chunks);
  if (code === 0 && memory.length > 0) return memory;
  const last = messages.text().trim().split("\n").at(-1) ?? "";
  return last === "" ? `it ended with ${by ?? `code ${code}`}` : last;
}

/**
 * A memory snapshot of the Pyodide in `folder`, made in `cache` where it is missing, cut short or changed. Answers its file, or why it cannot be
 * made. Aborted, it leaves nothing half. Throws FileError where the cache cannot be written.
 */
export async function pyodideSnapshot(
  folder: string,
  cache: string,
  signal: AbortSignal,
): Promise<{ readonly file: string } | { readonly why: string }> {
  const key = sha256(`${PYODIDE_VERSION}\n${prepare}\n${realm}`).slice(0, 16);
  const file = path.join(cache, `snapshot-${key}.bin`);
  if (await isIntact(file)) return { file };
  const memory = await takeMemory(folder, signal);
  if (typeof memory === "string") return { why: signal.aborted ? "interrupted" : memory };
  makeOwnFolder(cache);
  replaceSync(file, memory, READABLE);
  replaceSync(`${file}.json`, `${JSON.stringify({ bytes: memory.length, digest: sha256(memory) })}\n`);
  return { file };
}
