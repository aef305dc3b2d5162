import { expect, it } from "vitest";
import { exactMatch, normaliseAnswer } from "../../../src/scoring/exact-match.ts";

it.each([
  ["The  Sam Walton!", "sam walton"],
  ["an a the", ""],
  ["U.S.A.", "usa"],
  ["Anne's theatre", "annes theatre"],
  ["A-Team", "ateam"],
  ["Größe – “x”", "größe – “x”"],
])("normalises %j as HotpotQA does", (answer, normal) => expect(normaliseAnswer(answer)).toBe(normal));

it("matches any of the accepted answers, and nothing less", () => {
  expect(exactMatch("Lord Byron", ["George Gordon Byron", "lord byron."])).toBe(true);
  expect(exactMatch("Byron", ["Lord Byron"])).toBe(false);
  expect(exactMatch("", ["yes"])).toBe(false);
});
