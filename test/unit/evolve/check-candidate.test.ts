import { afterAll, describe, expect, test } from "vitest";
import { backtest } from "../../../src/analysis/backtest.ts";
import { openLibrary } from "../../../src/analysis/library.ts";
import { memoryFiles } from "../../../src/evolve/author/draft-skill.ts";
import { checkCandidate, type CheckedAgainst } from "../../../src/evolve/check-candidate.ts";
import { indexSeed } from "../../../src/evolve/refusals/copied-texts.ts";
import type { CandidateChecks } from "../../../src/model/evolution.ts";
import type { Episode } from "../../../src/model/episode.ts";
import type { ReviewedFile } from "../../../src/model/review.ts";
import { readSkillFolder, type SkillFolder } from "../../../src/skill/read-skill.ts";
import { attack } from "../../support/attacks.ts";
import { openCore } from "../../support/core.ts";
import { CLEAN, pfWith, plainStep } from "./author/author-support.ts";

const core = openCore();
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));

type Texts = Readonly<Partial<Record<ReviewedFile, string>>>;

const NO_SEED = indexSeed([]);
const ALONE: CheckedAgainst = { mode: "full", others: [], seed: NO_SEED };

async function read(texts: Texts, folder = "skills/web-search/unread-answer"): Promise<SkillFolder> {
  return readSkillFolder(memoryFiles(folder, { ...CLEAN, ...texts }), core.compiler, folder);
}

async function check(texts: Texts, about: CheckedAgainst = ALONE): Promise<CandidateChecks> {
  const all = { ...CLEAN, ...texts };
  return checkCandidate({ folder: await read(all), texts: all }, core, about);
}

const outcomes = ({ checks }: CandidateChecks): string => checks.map(({ outcome }) => outcome).join(", ");
const findingOf = ({ checks }: CandidateChecks, name: string) =>
  checks.find((one) => one.name === name)?.finding;

/** Ten episodes of two steps: a search, and an answer without reading. */
const EPISODES: readonly Episode[] = Array.from({ length: 10 }, (_, i) => ({
  schema: "hasp.episode/2",
  id: `e${i}`,
  questionId: `q${i}`,
  sample: 1,
  outcome: "wrong",
  length: 2,
  question: `Which lamp number ${i} shines?`,
  source: "test",
  facts: {
    domain: "web-search",
    actionTypes: ["SEARCH", "READ", "FINAL"],
    searchReturnsText: false,
    maxSteps: 8,
  },
  library: [],
  steps: [plainStep(0, "SEARCH", "lamp", "doc_0  A lamp."), plainStep(1, "FINAL", "the lamp")],
  answer: "the lamp",
  gold: ["a candle"],
  stopReason: "final",
}));

async function* placed() {
  for (const [index, episode] of EPISODES.entries()) yield { run: "seed", index, episode };
}

