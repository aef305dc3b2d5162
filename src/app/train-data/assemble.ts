import { DATA_BLOCKS } from "../../dataset/experiments.ts";
import { domainOf } from "../../domains/registry.ts";
import type { ExperimentName } from "../../model/experiment.ts";
import type { Checked } from "../../model/diagnostic.ts";
import { REWARD_FLOOR } from "../../model/signals-report.ts";
import { DEFAULT_WEIGHTS, type SignalWeights } from "../../model/signals.ts";
import type { Objective, RowFilter } from "../../model/train-data.ts";
import type { TraceFiles } from "../../trace/ports.ts";
import type { TextFiles } from "../named-text.ts";
import { needRecordPath } from "../record-path.ts";
import { checked, need, refuse } from "../refusal.ts";
import { blockPath, readBlock, weightsOf, type TrainDataBlock } from "./block.ts";
import { domainNameOf } from "./check-runs.ts";
import { openTrainRuns, readAllNamed } from "./named.ts";
import type { TrainDataOrder, TrainRun } from "./order.ts";

/** Training data as a person asks for it; undefined takes the value of the folder that is refreshed, else the default. */
export interface TrainDataRequest {
  readonly runs: readonly string[];
  readonly candidates?: readonly string[] | undefined;
  readonly heldOut?: readonly string[] | undefined;
  readonly objectives?: readonly Objective[] | undefined;
  readonly experiment?: ExperimentName | undefined;
  readonly filter?: RowFilter | undefined;
  readonly floor?: number | undefined;
  readonly dpoRevised?: boolean | undefined;
  readonly exactPrompts?: boolean | undefined;
  readonly maxTokens?: number | undefined;
  readonly allowEmpty?: boolean | undefined;
  readonly weights?: SignalWeights | undefined;
  readonly output: string | undefined;
  /** The folder is built again, by its own `data.yaml` where the request names nothing else. */
  readonly refresh?: boolean | undefined;
  readonly signal: AbortSignal;
}

function objectivesOf({ objectives, candidates = [] }: TrainDataRequest): readonly Objective[] {
  if (objectives !== undefined) return objectives;
  return candidates.length > 0 ? ["a", "b"] : ["a"];
}

/** The filter of the request; the one of its experiment must be the same. */
function filterOf({ experiment, filter }: TrainDataRequest): RowFilter | undefined {
  if (experiment === undefined) return filter;
  const own = DATA_BLOCKS[experiment].filter;
  if (filter !== undefined && filter !== own)
    refuse(
      "HASP634",
      `${experiment.toUpperCase()} takes the filter ${own}, not ${filter}.`,
      "Leave out --filter, or leave out --experiment.",
    );
  return own;
}

/** The names of runs or files in `data.yaml` of a folder. A name that leads out of the workspace is HASP820: `option` is how a person gives it again. */
const recorded = (
  files: TraceFiles,
  folder: string,
  names: readonly string[],
  { field, option }: { readonly field: string; readonly option: string },
): readonly string[] =>
  names.map((path) =>
    needRecordPath(files, {
      path,
      field,
      file: blockPath(folder),
      next: `Name it yourself: \`hasp train-data --refresh <folder> ${option}\`.`,
    }),
  );

/** Whether the domain of these runs has pairs of revisions by itself; a build refuses runs of several domains. */
async function pairsRevisions([run]: readonly TrainRun[], files: TraceFiles): Promise<boolean> {
  const name = run && (await domainNameOf(run, files));
  return name !== undefined && domainOf(name)?.revisedPairs === true;
}

/**
 * The order of a request: opens its runs and reads its files. With `refresh` what it does not name comes from `data.yaml` of the folder.
 * Names stand for paths as `pathOf` finds them. No value for a run or file that is missing, a folder without `data.yaml` (HASP633), or
 * choices that contradict each other (HASP634), or a name in `data.yaml` that leads out of the workspace (HASP820).
 */
export async function trainDataOrder(
  request: TrainDataRequest,
  files: TraceFiles & TextFiles,
  pathOf: (name: string) => string = (name) => name,
): Promise<Checked<TrainDataOrder>> {
  return checked(async (found) => {
    const { output, refresh = false, signal } = request;
    const block: TrainDataBlock | undefined =
      refresh && output !== undefined ? need(await readBlock(files, output)) : undefined;
    const before = block?.order;
    const read = (field: "runs" | "candidates" | "heldOut", option: string): readonly string[] =>
      recorded(files, output ?? "", before?.[field] ?? [], { field, option });
    const names = request.runs.length > 0 ? request.runs : read("runs", "<run…>");
    const objectives = request.objectives ?? before?.objectives ?? objectivesOf(request);
    if (names.length === 0 && objectives.includes("a"))
      refuse("HASP634", "No run is named, and objective A is made of runs.", "Name run folders.");
    const experiment = request.experiment ?? block?.data?.experiment;
    const candidates = request.candidates ?? read("candidates", "--candidates <file…>");
    const heldOut = request.heldOut ?? read("heldOut", "--held-out <file…>");
    const runs = need(await openTrainRuns(files, names, pathOf));
    return {
      runs,
      candidates: await readAllNamed(files, candidates, pathOf, found),
      heldOut: await readAllNamed(files, heldOut, pathOf, found),
      objectives,
      experiment,
      filter: filterOf({ ...request, experiment }) ?? before?.filter ?? "none",
      floor: request.floor ?? before?.floor ?? REWARD_FLOOR,
      dpoRevised: request.dpoRevised ?? before?.dpoRevised ?? (await pairsRevisions(runs, files)),
      exactPrompts: request.exactPrompts ?? before?.exactPrompts ?? false,
      maxTokens: request.maxTokens ?? before?.maxTokens,
      allowEmpty: request.allowEmpty ?? false,
      weights: request.weights ?? (block && weightsOf(block)) ?? DEFAULT_WEIGHTS,
      output,
      signal,
    };
  });
}
