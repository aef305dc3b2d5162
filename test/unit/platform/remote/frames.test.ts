import fc from "fast-check";
import { expect, test } from "vitest";
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
      const reader = frameReader(BEGIN);
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
  const reader = frameReader(BEGIN);
  expect(reader.add(bytes.subarray(0, -1)).map(({ header }) => header["name"])).toEqual(["first"]);
});
