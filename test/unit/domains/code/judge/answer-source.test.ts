import { expect, test } from "vitest";
import { sourceOf } from "../../../../../src/domains/code/judge/answer-source.ts";
import type { Material } from "../../../../../src/domains/code/judge/material.ts";

test.each(["f(", "(f+)+$", ""])("an entry that is no name, %j, is part of no pattern", (entry) => {
  const material: Material = {
    kind: "calls",
    entry,
    prompt: `def ${"f".repeat(40)}!`,
    solution: "",
    tolerance: 0,
    groups: [],
  };
  expect(sourceOf("class Solution:\n    pass", material)).toBe("\nclass Solution:\n    pass\n");
});
