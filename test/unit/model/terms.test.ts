import { expect, it } from "vitest";
import { PART_NAMES } from "../../../src/model/control-parts.ts";
import { isTerm, TERMS } from "../../../src/model/terms.ts";
import { FACET_STATUSES } from "../../../src/model/pf-facet.ts";
import { SETTINGS } from "../../../src/model/control.ts";

it("explains every status, outcome, setting and part of the harness", () => {
  const outcomes = ["correct", "wrong", "halted", "unjudged"];
  const words = [...FACET_STATUSES, ...outcomes, ...SETTINGS, ...Object.values(PART_NAMES)];
  expect(words.filter((word) => !isTerm(word))).toEqual([]);
});

it.each(Object.entries(TERMS))("%s is one sentence", (_, { sentence }) => {
  expect(sentence).toMatch(/^[A-Z].*\.$/);
  expect(sentence).not.toMatch(/[.!?] [A-Z]/);
});
