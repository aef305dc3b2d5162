import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { backtest } from "../../src/analysis/backtest.ts";
import { DATA, episodesOf, runHasp } from "../support/redrive.ts";
import { again, idled, openIn, shippedFolders, type Opened } from "./library.mts";
import { compare, type BenchRow } from "./measure.mts";

const ANSWERS = path.join(DATA, "answers/gsm8k-gpt3-even.jsonl");
const ROUNDS = 3;

/** The shipped math skills over recorded answers, beside PFs that look at nothing; no row where the answers are not at hand. */
export async function benchMathBacktest(root: string, workerFile: string): Promise<BenchRow[]> {
  if (!existsSync(ANSWERS)) return [];
  const run = path.join(mkdtempSync(path.join(tmpdir(), "hasp-bench-math-")), "run");
  await runHasp(["import", "--from", "answers", "--domain", "math", ANSWERS, "-o", run], root);
  const episodes = episodesOf(run).map((episode, index) => ({ run, index, episode }));
  rmSync(path.dirname(run), { recursive: true });
  const folders = await shippedFolders(root, workerFile, "math");
  const [shipped, idle] = [await openIn(workerFile, folders), await openIn(workerFile, idled(folders))];
  const judged = ({ library, host }: Opened) => backtest(library, again(episodes, 1), host);
  try {
    const [ours, baseline] = await compare(
      ROUNDS,
      () => judged(shipped),
      () => judged(idle),
    );
    const method = `${folders.length} skills over ${episodes.length} answers of GSM8K, the reading of drafts included, median of ${ROUNDS} in turn; baseline: as many PFs that look at nothing, which read the drafts, too`;
    return [{ name: "backtest of math", ours: ours / 1_000, baseline: baseline / 1_000, unit: "s", method }];
  } finally {
    await Promise.all([shipped.host.close(), idle.host.close()]);
  }
}
