import { afterAll, describe, expect, it } from "vitest";
import { backtest, type BacktestReport } from "../../../../src/analysis/backtest.ts";
import type { SkillFolder } from "../../../../src/skill/read-skill.ts";
import {
  FIRES_ALWAYS,
  firesAlways,
  separates,
  separationValue,
  separationWords,
  totalWorth,
  type GroupWorth,
} from "../../../../src/model/worth.ts";
import type { Episode } from "../../../../src/model/episode.ts";
import type { WorthSources } from "../../../../src/analysis/worth/worth-tally.ts";
import { final, search } from "../../../support/episodes.ts";
import { episodesIn, openCore, readFolders, SAMPLE_RUN } from "../../../support/core.ts";
import { paperSkill } from "../../../support/shipped.ts";
import { episodeOf, libraryWith, placedIn, type Acted, type Told } from "./support.ts";

const core = openCore();
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));

const pf = (when: string, what: string): string =>
  `import { ProgramFunction, injectContext, modifyAction } from "hasp";
  export default class Pf extends ProgramFunction {
    maxFires = 9;
    shouldActivate(ctx, actionType, arg) { return ${when}; }
    intervene(ctx, actionType, arg) { return ${what}; }
  }`;
const HOLD = `injectContext("look again", "r")`;
const IS_FINAL = `actionType === "FINAL"`;
const IS_SEARCH = `actionType === "SEARCH"`;
const always = pf(IS_FINAL, HOLD);
const toQuestion = pf(
  `${IS_SEARCH} && arg !== ctx.question`,
  `modifyAction({ arg: ctx.question, reason: "r" })`,
);

const sample = (await episodesIn(SAMPLE_RUN))[0] as Episode;
const shipped = (await readFolders(core.compiler, paperSkill("retrieval-failure")))[0] as SkillFolder;

const told = (id: string, about: Told, ...acted: readonly Acted[]): Episode =>
  episodeOf(sample, id, about, acted);
const answered = (id: string, outcome: "wrong" | "correct", question = id): Episode =>
  told(
    id,
    { outcome, answer: outcome === "correct" ? "Tisza" : "Danube", question },
    { action: search("Ilse") },
    {
      action: final(outcome === "correct" ? "Tisza" : "Danube"),
    },
  );

async function judge(
  code: string,
  episodes: readonly Episode[],
  worth: Partial<WorthSources> = {},
): Promise<BacktestReport & { readonly worth: GroupWorth }> {
  const library = await libraryWith(shipped, code, core.host);
  const report = await backtest(library, placedIn("r", episodes), core.host, {
    worth: { ...core, ...worth },
  });
  if (report.worth === undefined) throw new Error("no worth");
  return { ...report, worth: report.worth };
}

const PAGES: Readonly<Record<string, readonly { title: string; text: string }[]>> = {
  "river of the town of Ilse Varga": [{ title: "Szeged", text: "It lies on the Tisza." }],
  "Ilse Varga": [{ title: "Ilse Varga", text: "A painter." }],
};
const corpus = {
  search: async (query: string) => PAGES[query] ?? [],
  pagesFor: () => [],
};
const rewrites = (from: string, to: string): string =>
  pf(`arg === ${JSON.stringify(from)}`, `modifyAction({ arg: ${JSON.stringify(to)}, reason: "r" })`);