/** One backtest of the candidate and of another skill, as an evolution makes it. */
async function backtests(candidate: Texts, other: Texts) {
  const folders = [
    await read(candidate),
    await read(
      { ...other, "SKILL.md": CLEAN["SKILL.md"].replaceAll("unread", "other") },
      "skills/web-search/other-answer",
    ),
  ];
  const library = await openLibrary(folders, core.host);
  expect(library.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const { skills } = await backtest(library, placed(), core.host, { interventions: true });
  const [own, others] = [
    skills.find(({ skillId }) => skillId === "unread_answer"),
    skills.filter(({ skillId }) => skillId !== "unread_answer"),
  ];
  return { candidate: own, others };
}

test("a clean candidate passes all four checks and is refused by nothing", async () => {
  const checks = await check({}, { ...ALONE, backtests: await backtests({}, { "pf.ts": pfWith({}) }) });
  expect(checks).toEqual({
    score: 1,
    compiles: true,
    checks: ["syntax", "interface", "mock execution", "return type"].map((name) => ({
      name,
      outcome: "passed",
    })),
    refusals: [],
  });
});

describe("hostile candidates, each refused for its own reason", () => {
  test("code that does not parse", async () => {
    const checks = await check({ "pf.ts": "export default class {{" });
    expect(outcomes(checks)).toBe("failed, not run, not run, not run");
    expect(checks).toMatchObject({ score: 0, compiles: false });
    expect(findingOf(checks, "syntax")?.message).toMatch(/^pf\.ts:1: /);
  });

  test("a class without intervene", async () => {
    const pf = `import { ProgramFunction } from "hasp";
export default class Made extends ProgramFunction {
  shouldActivate(): boolean { return true; }
}`;
    const checks = await check({ "pf.ts": pf });
    expect(outcomes(checks)).toBe("passed, failed, not run, not run");
    expect(checks).toMatchObject({ score: 0.25, compiles: false });
    expect(checks.refusals.map(({ code }) => code)).toContain("HASP201");
  });

  test("a throw in one of the nine mock calls", async () => {
    const pf = pfWith({
      activate: 'if (ctx.emptyResults && actionType === "READ") throw new Error("no results"); return false;',
    });
    const checks = await check({ "pf.ts": pf });
    expect(checks).toMatchObject({ score: 0.75, compiles: true });
    expect(findingOf(checks, "mock execution")).toMatchObject({ code: "HASP252" });
    expect(findingOf(checks, "mock execution")?.message).toMatch(
      /^pf\.ts:\d+: .*no results.*on a READ proposed at step 13/,
    );
  });

  test("a text in place of an intervention", async () => {
    const pf = pfWith({ intervene: 'return "read first" as unknown as Intervention;' });
    const checks = await check({ "pf.ts": pf });
    expect(findingOf(checks, "return type")).toMatchObject({ code: "HASP253" });
    expect(checks.score).toBe(0.75);
  });

  test("a question to the teacher in shouldActivate", async () => {
    const pf = pfWith({}).replace(
      "arg: string): boolean {",
      "arg: string, teacher: { ask(p: string): Promise<string> }): boolean { void teacher.ask(arg);",
    );
    const checks = await check({ "pf.ts": pf });
    const found = checks.refusals.find(({ code }) => code === "HASP210");
    expect(found?.message).toMatch(/^pf\.ts:\d+: `shouldActivate` gets no teacher/);
  });

  test("a loop without an end", async () => {
    const checks = await check({
      "pf.ts": attack("loop-in-finally").source.replace('arg.includes("rm")', 'arg.includes("")'),
    });
    expect(checks.score).toBeLessThan(1);
    expect(findingOf(checks, "mock execution")?.message).toMatch(/time|deadline|long/i);
  });

  test("state between calls", async () => {
    const pf = pfWith({
      top: "const seen: { n: number } = { n: 0 };",
      activate: "seen.n += 1; return seen.n > 3;",
    });
    const checks = await check({ "pf.ts": pf });
    expect(findingOf(checks, "mock execution")).toMatchObject({ code: "HASP254" });
  });

  test("a copy of an acting skill's code under another name", async () => {
    const copy = CLEAN["pf.ts"]
      .replace("UnreadAnswer", "OtherName")
      .replace("export default", "/** Another comment. */\nexport default");
    const others = [{ skillId: "other_answer", texts: { "pf.ts": copy } }];
    const { refusals } = await check({}, { ...ALONE, others });
    expect(refusals).toEqual([
      { code: "HASP651", message: expect.stringContaining("other_answer") as string },
    ]);
  });

  test("other code that fires on the same steps and says the same", async () => {
    const pf = pfWith({
      activate:
        'return actionType.length === 5 && ctx.actionHistory.some(({ type }) => type === "SEARCH") && ctx.readCount < 1;',
      intervene:
        'return injectContext(["Nothing has been read yet.", "Open the best result before you answer."].join(" "), "other words");',
    });
    const { refusals } = await check(
      { "pf.ts": pf },
      { ...ALONE, backtests: await backtests({ "pf.ts": pf }, {}) },
    );
    expect(refusals).toEqual([
      { code: "HASP650", message: expect.stringMatching(/other_answer.*10 times/) as string },
    ]);
  });

  test("the same steps with other words are no duplicate", async () => {
    const pf = pfWith({ intervene: 'return injectContext("Something else.", "other words");' });
    const { refusals } = await check(
      { "pf.ts": pf },
      { ...ALONE, backtests: await backtests({ "pf.ts": pf }, {}) },
    );
    expect(refusals).toEqual([]);
  });

  test("a trigger that is true on every step", async () => {
    const texts = {
      "SKILL.md": CLEAN["SKILL.md"].replace("[answer]", "[think, search, answer]"),
      "pf.ts": pfWith({ activate: "return arg.length >= 0;" }),
    };
    const { refusals } = await check(texts, { ...ALONE, backtests: await backtests(texts, {}) });
    expect(refusals).toEqual([
      {
        code: "HASP652",
        message: expect.stringMatching(/^pf\.ts:\d+: it fires on every step .*20 steps/) as string,
      },
    ]);
  });

  test("an answer from the seed episodes", async () => {
    const seed = indexSeed([
      { question: "Which harbour did Ottokar Brandwein sail from?", gold: ["Port Wendel"] },
    ]);
    const pf = pfWith({ intervene: 'return injectContext("It may well be Port Wendel.", "a hint");' });
    const checks = await check({ "pf.ts": pf }, { ...ALONE, seed });
    expect(checks.score).toBe(1);
    expect(checks.refusals).toEqual([
      {
        code: "HASP653",
        message: expect.stringMatching(/^pf\.ts:11: It holds an accepted answer/) as string,
      },
    ]);
  });

  test("lite mode looks at syntax and interface alone", async () => {
    const pf = pfWith({ activate: 'throw new Error("always");' });
    const checks = await check({ "pf.ts": pf }, { ...ALONE, mode: "lite" });
    expect(outcomes(checks)).toBe("passed, passed");
    expect(checks).toMatchObject({ score: 1, compiles: true, refusals: [] });
  });

  test("a skill that acts already, word for word", async () => {
    const others = [
      {
        skillId: "unread_answer",
        texts: { ...CLEAN, "SKILL.md": CLEAN["SKILL.md"].replace("version: 1", "version: 4") },
      },
    ];
    const { refusals } = await check({}, { ...ALONE, others });
    expect(refusals.map(({ code }) => code)).toEqual(["HASP654"]);
  });
});

describe("code that reaches for the host stays in the sandbox", () => {
  const unlessUndefined = (code: string): string =>
    `let found = "undefined"; try { found = ${code}; } catch {} if (found !== "undefined") throw new Error("reached"); return false;`;
  const REACHES: Readonly<Record<string, string>> = {
    "the Function constructor": pfWith({
      activate: unlessUndefined(
        'String([].constructor.constructor("return typeof process + typeof require")()).replace("undefined", "")',
      ),
    }),
    "process of the global object": pfWith({
      activate: unlessUndefined("typeof (globalThis as unknown as { process: unknown }).process"),
    }),
    "an import of node:fs": pfWith({
      intervene:
        'return (import("node:fs" as string) as unknown as Promise<unknown>).then(() => { throw new Error("reached"); }, () => injectContext("a", "b")) as unknown as Intervention;',
    }),
  };
  test.each(Object.entries(REACHES))("%s", async (_, pf) => {
    const checks = await check({ "pf.ts": pf });
    expect(JSON.stringify(checks)).not.toContain("reached");
    expect(checks.refusals.map(({ code }) => code)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^(HASP20[4-7]|TS)/) as string]),
    );
  });
});
