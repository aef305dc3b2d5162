import { cpSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { InternalisedReport } from "../../src/model/internalised.ts";
import { fixtureRun, openTrainScene, say } from "../support/train-data.ts";

/** `hasp internalised` on four scripted runs of the questions of test/fixtures/train-data. */
const scene = openTrainScene("internalised");
afterAll(() => scene.close());

const SEARCHES = {
  fern: "SEARCH[Fern Museum]",
  lark: "SEARCH[Lark Bridge]",
  pine: "SEARCH[Pine Theatre]",
  moe: "SEARCH[Ivar Moe]",
};
/** Fern and lark are answered with nothing read, pine with nothing searched, moe is read and right. */
const UNTRAINED = [
  [SEARCHES.fern, "FINAL[1908]"],
  [SEARCHES.lark, "FINAL[Bo Ek]"],
  ["FINAL[Lom]"],
  [SEARCHES.moe, "READ[doc_0]", "FINAL[Lom]"],
].flat();
/** Each is searched and read; lark stays wrong. */
const TRAINED = [
  [SEARCHES.fern, "READ[doc_0]", "FINAL[1907]"],
  [SEARCHES.lark, "READ[doc_0]", "FINAL[Bo Ek]"],
  [SEARCHES.pine, "READ[doc_0]", "FINAL[Rena]"],
  [SEARCHES.moe, "READ[doc_0]", "FINAL[Lom]"],
].flat();
const OFF = ["--setting", "ra-agent", "--max-steps", "12", "--skills", "skills/web-search"];
const ON = ["--max-steps", "12", "--skills", "skills/web-search"];

const script = (actions: readonly string[]): readonly string[] => actions.map((action) => say(action));
const ALL = ["--before-off", "b0", "--before-on", "b1", "--after-off", "a0", "--after-on", "a1"];

async function reported(args: readonly string[], code = 0): Promise<InternalisedReport> {
  const ended = await scene.hasp("internalised", ...args, "--json");
  expect(ended.code, ended.err).toBe(code);
  return JSON.parse(ended.out.slice(ended.out.indexOf("{"))) as InternalisedReport;
}

beforeAll(async () => {
  await scene.run({ output: "b0", script: script(UNTRAINED), args: OFF });
  // The FINAL of fern and lark becomes a READ, then fern is right.
  await fixtureRun(scene, "b1");
  await scene.run({ output: "a0", script: script(TRAINED), args: OFF });
  await scene.run({ output: "a1", script: script(TRAINED), args: ON });
});

describe("four runs", () => {
  it("reports by hand what they show", async () => {
    const report = await reported(ALL);
    const right = Object.fromEntries(Object.entries(report.right).map(([name, { mean }]) => [name, mean]));
    // Before: moe alone; with PFs fern, pine and moe; after: all but lark, with PFs and without.
    expect(right).toEqual({ beforeOff: 0.25, beforeOn: 0.75, afterOff: 0.75, afterOn: 0.75 });
    expect(report.gains.before).toMatchObject({ mean: 0.5, better: 2, worse: 0, p: 0.5 });
    expect(report.gains.trainingOff).toMatchObject({ mean: 0.5, better: 2, worse: 0 });
    expect(report.gains.after).toMatchObject({ mean: 0, better: 0, worse: 0, p: 1 });
    expect(report.kept?.kept).toMatchObject({ count: 2, of: 2 });
    expect(report.kept?.others).toMatchObject({ count: 0, of: 1 });
    // 1, 1, 0, 1 searches become one each; 0, 0, 0, 1 reads too; pine alone was answered without a search.
    expect(report.behaviour?.before).toEqual({ searches: 0.75, reads: 0.25, answersWithoutSearch: 0.25 });
    expect(report.behaviour?.after).toEqual({ searches: 1, reads: 1, answersWithoutSearch: 0 });
    const skills = report.skills.map(({ skillId, silent, woken, verdict }) => [
      skillId,
      `${silent.count} of ${silent.of}`,
      woken,
      verdict,
    ]);
    // README.md of the fixture: insufficient_exploration on fern and lark, retrieval_failure on pine, claim_triangulation on moe.
    expect(skills).toEqual([
      ["insufficient_exploration", "2 of 2", 0, "too_few"],
      ["claim_triangulation", "1 of 1", 0, "too_few"],
      ["retrieval_failure", "1 of 1", 0, "too_few"],
    ]);
  });

  it("says it in words and on a page of Markdown", async () => {
    const ended = await scene.hasp("internalised", ...ALL, "--page", "report.md");
    expect(ended.code, ended.err).toBe(0);
    expect(ended.out).toContain(
      "Nothing is said of 3 skills applied on fewer than 20 questions before training; 0 of them never triggered.",
    );
    expect(ended.out).toMatch(/before training, PFs on +75\.0% \(/);
    const page = scene.read("report.md");
    expect(page).toMatch(/^# Internalised skills\n/);
    expect(page).toContain(String.raw`| insufficient\_exploration | 50\.0% | 0\.0% | 2 of 2, 100\.0%`);
    expect(page).toContain("too few questions |");
  });

  it("needs no runs without Program Functions for the triggers", async () => {
    const report = await reported(["--before-on", "b1", "--after-on", "a1"]);
    expect(report.kept).toBeUndefined();
    expect(report.behaviour).toBeUndefined();
    expect(report.skills[0]).toMatchObject({
      skillId: "insufficient_exploration",
      silent: { count: 2, of: 2 },
    });
  });
});

describe("runs that do not compare are refused", () => {
  const after = (run: string): string[] => ["--before-on", "b1", "--after-on", run];

  async function refused(args: readonly string[], code: string, words: RegExp): Promise<void> {
    const ended = await scene.hasp("internalised", ...args, "--json");
    expect(ended.code).toBe(2);
    expect(`${ended.err}${ended.out}`).toContain(code);
    expect(ended.err).toMatch(words);
  }

  /** A copy of a run in which a text of a file is another. */
  function changed(run: string, name: string, file: string, from: RegExp, to: string): string {
    cpSync(scene.at(run), scene.at(name), { recursive: true });
    const before = scene.read(`${name}/${file}`);
    scene.write(`${name}/${file}`, before.replaceAll(from, to));
    expect(scene.read(`${name}/${file}`)).not.toBe(before);
    return name;
  }

  it("other questions, which are named", async () => {
    const three = changed("a1", "three", "episodes.jsonl", /\{"schema":"[^"]*","id":"moe#1".*\n/g, "");
    await refused(after(three), "HASP740", /1 that only one of them has moe/);
    const reworded = changed("a1", "reworded", "episodes.jsonl", /In which year did/g, "When did");
    await refused(after(reworded), "HASP740", /1 that they word differently: fern/);
  });

  it("another library, whose skill is named", async () => {
    const hash = /(?<="skillId":"retrieval_failure","version":\d+,"hash":")[0-9a-f]{8}/g;
    await refused(
      after(changed("a1", "other", "episodes.jsonl", hash, "00000000")),
      "HASP741",
      /differ in retrieval_failure\./,
    );
  });

  it("other settings, which are named", async () => {
    const seeded = changed("a1", "seeded", "run.json", /"maxTokens":/g, '"seed": 7, "maxTokens":');
    await refused(after(seeded), "HASP742", /differ in sampling and seed\./);
    const short = changed("a1", "short", "run.json", /"maxSteps": ?12/g, '"maxSteps":9');
    await refused(after(short), "HASP742", /differ in maxSteps\./);
    const shortOff = changed("a0", "short-off", "run.json", /"maxSteps": ?12/g, '"maxSteps":9');
    await refused([...after("a1"), "--after-off", shortOff], "HASP742", /differ in budgets\./);
  });

  it("a run in the wrong place, named twice, or without an episode", async () => {
    await refused(after("a0"), "HASP743", /took no part in .*after training, PFs on/);
    await refused([...after("a1"), "--after-off", "a1"], "HASP743", /named twice/);
    await refused(["--before-off", "b1", "--before-on", "b0", "--after-on", "a1"], "HASP743", /took part in/);
    cpSync(scene.at("a1"), scene.at("empty"), { recursive: true });
    scene.write("empty/episodes.jsonl", "");
    await refused(after("empty"), "HASP744", /has no episode/);
    const ended = await scene.hasp("internalised", "--before-on", "b1");
    expect(ended.code).toBe(2);
    expect(ended.err).toContain("Name both, --before-on <run> --after-on <run>");
  });

  it("an experiment beside runs, and a folder that holds none", async () => {
    const both = await scene.hasp("internalised", "--experiment", "e1", "--after-on", "a1");
    expect(both.code).toBe(2);
    expect(both.err).toContain("An experiment and runs are named.");
    const none = await scene.hasp("internalised", "--experiment", "e1");
    expect(none.code).toBe(2);
    expect(none.err).toContain("HASP681");
  });
});
