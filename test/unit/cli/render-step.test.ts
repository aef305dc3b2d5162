import { expect, test } from "vitest";
import { renderStep } from "../../../src/cli/render-step.ts";
import type { Proposal } from "../../../src/model/episode.ts";
import { episode, step } from "../trace/support.ts";

const lines = (more: Partial<Proposal>): string => {
  const final = step(0, "FINAL", "1999");
  const proposals = final.proposals.map((proposal) => ({ ...proposal, ...more }));
  return renderStep(episode("a", { steps: [{ ...final, proposals }] }), 0, [], undefined).join("\n");
};
const completion = { text: "The year is clear.\nFinal[1999]", finish: "stop" as const };

test("a step that was read leniently says so, with the reply as it came", () => {
  expect(lines({ lenient: true, completion })).toMatch(
    /Proposed +FINAL\("1999"\)\n +read leniently.*\nReply +The year is clear\.\n +Final\[1999\]/,
  );
  expect(lines({ completion })).not.toMatch(/leniently|Reply/);
});
