import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Review } from "../../src/model/review.ts";
import { hasp as haspIn } from "../support/cli.ts";

const SKILL = "skills/web-search/reader";
let place: string;

const at = (name: string): string => path.join(place, name);
function write(name: string, text: string): void {
  mkdirSync(path.dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
}

const hasp = (...args: readonly string[]) => haspIn(args, { cwd: place });

const skillMd = (name: string, priority: number): string => `---
name: ${name}
description: Use when an answer is given before anything was read.
metadata:
  hasp:
    skill_id: ${name}
    title: ${name}
    version: 1
    priority: ${priority}
    error_category: ${name}
    applicable_modes: [all]
    applicable_phases: [search, answer]
    system_summary: Read before you answer.
---

# ${name}
`;

/** Line 5 holds the condition. */
const pf = (
  condition: string,
): string => `import { modifyAction, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

export default class Pf extends ProgramFunction {
  shouldActivate(ctx: StepContext, actionType: ActionType, _arg: string): boolean {
    return ${condition};
  }
  intervene(ctx: StepContext, _actionType: ActionType, _arg: string): Intervention {
    return modifyAction({ type: "READ", arg: "doc_0", reason: \`\${ctx.readCount} read\` });
  }
}
`;

const CASES = `cases:
  - name: nothing was read
    context: { question: Who?, stepCount: 1, maxSteps: 8, searchCount: 1 }
    proposed: { type: FINAL, arg: me }
    expect: { fires: true }
  - name: something was read
    context: { question: Who?, stepCount: 2, maxSteps: 8, searchCount: 1, readCount: 1, hasRead: true }
    proposed: { type: FINAL, arg: me }
    expect: { fires: false }
`;

function writeSkill(name: string, priority: number, condition: string, cases?: string): void {
  const folder = `skills/web-search/${name}`;
  write(`${folder}/SKILL.md`, skillMd(name, priority));
  write(`${folder}/pf.ts`, pf(condition));
  if (cases !== undefined) write(`${folder}/cases.yaml`, cases);
}

function episode(
  id: string,
  outcome: "wrong" | "correct",
  ...actions: readonly (readonly [string, string])[]
): string {
  return JSON.stringify({
    schema: "hasp.episode/1",
    id,
    questionId: id,
    outcome,
    length: actions.length,
    question: `Who is ${id}?`,
    source: "hasp",
    facts: {
      domain: "web-search",
      actionTypes: ["SEARCH", "READ", "FINAL"],
      searchReturnsText: false,
      maxSteps: 8,
    },
    settings: {},
    library: [],
    answer: actions.at(-1)?.[1],
    gold: [outcome === "wrong" ? "someone" : actions.at(-1)?.[1]],
    stopReason: "final",
    steps: actions.map(([type, arg], t) => ({
      t,
      proposals: [{ thought: "", action: { type, arg } }],
      events: [],
      executed: { type, arg },
      injected: [],
      observation: type === "SEARCH" ? "doc_0  A page: it says much" : "it says much",
      ...(type === "SEARCH" ? { documents: [{ id: "doc_0", title: "A page", text: "it says much" }] } : {}),
    })),
  });
}

/** Three episodes answer without a READ and are wrong; one reads and is right. */
function writeRun(): void {
  const wrong = ["a", "b", "c"].map((id) => episode(id, "wrong", ["SEARCH", id], ["FINAL", "nobody"]));
  const right = episode("d", "correct", ["SEARCH", "d"], ["READ", "doc_0"], ["FINAL", "d"]);
  write("run/episodes.jsonl", `${[...wrong, right].join("\n")}\n`);
  const run = {
    schema: "hasp.run/1",
    id: "run",
    title: "run",
    domain: "web-search",
    createdAt: "2026-01-01T00:00:00Z",
    source: "hasp",
  };
  write("run/run.json", JSON.stringify(run));
  const note = {
    schema: "hasp.note/1",
    op: "add",
    id: "n1",
    when: "2026-01-02T00:00:00Z",
    episodeId: "b",
    t: 1,
    kind: "went_wrong_here",
  };
  write("run/notes.jsonl", `${JSON.stringify(note)}\n`);
}

const REPLY = `CONCEPT: 0.80
CONCEPT WHY: Agents do answer too early.
TRIGGER: 0.70
TRIGGER WHY: pf.ts:5 is narrow.
INTERVENE: 0.70
INTERVENE WHY: It reads.
EXEC: 0.90
EXEC WHY: It loads.
VAL: 0.60
VAL WHY: Some would be saved.
SUGGESTIONS:
- none
DECISION: REVISE
EDITS:
EDIT pf.ts 5: leave the last step alone
WAS: return actionType === "FINAL" && ctx.readCount === 0;
\`\`\`ts
    return actionType === "FINAL" && ctx.readCount === 0 && ctx.stepCount + 1 < ctx.maxSteps;
\`\`\`
EDIT pf.ts 6: one line off
WAS: intervene(ctx
\`\`\`
gone
\`\`\`
`;

beforeEach(() => {
  place = mkdtempSync(path.join(tmpdir(), "hasp-review-"));
  writeSkill("reader", 0.5, 'actionType === "FINAL" && ctx.readCount === 0', CASES);
  writeRun();
  write("teacher.json", JSON.stringify([{ when: ["Review the skill"], text: REPLY }]));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** Worked out by hand: three of the four answers come before a READ, and holding a wrong answer back could help. */
const EVIDENCE = `Evidence
  Executable checks
      4 of 4 passed
    ✓ syntax: passed
    ✓ interface: passed
    ✓ mock execution: passed
    ✓ return type: passed
  Cases
    ✓ 2 of 2 hold
  Recorded episodes
      wrong: 3 episodes; fired in 3 of them, on 3 steps; changed something in 3
      correct: 1 episode; fired in 0 of them, on 0 steps; changed something in 0
  Worth of its changes
      first changes in wrong episodes: could help 1, not measured 2
`;
const LABELS = `  Labels of people where it would have acted
      on step 2 of an episode that ended wrong, where the skill was applied on step 2: "went wrong
      here"
`;

describe("hasp review without a teacher", () => {
  it("prints what is measured and calls it evidence; it stores no review", async () => {
    const { code, out, err } = await hasp("review", SKILL, "--episodes", "run");
    expect(err).toBe("");
    expect(out).toContain(EVIDENCE);
    expect(out).toContain(LABELS);
    expect(out).not.toContain("Collisions");
    expect(out).toContain("No teacher was asked, so there is no review");
    expect(code).toBe(0);
    expect(existsSync(at(`${SKILL}/metadata.json`))).toBe(false);
  });

  it("ends with 1 where an earlier skill changes the same steps", async () => {
    writeSkill("eager", 0.9, 'actionType === "FINAL" && ctx.searchCount > 0');
    const { code, out } = await hasp("review", SKILL, "--episodes", "run");
    const flat = out.replaceAll(/\s+/g, " ");
    expect(flat).toContain(
      "✗ reader wants to modify 3 steps, and eager, which is asked first, modifies all of them: it never gets its way.",
    );
    expect(flat).toContain("3 of its 3 changed steps also by eager, which is asked first and gets its way");
    // Its own figures are those of the skill alone.
    expect(out).toContain(EVIDENCE);
    expect(code).toBe(1);
  });

  it("ends with 1 where a case does not hold, and says the same in JSON", async () => {
    write(`${SKILL}/cases.yaml`, CASES.replace("fires: false", "fires: true"));
    const { code, out } = await hasp("review", SKILL, "--episodes", "run", "--json");
    const { evidence, review } = JSON.parse(out) as {
      evidence: { title: string; lines: unknown[] }[];
      review?: unknown;
    };
    expect(evidence[1]).toMatchObject({
      title: "Cases",
      lines: [{ text: "1 of 2 hold" }, { outcome: "failed" }],
    });
    expect(review).toBeUndefined();
    expect(code).toBe(1);
  });

  it("and without episodes names both ways", async () => {
    const { code, err } = await hasp("review", SKILL);
    expect(code).toBe(2);
    expect(err).toContain("No teacher is named.");
    for (const way of ["--teacher", "--episodes", "--show"]) expect(err).toContain(way);
  });
});

describe("hasp review with a teacher", () => {
  it("prints the evidence before it asks, and the edits of the reply; an edit that does not fit is text", async () => {
    const { code, out } = await hasp(
      "review",
      SKILL,
      "--episodes",
      "run",
      "--teacher",
      "scripted:teacher.json",
    );
    expect(code).toBe(1);
    expect(out.indexOf(EVIDENCE)).toBeGreaterThanOrEqual(0);
    expect(out.indexOf("asking scripted:teacher.json")).toBeGreaterThan(out.indexOf(EVIDENCE));
    expect(out).toContain(`edits
  pf.ts 5: leave the last step alone
    -     return actionType === "FINAL" && ctx.readCount === 0;
    +     return actionType === "FINAL" && ctx.readCount === 0 && ctx.stepCount + 1 < ctx.maxSteps;
`);
    expect(out).toContain("HASP707");
    expect(out).toContain("- pf.ts 6: one line off");
    const { reviews } = JSON.parse(readFileSync(at(`${SKILL}/metadata.json`), "utf8")) as {
      reviews: Review[];
    };
    expect(reviews[0]).toMatchObject({
      prompt: "review-3",
      decision: "revise",
      edits: [{ file: "pf.ts", first: 5, last: 5 }],
    });
    expect(reviews[0]?.evidence?.map(({ title }) => title)).toEqual([
      "Executable checks",
      "Cases",
      "Recorded episodes",
      "Worth of its changes",
      "Labels of people where it would have acted",
    ]);
    const shown = await hasp("review", SKILL, "--show");
    expect(shown.out).toContain(EVIDENCE);
    expect(shown.out).toContain("pf.ts 5: leave the last step alone");
  });
});