describe("a held-back answer", () => {
  it("could help where it was wrong, and harms where it was right", async () => {
    const report = await judge(always, [answered("a", "wrong"), answered("b", "correct")]);
    expect(report.worth.counts.wrong.answer.could_help).toBe(1);
    expect(report.worth.counts.correct.answer.harmed).toBe(1);
    expect(report.skills[0]?.hits.map(({ worth }) => worth?.value)).toEqual(["could_help", "harmed"]);
  });

  it("of a halted episode, and of one that nobody judged, counts in neither share", async () => {
    const halted = told("h", { outcome: "halted" }, { action: final("Danube") });
    const unjudged = told("u", { outcome: "unjudged", gold: [] }, { action: final("Danube") });
    const report = await judge(always, [halted, unjudged, answered("a", "wrong"), answered("b", "correct")]);
    expect(report.worth.counts.halted.answer.could_help).toBe(1);
    expect(report.worth.counts.unjudged.answer.not_measured).toBe(1);
    expect(report.worth.separation.all?.wrong).toEqual({ episodes: 1, helped: 1 });
  });

  it("that is reworded is worth what the new answer is", async () => {
    const to = (arg: string): string => pf(IS_FINAL, `modifyAction({ arg: "${arg}", reason: "r" })`);
    const episodes = [answered("a", "wrong"), answered("b", "correct")];
    const right = await judge(to("the Tisza."), episodes);
    expect(totalWorth(right.worth)).toMatchObject({ helped: 1, same: 1, harmed: 0 });
    const wrong = await judge(to("Rhine"), episodes);
    expect(totalWorth(wrong.worth)).toMatchObject({ helped: 0, same: 1, harmed: 1 });
  });
});

describe("a search in the place of an answer", () => {
  const to = (query: string): string =>
    pf(IS_FINAL, `modifyAction({ type: "SEARCH", arg: ${JSON.stringify(query)}, reason: "r" })`);
  const good = "river of the town of Ilse Varga";
  const values = async (
    query: string,
    episode: Episode,
    sources: Partial<WorthSources> = { corpusOf: () => corpus },
  ) => totalWorth((await judge(to(query), [episode], sources)).worth);

  it("helps a wrong episode where it brings new evidence, and nothing else does", async () => {
    expect(await values(good, answered("a", "wrong"))).toMatchObject({ helped: 1 });
    expect(await values("banana", answered("a", "wrong"))).toMatchObject({ same: 1, could_help: 0 });
    const seen = { action: search("x"), observation: "Szeged lies on the Tisza." };
    const misread = told("a", { outcome: "wrong", answer: "Danube" }, seen, { action: final("Danube") });
    expect(await values(good, misread)).toMatchObject({ same: 1 });
  });

  it("harms a right one, whatever it brings", async () => {
    expect(await values(good, answered("a", "correct"))).toMatchObject({ harmed: 1 });
    expect(await values(good, answered("a", "correct"), {})).toMatchObject({ harmed: 1 });
  });

  it("of a wrong one is not measured without a corpus, nor is another action", async () => {
    expect(await values(good, answered("a", "wrong"), {})).toMatchObject({ not_measured: 1 });
    const read = pf(IS_FINAL, `modifyAction({ type: "READ", arg: "doc_0", reason: "r" })`);
    const report = await judge(read, [answered("a", "wrong")], { corpusOf: () => corpus });
    expect(totalWorth(report.worth)).toMatchObject({ not_measured: 1 });
  });
});

