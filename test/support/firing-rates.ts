/** How often the shipped skills of a domain fire on files of recorded answers: the tables of docs/firing.md. Needs `npm run build`. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import type { GroupWorth } from "../../src/model/worth.ts";
import { countedShare } from "../../src/scoring/exact-interval.ts";
import { markdownTable, ROOT, runHasp } from "./redrive.ts";

type Outcome = "wrong" | "correct";
interface SkillReport {
  readonly skillId: string;
  readonly counts: Readonly<Record<Outcome, { readonly retrieved: number; readonly fired: number }>>;
  readonly hits: readonly { readonly episodeId: string; readonly outcome: string }[];
  readonly worth: GroupWorth;
}
type Range = { readonly low: number; readonly high: number };

/** A row of several skills together: an answer counts once. */
export interface Together {
  readonly name: string;
  readonly skillIds: readonly string[];
}

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

/** `118 of 1654: 7.1% (5.9% to 8.5%)`: with too few changes for a bootstrap over questions, the exact interval of the count. */
function cell(fired: number, of: number, interval: Range = countedShare(fired, of)): string {
  return `${fired} of ${of}: ${percent(fired / of)} (${percent(interval.low)} to ${percent(interval.high)})`;
}

/** Whether each row of a file brings its verdict. */
function isJudged(file: string): boolean {
  const rows = readFileSync(file, "utf8").trim().split("\n");
  return rows.every((row) => typeof (JSON.parse(row) as { correct?: unknown }).correct === "boolean");
}

/** The cells of one file by skill, and of the groups: of wrong answers, and of right ones. */
async function ratesOf(
  domain: string,
  [answers = "", questions]: readonly string[],
  run: string,
  together: readonly Together[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const file = path.resolve(answers);
  const known = questions === undefined ? [] : ["--questions", path.resolve(questions)];
  await runHasp(["import", "--from", "answers", "--domain", domain, file, ...known, "-o", run]);
  if (!isJudged(file)) await runHasp(["judge", run]);
  const args = [
    "backtest",
    "--skills",
    `builtin:${domain}`,
    "--triggers",
    "paper",
    "--episodes",
    run,
    "--json",
  ];
  const out = execFileSync(process.execPath, [path.join(ROOT, "dist/hasp.cjs"), ...args], {
    maxBuffer: 2 ** 30,
    encoding: "utf8",
  });
  const { skills } = JSON.parse(out) as { readonly skills: readonly SkillReport[] };
  const rows = skills.map(({ skillId, counts: { wrong, correct }, worth }) => {
    const { helped, harmed } = worth.separation.all?.intervals ?? {};
    const cells = [
      cell(wrong.fired, wrong.retrieved, helped),
      cell(correct.fired, correct.retrieved, harmed),
    ];
    return [`\`${skillId}\``, cells] as const;
  });
  return new Map([...rows, ...together.map((group) => [group.name, cellsOf(skills, group)] as const)]);
}

function cellsOf(skills: readonly SkillReport[], { skillIds }: Together): readonly string[] {
  const own = skills.filter(({ skillId }) => skillIds.includes(skillId));
  return (["wrong", "correct"] as const).map((wanted) => {
    const hits = own.flatMap(({ hits: all }) => all.filter(({ outcome }) => outcome === wanted));
    const fired = new Set(hits.map(({ episodeId }) => episodeId));
    return cell(fired.size, own[0]?.counts[wanted].retrieved ?? 0);
  });
}

/** Prints the table of the files that the command line names: `name=answers.jsonl`, with `:questions.jsonl` where rows have no question. */
export async function printRates(domain: string, together: readonly Together[] = []): Promise<void> {
  const place = mkdtempSync(path.join(tmpdir(), `hasp-firing-${domain}-`));
  try {
    const columns: { name: string; rates: ReadonlyMap<string, readonly string[]> }[] = [];
    for (const [i, named] of process.argv.slice(2).entries()) {
      const [name = "", files = ""] = named.split("=");
      columns.push({
        name,
        rates: await ratesOf(domain, files.split(":"), path.join(place, String(i)), together),
      });
    }
    const names = [...new Set(columns.flatMap(({ rates }) => [...rates.keys()]))];
    const head = ["skill", ...columns.flatMap(({ name }) => [`${name}, wrong`, `${name}, right`])];
    const rows = names.map((name) => [
      name,
      ...columns.flatMap(({ rates }) => rates.get(name) ?? ["–", "–"]),
    ]);
    process.stdout.write(`${markdownTable([head, ...rows])}\n`);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
