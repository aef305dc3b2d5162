import { expect, test } from "vitest";
import { changeCommand, changeInput, refuse } from "../../../src/skill/tool-call.ts";

const ctx = { call: { tool: "Bash", input: { command: "git push --force && echo done", timeout: 5 } } };

test("changing an input keeps the others", () => {
  expect(changeInput(ctx, { timeout: 9 }, "slow")).toEqual({
    type: "MODIFY_ACTION",
    newActionArg: '{"command":"git push --force && echo done","timeout":9}',
    reason: "slow",
  });
});

test("changing pieces of a command line keeps the rest as written, in whatever order they are given", () => {
  const edits = [
    { range: { start: 0, end: 16 }, text: "git push --force-with-lease" },
    { range: { start: 20, end: 29 }, text: "true" },
  ];
  const expected = '{"command":"git push --force-with-lease && true","timeout":5}';
  for (const given of [edits, edits.toReversed()])
    expect(changeCommand(ctx, given, "r")).toMatchObject({ newActionArg: expected });
});

test("a refusal is an action that runs nothing", () => {
  expect(refuse("It would delete the root.", "root")).toEqual({
    type: "MODIFY_ACTION",
    newActionType: "REFUSE",
    newActionArg: "It would delete the root.",
    reason: "root",
  });
});
