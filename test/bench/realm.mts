import { threadCpuNow } from "../../src/platform/cpu-clock.ts";
import type { PlacedEpisode } from "../../src/trace/placed-episodes.ts";
import { recordedQuestions } from "../../src/analysis/judge.ts";
import type { PfProgram } from "../../src/model/skill.ts";
import { createPfHost } from "../../src/sandbox/create-pf-host.ts";
import { createSandbox } from "../../src/sandbox/quickjs-host.ts";
import type { JudgeRequest } from "../../src/sandbox/wire.ts";
import { compare, type BenchRow } from "./measure.mts";

const ROUNDS = 300;
const WARM_UP = 30;

const NOTHING: JudgeRequest = { pfs: [], steps: [], modifyCap: 2, canAsk: false, mode: "episode" };

/** What it costs to restore a realm, beside judging the longest episode in it. In this thread: no message counts. */
export async function benchRestore(
  programs: readonly PfProgram[],
  { episode }: PlacedEpisode,
): Promise<BenchRow[]> {
  const sandbox = createSandbox(threadCpuNow);
  const host = createPfHost(sandbox);
  try {
    await host.load(programs);
    const ids = programs.map(({ skillId }) => skillId);
    const steps = recordedQuestions(episode);
    const empty = { skillIds: [], request: JSON.stringify(NOTHING), deadlineMs: 1_000, fresh: false };
    const [ours, baseline] = await compare(
      ROUNDS,
      () => sandbox.judge(empty),
      () => host.fold(ids, steps),
      WARM_UP,
    );
    const method = `a crossing that asks nothing, which restores all the same, median of ${ROUNDS}; baseline: one in which ${ids.length} PFs judge an episode of ${steps.length} steps`;
    return [{ name: "a realm restored for an episode", ours, baseline, unit: "ms", method }];
  } finally {
    await host.close();
  }
}
