import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Attempt, attemptPlainly, attemptRun } from "./support/attempt.ts";
import {
  changedPrefixes,
  copies,
  figures,
  invalidShare,
  lostAnswers,
  withoutStop,
} from "./support/faults.ts";
import { IS_MISSING, MODEL_URL, NOTE } from "./support/the-model.ts";

/** Each way to answer, with the seconds after which no further question is asked: eleven minutes in all. */
const WAYS: readonly (readonly [
  name: string,
  seconds: number,
  answer: (url: string, limit: number) => Promise<Attempt>,
])[] = [
  ["a plain script", 120, attemptPlainly],
  ["ra-agent", 240, (url, limit) => attemptRun(url, "ra-agent", limit)],
  ["pf-only", 300, (url, limit) => attemptRun(url, "pf-only", limit)],
];

const attempts = new Map<string, Attempt>();

describe.skipIf(IS_MISSING).each(WAYS)(
  `a real model answers in the way of %s${NOTE}`,
  (name, seconds, answer) => {
    let attempt: Attempt;
    beforeAll(async () => {
      attempt = await answer(MODEL_URL, seconds * 1000);
    });
    afterAll(() => {
      attempts.set(name, attempt);
      console.log(figures(name, attempt));
    });

    test("at least one question to its end", () => {
      expect(attempt.answered, `in ${seconds} s`).not.toEqual([]);
    });

    test("without repeating a line that the harness wrote", () => {
      expect(copies(attempt)).toEqual([]);
    });

    test("and no answer that it gave is lost", () => {
      expect(lostAnswers(attempt)).toEqual([]);
    });

    test("with stop sequences in every request", () => {
      expect(withoutStop(attempt)).toEqual([]);
    });

    test("with prompts that keep what was said before", () => {
      expect(changedPrefixes(attempt)).toEqual([]);
    });
  },
);

// Of one way, one reply of ten would be 10%; a plain script's replies are not ours to answer for.
test.skipIf(IS_MISSING)(`a real model writes an action in 95% of its replies to the product${NOTE}`, () => {
  const answered = ["ra-agent", "pf-only"].flatMap((name) => attempts.get(name)?.answered ?? []);
  const { percent, replies } = invalidShare({ answered });
  expect(answered).not.toEqual([]);
  expect(percent, replies.map((reply) => JSON.stringify(reply)).join("\n")).toBeLessThan(5);
});
