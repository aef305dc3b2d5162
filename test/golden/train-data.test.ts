import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { episodeSchema } from "../../src/model/episode.ts";
import { FIXTURES, fixtureRun, jsonl, linesOf, openTrainScene, rowsOf } from "../support/train-data.ts";

/** Layers 0 to 2 (SPEC §8) of a run whose weights are worked out by hand, in test/fixtures/train-data/README.md. */
const scene = openTrainScene("train-data");
afterAll(() => scene.close());

const SYSTEM = JSON.stringify(readFileSync(path.join(FIXTURES, "system.txt"), "utf8"));

const expected = (file: string): string =>
  readFileSync(path.join(FIXTURES, file), "utf8").replaceAll('"<the system message>"', () => SYSTEM);

beforeAll(() => fixtureRun(scene));

/** The run again as `folder`: the verdict on the last answer of moe as `judge` has it, without any on drafts where that is nothing. */
function judgeLast(folder: string, judge: (passed: boolean) => boolean | undefined): void {
  cpSync(scene.at("run"), scene.at(folder), { recursive: true });
  const file = path.join(scene.at(folder), "episodes.jsonl");
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const episodes = lines.map((line) => episodeSchema.parse(JSON.parse(line)));
  const changed = episodes.map((episode) => ({
    ...episode,
    steps: episode.steps.map((step) => ({
      ...step,
      proposals: step.proposals.map(({ verdicts, ...proposal }) => {
        const isLast = episode.questionId === "moe" && step.t === episode.length - 1;
        const given = verdicts?.flatMap((verdict) => {
          const passed = judge(verdict.passed);
          return passed === undefined ? [] : isLast ? { ...verdict, passed } : verdict;
        });
        return given === undefined || given.length === 0 ? proposal : { ...proposal, verdicts: given };
      }),
    })),
  }));
  writeFileSync(file, jsonl(changed));
}

describe("hasp train-data on a scripted run", () => {
  beforeAll(() =>
    scene.build(["run", "-o", "both", "--candidates", path.join(FIXTURES, "candidates.jsonl")]),
  );

  it.each(["a-sft.jsonl", "a-dpo.jsonl", "a-prompt.jsonl", "steps.jsonl", "b-sft.jsonl", "b-dpo.jsonl"])(
    "writes %s byte for byte as worked out by hand",
    (file) => {
      expect(scene.read(`both/${file}`)).toBe(expected(file));
    },
  );

  it("pairs a revised proposal under --dpo-revised alone, with the prompt before the first proposal", async () => {
    await scene.build(["run", "-o", "revised", "--dpo-revised"]);
    expect(scene.read("revised/a-dpo.jsonl")).toBe(expected("a-dpo-revised.jsonl"));
    const pair = rowsOf(scene.at("revised/a-dpo.jsonl")).find(({ correction }) => correction === "revised");
    expect(pair?.chosen?.[0]?.content).toContain("SEARCH[Pine Theatre]");
    expect(pair?.rejected?.[0]?.content).toContain("FINAL[Lom]");
    expect(pair?.prompt?.at(-1)?.content).not.toContain("Search for a second text with the name");
  });

  it("never teaches a revision that broke a right draft, and counts it", async () => {
    judgeLast("broken", (passed) => !passed);
    const { cards } = await scene.build(["broken", "-o", "unbroken", "--dpo-revised"]);
    const isRevised = (line: string): boolean => line.includes('"correction":"revised"');
    expect(linesOf(scene.at("unbroken/a-sft.jsonl")).filter(isRevised)).toEqual([]);
    expect(linesOf(scene.at("unbroken/a-dpo.jsonl")).filter(isRevised)).toEqual([]);
    const [scored] = linesOf(scene.at("unbroken/steps.jsonl")).filter(isRevised);
    expect(scored).toContain('"draft_correct":1.0,"revision_correct":0.0');
    expect(scored).toContain('"dropped":"broken_draft"');
    for (const kind of ["a-sft", "a-dpo"])
      expect(cards.find((card) => card.kind === kind)?.dropped).toContainEqual({
        reason: "the revision of a right draft is wrong",
        steps: 1,
      });
  });

  it("makes the rows of a record without verdicts on drafts as before, which say that nothing is known", async () => {
    judgeLast("old", () => undefined);
    await scene.build(["old", "-o", "of-old", "--dpo-revised"]);
    const unknown = expected("a-dpo-revised.jsonl")
      .replaceAll('"run":"run"', '"run":"old"')
      .replaceAll(/"(draft|revision)_correct":[-0-9.]+/g, '"$1_correct":-1.0');
    expect(scene.read("of-old/a-dpo.jsonl")).toBe(unknown);
  });

  it("--no-dpo-revised takes back what data.yaml says", async () => {
    await scene.build(["run", "-o", "again", "--dpo-revised"]);
    await scene.build(["--refresh", "again"]);
    expect(scene.read("again/a-dpo.jsonl")).toBe(expected("a-dpo-revised.jsonl"));
    await scene.build(["--refresh", "again", "--no-dpo-revised"]);
    expect(scene.read("again/a-dpo.jsonl")).toBe(expected("a-dpo.jsonl"));
  });

  it("keeps corrected steps alone with --filter opd, as experiment e3 does", async () => {
    await scene.build(["run", "-o", "opd", "--filter", "opd"]);
    await scene.build(["run", "-o", "e3", "--experiment", "e3"]);
    const corrected = linesOf(scene.at("both/a-sft.jsonl")).filter(
      (line) => !line.includes('"correction":"none"'),
    );
    expect(corrected).toHaveLength(4);
    for (const folder of ["opd", "e3"]) expect(linesOf(scene.at(`${folder}/a-sft.jsonl`))).toEqual(corrected);
    expect(scene.read("e3/data.yaml")).toMatch(/experiment: e3\n +loop: open\n +method: opd\n/);
  });

  it.each([
    [0.2575, 14],
    [0.2875, 12],
    [0.3025, 4],
    [0.37125, 3],
    [0.4325, 2],
    [0.62125, 1],
  ])(
    "counts the steps that reach a floor of %d, which is the reward of some of them: %d",
    async (floor, rows) => {
      const { cards } = await scene.build(["run", "-o", "floor", "--floor", String(floor)]);
      expect(linesOf(scene.at("floor/a-sft.jsonl"))).toHaveLength(rows);
      expect(cards[0]?.scored).toMatchObject({ steps: 16, overFloor: rows });
      expect(scene.read("floor/a-sft.card.md")).toContain(
        `Reward floor ${floor}: ${rows} of 16 measured steps`,
      );
    },
  );
});
