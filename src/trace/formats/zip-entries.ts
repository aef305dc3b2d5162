import type { OpenZstdFrame } from "../ports.ts";
import { type ByteCursor, byteCursor } from "./byte-cursor.ts";
import { entryUnpacker } from "./entry-unpacker.ts";
import { type LocalHeader, parseLocalHeader, refusal } from "./zip-header.ts";

/** Most entries of one archive that are looked at. A log has one a sample. */
export const MAX_ENTRIES = 100_000;
/** Most bytes that one archive may unpack to: 8 GiB. They are unpacked one entry at a time. */
export const MAX_ARCHIVE_BYTES = 8 * 1024 * 1024 * 1024;

/** An entry, or what an archive is wrong about. */
export interface ZipEntry {
  readonly name: string;
  /** Undefined where it could not be unpacked; `why` is then a clause for a message. Also of an entry that was cut: its beginning. */
  readonly text: string | undefined;
  readonly why?: string;
}

export type ZipEvent =
  | { readonly kind: "entry"; readonly entry: ZipEntry }
  /** The archive as a whole: no entry after this is read. */
  | { readonly kind: "stop"; readonly why: string }
  /** Bytes between two entries that belong to none. */
  | { readonly kind: "damage"; readonly at: number };

/** Bytes read at a time where nothing is unpacked. */
const PIECE = 64 * 1024;
const LOCAL = 0x04034b50;
const MARK_BYTES = 4;
/** Marks what follows the last entry: the directory, its end, and the two forms of an archive over 4 GiB. */
const AFTER_ENTRIES = new Set([0x02014b50, 0x06054b50, 0x06064b50, 0x07064b50, 0x08064b50]);
const ENTRIES_END = [0x50, 0x4b, 0x05, 0x06];
/** The longest data descriptor: mark, checksum, two sizes of 8 bytes. */
const DESCRIPTOR_BYTES = 24;

/** Which entries are given, and what they are unpacked with. */
export interface ZipOptions {
  /** `at`: the byte at which the entry begins. */
  readonly wanted: (name: string, at: number) => boolean;
  readonly zstd: OpenZstdFrame | undefined;
}

/**
 * The wanted entries of a zip in the order of its bytes. Each byte is read once and no size that the archive declares is believed, so
 * that entries cannot overlap and memory holds one entry at most. Entries before a break, or after a damaged stretch, are still given.
 */
export async function* zipEntries(
  chunks: AsyncIterable<Uint8Array>,
  options: ZipOptions,
): AsyncGenerator<ZipEvent & { readonly readBytes: number }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const cursor = byteCursor(iterator);
  const at = (event: ZipEvent): ZipEvent & { readonly readBytes: number } => ({
    ...event,
    readBytes: cursor.position,
  });
  try {
    for await (const event of readAll(cursor, options)) yield at(event);
  } finally {
    await iterator.return?.();
  }
}

async function* readAll(cursor: ByteCursor, options: ZipOptions): AsyncGenerator<ZipEvent> {
  let unpacked = 0;
  let damaged = false;
  for (let entries = 0; ;) {
    const position = cursor.position;
    const mark = await nextMark(cursor, damaged);
    if (mark === undefined) return yield { kind: "stop", why: "it breaks off" };
    if (AFTER_ENTRIES.has(mark)) {
      if (!(await reachesEnd(cursor, mark))) yield { kind: "stop", why: "it breaks off" };
      return;
    }
    if (mark !== LOCAL) {
      if (!damaged) yield { kind: "damage", at: position };
      damaged = true;
      continue;
    }
    damaged = false;
    if (++entries > MAX_ENTRIES)
      return yield { kind: "stop", why: `it has more than ${MAX_ENTRIES} entries` };
    const at = cursor.position - MARK_BYTES;
    const header = await readHeader(cursor);
    if (header === undefined) return yield { kind: "stop", why: "it breaks off" };
    const { entry, bytes } = await readEntry(cursor, { header, at }, options);
    if (entry !== undefined) yield { kind: "entry", entry };
    unpacked += bytes;
    if (unpacked > MAX_ARCHIVE_BYTES)
      return yield { kind: "stop", why: `it unpacks to more than ${MAX_ARCHIVE_BYTES / 1024 ** 3} GiB` };
  }
}

/** The 4 bytes that say what follows; after damage, those of the next entry or of the end, wherever they stand. */
async function nextMark(cursor: ByteCursor, searching: boolean): Promise<number | undefined> {
  const first = await cursor.bytes(4);
  if (first === undefined) return undefined;
  const mark = numberOf(first);
  return searching ? await seekMark(cursor, mark) : mark;
}

const isKnown = (mark: number): boolean => mark === LOCAL || AFTER_ENTRIES.has(mark);

