import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ReplyError } from "../../../../src/jobs/remote/ports.ts";
import { frameReader } from "../../../../src/platform/remote/frames.ts";

const BEGIN = "hasp-begin";

const frame = fc.record({ name: fc.string(), body: fc.uint8Array({ maxLength: 40 }) });
type Frame = { readonly name: string; readonly body: Uint8Array };

const written = (noise: string, frames: readonly Frame[]): Buffer =>
  Buffer.concat([
    Buffer.from(`${noise}\n${BEGIN}\n`),
    ...frames.flatMap(({ name, body }) => [
      Buffer.from(`${JSON.stringify({ name, bytes: body.length })}\n`),
      Buffer.from(body),
    ]),
  ]);

/** The bytes in pieces that end at these places. */
function cut(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...ends].map((from, i) => bytes.subarray(from, ends[i] ?? bytes.length));
}

test("frames are read alike however their bytes arrive, and what a shell wrote before is left out", () => {
  const noise = fc.string().filter((text) => !text.includes(BEGIN));
  fc.assert(
    fc.property(noise, fc.array(frame), fc.array(fc.nat()), (before, frames, places) => {
      const reader = frameReader(BEGIN, Infinity);
      const read = cut(written(before, frames), places).flatMap((piece) => reader.add(piece));
      expect(read.map(({ header, body }) => [header["name"], [...body]])).toEqual(
        frames.map(({ name, body }) => [name, [...body]]),
      );
      expect(reader.hasBegun()).toBe(true);
    }),
  );
});

test("a reply that is cut holds the frames that were whole", () => {
  const bytes = written("", [
    { name: "first", body: Buffer.from("one") },
    { name: "second", body: Buffer.from("two") },
  ]);
  const reader = frameReader(BEGIN, Infinity);
  expect(reader.add(bytes.subarray(0, -1)).map(({ header }) => header["name"])).toEqual(["first"]);
});

describe("a reply of a stranger", () => {
  const begun = `\n${BEGIN}\n`;
  const MB = 1024 * 1024;

  /** Why a reader takes no more of these bytes, which come again and again. */
  function refused(first: string, more = "", most = Infinity): string {
    const reader = frameReader(BEGIN, most);
    let given = 0;
    try {
      reader.add(Buffer.from(first));
      for (const bytes = Buffer.from(more); given < 64 * MB && bytes.length > 0; given += bytes.length)
        reader.add(bytes);
    } catch (error) {
      if (!(error instanceof ReplyError)) throw error;
      return `${error.fault}: ${error.message} (${Math.ceil(given / MB)} MB)`;
    }
    return `taken: ${given}`;
  }

  test.each([
    [
      "a header without an end",
      refused(begun, "x".repeat(1000)),
      "size: the header of a frame has more than 65,536 bytes (1 MB)",
    ],
    [
      "a header that is too long",
      refused(`${begun}{"x":"${"y".repeat(70_000)}"}\n`),
      "size: the header of a frame has more than 65,536 bytes (0 MB)",
    ],
    [
      "a body that is too long",
      refused(`${begun}{"bytes":262145}\n`),
      "size: the body of a frame has more than 262,144 bytes (0 MB)",
    ],
    [
      "a body of three gigabytes",
      refused(`${begun}{"bytes":3000000000}\n`, "x".repeat(1000)),
      "size: the body of a frame has more than 262,144 bytes (0 MB)",
    ],
    [
      "frames without an end",
      refused(begun, '{"file":0,"bytes":3}\nabc', 4 * MB),
      expect.stringMatching(/^size: its reply has more than 4,194,304 bytes/),
    ],
    [
      "empty frames without an end",
      refused(begun, "{}\n".repeat(1000), 4 * MB),
      expect.stringMatching(/^size: its reply has more than 4,194,304 bytes/),
    ],
    [
      "lines before it without an end",
      refused("", "Welcome\n".repeat(100)),
      "size: what its shell writes before the reply has more than 1,048,576 bytes (1 MB)",
    ],
    [
      "a line before it without an end",
      refused("", "x".repeat(1000)),
      "size: what its shell writes before the reply has more than 1,048,576 bytes (2 MB)",
    ],
    ["a negative length", refused(`${begun}{"bytes":-1}\n`), "form: it sent a frame of -1 bytes (0 MB)"],
    ["half a byte", refused(`${begun}{"bytes":0.5}\n`), "form: it sent a frame of 0.5 bytes (0 MB)"],
    [
      "words for a length",
      refused(`${begun}{"bytes":"\\u001b[2J"}\n`),
      'form: it sent a frame of "\\u001b[2J" bytes (0 MB)',
    ],
    [
      "no JSON",
      refused(`${begun}Segmentation fault\u0007\n`),
      'form: it sent "Segmentation fault\\u0007" for the header of a frame (0 MB)',
    ],
    ["a list", refused(`${begun}[1]\n`), 'form: it sent "[1]" for the header of a frame (0 MB)'],
    ["null", refused(`${begun}null\n`), 'form: it sent "null" for the header of a frame (0 MB)'],
    [
      "JSON that is too deep",
      refused(`${begun}${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}\n`),
      expect.stringMatching(/^form: it sent .{100,130}… for the header/),
    ],
  ])("ends at %s", (_name, found, expected) => {
    expect(found).toEqual(expected);
  });

  test("may have a long line of its shell before it", () => {
    const reader = frameReader(BEGIN, MB);
    const noise = "x".repeat(500_000);
    expect(reader.add(Buffer.from(`${noise}${begun}{"name":"one"}\n`))).toHaveLength(1);
  });
});
