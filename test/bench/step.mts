import type { PfProgram } from "../../src/model/skill.ts";
import { startPfHost } from "../../src/platform/worker-pf-host.ts";
import { FRESH_STATE, type PfQuestion, type PfState } from "../../src/sandbox/pf-host.ts";
import { compare, type BenchRow } from "./measure.mts";

const ROUNDS = 300;
const LIBRARY_SIZE = 26;

/** A library of the size of web-search's: the shipped PFs, again and again under other ids. */
function library(programs: readonly PfProgram[]): PfProgram[] {
  return Array.from({ length: LIBRARY_SIZE }, (_, i) => {
    const program = programs[i % programs.length];
    if (program === undefined) throw new Error("No PF to measure with");
    return { ...program, skillId: `${program.skillId}_${i}` };
  });
}

/** One step judged by a whole library in one crossing, against one crossing per PF (DESIGN.md, Γ). */
export async function benchStep(
  workerFile: string,
  programs: readonly PfProgram[],
  question: PfQuestion,
): Promise<BenchRow[]> {
  const host = startPfHost({ workerFile });
  try {
    const pfs = library(programs);
    await host.load(pfs);
    const states = new Map<string, PfState>(pfs.map((pf) => [pf.skillId, FRESH_STATE]));
    const [ours, baseline] = await compare(
      ROUNDS,
      () => host.step(states, question),
      async () => {
        for (const [id, state] of states) await host.step(new Map([[id, state]]), question);
      },
      20,
    );
    const bytes = JSON.stringify(question).length;
    const method = `${LIBRARY_SIZE} PFs, ${bytes} bytes of context, median of ${ROUNDS}; baseline: one crossing per PF`;
    return [{ name: "one step, all PFs in one crossing", ours, baseline, unit: "ms", method }];
  } finally {
    await host.close();
  }
}
