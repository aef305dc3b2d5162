import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderProposal } from "../../src/evolve/author/parse-proposal.ts";
import type { Episode } from "../../src/model/episode.ts";
import type { EvolvedCandidate } from "../../src/model/evolution.ts";
import { EVO, openEvolveScene, outcomeOf, type EvolveScene } from "../support/evolve-scene.ts";
import type { Ended } from "../support/hook-process.ts";
import { plainStep } from "../unit/evolve/author/author-support.ts";

/** Worth over the epochs of an evolution on recorded episodes: what it may spend, and a candidate that comes again. */

const QUESTIONS = 300;

/** Two of three are wrong; of these two of five hedge. A colour in the question says nothing. */
function episode(i: number): Episode {
  const isWrong = i % 3 !== 0;
  const colour = i % 5 === 2 ? "amber" : "green";
  const answer = isWrong ? (i % 5 < 2 ? `perhaps Elsewhere ${i}` : `Elsewhere ${i}`) : `Port ${i}`;
  const found = `doc_${i}  An old chronicle tells of it.`;
  return {
    schema: "hasp.episode/2",
    id: `e${i}`,
    questionId: `q${i}`,
    sample: 1,
    outcome: isWrong ? "wrong" : "correct",
    length: 2,
    question: `From which harbour did the ${colour} ship ${String(i).padStart(3, "0")} sail?`,
    source: "hasp",
    facts: {
      domain: "web-search",
      actionTypes: ["SEARCH", "READ", "FINAL"],
      searchReturnsText: false,
      maxSteps: 8,
    },
    library: [],
    steps: [
      plainStep(0, "SEARCH", `harbour ship ${i}`, found, "I look."),
      plainStep(1, "FINAL", answer, "", "It is there."),
    ],
    answer,
    gold: [`Port ${i}`],
    stopReason: "final",
  };
}

const skillOf = (name: string, condition: string, comment = ""): string =>
  renderProposal({
    "SKILL.md": `---
name: ${name}
description: "Holds an answer back: ${name}."
metadata:
  hasp:
    skill_id: ${name.replaceAll("-", "_")}
    title: "Candidate"
    version: 1
    priority: 0.5
    error_category: ${name.replaceAll("-", "_")}
    applicable_modes: [web-search]
    applicable_phases: [answer]
---

# Candidate

A candidate.
`,
    "pf.ts": `${comment}import {
  injectContext,
  ProgramFunction,
  type ActionType,
  type Intervention,
  type StepContext,
} from "hasp";

export default class Candidate extends ProgramFunction {
  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    return actionType === "FINAL" && ctx.stepCount + 1 < ctx.maxSteps && ${condition};
  }

  intervene(_ctx: StepContext, _actionType: ActionType, _arg: string): Intervention {
    return injectContext("Read a text that gives the answer.", "not shown yet");
  }
}
`,
  });

const AMBER = 'ctx.question.includes("amber") && arg !== ""';
const HEDGED =
  '["perhaps", "maybe", "possibly", "presumably", "likely", "supposedly"].some((hedge) => arg.toLowerCase().startsWith(hedge))';
/** One for each epoch. */
const REPLIES = [
  skillOf("amber-ship", AMBER),
  skillOf("hedged-answer", HEDGED),
  skillOf("amber-again", AMBER, "// The same once more.\n"),
  skillOf("nobody", 'ctx.question.includes("no such ship") || arg === "nothing of the kind"'),
];

