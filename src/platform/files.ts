import { randomUUID } from "node:crypto";
import {
  access,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
  type FileHandle,
} from "node:fs/promises";
import { dirname } from "node:path";
import type { FileStat, FolderEntry, TraceFiles } from "../trace/ports.ts";
import { asFileError } from "./file-error.ts";
import { absolute, fromHere } from "./surroundings.ts";
import {
  APPEND_FLAGS,
  appendFailure,
  checkOwnFile,
  checkPlainFile,
  READ_FLAGS,
  writePath,
} from "./write-path.ts";
import { zstd } from "./zstd.ts";

/** What `readText` found. */
type TextResult =
  | { readonly kind: "text"; readonly text: string; readonly bytes?: Uint8Array }
  | { readonly kind: "absent" }
  /** Over the cap: `size` in bytes. */
  | { readonly kind: "too-large"; readonly size: number };

/**
 * The file port of every room; each room declares the part it uses. Reads follow links. All that writes, makes or removes goes through
 * `writePath` and rejects with a FileError, such as its LinkedPathError or a full disk.
 */
export interface NodeFiles extends TraceFiles {
  exists(path: string): Promise<boolean>;
  /** The file as UTF-8 where it has at most `maxBytes`. A folder counts as absent. */
  readText(path: string, maxBytes: number): Promise<TextResult>;
  /** Writes UTF-8 text, as a whole or not at all, in a folder that is made where it is missing. */
  writeText(path: string, text: string): Promise<void>;
  /** Writes a file that must not be there yet, in a folder that is made where it is missing. */
  create(path: string, data: Uint8Array | string): Promise<void>;
}

const CHUNK_BYTES = 4 * 1024 * 1024;

/** Removes a folder with all that is in it; nothing happens where there is none. */
export const removeFolder = async (path: string): Promise<void> =>
  inWords(path, "removed", async () => rm(writePath(path), { recursive: true, force: true }));

/**
 * `NodeFiles` over `node:fs`. Every writer of HASP replaces a file whole (temporary file, rename) or appends to it; none rewrites one in
 * place.
 */
export function nodeFiles(): NodeFiles {
  return {
    stat: statFile,
    read: readRange,
    chunks: readAhead,
    append: appendBytes,
    writeAtomic,
    list: listFolder,
    entries: folderEntries,
    makeFolder,
    remove: (path) => inWords(path, "removed", async () => rm(writePath(path), { force: true })),
    zstd,
    exists: (path) =>
      access(fromHere(path)).then(
        () => true,
        () => false,
      ),
    readText,
    absolute,
    realPath: (path) => realpath(fromHere(path)),
    async writeText(path, text) {
      await makeFolder(dirname(path));
      await writeAtomic(path, Buffer.from(text, "utf8"));
    },
    async create(path, data) {
      await makeFolder(dirname(path));
      await inWords(path, "written", async () => writeFile(writePath(path), data, { flag: "wx" }));
    },
  };
}

function isAbsent(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOENT" || code === "ENOTDIR";
}

async function statFile(path: string): Promise<FileStat | undefined> {
  try {
    const found = await stat(fromHere(path));
    return { size: found.size, mtimeMs: found.mtimeMs, isFile: found.isFile() };
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** Opens a plain file for reading. A pipe would block for ever, and a device has no end: both are refused. */
async function openPlain(path: string): Promise<FileHandle> {
  const file = await open(fromHere(path), READ_FLAGS);
  try {
    checkPlainFile(path, await file.stat());
  } catch (error) {
    await file.close();
    throw error;
  }
  return file;
}

async function readRange(path: string, offset: number, length: number): Promise<Uint8Array> {
  const file = await openPlain(path);
  try {
    return await fill(file, Buffer.allocUnsafe(length), offset);
  } finally {
    await file.close();
  }
}

/** Reads until the buffer is full or the file ends; one `read` may return less. */
async function fill(file: FileHandle, buffer: Buffer, offset: number): Promise<Buffer> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** Two buffers in turn: one is read into while the caller looks at the other. */
async function* readAhead(path: string, from: number, to: number): AsyncGenerator<Uint8Array> {
  if (from >= to) return;
  const file = await openPlain(path);
  const size = Math.min(CHUNK_BYTES, to - from);
  let [current, spare] = [Buffer.allocUnsafe(size), Buffer.allocUnsafe(size)];
  const ask = (buffer: Buffer, at: number): Promise<Buffer> =>
    fill(file, buffer.subarray(0, Math.max(0, Math.min(size, to - at))), at);
  let pending = ask(current, from);
  try {
    for (let at = from; at < to;) {
      const chunk = await pending;
      if (chunk.length === 0) return;
      at += chunk.length;
      pending = ask(spare, at);
      // The caller may stop here, and then nobody else would hear of a failed read.
      pending.catch(() => undefined);
      yield chunk;
      [current, spare] = [spare, current];
    }
  } finally {
    await pending.catch(() => undefined);
    await file.close();
  }
}

/** The failure of `work` as a FileError about this file. */
async function inWords<T>(
  file: string,
  deed: "written" | "made" | "removed",
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asFileError(error, file, deed);
  }
}

async function makeFolder(path: string): Promise<void> {
  await inWords(path, "made", async () => mkdir(writePath(path), { recursive: true }));
}

async function appendBytes(
  path: string,
  data: Uint8Array,
  options: { readonly sync?: boolean } = {},
): Promise<void> {
  let file: FileHandle | undefined;
  try {
    file = await open(writePath(path), APPEND_FLAGS);
    const before = await file.stat();
    checkOwnFile(path, before);
    await appendWhole(file, data, before.size);
    if (options.sync === true) await file.sync();
  } catch (error) {
    throw appendFailure(error, path);
  } finally {
    await file?.close();
  }
}

/** A full disk takes a part of a line; that part is removed again, unless somebody has added theirs behind it. */
async function appendWhole(file: FileHandle, data: Uint8Array, size: number): Promise<void> {
  let written = 0;
  try {
    while (written < data.length) written += (await file.write(data, written)).bytesWritten;
  } catch (error) {
    if (written > 0 && (await file.stat()).size === size + written) await file.truncate(size);
    throw error;
  }
}

async function writeAtomic(path: string, data: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  const target = writePath(path);
  const temporary = `${target}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    await writeWhole(temporary, data);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw asFileError(error, path, "written");
  }
}

async function writeWhole(path: string, data: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, "wx");
  try {
    // FileHandle.writeFile goes on where it stopped, so many pieces become one file.
    if (data instanceof Uint8Array) await file.writeFile(data);
    else for await (const piece of data) await file.writeFile(piece);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function listFolder(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(fromHere(folder))).toSorted();
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

async function folderEntries(folder: string): Promise<readonly FolderEntry[]> {
  const found = await readdir(fromHere(folder), { withFileTypes: true });
  return found
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function readText(path: string, maxBytes: number): Promise<TextResult> {
  try {
    const found = await stat(fromHere(path));
    if (found.isDirectory()) return { kind: "absent" };
    if (found.size > maxBytes) return { kind: "too-large", size: found.size };
    const bytes = await readRange(path, 0, found.size);
    return { kind: "text", text: new TextDecoder().decode(bytes), bytes };
  } catch (error) {
    if (isAbsent(error)) return { kind: "absent" };
    throw error;
  }
}
