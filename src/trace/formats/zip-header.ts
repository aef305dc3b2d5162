/** Ways to pack an entry, as a zip numbers them. */
const STORED = 0;
export const DEFLATE = 8;
export const ZSTANDARD = 93;

/** The header before the data of a zip entry. Everything in it is the word of whoever wrote the archive. */
export interface LocalHeader {
  readonly name: string;
  readonly isEncrypted: boolean;
  /** `DEFLATE`, `ZSTANDARD`, or another. */
  readonly method: number;
  /** Undefined where it follows the data. */
  readonly packedBytes: number | undefined;
  /** Undefined where it follows the data. */
  readonly declaredBytes: number | undefined;
}

const ENCRYPTED = 1;
const SIZE_FOLLOWS = 8;
const IN_EXTRA = 0xffffffff;
const ZIP64 = 1;
const METHODS: ReadonlyMap<number, string> = new Map([
  [12, "bzip2"],
  [14, "LZMA"],
  [95, "xz"],
  [99, "AES"],
]);

/** `fixed`: the 26 bytes after the mark; `named`: the name and the extra fields after them. */
export function parseLocalHeader(fixed: Uint8Array, named: Uint8Array): LocalHeader {
  const view = new DataView(fixed.buffer, fixed.byteOffset, fixed.byteLength);
  const nameBytes = view.getUint16(22, true);
  const flags = view.getUint16(2, true);
  const [packed, declared] = sizesOf(view, named.subarray(nameBytes));
  const follows = (flags & SIZE_FOLLOWS) !== 0 && packed === 0;
  return {
    name: new TextDecoder().decode(named.subarray(0, nameBytes)),
    isEncrypted: (flags & ENCRYPTED) !== 0,
    method: view.getUint16(4, true),
    packedBytes: follows ? undefined : packed,
    declaredBytes: follows ? undefined : declared,
  };
}

/** Packed and unpacked size; those over 4 GiB stand in an extra field, the unpacked one first. */
function sizesOf(view: DataView, extra: Uint8Array): readonly [number, number] {
  const [packed, declared] = [view.getUint32(14, true), view.getUint32(18, true)];
  if (packed !== IN_EXTRA && declared !== IN_EXTRA) return [packed, declared];
  const fields = new DataView(extra.buffer, extra.byteOffset, extra.byteLength);
  for (let at = 0; at + 4 <= extra.length; at += 4 + fields.getUint16(at + 2, true)) {
    if (fields.getUint16(at, true) !== ZIP64) continue;
    const sizeAt = (place: number): number =>
      place + 8 <= extra.length ? Number(fields.getBigUint64(place, true)) : 0;
    const first = at + 4;
    const second = declared === IN_EXTRA ? first + 8 : first;
    return [packed === IN_EXTRA ? sizeAt(second) : packed, declared === IN_EXTRA ? sizeAt(first) : declared];
  }
  return [packed, declared];
}

/** Why an entry is not unpacked, as a clause for a message; undefined where it may be tried. `hasZstd`: the runtime has Zstandard. */
export function refusal({ name, isEncrypted, method }: LocalHeader, hasZstd: boolean): string | undefined {
  // Nothing is written by this name; one that tries to lead elsewhere was made to harm somebody.
  if (/(?:^|[/\\])\.\.(?:[/\\]|$)|\0|\\/.test(name)) return "its name leads out of the archive";
  if (isEncrypted || method === 99) return "it is encrypted";
  if (method === STORED || method === DEFLATE || (method === ZSTANDARD && hasZstd)) return undefined;
  if (method === ZSTANDARD) return NO_ZSTD;
  const known = METHODS.get(method);
  return `it is compressed with ${known ?? `method ${method}`}, and only deflate and Zstandard are read`;
}

/** Said of everything that is packed with Zstandard where the runtime lacks it. */
export const NO_ZSTD = "it is compressed with Zstandard, which Node has from version 22.15 on";
