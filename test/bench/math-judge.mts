import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { compareAnswers } from "../../src/domains/math/judge/same-answer.ts";
import { CLEAR, CONTESTED } from "../unit/domains/math/judge/pairs.ts";
import { compare, median, type BenchRow } from "./measure.mts";

const PAIRS = 10_000;
const ROUNDS = 5;
/** Milliseconds that one pair may take, by half of them and by each. */
const MEDIAN_LIMIT = 1;
const WORST_LIMIT = 50;

interface Row {
  readonly question: string;
  readonly gold: readonly string[];
  readonly answer: string;
  readonly solution: string;
}

interface Pair {
  readonly given: string;
  readonly accepted: string;
  readonly question: string;
}

/** Each recorded answer and solution, with its accepted answer and with that of the next row. */
function recordedPairs(root: string): readonly Pair[] {
  const data = path.join(root, "../shared/data/answers");
  const files = ["gsm8k-gpt3-even.jsonl", "math-qwen-even.jsonl"].map((name) => path.join(data, name));
  if (!files.every((file) => existsSync(file))) return [];
  const rows = files.flatMap((file) =>
    readFileSync(file, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Row),
  );
  return rows.flatMap(({ question, gold, answer, solution }, n) =>
    [gold, rows[(n + 1) % rows.length]?.gold].flatMap((accepted) =>
      [answer, solution].map((given) => ({ given, accepted: accepted?.[0] ?? "", question })),
    ),
  );
}

const OWN: readonly Pair[] = [...CLEAR, ...CONTESTED].map(([given, accepted, , question = ""]) => ({
  given,
  accepted,
  question,
}));

const members = (write: (n: number) => string): string =>
  Array.from({ length: 39 }, (_, n) => write(n)).join(",");

/** Lists whose members need long numbers at each of the points. */
const HARD: Pair = {
  given: members((n) => `x^{${n + 30}}y^2=1`),
  accepted: members((n) => `2x^{${68 - n}}y^2=2`),
  question: "",
};

function judgeAll(pairs: readonly Pair[]): number[] {
  return pairs.map(({ given, accepted, question }) => {
    const start = performance.now();
    compareAnswers(given, accepted, question);
    return performance.now() - start;
  });
}

/** The exact judge of math on recorded answers, against reading the same pairs as JSON. */
export async function benchMathJudge(root: string): Promise<BenchRow[]> {
  const recorded = recordedPairs(root);
  const source = recorded.length > 0 ? recorded : OWN;
  const pairs = Array.from({ length: PAIRS }, (_, n) => source[n % source.length] as Pair);
  const lines = pairs.map((pair) => JSON.stringify(pair));
  const passes: number[][] = [];
  const [ours, baseline] = await compare(
    ROUNDS,
    () => passes.push(judgeAll(pairs)),
    () => lines.map((line) => JSON.parse(line) as Pair),
  );
  // A neighbour may stop any pair of one pass; it does not meet the same pair each time.
  const [first = [], ...others] = passes;
  const least = first.map((time, n) => Math.min(time, ...others.map((pass) => pass[n] ?? time)));
  const what = `${PAIRS.toLocaleString("en")} pairs of ${recorded.length > 0 ? "recorded" : "our own"} answers`;
  const limit = 1;
  return [
    {
      name: "math judge, all pairs",
      ours,
      baseline,
      unit: "ms",
      method: `${what}, median of ${ROUNDS}; baseline: JSON.parse of the same pairs`,
    },
    {
      name: "math judge, median pair",
      ours: median(first),
      baseline: MEDIAN_LIMIT,
      unit: "ms",
      limit,
      method: "of the first pass; baseline: what it may take",
    },
    {
      name: "math judge, slowest pair",
      ours: Math.max(...least),
      baseline: WORST_LIMIT,
      unit: "ms",
      limit,
      method: `each at its best of ${passes.length} passes; baseline: what it may take`,
    },
    {
      name: "math judge, hard pair",
      ours: Math.min(...judgeAll(Array.from({ length: ROUNDS }, () => HARD))),
      baseline: WORST_LIMIT,
      unit: "ms",
      limit,
      method: `lists of 39 equations of high degree, at its best of ${ROUNDS}; baseline: what it may take`,
    },
  ];
}
