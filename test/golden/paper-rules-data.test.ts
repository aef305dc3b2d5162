import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PAPER } from "../support/shipped.ts";
import { openPaperScene } from "../support/paper-runs.ts";

/** Splits of a data set (SPEC §7, §9) by `hasp data`, and the selection of `hasp backtest` (SPEC §4, §5). */
const scene = openPaperScene("paper-data");
afterAll(() => scene.close());

const jsonl = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

interface Row {
  readonly id: string;
  readonly question: string;
}

describe("hasp data on 1,000 rows", () => {
  const PAIRED = 400;
  /** Rows 200 to 599 stand again behind them, in capitals and with an article. */
  const rows = Array.from({ length: 1000 }, (_, i) => {
    const isTwin = i >= 200 + PAIRED;
    const question = `Who owns house number ${isTwin ? i - PAIRED : i}?`;
    return { id: `r${i}`, question: isTwin ? `${question.toUpperCase()} the` : question, gold: ["x"] };
  });
  const plain = ({ question }: Row): string =>
    question
      .toLowerCase()
      .replace(/\bthe\b|[?]/g, "")
      .trim();

  async function split(name: string, file = "rows.jsonl"): Promise<Row[]> {
    const output = `${name}.jsonl`;
    const ended = await scene.hasp("data", file, "--split", name, "-o", output);
    expect(ended).toMatchObject({ code: 0 });
    const text = readFileSync(scene.at(output), "utf8").trimEnd();
    return text.split("\n").map((line) => JSON.parse(line) as Row);
  }

  beforeAll(() => writeFileSync(scene.at("rows.jsonl"), jsonl(rows)));

  it("draws 50 and 50 from the whole tail, and trains on no question of either, however it is written", async () => {
    const [test, pool, seed, val, train] = [
      await split("test"),
      await split("pool"),
      await split("seed"),
      await split("val"),
      await split("train"),
    ];
    expect(test.map(({ id }) => id)).toEqual(rows.slice(0, 200).map(({ id }) => id));
    expect(pool.map(({ id }) => id)).toEqual(rows.slice(200).map(({ id }) => id));
    expect([seed, val].map((one) => one.length)).toEqual([50, 50]);
    const tail = new Set(pool.map(({ id }) => id));
    expect([...seed, ...val].filter(({ id }) => !tail.has(id))).toEqual([]);
    // Of 100 rows of the whole tail, some stand in each half of it.
    const drawn = [...seed, ...val].map(({ id }) => Number(id.slice(1)));
    expect(drawn.some((row) => row < 600) && drawn.some((row) => row >= 600)).toBe(true);
    const seeds = new Set(seed.map(plain));
    expect(val.filter((row) => seeds.has(plain(row)))).toEqual([]);
    const taken = new Set([...seed, ...val].map(plain));
    expect(train.map(({ id }) => id)).toEqual(
      pool.filter((row) => !taken.has(plain(row))).map(({ id }) => id),
    );
    expect(train.length).toBeLessThan(700);
    expect(train.length).toBeGreaterThan(500);
  });

  it("skips a data set without a tail, and says so", async () => {
    const all = Array.from({ length: 125 }, (_, i) => ({ Question: `Who is ${i}?`, Answer: "x" }));
    writeFileSync(scene.at("bamboogle.jsonl"), jsonl(all));
    const ended = await scene.hasp("data", "bamboogle.jsonl", "--split", "seed", "-o", "none.jsonl");
    expect(ended.code).toBe(0);
    expect(`${ended.out}${ended.err}`).toMatch(/bamboogle.*skipped/i);
    expect(existsSync(scene.at("none.jsonl"))).toBe(false);
  });
});

describe("hasp backtest of an imported trajectory", () => {
  const trajectory = {
    source: "reflexion",
    strategy: "react",
    trial: 1,
    status: "incorrect",
    question: "Who founded Walmart?",
    gold: "Sam Walton",
    pred: "Bud",
    n_steps: 2,
    reflection: null,
    steps: [
      {
        n: 1,
        thought: "I look.",
        action: "Search",
        arg: "Walmart",
        action_raw: "Search[Walmart]",
        observation: "Walmart is a chain of stores.",
      },
      {
        n: 2,
        thought: "I answer.",
        action: "Finish",
        arg: "Bud",
        action_raw: "Finish[Bud]",
        observation: "Answer is INCORRECT",
      },
    ],
  };
  interface Asked {
    readonly selections: Readonly<Record<string, number>>;
    readonly skills: readonly { readonly skillId: string; readonly stepsAsked: number }[];
  }

  it("asks every Program Function, with --selected those that code selects, and says which", async () => {
    writeFileSync(scene.at("trajectory.jsonl"), jsonl([trajectory]));
    const imported = await scene.hasp("import", "trajectory.jsonl", "--from", "reflexion", "-o", "imported");
    expect(imported).toMatchObject({ code: 0, err: "" });
    const backtest = (...args: string[]) =>
      scene.hasp(
        "backtest",
        "--skills",
        ...PAPER.map((folder) => path.resolve(folder)),
        "--episodes",
        "imported",
        ...args,
      );
    const asked = async (...args: string[]): Promise<Asked> =>
      JSON.parse((await backtest("--json", ...args)).out) as Asked;
    const idsOf = ({ skills }: Asked): string[] =>
      skills.filter(({ stepsAsked }) => stepsAsked > 0).map(({ skillId }) => skillId);

    const every = await asked();
    const some = await asked("--selected");
    expect(idsOf(every)).toHaveLength(26);
    expect(every.selections).toMatchObject({ "every PF": 1, "by code": 0 });
    expect(idsOf(some).toSorted()).toEqual([
      "answer_confidence_guard",
      "citation_mismatch",
      "format_extraction_error",
      "insufficient_exploration",
      "iterative_refinement",
      "relevant_content_extractor",
      "retrieval_failure",
    ]);
    expect(some.selections).toMatchObject({ "every PF": 0, "by code": 1 });
    expect((await backtest()).out).toContain("asked: every PF, in 1 episode without a recorded selection");
    expect((await backtest("--selected")).out).toContain(
      "asked: the PFs that code selects for the question, in 1 episode",
    );
  });
});
