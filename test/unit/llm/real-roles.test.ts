/** Replies of a real model, of 1.5 B, that the stage `model` recorded, as the product reads them. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readFailureSummary } from "../../../src/analysis/failures/summarise-failure.ts";
import { readScore } from "../../../src/analysis/signals/semantic-judge.ts";
import { copiedExample } from "../../../src/evolve/author/copied-example.ts";
import { parseProposal } from "../../../src/evolve/author/parse-proposal.ts";
import { readVerdict } from "../../../src/scoring/llm-judge.ts";
import { ROOT } from "../../support/core.ts";

function recorded(role: string): readonly string[] {
  const file = path.join(ROOT, "test/fixtures/model/roles", `${role}.json`);
  return JSON.parse(readFileSync(file, "utf8")) as readonly string[];
}

describe("a real model", () => {
  test("summarises a failure in a fenced object", () => {
    const [reply = ""] = recorded("failures");
    expect(readFailureSummary(reply)).toMatchObject({
      summary: {
        category: "premature_final",
        abstraction: expect.stringMatching(/^The agent prematurely concluded the search/),
        trigger: expect.stringMatching(/^The agent did not wait/),
        intervention_hint: expect.stringMatching(/^The agent should have continued/),
      },
    });
  });

  test("scores each step", () => {
    expect(recorded("signals").map(readScore)).toEqual([0.5, 0.5]);
  });

  test("judges an answer", () => {
    expect(recorded("judge").map(readVerdict)).toEqual([false]);
  });

  test("writes a skill of three files, at first the one of the prompt", () => {
    const proposals = recorded("bootstrap").map((reply) => parseProposal(reply).files);
    const names = ["SKILL.md", "cases.yaml", "pf.ts"];
    expect(proposals.map((files) => Object.keys(files).toSorted())).toEqual([names, names, names]);
    const copied = proposals.map(
      (files) => copiedExample({ "SKILL.md": "", "pf.ts": "", ...files }).length > 0,
    );
    expect(copied).toEqual([true, false, false]);
  });
});