describe("a replaced search", () => {
  const searched = (outcome: "wrong" | "correct", query: string, ...before: readonly Acted[]): Episode =>
    told(outcome, { outcome, answer: "x" }, ...before, { action: search(query) }, { action: final("x") });
  const [good, poor] = ["river of the town of Ilse Varga", "Ilse Varga"];

  it("is compared by what both queries find in the corpus", async () => {
    const values = async (from: string, to: string) =>
      totalWorth(
        (await judge(rewrites(from, to), [searched("wrong", from)], { corpusOf: () => corpus })).worth,
      );
    expect(await values(poor, good)).toMatchObject({ helped: 1 });
    expect(await values(good, poor)).toMatchObject({ harmed: 1 });
    expect(await values(poor, "nothing")).toMatchObject({ same: 1 });
  });

  it("brings nothing new where the episode had seen the answer already", async () => {
    const seen = { action: search("x"), observation: "Szeged lies on the Tisza." };
    const report = await judge(rewrites(poor, good), [searched("wrong", poor, seen)], {
      corpusOf: () => corpus,
    });
    expect(totalWorth(report.worth)).toMatchObject({ same: 1, helped: 0 });
  });

  it("without a corpus is not measured, whatever the records of its question hold", async () => {
    const brought = (id: string, query: string): Episode =>
      told(id, { outcome: "correct", answer: "x" }, { action: search(query), observation: "On the Tisza." });
    const change = rewrites(poor, good);
    for (const other of [brought("new", good), brought("old", poor)])
      expect(totalWorth((await judge(change, [searched("wrong", poor), other])).worth)).toMatchObject({
        helped: 0,
        harmed: 0,
      });
  });

  it("that brings what the replaced one brings hides no later change", async () => {
    const both = `${IS_FINAL} || arg === ${JSON.stringify(poor)}`;
    const deed = (to: string): string =>
      pf(both, `${IS_FINAL} ? ${HOLD} : modifyAction({ arg: ${JSON.stringify(to)}, reason: "r" })`);
    const values = async (to: string) => {
      const { worth, skills } = await judge(deed(to), [searched("wrong", poor)], { corpusOf: () => corpus });
      return { ...totalWorth(worth), hits: skills[0]?.hits.map((hit) => hit.worth?.value) };
    };
    expect(await values("nothing")).toMatchObject({ could_help: 1, same: 0, hits: ["same", "could_help"] });
    expect(await values(good)).toMatchObject({ helped: 1, could_help: 0, hits: ["helped", undefined] });
    const unmeasured = await judge(deed("nothing"), [searched("wrong", poor)]);
    expect(totalWorth(unmeasured.worth)).toMatchObject({ not_measured: 1, could_help: 0 });
  });

  it("of a question that is answered by yes or no is not measured without its pages", async () => {
    const yes = told(
      "y",
      { outcome: "wrong", gold: ["yes"], answer: "no" },
      { action: search(poor), observation: "yes" },
    );
    expect(
      totalWorth((await judge(rewrites(poor, good), [yes], { corpusOf: () => corpus })).worth),
    ).toMatchObject({
      not_measured: 1,
    });
    const pagesFor = () => ["Szeged"];
    const known = await judge(rewrites(poor, good), [yes], { corpusOf: () => ({ ...corpus, pagesFor }) });
    expect(totalWorth(known.worth)).toMatchObject({ helped: 1 });
  });
});

it("a label of a person on the step outranks the measure", async () => {
  const values = async (label: "good" | "went_wrong_here") =>
    totalWorth(
      (
        await judge(always, [answered("a", "wrong")], {
          labelAt: (_r, _e, t) => (t === 1 ? label : undefined),
        })
      ).worth,
    );
  expect(await values("good")).toMatchObject({ harmed: 1, could_help: 0 });
  expect(await values("went_wrong_here")).toMatchObject({ could_help: 1, harmed: 0 });
});

it("a context on another action than the answer has no worth and is counted apart", async () => {
  const report = await judge(pf(IS_SEARCH, HOLD), [answered("a", "wrong"), answered("b", "correct")]);
  expect(report.worth.contexts).toBe(2);
  expect(Object.values(totalWorth(report.worth)).every((n) => n === 0)).toBe(true);
  expect(report.worth.separation.all).toBeUndefined();
});

it("only the first change of an episode counts", async () => {
  const steps = ["Ilse", "Varga"].map((arg) => ({ action: search(arg) }));
  const report = await judge(toQuestion, [
    told("a", { outcome: "wrong", answer: "x" }, ...steps, { action: final("x") }),
  ]);
  expect(Object.values(totalWorth(report.worth)).reduce((sum, n) => sum + n)).toBe(1);
  expect(report.skills[0]?.hits.map(({ worth }) => worth !== undefined)).toEqual([true, false]);
});

