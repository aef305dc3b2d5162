import { afterAll, describe, expect, it } from "vitest";
import { judgeRecorded, type RecordedJudgement } from "../../../src/analysis/judge.ts";
import { openLibrary } from "../../../src/analysis/library.ts";
import { decisionLines } from "../../../src/app/decision-lines.ts";
import { explainSkill } from "../../../src/app/explain.ts";
import {
  judgedStep,
  judgeWholeEpisode,
  rememberInstrumented,
  type JudgingBench,
} from "../../../src/app/step-reasons.ts";
import { renderStepBody } from "../../../src/cli/render-step.ts";
import type { Episode, Step } from "../../../src/model/episode.ts";
import type { Expression } from "../../../src/model/explanation.ts";
import type { JudgedPf } from "../../../src/protocol/replay.ts";
import type { SkillFolder } from "../../../src/skill/read-skill.ts";
import { codingSession } from "../../support/coding-session.ts";
import { episodesIn, openCore, readFolders, SAMPLE_RUN } from "../../support/core.ts";
import { PAPER } from "../../support/shipped.ts";
import { judgingWith } from "./support.ts";

const core = openCore();
const { judging } = judgingWith(core);
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));

const episodes = await episodesIn(SAMPLE_RUN);
const walton = episodes.find(({ id }) => id === "walton-skills") as Episode;
const webSearch = await readFolders(core.compiler, ...PAPER);
const coding = await readFolders(core.compiler, "skills/coding-agent");

async function benchOf(skills: readonly SkillFolder[]): Promise<JudgingBench> {
  const library = await openLibrary(skills, core.host);
  return { library, host: core.host, compiler: rememberInstrumented(core.compiler) };
}

/** A session in which every action happens that a case of the guards is about. */
function session(skills: readonly SkillFolder[]): Episode {
  const steps = skills
    .flatMap(({ cases }) => cases)
    .map(({ proposed }, t): Step => ({
      t,
      proposals: [{ thought: "", action: proposed }],
      events: [],
      executed: proposed,
      injected: [],
      observation: "",
      documents: [],
    }));
  return codingSession("Tidy up.", [], steps);
}

