import { cpSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  FIXTURES,
  fixtureRun,
  folderOf,
  jsonl,
  linesOf,
  openTrainScene,
  placeOf,
  rowsOf,
  say,
  type Folder,
  type Row,
} from "../support/train-data.ts";

/** Training data that is built again (SPEC §8, layer 3), in any order of its episodes, and by rejection sampling. */
const scene = openTrainScene("train-refresh");
afterAll(() => scene.close());

const sftOf = (folder: string): readonly Row[] => rowsOf(scene.at(folder, "a-sft.jsonl"));
const dropsIn = (folder: string): readonly string[] =>
  rowsOf(scene.at(folder, "steps.jsonl")).flatMap((row) =>
    row.dropped === "" ? [] : `${placeOf(row)} ${row.dropped}`,
  );

/** A folder with the same date in every card. */
const undated = (folder: string): Folder =>
  Object.fromEntries(
    Object.entries(folderOf(scene.at(folder))).map(([name, text]) => [
      name,
      text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<date>"),
    ]),
  );

beforeAll(async () => {
  await fixtureRun(scene);
  await fixtureRun(scene, "second");
});

describe("hasp train-data --refresh", () => {
  interface Scored extends Row {
    readonly families: Readonly<Record<string, number>>;
  }
  const refresh = (...args: readonly string[]) => scene.build(["--refresh", "data", ...args]);
  beforeEach(() => scene.build(["run", "-o", "data"]));

  it("weighs every step anew by other weights, in place and from the run alone", async () => {
    const before = linesOf(scene.at("data/steps.jsonl"));
    const run = folderOf(scene.at("run"));
    await refresh("--drop", "timing");
    expect(folderOf(scene.at("run"))).toEqual(run);
    const steps = rowsOf(scene.at("data/steps.jsonl")) as readonly Scored[];
    expect(steps.map(placeOf)).toEqual(before.map((line) => placeOf(JSON.parse(line) as Row)));
    // SPEC §8: without timing the others weigh .1176, .2941 and .5882.
    for (const { reward, families: f } of steps)
      expect(reward).toBeCloseTo(
        ((f["modality"] ?? NaN) * 0.1 + (f["correctness"] ?? NaN) * 0.25 + (f["outcome"] ?? NaN) * 0.5) /
          0.85,
        5,
      );
    const weights = new Map(sftOf("data").map((row) => [placeOf(row), row.sample_weight]));
    // (0.1 · 0.35 + 0.25 · 0.55 + 0.5 · 0.72) / 0.85 and (0.25 · 0.35 + 0.5 · 0.4) / 0.85
    expect(weights.get("fern#1:2")).toBe(0.626471);
    expect(weights.get("fern#1:3")).toBe(0.338235);
    expect(scene.read("data/a-sft.card.md")).toContain("without timing");
  });

  it("leaves no file of another objective that a build before wrote", async () => {
    const candidates = path.join(FIXTURES, "candidates.jsonl");
    await scene.build(["run", "-o", "data", "--candidates", candidates]);
    expect(Object.keys(folderOf(scene.at("data")))).toContain("b-sft.jsonl");
    await scene.build(["run", "-o", "data"]);
    expect(Object.keys(folderOf(scene.at("data"))).filter((name) => name.startsWith("b-"))).toEqual([]);
  });

  it("writes the same bytes again, except for dates", async () => {
    const built = undated("data");
    await refresh();
    expect(undated("data")).toEqual(built);
    await refresh("--drop", "timing");
    const dropped = undated("data");
    expect(dropped).not.toEqual(built);
    await refresh();
    expect(undated("data")).toEqual(dropped);
  });

  it("keeps the floor, the filter and the held-out files of the folder, and takes other runs", async () => {
    const question = "In which year did the Fern Museum open?";
    scene.write("held-out.jsonl", jsonl([{ id: "h", question, gold: ["1907"] }]));
    await scene.build([
      "run",
      "-o",
      "own",
      "--floor",
      "0.3",
      "--held-out",
      "held-out.jsonl",
      "--experiment",
      "e6",
    ]);
    const rows = linesOf(scene.at("own/a-sft.jsonl"));
    expect(sftOf("own").map(placeOf)).toEqual(["lark#1:2", "pine#1:1", "moe#1:5"]);
    await scene.build(["--refresh", "own", "run", "second"]);
    const more = linesOf(scene.at("own/a-sft.jsonl"));
    expect(more.slice(0, rows.length)).toEqual(rows);
    expect(more.slice(rows.length)).toEqual(
      rows.map((line) => line.replace('"run":"run"', '"run":"second"')),
    );
    expect(scene.read("own/data.yaml")).toMatch(/experiment: e6[\s\S]*refresh: phase[\s\S]*- second/);
  });

  it("removes the file of a kind that has no row any more", async () => {
    const questions = linesOf(path.join(FIXTURES, "questions.jsonl")).filter(
      (line) => !line.includes('"moe"'),
    );
    scene.write("held-out.jsonl", `${questions.join("\n")}\n`);
    expect(folderOf(scene.at("data"))["a-dpo.jsonl"]).toBeDefined();
    await refresh("--held-out", "held-out.jsonl");
    expect(folderOf(scene.at("data"))["a-dpo.jsonl"]).toBeUndefined();
    expect(sftOf("data")).toHaveLength(7);
    expect(scene.read("data/a-dpo.card.md")).toContain("0 rows");
  });
});