describe("Program Functions that are made to look good", () => {
  const mixed = (wrong: number, right: number): Episode[] => [
    ...Array.from({ length: wrong }, (_, i) => answered(`w${i}`, "wrong")),
    ...Array.from({ length: right }, (_, i) => answered(`r${i}`, "correct")),
  ];

  it("one that always holds back is no better than chance, although it stops two wrong answers for a right one", async () => {
    const { separation } = (await judge(always, mixed(40, 20))).worth;
    expect(separation.answer).toMatchObject({
      value: 0,
      random: 0,
      wrong: { helped: 40 },
      right: { harmed: 20 },
    });
    expect(separation.answer?.intervals?.aboveRandom.low).toBeLessThanOrEqual(0);
  });

  it("one that holds back by chance is not told from the random trigger", async () => {
    const episodes = mixed(60, 60).map((episode, i) => ({
      ...episode,
      question: `${episode.question} ${i % 3 === 0 ? "pick" : "pass"}`,
    }));
    const { separation } = (await judge(pf(`${IS_FINAL} && ctx.question.endsWith("pick")`, HOLD), episodes))
      .worth;
    const { low = 1, high = -1 } = separation.answer?.intervals?.aboveRandom ?? {};
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThan(0);
  });

  it("one that holds back wrong answers alone is", async () => {
    const { separation } = (await judge(pf(`arg === "Danube"`, HOLD), mixed(40, 20))).worth;
    expect(separation.answer).toMatchObject({ value: 1, intervals: { value: { low: 1, high: 1 } } });
    expect(separation.answer?.intervals?.helped.low).toBeLessThan(1);
    expect(separation.answer?.intervals?.aboveRandom.low).toBeGreaterThan(0.15);
  });

  it("one that never fires has no separation", async () => {
    const { worth } = await judge(pf("false", HOLD), mixed(4, 2));
    expect(worth.separation).toEqual({ all: undefined, answer: undefined, search: undefined });
  });

  it("one that searches for the question is worth what the question finds", async () => {
    const { worth } = await judge(toQuestion, mixed(4, 2), { corpusOf: () => corpus });
    expect(totalWorth(worth)).toMatchObject({ helped: 0, same: 6 });
  });

  it("one that looks for the accepted answer finds none in what it is given", async () => {
    const looks = pf(
      `JSON.stringify([ctx, arg]).includes("Tisza") || "gold" in ctx || "outcome" in ctx`,
      `modifyAction({ type: "FINAL", arg: "Tisza", reason: "r" })`,
    );
    const report = await judge(looks, mixed(5, 0));
    expect(report.skills[0]?.hits).toEqual([]);
  });

  it("one that knows the length of the question or of the episode alone is no better than the random trigger", async () => {
    // Long questions, and long episodes, go wrong three times as often.
    const episodes = Array.from({ length: 240 }, (_, i) => {
      const isLong = i % 2 === 0;
      const outcome = i % 8 < (isLong ? 6 : 3) ? "wrong" : "correct";
      const answer = outcome === "correct" ? "Tisza" : "Danube";
      const steps = (isLong ? ["a", "b", "c"] : []).map((arg) => ({ action: search(arg) }));
      const question = `${i} ${"long ".repeat(isLong ? 20 : 1)}`;
      return told(`e${i}`, { outcome, answer, question }, ...steps, { action: final(answer) });
    });
    for (const when of ["ctx.question.length > 60", "ctx.stepCount >= 3"]) {
      const { separation } = (await judge(pf(`${IS_FINAL} && ${when}`, HOLD), episodes)).worth;
      expect(separation.answer?.value).toBeGreaterThan(0.15);
      expect(separation.answer?.aboveRandom).toBeCloseTo(0);
      expect(separation.answer?.intervals?.aboveRandom.low).toBeLessThanOrEqual(0);
    }
  });

  it("one that puts any search in the place of wrong answers is worth nothing", async () => {
    const banana = pf(`arg === "Danube"`, `modifyAction({ type: "SEARCH", arg: "banana", reason: "r" })`);
    const { worth } = await judge(banana, mixed(40, 20), { corpusOf: () => corpus });
    expect(worth.separation.all).toMatchObject({ value: 0, wrong: { helped: 0 } });
    expect(worth.separation.all?.intervals?.aboveRandom.low).toBeLessThanOrEqual(0);
  });

  it("one that fires on long episodes alone gains nothing where the length says nothing", async () => {
    const long = (id: string, outcome: "wrong" | "correct"): Episode => {
      const answer = outcome === "correct" ? "Tisza" : "Danube";
      const steps = ["a", "b", "c"].map((arg) => ({ action: search(arg) }));
      return told(id, { outcome, answer, question: id }, ...steps, { action: final(answer) });
    };
    const episodes = [
      ...mixed(20, 20),
      ...Array.from({ length: 40 }, (_, i) => long(`l${i}`, i % 2 === 0 ? "wrong" : "correct")),
    ];
    const { separation } = (await judge(pf(`${IS_FINAL} && ctx.stepCount >= 3`, HOLD), episodes)).worth;
    expect(separation.answer).toMatchObject({ value: 0, wrong: { helped: 20 }, right: { harmed: 20 } });
    expect(separation.answer?.intervals?.aboveRandom.low).toBeLessThanOrEqual(0);
  });
});