/** The value of a literal; none for a text that is cut or is no literal. */
function valueOf(text: string): { readonly value: unknown } | undefined {
  if (text === "undefined") return { value: undefined };
  if (text === "NaN") return { value: Number.NaN };
  try {
    return text.includes("…") ? undefined : { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const COMPARE: Readonly<Record<string, (a: never, b: never) => boolean>> = {
  "===": (a, b) => a === b,
  "!==": (a, b) => a !== b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

/** The truth that the shown values give, where the expression compares two of them. */
function truthOfValues({ text, values }: Expression): boolean | undefined {
  const last = values.findLast(({ end }) => end === text.length);
  const first = values.findLast(({ start }) => start === 0);
  const operator = /\s(===|!==|<=|>=|<|>)\s/.exec(text.slice(first?.end ?? 0, last?.start));
  const compare = COMPARE[operator?.[1] ?? ""];
  if (operator === null || compare === undefined || /&&|\|\|/.test(text)) return undefined;
  const at = (first?.end ?? 0) + operator.index;
  const left = valueOf(first?.value ?? text.slice(0, at));
  const right = valueOf(last?.value ?? text.slice(at + operator[0].length));
  if (left === undefined || right === undefined || first?.end !== (first && at)) return undefined;
  return compare(left.value as never, right.value as never);
}

interface Told {
  readonly judgement: RecordedJudgement;
  readonly pf: JudgedPf;
}

async function allTold(skills: readonly SkillFolder[], of: readonly Episode[]): Promise<Told[]> {
  const bench = await benchOf(skills);
  const told: Told[] = [];
  for (const episode of of) {
    const judged = await judgeRecorded(episode, bench.library, bench.host);
    for (const judgement of judged)
      for (const pf of (await judgedStep(episode, judged, judgement.t, bench)).pfs)
        told.push({ judgement, pf });
  }
  return told;
}

const isFalse = ({ event }: JudgedPf): boolean =>
  event.status === "skipped" && event.reason === "shouldActivate is false";

describe.each([
  ["web-search", webSearch, episodes],
  ["coding-agent", coding, [session(coding)]],
] as const)("the reasons of the shipped skills of %s", async (_, skills, of) => {
  const told = await allTold(skills, of);

  it("has steps of every kind that this is about", () => {
    expect(told.filter(({ pf }) => pf.explanation?.activated === true).length).toBeGreaterThan(5);
    expect(told.filter(({ pf }) => isFalse(pf) && pf.explanation !== undefined).length).toBeGreaterThan(50);
  });

  it("a PF that was not asked has the reason for that, and no operand", () => {
    const notAsked = told.filter(({ pf }) => /applicable_phases|it is asked after/.test(pf.event.reason));
    for (const { pf } of notAsked)
      expect(pf).toMatchObject({ reason: pf.event.reason, explanation: undefined });
    if (skills === webSearch) expect(notAsked.length).toBeGreaterThan(50);
  });

  it("a condition was false where the PF skipped, and true everywhere else", () => {
    for (const { pf } of told)
      if (pf.explanation !== undefined) expect([pf, pf.explanation.activated]).toEqual([pf, !isFalse(pf)]);
  });

  it("of a yes, what decided comes first and was true", () => {
    for (const { pf } of told)
      if (pf.explanation?.activated === true && pf.explanation.expressions.length > 0)
        expect(pf.explanation.expressions[0]).toMatchObject({ holds: true });
  });

  it("the shown values give the shown truth", () => {
    const compared = told
      .flatMap(({ pf }) => pf.explanation?.expressions ?? [])
      .map((expression) => ({ expression, truth: truthOfValues(expression) }))
      .filter(({ truth }) => truth !== undefined);
    expect(compared.length).toBeGreaterThan(20);
    for (const { expression, truth } of compared) expect({ ...expression, holds: truth }).toEqual(expression);
  });

  it("undefined is never shown as null", () => {
    const shown = told.flatMap(({ pf }) => decisionLines(pf)).join("\n");
    expect(shown).not.toMatch(/\/\* null \*\/ [!=]== undefined/);
    if (skills === coding) expect(shown).toMatch(/✗ false: .*\/\* undefined \*\/ !== undefined/);
  });
});

describe("every way to a step", () => {
  it("prints the same reason: the replay, the command replay and the command explain", async () => {
    const bench = await benchOf(webSearch);
    const judged = await judgeRecorded(walton, bench.library, bench.host);
    const step = await judgedStep(walton, judged, 0, bench);
    const printed = renderStepBody(walton, walton.steps[0] as Step, [], step);
    expect(printed).toContain("Program Functions, today");
    for (const { event, reason } of step.pfs)
      expect(printed.some((line) => line.includes(event.skillId) && line.endsWith(reason))).toBe(true);
    const explained = [
      ["insufficient_exploration", 0],
      ["retrieval_failure", 0],
      // Its context is the only one of this step.
      ["wrong_entity_confusion", 1],
    ] as const;
    for (const [skill, t] of explained) {
      const { value } = await explainSkill({ skills: webSearch, skill, episode: walton, t }, judging);
      const { pfs } = await judgedStep(walton, judged, t, bench);
      const shown = pfs.filter(({ event }) => event.skillId === skill).map(({ reason }) => reason);
      expect(shown).toContain(value?.reason);
    }
  });

  it("a PF that its phases leave out says so, and what the run holds stands apart", async () => {
    const order = { skills: webSearch, skill: "insufficient_exploration", episode: walton, t: 0 };
    const { value } = await explainSkill(order, judging);
    expect(value && decisionLines(value)).toEqual([
      "today skipped: the skill does not apply to this phase (applicable_phases)",
    ]);
    expect(value?.recorded).toMatchObject({ status: "skipped", reason: "shouldActivate answered false" });
  });

  it("has on every step of an exported page what the replay asks for step by step", async () => {
    const bench = await benchOf(webSearch);
    const whole = await judgeWholeEpisode(walton, bench);
    const judged = await judgeRecorded(walton, bench.library, core.host);
    expect(whole.marks.map(({ t }) => t)).toEqual(walton.steps.map(({ t }) => t));
    for (const [t, step] of whole.steps.entries())
      expect(step).toEqual(await judgedStep(walton, judged, t, bench));
    await expect(judgedStep(walton, judged, 99, bench)).rejects.toThrow("no step 100");
  });

  it("names what held with its values and its line, and the one operand that stopped a PF", async () => {
    const at = { skills: webSearch, episode: walton, t: 2 };
    const fired = await explainSkill({ ...at, skill: "insufficient_exploration" }, judging);
    expect(fired.value && decisionLines(fired.value, () => "pf.ts")).toEqual([
      "today applied: nothing has been read yet, after 2 searches",
      "decided at pf.ts:36",
      "  ✓ true: ctx.stepCount + 1 /* 3 */ < ctx.maxSteps /* 8 */  (line 36)",
      "  ✗ false: ctx.readCount /* 0 */ > 0  (line 34)",
      "  ✗ false: ctx.searchCount /* 2 */ === 0  (line 33)",
      '  ✗ false: actionType /* "FINAL" */ !== "FINAL"  (line 32)',
    ]);
    const still = await explainSkill({ ...at, t: 0, skill: "retrieval_failure" }, judging);
    expect(still.value?.reason).toBe("wordsOf(arg).length is 8, not more than LONGEST_QUERY (15)");
  });
});
