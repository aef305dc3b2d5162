const DECODERS: readonly (readonly [readonly number[], string])[] = [
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];

/** UTF-16 without a mark shows itself by the zero beside its first ASCII character. */
function encodingOf(bytes: Uint8Array): string {
  const marked = DECODERS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (marked !== undefined) return marked[1];
  const [first, second] = bytes;
  if (second === 0 && first !== undefined && first !== 0) return "utf-16le";
  return first === 0 && second !== undefined && second !== 0 ? "utf-16be" : "utf-8";
}

/** Text in UTF-8 or UTF-16, as programs pipe it, without its byte-order marks: PowerShell writes one, and JSON knows none. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes).replace(/^\uFEFF+/, "");
}
