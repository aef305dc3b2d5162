import { isRecord } from "./records.ts";

/** Characters from which on text without a blank counts as bytes written as text: images, sounds, files, signatures. */
const LONG = 1_000;
const BYTES_AS_TEXT = /^[A-Za-z0-9+/_-]+={0,2}$/;
const DATA_URL = /^data:[^,\s]{0,200},/;
const EMBEDDED =
  /data:([\w.+-]{0,60}(?:\/[\w.+-]{0,60})?)(?:;[\w=.+-]{0,60}){0,5};base64,[A-Za-z0-9+/=_-]{1000,}/g;

/** The text with the name of the type in the place of each long file that is written into it as a `data:` address. */
export function textWithoutBlobs(text: string): string {
  if (!text.includes(";base64,")) return text;
  return text.replace(EMBEDDED, (_, type: string) => `[${type === "" ? "data" : type}]`);
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
  return text.length >= LONG && (DATA_URL.test(text) || BYTES_AS_TEXT.test(text));
}

/** Node and VS Code write bytes as lists of numbers. */
function isBytes(list: readonly unknown[]): boolean {
  return list.length >= LONG && list.every((item) => typeof item === "number" && item >= 0 && item <= 255);
}
