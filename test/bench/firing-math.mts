/**
 * How often each math skill fires on recorded answers, apart for wrong and right ones, with intervals: the table of docs/firing.md. Needs
 * `npm run build`.
 *
 *   node test/bench/firing-math.mts gsm8k=gsm8k-gpt3-even.jsonl math=math-qwen-even.jsonl
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { countedShare } from "../../src/scoring/exact-interval.ts";
import type { GroupWorth } from "../../src/model/worth.ts";
import { markdownTable, ROOT, runHasp } from "../support/redrive.ts";

type Outcome = "wrong" | "correct";
interface Report {
  readonly skills: readonly {
    readonly skillId: string;
    readonly counts: Readonly<Record<Outcome, { readonly retrieved: number; readonly fired: number }>>;
    readonly worth: GroupWorth;
  }[];
}
type Range = { readonly low: number; readonly high: number };

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

/** `118 of 1654: 7.1% (5.9% to 8.5%)`: with too few changes for a bootstrap over questions, the exact interval of the count. */
function cell(fired: number, of: number, interval: Range = countedShare(fired, of)): string {
  return `${fired} of ${of}: ${percent(fired / of)} (${percent(interval.low)} to ${percent(interval.high)})`;
}

/** The cells of one file by skill: of wrong answers, and of right ones. */
async function ratesOf(answers: string, place: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const run = path.join(place, "run");
  await runHasp(["import", "--from", "answers", "--domain", "math", answers, "-o", run]);
  await runHasp(["judge", run]);
  const out = execFileSync(
    process.execPath,
    [path.join(ROOT, "dist/hasp.cjs"), "backtest", "--skills", "builtin:math", "--episodes", run, "--json"],
    { maxBuffer: 2 ** 30, encoding: "utf8" },
  );
  const { skills } = JSON.parse(out) as Report;
  return new Map(
    skills.map(({ skillId, counts: { wrong, correct }, worth }) => {
      const { helped, harmed } = worth.separation.all?.intervals ?? {};
      return [
        skillId,
        [cell(wrong.fired, wrong.retrieved, helped), cell(correct.fired, correct.retrieved, harmed)],
      ];
    }),
  );
}

const place = mkdtempSync(path.join(tmpdir(), "hasp-firing-math-"));
try {
  const columns: { name: string; rates: ReadonlyMap<string, readonly string[]> }[] = [];
  for (const [i, named] of process.argv.slice(2).entries()) {
    const [name = "", file = ""] = named.split("=");
    columns.push({ name, rates: await ratesOf(path.resolve(file), path.join(place, String(i))) });
  }
  const ids = [...new Set(columns.flatMap(({ rates }) => [...rates.keys()]))];
  const head = ["skill", ...columns.flatMap(({ name }) => [`${name}, wrong`, `${name}, right`])];
  const rows = ids.map((id) => [`\`${id}\``, ...columns.flatMap(({ rates }) => rates.get(id) ?? ["–", "–"])]);
  process.stdout.write(`${markdownTable([head, ...rows])}\n`);
} finally {
  rmSync(place, { recursive: true, force: true });
}
