const MARKS: readonly (readonly [readonly number[], TextEncodingName])[] = [
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];

export type TextEncodingName = "utf-8" | "utf-16le" | "utf-16be";

/** The encoding of a text that begins in ASCII. UTF-16 without a mark shows itself by the zero beside its first character. */
export function encodingOf(bytes: Uint8Array): TextEncodingName {
  const marked = MARKS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (marked !== undefined) return marked[1];
  const [first, second] = bytes;
  if (second === 0 && first !== undefined && first !== 0) return "utf-16le";
  return first === 0 && second !== undefined && second !== 0 ? "utf-16be" : "utf-8";
}
