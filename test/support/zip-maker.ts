import { deflateRawSync } from "node:zlib";

/** One entry, true or lying. What is left out is derived from the text. */
export interface MadeEntry {
  readonly name: string;
  readonly data: string | Uint8Array;
  readonly method?: number;
  readonly flags?: number;
  /** What the header says, instead of what is so. */
  readonly packedBytes?: number;
  readonly declaredBytes?: number;
  /** Sizes stand after the data, as writers of streams do it. */
  readonly sizesFollow?: "short" | "long";
  /** Sizes stand in the extra field of archives over 4 GiB. */
  readonly zip64?: readonly [declared: bigint, packed: bigint];
  /** The packed bytes, instead of `data` packed. */
  readonly packed?: Uint8Array;
}

const DIRECTORY = Buffer.from([0x50, 0x4b, 0x01, 0x02]);
const END = Buffer.from([0x50, 0x4b, 0x05, 0x06]);

function header(entry: MadeEntry, packed: Buffer, bytes: number): Buffer {
  const name = Buffer.from(entry.name, "utf8");
  const extra = Buffer.alloc(entry.zip64 === undefined ? 0 : 20);
  if (entry.zip64 !== undefined) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(16, 2);
    extra.writeBigUInt64LE(entry.zip64[0], 4);
    extra.writeBigUInt64LE(entry.zip64[1], 12);
  }
  const far = entry.zip64 === undefined ? undefined : 0xffffffff;
  const follows = entry.sizesFollow !== undefined;
  const fixed = Buffer.alloc(30);
  fixed.writeUInt32LE(0x04034b50, 0);
  fixed.writeUInt16LE(20, 4);
  fixed.writeUInt16LE((entry.flags ?? 0) | (follows ? 8 : 0), 6);
  fixed.writeUInt16LE(entry.method ?? 8, 8);
  fixed.writeUInt32LE(far ?? entry.packedBytes ?? (follows ? 0 : packed.length), 18);
  fixed.writeUInt32LE(far ?? entry.declaredBytes ?? (follows ? 0 : bytes), 22);
  fixed.writeUInt16LE(name.length, 26);
  fixed.writeUInt16LE(extra.length, 28);
  return Buffer.concat([fixed, name, extra]);
}

function descriptor(entry: MadeEntry, packed: number, bytes: number): Buffer {
  if (entry.sizesFollow === undefined) return Buffer.alloc(0);
  const isLong = entry.sizesFollow === "long";
  const made = Buffer.alloc(isLong ? 24 : 16);
  made.writeUInt32LE(0x08074b50, 0);
  if (isLong) {
    made.writeBigUInt64LE(BigInt(packed), 8);
    made.writeBigUInt64LE(BigInt(bytes), 16);
  } else {
    made.writeUInt32LE(packed, 8);
    made.writeUInt32LE(bytes, 12);
  }
  return made;
}

/** The directory's record of an entry that begins at `at`. */
function record(name: string, at: number): Buffer {
  const fixed = Buffer.alloc(46);
  DIRECTORY.copy(fixed);
  fixed.writeUInt16LE(Buffer.byteLength(name), 28);
  fixed.writeUInt32LE(at, 42);
  return Buffer.concat([fixed, Buffer.from(name)]);
}

function endRecord(bytes: number, at: number): Buffer {
  const fixed = Buffer.alloc(22);
  END.copy(fixed);
  fixed.writeUInt32LE(bytes, 12);
  fixed.writeUInt32LE(at, 16);
  return fixed;
}

/**
 * A zip of these entries. Its directory is only as much of one as readers from front to back look at; with `listed`, it lists the entries
 * with these places in `entries`.
 */
export function makeZip(
  entries: readonly MadeEntry[],
  options: { readonly end?: boolean; readonly listed?: readonly number[] } = {},
): Buffer {
  let at = 0;
  const parts = entries.map((entry) => {
    const data = Buffer.from(entry.data);
    const packed = Buffer.from(entry.packed ?? ((entry.method ?? 8) === 8 ? deflateRawSync(data) : data));
    const bytes = [header(entry, packed, data.length), packed, descriptor(entry, packed.length, data.length)];
    const made = { at, name: entry.name, bytes: Buffer.concat(bytes) };
    at += made.bytes.length;
    return made;
  });
  const all = parts.map(({ bytes }) => bytes);
  if (options.listed !== undefined) {
    const directory = Buffer.concat(
      parts.filter((_, index) => options.listed?.includes(index)).map((part) => record(part.name, part.at)),
    );
    return Buffer.concat([...all, directory, endRecord(directory.length, at)]);
  }
  const end = options.end === false ? [] : [DIRECTORY, Buffer.alloc(42), END, Buffer.alloc(18)];
  return Buffer.concat([...all, ...end]);
}
