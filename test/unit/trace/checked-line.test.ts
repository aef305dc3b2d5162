import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Episode } from "../../../src/model/episode.ts";
import { MAX_DEPTH } from "../../../src/model/read-json.ts";
import { checkedLine } from "../../../src/trace/checked-line.ts";
import { encodeEpisode } from "../../../src/trace/episode-file.ts";
import { episode, step } from "./support.ts";

/** The line as a text, or why there is none. */
function lineOf(given: Episode): string {
  const line = checkedLine(given);
  return typeof line === "string" ? `(${line})` : Buffer.concat(line).toString("utf8");
}

const whole = (given: Episode): string => Buffer.from(encodeEpisode(given)).toString("utf8");

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let n = 0; n < levels; n++) value = n % 2 === 0 ? [value] : { value };
  return value;
}

describe("the line of an episode, made in pieces", () => {
  test("property: the pieces together are the line that is written as a whole", () => {
    const texts = fc.string({ unit: "binary", maxLength: 30 });
    const steps = fc.array(fc.tuple(texts, fc.option(fc.jsonValue(), { nil: undefined })), { maxLength: 8 });
    fc.assert(
      fc.property(steps, fc.boolean(), (given, isLarge) => {
        const made = given.map(([text, value], t) => ({
          ...step(t, "SEARCH", text, isLarge ? text.repeat(20_000) : text),
          ...(value === undefined ? {} : { extra: { value } }),
        }));
        const one = episode("e", { steps: made });
        expect(lineOf(one)).toBe(whole(one));
      }),
      { numRuns: 60 },
    );
  });

  test("nesting is counted from the outermost level, wherever it stands", () => {
    // Levels above the value: the line, the steps, the step and its extra; or the line and its extra.
    const most = MAX_DEPTH - 16;
    const deepest = { step: most - 4, episode: most - 2 };
    for (const [levels, isRead] of [
      [0, true],
      [1, false],
    ] as const) {
      const [one] = episode("e").steps;
      const steps = one === undefined ? [] : [{ ...one, extra: { deep: nested(deepest.step + levels) } }];
      const inStep = lineOf(episode("e", { steps }));
      const inEpisode = lineOf(episode("e", { extra: { deep: nested(deepest.episode + levels) } }));
      for (const line of [inStep, inEpisode]) expect(line.startsWith("{")).toBe(isRead);
      if (!isRead)
        expect([inStep, inEpisode]).toEqual(Array(2).fill(`(it is nested more than ${most} levels deep)`));
    }
  });

  test("an episode over 64 MiB, or of a wrong form, says why", () => {
    const long = "x".repeat(10 * 1024 * 1024);
    const steps = Array.from({ length: 7 }, (_, t) => step(t, "SEARCH", "x", long));
    expect(lineOf(episode("e", { steps }))).toBe("(it is over 64 MiB)");
    expect(lineOf(episode("e", { steps: steps.slice(0, 6) })).length).toBeGreaterThan(60_000_000);
    expect(lineOf(episode("e", { cost: { inputTokens: Number.NaN, outputTokens: 1 } }))).toMatch(/^\(.*cost/);
  });
});
