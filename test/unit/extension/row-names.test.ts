import { expect, test } from "vitest";
import { rowNames } from "../../../src/extension/runs/row-names.ts";

test("a row begins with the part of the name that tells its run from the others", () => {
  expect(
    rowNames([
      "questions · gpt-4o-mini · pf-only · 22 Nov, 10:12",
      "questions · gpt-4o-mini · full · 22 Nov, 10:30",
      "questions · qwen · full · 22 Nov, 11:00",
      "First look",
    ]),
  ).toEqual([
    "pf-only · 22 Nov, 10:12 · questions · gpt-4o-mini",
    "full · 22 Nov, 10:30 · questions · gpt-4o-mini",
    "qwen · full · 22 Nov, 11:00 · questions",
    "First look",
  ]);
});

test("runs of one name keep it", () => {
  expect(rowNames(["a · b", "a · b"])).toEqual(["a · b", "a · b"]);
});