describe("an evolution of three epochs on recorded episodes, and a fourth that is added", () => {
  let world: EvolveScene;
  let ended: Ended;
  const order = (epochs: number): string[] => {
    const models = ["--author", "scripted:author.json", "--no-skills", "--gate", "exec-only"];
    const size = ["--candidates", "1", "--epochs", String(epochs)];
    return ["evolve", "-o", EVO, "--episodes", ".hasp/runs/ships", ...models, ...size];
  };
  const candidates = (): EvolvedCandidate[] =>
    [1, 2, 3, 4].flatMap((n) => world.lines<EvolvedCandidate>(EVO, `epoch_${n}`, "candidates.jsonl"));

  beforeAll(async () => {
    world = await openEvolveScene(1);
    const folder = world.at(".hasp/runs/ships");
    mkdirSync(folder, { recursive: true });
    const run = {
      schema: "hasp.run/1",
      id: "ships",
      domain: "web-search",
      createdAt: "2036-01-02T03:04:05Z",
    };
    writeFileSync(`${folder}/run.json`, JSON.stringify({ ...run, title: "Ships", source: "hasp" }));
    const lines = Array.from({ length: QUESTIONS }, (_, i) => `${JSON.stringify(episode(i))}\n`);
    writeFileSync(`${folder}/episodes.jsonl`, lines.join(""));
    writeFileSync(world.at("author.json"), JSON.stringify(REPLIES));
    await world.hasp(...order(3));
    writeFileSync(world.at("author.json"), JSON.stringify(REPLIES.slice(3)));
    ended = await world.hasp(...order(4));
  }, 240_000);
  afterAll(() => world.end());

  it("deals 0.05 out over the epochs that it was begun with", () => {
    expect([ended.code, ended.err]).toEqual([0, ""]);
    expect(world.json(EVO, "evolution.json")).toMatchObject({
      epochs: 4,
      worthRule: { null: "base rate", epochs: 3 },
    });
    const [amber, hedged] = candidates();
    // Tested and refused: its part is spent. The next epoch has its own.
    expect(amber?.worth).toMatchObject({
      level: 0.0125,
      passed: false,
      baseRate: { tested: true, verdict: "refused" },
    });
    expect(hedged?.worth).toMatchObject({
      level: 0.0125,
      passed: true,
      worse: 0,
      baseRate: { tested: true, verdict: "passed" },
    });
    expect(hedged?.decision.admitted).toBe(true);
    expect(hedged?.decision.reason).toMatch(/; a trigger that knows nothing would be better on \d/);
  });

  it("gives a candidate that comes again the result of its first test", () => {
    const [amber, , again] = candidates();
    expect(again?.skillId).toBe("amber_again");
    expect(again?.worth).toMatchObject({
      level: amber?.worth?.level,
      baseRate: { tested: false, testedAs: "e1-c1", verdict: "refused" },
    });
    expect(again?.decision.reason).toMatch(
      /^The same candidate was tested in epoch 1 as e1-c1 and is not tested again\. /,
    );
  });

  it("refuses a candidate that would have helped in no failed episode of its author's questions", () => {
    const nobody = candidates()[3];
    expect(nobody).toMatchObject({
      skillId: "nobody",
      worth: { baseRate: { tested: false, verdict: "refused" } },
    });
    expect(nobody?.decision.reason).toBe(
      "In none of the failed episodes that its author may read would its changes help, so its worth was not tested.",
    );
  });

  it("reads the last questions against the base rate", () => {
    expect(ended.out).toMatch(
      /With the generated skills \d+ questions come out better, 0 worse and \d+ the same; a trigger that knows nothing would be better on \d+(?:\.\d+)? of \d+ \(p = [\d.e-]+\)\./,
    );
  });

  it("decides the same where a sitting was cut off before its reviews were kept", async () => {
    const before = candidates();
    const whole = outcomeOf(world);
    for (const file of ["reviews.json", "admission-plan.json", "admission.json", "candidates.jsonl"])
      rmSync(world.at(EVO, "epoch_3", file));
    const again = await world.hasp(...order(4));
    expect([again.code, again.err]).toEqual([0, ""]);
    expect(candidates().map(({ worth, decision }) => [worth, decision])).toEqual(
      before.map(({ worth, decision }) => [worth, decision]),
    );
    expect(Object.keys(outcomeOf(world))).toEqual(Object.keys(whole));
  });
});