describe("a skill does not separate", () => {
  const mixed = (wrong: number, right: number): Episode[] => [
    ...Array.from({ length: wrong }, (_, i) => answered(`w${i}`, "wrong")),
    ...Array.from({ length: right }, (_, i) => answered(`r${i}`, "correct")),
  ];
  const said = async (code: string, episodes: readonly Episode[]) => {
    const { skills, notSeparating } = await judge(code, episodes);
    const worth = skills[0]?.worth;
    return { separates: worth && separates(worth), isNamed: notSeparating.length === 1 };
  };

  it("where ten measured changes are not shown to be worth more than those of a random trigger", async () => {
    const often = pf(`${IS_FINAL} && ctx.question !== "w0"`, HOLD);
    expect(await said(often, mixed(7, 6))).toEqual({ separates: false, isNamed: true });
    expect(await said(often, mixed(6, 5))).toEqual({ separates: false, isNamed: true });
  });

  it("but where it holds back every answer there is nothing to separate, and that is said in place of a figure", async () => {
    const { skills, notSeparating } = await judge(always, mixed(12, 12));
    const worth = skills[0]?.worth;
    const all = worth?.separation.all;
    if (worth === undefined || all === undefined) throw new Error("no worth");
    expect({ always: firesAlways(worth), separates: separates(worth), notSeparating }).toEqual({
      always: true,
      separates: undefined,
      notSeparating: [],
    });
    expect(separationValue(all)).toBe(FIRES_ALWAYS);
    expect(separationWords("all", all)).toMatch(/; fires on every answer: nothing to separate$/);
    const once = (await judge(pf(`${IS_FINAL} && ctx.question !== "r0"`, HOLD), mixed(12, 12))).skills[0]
      ?.worth;
    expect(once && firesAlways(once)).toBe(false);
  });

  it("but where it holds back wrong answers alone, though it fires in right episodes as often", async () => {
    const holds = pf(`arg === "Danube" || ${IS_SEARCH} && ctx.question.startsWith("r")`, HOLD);
    expect(await said(holds, mixed(12, 12))).toEqual({ separates: true, isNamed: false });
  });

  it("and nothing is said of few measured changes, of contexts alone, and without right episodes", async () => {
    const nothing = { separates: undefined, isNamed: false };
    expect(await said(always, mixed(5, 4))).toEqual(nothing);
    expect(await said(pf(IS_SEARCH, HOLD), mixed(12, 12))).toEqual(nothing);
    expect(await said(always, mixed(12, 0))).toEqual(nothing);
    const unmeasured = pf(IS_SEARCH, `modifyAction({ arg: "Varga", reason: "r" })`);
    expect(await said(unmeasured, mixed(12, 12))).toEqual(nothing);
  });
});

it("tries of one question widen the interval: they are not independent", async () => {
  const picks = pf(`${IS_FINAL} && /[02468]$/.test(ctx.question)`, HOLD);
  const width = async (tries: number): Promise<number> => {
    const episodes = (["wrong", "correct"] as const).flatMap((outcome) =>
      Array.from({ length: 40 }, (_, i) =>
        answered(`${outcome} ${i}`, outcome, `${outcome} ${Math.floor(i / tries)}`),
      ),
    );
    const found = (await judge(picks, episodes)).worth.separation.answer?.intervals?.value;
    return found === undefined ? 0 : found.high - found.low;
  };
  const [alone, together] = [await width(1), await width(10)];
  expect(alone).toBeGreaterThan(0);
  expect(together).toBeGreaterThan(alone * 1.5);
});