async function seekMark(cursor: ByteCursor, before: number): Promise<number | undefined> {
  let mark = before;
  while (!isKnown(mark)) {
    const piece = await cursor.piece(PIECE);
    if (piece === undefined) return undefined;
    let at = 0;
    while (at < piece.length && !isKnown(mark)) mark = (mark >>> 8) + (piece[at++] ?? 0) * 0x1000000;
    if (at < piece.length) cursor.unread(piece.slice(at));
  }
  return mark;
}

function numberOf(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
}

/** Whether the archive's last record comes; a directory without it was cut. */
async function reachesEnd(cursor: ByteCursor, mark: number): Promise<boolean> {
  if (mark === 0x06054b50) return true;
  let matched = 0;
  for (;;) {
    const piece = await cursor.piece(PIECE);
    if (piece === undefined) return false;
    for (const byte of piece) {
      matched = byte === ENTRIES_END[matched] ? matched + 1 : byte === ENTRIES_END[0] ? 1 : 0;
      if (matched === ENTRIES_END.length) return true;
    }
  }
}

async function readHeader(cursor: ByteCursor): Promise<LocalHeader | undefined> {
  const fixed = await cursor.bytes(26);
  if (fixed === undefined) return undefined;
  const view = new DataView(fixed.buffer);
  const named = await cursor.bytes(view.getUint16(22, true) + view.getUint16(24, true));
  return named === undefined ? undefined : parseLocalHeader(fixed, named);
}

/** `bytes`: how many were unpacked. `entry` is undefined for what nobody wants. */
async function readEntry(
  cursor: ByteCursor,
  { header, at }: { readonly header: LocalHeader; readonly at: number },
  { wanted, zstd }: ZipOptions,
): Promise<{ readonly entry: ZipEntry | undefined; readonly bytes: number }> {
  const { name } = header;
  const isWanted = wanted(name, at);
  const refused = isWanted ? refusal(header, zstd !== undefined) : undefined;
  const unpacker = isWanted && refused === undefined ? entryUnpacker(header, zstd) : undefined;
  const feed = async (data: Uint8Array): Promise<void> => unpacker?.push(data);
  const isWhole =
    header.packedBytes === undefined
      ? await feedToDescriptor(cursor, feed)
      : await feedBytes(cursor, header.packedBytes, feed);
  if (!isWanted) return { entry: undefined, bytes: 0 };
  if (unpacker === undefined)
    return { entry: { name, text: undefined, why: refused ?? "it cannot be read" }, bytes: 0 };
  const cut = { text: unpacker.cut(), why: unpacker.problem ?? "it breaks off" };
  const { text, why = "" } = isWhole ? await unpacker.end() : cut;
  return { entry: { name, text, why }, bytes: unpacker.bytes };
}

type Feed = (data: Uint8Array) => Promise<void>;

/** Hands over `count` bytes; false where the archive ends before. */
async function feedBytes(cursor: ByteCursor, count: number, feed: Feed): Promise<boolean> {
  for (let left = count; left > 0;) {
    const piece = await cursor.piece(Math.min(left, PIECE));
    if (piece === undefined) return false;
    await feed(piece);
    left -= piece.length;
  }
  return true;
}

/**
 * Hands over the bytes of an entry whose size follows it, in a data descriptor. The four bytes that begin one may stand in the data by
 * chance; the size after them decides.
 */
async function feedToDescriptor(cursor: ByteCursor, feed: Feed): Promise<boolean> {
  let held: Uint8Array = new Uint8Array(0);
  let fed = 0;
  for (;;) {
    const piece = await cursor.piece(PIECE);
    const window = new Uint8Array(held.length + (piece?.length ?? 0));
    window.set(held);
    if (piece !== undefined) window.set(piece, held.length);
    const end = descriptorIn(window, fed);
    if (end !== undefined) {
      await feed(window.subarray(0, end.at));
      cursor.unread(window.subarray(end.at + end.bytes));
      return true;
    }
    const keep = piece === undefined ? window.length : Math.max(0, window.length - DESCRIPTOR_BYTES);
    await feed(window.subarray(0, keep));
    fed += keep;
    held = window.slice(keep);
    if (piece === undefined) return false;
  }
}

function descriptorIn(
  window: Uint8Array,
  before: number,
): { readonly at: number; readonly bytes: number } | undefined {
  const view = new DataView(window.buffer, window.byteOffset, window.byteLength);
  for (let at = window.indexOf(0x50); at !== -1; at = window.indexOf(0x50, at + 1)) {
    if (at + 16 > window.length) return undefined;
    if (view.getUint32(at, true) !== 0x08074b50 || view.getUint32(at + 8, true) !== (before + at) >>> 0)
      continue;
    // The long form has 8 bytes a size: the upper half of the first one is 0, and the next record follows later.
    const isLong = at + DESCRIPTOR_BYTES <= window.length && isMark(view, at + 24) && !isMark(view, at + 16);
    return { at, bytes: isLong ? DESCRIPTOR_BYTES : 16 };
  }
  return undefined;
}

function isMark(view: DataView, at: number): boolean {
  return at + 2 <= view.byteLength && view.getUint16(at, true) === 0x4b50;
}
