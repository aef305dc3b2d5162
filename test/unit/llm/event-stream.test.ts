import { expect, test } from "vitest";
import { eventStream } from "../../../src/llm/event-stream.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What comes of `sent` where it arrives in pieces of `size` bytes. */
function read(sent: string, size: number): { data: string[]; marked: boolean } {
  const found = { data: [] as string[], marked: false };
  const events = eventStream(
    "[DONE]",
    (data) => found.data.push(data),
    () => (found.marked = true),
  );
  const all = bytes(sent);
  for (let at = 0; at < all.length; at += size) events.push(all.subarray(at, at + size));
  events.end();
  return found;
}

test("events come whole, wherever the bytes are cut", () => {
  const sent =
    ': hello\r\n\r\nevent: a\ndata: {"é":1}\nid: 7\n\ndata:two\r\ndata: lines\r\n\r\ndata: [DONE]\n\n';
  for (let size = 1; size <= sent.length + 1; size++)
    expect(read(sent, size)).toEqual({ data: ['{"é":1}', "two\nlines"], marked: true });
});

test("nothing after the mark counts", () => {
  expect(read("data: 1\n\ndata: [DONE]\n\ndata: 2\n\n", 100)).toEqual({ data: ["1"], marked: true });
});

test("an event that was cut off is no event, but a mark without its blank line is one", () => {
  expect(read('data: 1\n\ndata: {"half', 100)).toEqual({ data: ["1"], marked: false });
  expect(read("data: 1\n\ndata: [DONE]", 100)).toEqual({ data: ["1"], marked: true });
  expect(read("data: 1\n\ndata: [DONE]\n", 100)).toEqual({ data: ["1"], marked: true });
});
