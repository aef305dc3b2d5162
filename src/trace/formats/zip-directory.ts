/** Reads bytes of an archive: up to `length` from `offset`. */
export type ReadBytes = (offset: number, length: number) => Promise<Uint8Array>;

const END = 0x06054b50;
const END_BYTES = 22;
const LOCATOR = 0x07064b50;
const LOCATOR_BYTES = 20;
const LONG_END = 0x06064b50;
const LONG_END_BYTES = 56;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const IN_EXTRA = 0xffffffff;
const ZIP64 = 1;
/** A comment may follow the end. */
const LONGEST_COMMENT = 0xffff;
/** 64 MiB of a directory are half a million entries. */
const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024;

/**
 * The bytes at which the entries begin that an archive's directory lists; undefined where it has none that can be read. An archive that was
 * written on still holds the entries that were taken out of it or written again.
 */
export async function listedEntries(read: ReadBytes, size: number): Promise<ReadonlySet<number> | undefined> {
  const place = await directoryOf(read, size);
  if (place === undefined || place.bytes > MAX_DIRECTORY_BYTES || place.at + place.bytes > size)
    return undefined;
  const directory = viewOf(await read(place.at, place.bytes));
  const listed = new Set<number>();
  let at = 0;
  while (at + ENTRY_BYTES <= directory.byteLength && directory.getUint32(at, true) === ENTRY) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => directory.getUint16(at + offset, true));
    const end = at + ENTRY_BYTES + (name ?? 0) + (extra ?? 0);
    listed.add(beginOf(directory, at, { from: end - (extra ?? 0), end }));
    at = end + (comment ?? 0);
  }
  return at === directory.byteLength && listed.size > 0 ? listed : undefined;
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

interface Place {
  readonly at: number;
  readonly bytes: number;
}

async function directoryOf(read: ReadBytes, size: number): Promise<Place | undefined> {
  const from = Math.max(0, size - END_BYTES - LONGEST_COMMENT - LOCATOR_BYTES);
  const tail = viewOf(await read(from, size - from));
  for (let at = tail.byteLength - END_BYTES; at >= 0; at--) {
    if (
      tail.getUint32(at, true) !== END ||
      at + END_BYTES + tail.getUint16(at + 20, true) !== tail.byteLength
    )
      continue;
    const place = { at: tail.getUint32(at + 16, true), bytes: tail.getUint32(at + 12, true) };
    const isLong = at >= LOCATOR_BYTES && tail.getUint32(at - LOCATOR_BYTES, true) === LOCATOR;
    if (!isLong) return place;
    return longDirectory(read, Number(tail.getBigUint64(at - LOCATOR_BYTES + 8, true)), size);
  }
  return undefined;
}

/** Of an archive over 4 GiB. */
async function longDirectory(read: ReadBytes, at: number, size: number): Promise<Place | undefined> {
  if (at + LONG_END_BYTES > size) return undefined;
  const end = viewOf(await read(at, LONG_END_BYTES));
  if (end.byteLength < LONG_END_BYTES || end.getUint32(0, true) !== LONG_END) return undefined;
  return { at: Number(end.getBigUint64(48, true)), bytes: Number(end.getBigUint64(40, true)) };
}

/** Where an entry begins: in its own field, or after the sizes that are there too in an extra one. */
function beginOf(
  directory: DataView,
  at: number,
  { from, end }: { readonly from: number; readonly end: number },
): number {
  const begin = directory.getUint32(at + 42, true);
  if (begin !== IN_EXTRA) return begin;
  const sizes = [20, 24].filter((offset) => directory.getUint32(at + offset, true) === IN_EXTRA).length;
  for (let field = from; field + 4 <= Math.min(end, directory.byteLength);) {
    const place = field + 4 + 8 * sizes;
    if (directory.getUint16(field, true) === ZIP64 && place + 8 <= directory.byteLength)
      return Number(directory.getBigUint64(place, true));
    field += 4 + directory.getUint16(field + 2, true);
  }
  return begin;
}
