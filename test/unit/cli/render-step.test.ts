import { expect, test } from "vitest";
import { renderStep } from "../../../src/cli/render-step.ts";
import type { Proposal } from "../../../src/model/episode.ts";
import { episode, step } from "../trace/support.ts";

const lines = (more: Partial<Proposal>): string => {
  const final = step(0, "FINAL", "1999");
  const proposals = final.proposals.map((proposal) => ({ ...proposal, ...more }));
  return renderStep(episode("a", { steps: [{ ...final, proposals }] }), 0, [], undefined).join("\n");
};
test("a proposed answer has its verdicts under it, and a held-back draft what came of it", () => {
  const final = step(0, "FINAL", "1999");
  const judged = (passed: boolean): Proposal => ({
    thought: "",
    action: { type: "FINAL", arg: passed ? "1999" : "1998" },
    verdicts: [{ judge: "exact_match", score: passed ? 1 : 0, passed, evidence: { answer: "it" } }],
  });
  const told = (draft: boolean, revision: boolean): string => {
    const proposals = [judged(draft), judged(revision)];
    return renderStep(episode("a", { steps: [{ ...final, proposals }] }), 0, [], undefined).join("\n");
  };
  expect(told(false, true)).toMatch(
    /Proposed +FINAL\("1998"\)\nVerdict +exact_match: wrong, 0\.00 {2}\{"answer":"it"\}\n +held back once: fixed\n/,
  );
  expect(told(false, true)).toMatch(/Then proposed.*\nVerdict +exact_match: right, 1\.00/);
  expect(told(true, false)).toContain("held back once: broken");
  expect(told(true, true)).toContain("held back once: same");
  expect(lines({})).not.toMatch(/Verdict|held back/);
});

const completion = { text: "The year is clear.\nFinal[1999]", finish: "stop" as const };

test("a step that was read leniently says so, with the reply as it came", () => {
  expect(lines({ lenient: true, completion })).toMatch(
    /Proposed +FINAL\("1999"\)\n +read leniently.*\nReply +The year is clear\.\n +Final\[1999\]/,
  );
  expect(lines({ completion })).not.toMatch(/leniently|Reply/);
});
