import { expect, test } from "vitest";
import { renderStep } from "../../../src/cli/render-step.ts";
import { programDomains } from "../../../src/domains/registry.ts";
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

const PROGRAM = "import sys\n\n\ndef double(n):\n    if n:\n        return n * 2\n";

function programEpisode(evidence: Record<string, unknown>): string[] {
  const final = step(0, "FINAL", PROGRAM);
  const verdicts = [{ judge: "tests", score: 0, passed: false, evidence }];
  const proposals = final.proposals.map((proposal) => ({ ...proposal, verdicts }));
  const made = episode("a", { steps: [{ ...final, proposals }] });
  const [domain] = programDomains();
  const facts = { ...made.facts, domain: domain ?? "" };
  const whole = { ...made, facts, question: "Write double(n).\n\n>>> double(0)\n0", answer: PROGRAM };
  return renderStep({ ...whole, noVerdict: "no containment here" }, 0, [], undefined);
}

test("a program stands line by line as it is indented, with the test that it fails below it", () => {
  const printed = programEpisode({
    passed: 2,
    failed: 1,
    notRun: 0,
    containment: "bubblewrap 0.8.0, Python 3.11.7",
    ended: "wrong",
    ms: 11.8,
    first: { name: "base 3", input: "double(0)", expected: "0", actual: "None" },
    canBeForged: true,
  }).join("\n");
  expect(printed).toContain("Q: Write double(n).\n\n>>> double(0)\n0\n");
  expect(printed).toContain("answer def double(n):");
  expect(printed).toContain("not judged: no containment here");
  expect(printed).toMatch(
    /Proposed +FINAL\n +import sys\n\s+def double\(n\):\n {18}if n:\n {22}return n \* 2\nVerdict/,
  );
  expect(printed).toMatch(
    /Verdict +tests: wrong, 0\.00 {2}2 of 3 tests passed, 1 failed\nFailing test +base 3\n {2}input +double\(0\)\n {2}expected +0\n {2}actual +None\nRan in +bubblewrap 0\.8\.0, Python 3\.11\.7, 12 ms\n +can be forged: /,
  );
  expect(printed).toMatch(/Executed +FINAL\(def double\(n\):\)/);
});

test("a program that cannot be loaded failed no test", () => {
  const printed = programEpisode({
    passed: 0,
    failed: 0,
    notRun: 2,
    containment: "bubblewrap 0.8.0, Python 3.11.7",
    ended: "error",
    ms: 3,
    first: { name: "loading the program", actual: "SyntaxError: invalid syntax" },
  }).join("\n");
  expect(printed).toMatch(/Failed while +loading the program\n {2}actual +SyntaxError/);
});

test("evidence of other types is printed as it is", () => {
  expect(programEpisode({ passed: "2", first: 3 }).join("\n")).toContain('{"passed":"2","first":3}');
});

test("what a person said before the step stands above what the agent proposed", () => {
  const said = { ...step(0, "FINAL", "1999"), prompts: ["Look again.", "And be brief."] };
  const told = renderStep(episode("a", { steps: [said] }), 0, [], undefined).join("\n");
  expect(told).toMatch(/Person said +Look again\.\nPerson said +And be brief\.\n(Thought.*\n)?Proposed/);
});
