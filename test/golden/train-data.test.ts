import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FIXTURES, fixtureRun, linesOf, openTrainScene, rowsOf } from "../support/train-data.ts";

/** Layers 0 to 2 (SPEC §8) of a run whose weights are worked out by hand, in test/fixtures/train-data/README.md. */
const scene = openTrainScene("train-data");
afterAll(() => scene.close());

const SYSTEM = JSON.stringify(readFileSync(path.join(FIXTURES, "system.txt"), "utf8"));

const expected = (file: string): string =>
  readFileSync(path.join(FIXTURES, file), "utf8").replaceAll('"<the system message>"', () => SYSTEM);

beforeAll(() => fixtureRun(scene));

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