describe("the order of episodes and runs", () => {
  const sorted = (folder: string): readonly string[] => linesOf(scene.at(folder, "a-sft.jsonl")).toSorted();

  it.each(["none", "rs", "opd"])("changes no row with the filter %s", async (filter) => {
    cpSync(scene.at("run"), scene.at("turned"), { recursive: true });
    await scene.build(["turned", "second", "-o", "straight", "--filter", filter]);
    const lines = linesOf(scene.at("turned/episodes.jsonl"));
    scene.write("turned/episodes.jsonl", `${lines.toReversed().join("\n")}\n`);
    await scene.build(["second", "turned", "-o", "crossed", "--filter", filter]);
    expect(sorted("straight").length).toBeGreaterThan(2);
    expect(sorted("crossed")).toEqual(sorted("straight"));
    const steps = (folder: string): readonly string[] => linesOf(scene.at(folder, "steps.jsonl"));
    expect(steps("crossed")).not.toEqual(steps("straight"));
    expect(steps("crossed").toSorted()).toEqual(steps("straight").toSorted());
  });
});

describe("rejection sampling over two samples", () => {
  const QUESTIONS = [
    { id: "fern", question: "In which year did the Fern Museum open?", gold: ["1907"] },
    { id: "lark", question: "Who drew the plans of the Lark Bridge?", gold: ["Ada Holm"] },
    { id: "pine", question: "In which town is the Pine Theatre?", gold: ["Rena"] },
  ];
  const way = (query: string, ...rest: readonly string[]): readonly string[] =>
    [`SEARCH[${query}]`, ...rest].map((action) => say(action));
  /** The first samples of all questions, then the second ones. */
  const SCRIPT = [
    ...way("Fern Museum", "READ[doc_0]", "FINAL[1907]"),
    ...way("Lark Bridge", "READ[doc_0]", "FINAL[Ada Holm]"),
    ...way("Pine Theatre", "FINAL[Oslo]", "FINAL[Oslo]"),
    ...way("Fern Museum", "FINAL[2001]", "FINAL[2001]"),
    // Right like the first sample, and corrected, which gives it the greater A.
    ...way("Lark Bridge", "FINAL[Ada Holm]", "FINAL[Ada Holm]"),
    // Wrong like the first sample: the composite is 0.1 · (1 − 3/12) = 0.075, under 0.15.
    ...way("Pine Theatre", "READ[doc_0]", "FINAL[Bergen]"),
  ];

  beforeAll(async () => {
    scene.write("three.jsonl", jsonl(QUESTIONS));
    const args = [
      "--skills",
      "skills/web-search",
      "--max-steps",
      "12",
      "--samples",
      "2",
      "--temperature",
      "0.9",
    ];
    const episodes = await scene.run({ output: "twice", questions: "three.jsonl", script: SCRIPT, args });
    expect(episodes.map(({ id, outcome }) => `${id} ${outcome}`).toSorted()).toEqual([
      "fern#1 correct",
      "fern#2 wrong",
      "lark#1 correct",
      "lark#2 correct",
      "pine#1 wrong",
      "pine#2 wrong",
    ]);
  });

  it.each([
    ["--filter", "rs"],
    ["--experiment", "e2"],
  ])("keeps the better one of each question (%s %s)", async (...args) => {
    await scene.build(["twice", "-o", "rs", ...args]);
    expect(sftOf("rs").map(placeOf)).toEqual(
      ["fern#1", "lark#2"].flatMap((id) => [1, 2, 3].map((step) => `${id}:${step}`)),
    );
    expect(dropsIn("rs").toSorted()).toEqual([
      "fern#2:1 under_floor",
      "fern#2:2 filter_score",
      "fern#2:3 under_floor",
      "lark#1:1 filter_half",
      "lark#1:2 filter_half",
      "lark#1:3 filter_half",
      "pine#1:1 under_floor",
      "pine#1:2 filter_score",
      "pine#1:3 under_floor",
      "pine#2:1 under_floor",
      "pine#2:2 under_floor",
      "pine#2:3 under_floor",
    ]);
  });

  it("takes the samples of one question from several runs together", async () => {
    const args = ["--skills", "skills/web-search", "--max-steps", "12"];
    const script = [way("Lark Bridge", "FINAL[Ada Holm]", "READ[doc_0]", "FINAL[Ada Holm]")].flat();
    scene.write(
      "lark.jsonl",
      jsonl([{ ...QUESTIONS[1], id: "other-id", question: "who drew the plans of the LARK bridge" }]),
    );
    await scene.run({ output: "third", questions: "lark.jsonl", script, args });
    await scene.build(["twice", "third", "-o", "rs", "--filter", "rs"]);
    // Two of three: ceil(3 / 2).
    const kept = new Set(sftOf("rs").map(({ episode }) => episode));
    expect(kept).toEqual(new Set(["fern#1", "lark#2", "other-id#1"]));
  });
});
