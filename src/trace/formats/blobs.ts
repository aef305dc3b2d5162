import { isRecord } from "./records.ts";

/** Characters from which on text without a blank counts as bytes written as text: images, sounds, files, signatures. */
const LONG = 1_000;
const DATA_URL = /^data:[^,\s]{0,200},/;
const HEAD = /data:([\w.+-]{0,60}(?:\/[\w.+-]{0,60})?)(?:;[\w=.+-]{0,60}){0,5};base64,/g;
/** No character of bytes that are written as text. A pattern that takes such bytes runs out of stack on some megabytes of them. */
const OTHER = /[^A-Za-z0-9+/=_-]/g;

/** The first character from `from` on that is none of bytes written as text; the length of the text where all of them are. */
function endOfBytes(text: string, from: number): number {
  OTHER.lastIndex = from;
  return OTHER.exec(text)?.index ?? text.length;
}

/** The text with the name of the type in the place of each long file that is written into it as a `data:` address. */
export function textWithoutBlobs(text: string): string {
  if (!text.includes(";base64,")) return text;
  const kept: string[] = [];
  let from = 0;
  for (const { 0: head, 1: type = "", index } of text.matchAll(HEAD)) {
    const start = index + head.length;
    const end = endOfBytes(text, start);
    if (end - start < LONG) continue;
    kept.push(text.slice(from, index), `[${type === "" ? "data" : type}]`);
    from = end;
  }
  return kept.length === 0 ? text : kept.join("") + text.slice(from);
}

/** The value with a mark in the place of each long text that is an encoded file, for what is kept in `extra`. */
export function withoutBlobs(value: unknown): unknown {
  if (typeof value === "string")
    return isBlob(value) ? `[${value.length} characters]` : textWithoutBlobs(value);
  if (Array.isArray(value)) return isBytes(value) ? `[${value.length} bytes]` : value.map(withoutBlobs);
  if (!isRecord(value)) return value;
  // As JSON writes a Uint8Array.
  const bytes = Object.hasOwn(value, "0") ? Object.values(value) : [];
  if (isBytes(bytes)) return `[${bytes.length} bytes]`;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutBlobs(inner)]));
}

function isBlob(text: string): boolean {
  return text.length >= LONG && (DATA_URL.test(text) || endOfBytes(text, 0) === text.length);
}

/** Node and VS Code write bytes as lists of numbers. */
function isBytes(list: readonly unknown[]): boolean {
  return list.length >= LONG && list.every((item) => typeof item === "number" && item >= 0 && item <= 255);
}
