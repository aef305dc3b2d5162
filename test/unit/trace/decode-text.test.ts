import { expect, it } from "vitest";
import { decodeText } from "../../../src/trace/decode-text.ts";

const TEXT = '{"session_id":"s","prompt":"Schließe 東京 🙂"}';
const MARK = "\uFEFF";

const utf16be = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();

it.each([
  ["UTF-8", Buffer.from(TEXT)],
  ["UTF-8 with a mark", Buffer.from(MARK + TEXT)],
  ["UTF-8 with two marks", Buffer.from(MARK + MARK + TEXT)],
  ["UTF-16 LE with a mark", Buffer.from(MARK + TEXT, "utf16le")],
  ["UTF-16 BE with a mark", utf16be(MARK + TEXT)],
  ["UTF-16 LE without one", Buffer.from(TEXT, "utf16le")],
  ["UTF-16 BE without one", utf16be(TEXT)],
])("%s", (_, bytes) => {
  expect(decodeText(bytes)).toBe(TEXT);
});

it.each([[[]], [[0xff]], [[0xff, 0xfe]], [[0xfe, 0xff, 0]], [[0]], [[0, 0]], [[0x7b, 0]], [[0xef, 0xbb]]])(
  "bytes %j do not throw",
  (bytes) => {
    expect(typeof decodeText(Uint8Array.from(bytes))).toBe("string");
  },
);
