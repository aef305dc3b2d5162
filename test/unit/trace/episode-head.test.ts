import * as fc from "fast-check";
import { expect, test } from "vitest";
import { outcomeSchema } from "../../../src/model/episode.ts";
import { serialiseEpisode } from "../../../src/trace/episode-file.ts";
import { parseHead, readHead } from "../../../src/trace/episode-head.ts";
import { episode } from "./support.ts";

const WINDOW = 4_096;
const words = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.constantFrom("\u{FEFF}mark", "naïve", "x".repeat(600), '"', "\\", "\u{1F600}".repeat(120)),
);
const named = words.filter((text) => text !== "");

test("the beginning of a line says what the whole line says", () => {
  const given = fc.record({
    id: named,
    questionId: words,
    question: words,
    outcome: fc.constantFrom(...outcomeSchema.options),
  });
  fc.assert(
    fc.property(given, fc.nat({ max: 3_000 }), (fields, length) => {
      const { id, ...rest } = fields;
      const text = serialiseEpisode(episode(id, rest)).replace(/"length":\d+/, `"length":${length}`);
      // Lone surrogates do not survive a file: they come back as U+FFFD.
      const bytes = new TextEncoder().encode(text);
      const whole = readHead(new TextDecoder().decode(bytes));
      const head = parseHead(bytes.subarray(0, WINDOW));
      expect(whole.kind).toBe("episode");
      if (head !== undefined && whole.kind === "episode") expect(head).toEqual(whole.head);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["a length that is no number", '"length":2', '"length":02'],
  ["an outcome that nobody knows", '"outcome":"correct"', '"outcome":"fine"'],
  ["an empty id", '"id":"a"', '"id":""'],
  ["another schema", "hasp.episode/2", "hasp.episode/3"],
  ["a sample that is no number", '"sample":1', '"sample":"1"'],
])("a line with %s is left to a full reading", (_what, from, to) => {
  const text = serialiseEpisode(episode("a")).replace(from, to);
  expect(parseHead(new TextEncoder().encode(text))).toBeUndefined();
});
