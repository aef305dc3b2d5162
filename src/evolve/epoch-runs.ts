import type { BacktestRun } from "../app/backtest.ts";
import { openRunAt } from "../app/open-run.ts";
import { libraryOf, refsOf } from "../app/recorded-library.ts";
import { need, refuse } from "../app/refusal.ts";
import { searchOf, type RunSearch } from "../app/run-corpora.ts";
import { clip } from "../model/clip.ts";
import type { FailureExample } from "../model/failure.ts";
import type { SkillFolder } from "../skill/read-skill.ts";
import type { QuestionSplit } from "../trace/question-split.ts";
import type { Epoch } from "./epoch.ts";
import { epochPath, epochPathSchema } from "./evolution-paths.ts";

/** Runs with the part of their questions that may be read. */
export interface RunsOfPart {
  readonly runs: readonly BacktestRun[];
  readonly split: QuestionSplit | undefined;
}

/** A run folder that this evolution made, with the file that it searched. */
async function ownRun({ services, order }: Epoch, folder: string): Promise<BacktestRun> {
  const opened = need(await openRunAt(services.files, folder));
  const named = order.rollouts.kind === "live" ? order.rollouts.run.corpus : undefined;
  const usual: RunSearch = {};
  // The run names its corpus as the order does; the path is the order's.
  const pathOf = async (file: string): Promise<string | undefined> =>
    named?.name === file ? named.path : file;
  return { ...opened, run: folder, ...(await searchOf(opened.run, pathOf, usual)) };
}

/** The episodes whose failures the author may see. */
export async function authorRuns(epoch: Epoch): Promise<RunsOfPart> {
  const { rollouts } = epoch.order;
  const { author: split } = epoch.parts;
  if (rollouts.kind === "recorded") return { runs: rollouts.runs, split };
  const own = epoch.result("rollout").runs.map((run) => epoch.at(rolledOutRun(epoch, run)));
  return { runs: await Promise.all(own.map((folder) => ownRun(epoch, folder))), split };
}

/** The path of a live rollout that the epoch's artifact names. Refuses with HASP820. */
function rolledOutRun({ paths }: Epoch, run: string): string {
  const { data } = epochPathSchema.safeParse(run);
  if (data !== undefined) return data;
  const message = `\`runs\` names ${JSON.stringify(clip(run, 200))}, which is not a run of this evolution.`;
  return refuse("HASP820", message, "Delete the file: its phase is then done anew.", paths.rolledOut);
}

/** The author's run that holds an example; undefined where it names another one. */
export function runOf(
  { order }: Epoch,
  runs: readonly BacktestRun[],
  { run }: FailureExample,
): BacktestRun | undefined {
  const named = runs.find((one) => one.run === run);
  if (named !== undefined || order.rollouts.kind === "recorded") return named;
  const path = epochPathSchema.safeParse(run).data;
  return runs.find((one) => epochPath(order.folder, one.run) === path);
}

/** The episodes that no author sees: those of the gate, or those of the final reading. */
export async function heldOutRuns(epoch: Epoch, part: "gate" | "final"): Promise<RunsOfPart> {
  const { rollouts } = epoch.order;
  const split = epoch.parts[part];
  if (rollouts.kind === "recorded") return { runs: rollouts.runs, split };
  const { validation } = epoch.result("rollout");
  return { runs: validation === undefined ? [] : [await ownRun(epoch, epoch.at(validation))], split };
}

/** The skills that the episodes were made with, from their run folders: none of an import, whose agent had none of ours. */
export async function baseOf({ services }: Epoch, { runs }: RunsOfPart): Promise<readonly SkillFolder[]> {
  const base = new Map<string, SkillFolder>();
  for (const { folder } of runs) {
    const run = need(await openRunAt(services.files, folder));
    const refs = await refsOf(services.files, run);
    const skills = refs.length === 0 ? [] : ((await libraryOf(folder, refs, services)).value ?? []);
    for (const one of skills) if (one.skill !== undefined) base.set(one.skill.skillId, one);
  }
  return [...base.values()];
}
