import * as vscode from "vscode";
import { analyseFailures, knownSkills } from "../../app/failures.ts";
import type { Progress } from "../../app/progress.ts";
import { openModel } from "../../app/run/models.ts";
import { createBudget, costText, type Budget } from "../../llm/budget.ts";
import type { ChatModel } from "../../llm/chat-model.ts";
import { counted } from "../../model/counted.ts";
import { MIN_CLUSTER_SIZE } from "../../model/failure.ts";
import { SETTINGS } from "../contributions.ts";
import { logFindings } from "../log-findings.ts";
import { CONFIGURE, dollarLimit } from "../models/chosen-model.ts";
import { requireModel } from "../models/configure.ts";
import { modelOrder } from "../models/open-model.ts";
import { namedRuns, type FoundRun } from "../runs/find-runs.ts";
import type { Services } from "../services.ts";
import { readSetting } from "../settings.ts";
import { usable } from "../usable.ts";
import type { LibrarySource, LocatedSkill } from "../workspace/library.ts";
import { requireTrust } from "../workspace/trust.ts";
import type { FailuresPlan, FailuresResult } from "./result.ts";

/** No outcomes, no teacher, lost summaries (app/failures.ts). */
const LACKS: ReadonlySet<string> = new Set(["HASP640", "HASP641", "HASP642"]);

type Needed = Pick<Services, "editorServices" | "modelServices">;

/** The skills of the domains of the runs; of all domains where one is unknown. */
async function skillsFor(library: LibrarySource, runs: readonly FoundRun[]): Promise<LocatedSkill[]> {
  const domains = new Set(runs.map(({ run }) => run?.domain));
  const isWanted = (domain: string): boolean => domains.has(undefined) || domains.has(domain);
  return (await library.list()).filter(({ domain }) => isWanted(domain));
}

/** The teacher, with replies kept below the workspace folder of a run: an episode that was summarised before costs nothing. */
async function openTeacher(
  { models }: Services["modelServices"],
  [first]: readonly FoundRun[],
  budget: Budget,
): Promise<ChatModel> {
  requireTrust("Sending episodes to a model");
  const spec = requireModel("teacher");
  const folder = first && vscode.workspace.getWorkspaceFolder(first.file);
  if (folder === undefined) return models.open(spec, { budget });
  return usable(await openModel(models.servicesIn(folder.uri), modelOrder(spec), budget), CONFIGURE);
}

function costWords(budget: Budget, summaries: number): string {
  return `${counted(summaries, "episode")} summarised by the teacher, cost ${costText(budget)}.`;
}

/** Analyses the failures of the planned runs as they and the skills are now. Rejects where it was cancelled before the first episode. */
export async function analysePlan(
  { editorServices, modelServices }: Needed,
  plan: FailuresPlan,
  signal: AbortSignal,
  on: (event: Progress) => void,
): Promise<FailuresResult> {
  const { log, files, runs, library } = editorServices;
  const found: FoundRun[] = [];
  for (const file of plan.runs) found.push(await runs.read(file));
  const budget = createBudget(dollarLimit());
  const model = plan.teacher ? await openTeacher(modelServices, found, budget) : undefined;
  const order = {
    runs: namedRuns(found),
    split: undefined,
    known: knownSkills(await skillsFor(library, found)),
    minClusterSize: MIN_CLUSTER_SIZE,
    signal,
  };
  const concurrency = Math.max(1, readSetting(SETTINGS.runConcurrency));
  const result = await analyseFailures(order, { files, model, concurrency, on });
  logFindings(log, result.diagnostics);
  const report = usable(result);
  const read = Object.values(report.episodes).reduce((sum, count) => sum + count, 0);
  if (read === 0) signal.throwIfAborted();
  return {
    plan,
    report,
    titles: new Map(found.map(({ file, title }) => [file.toString(), title])),
    cost: model === undefined ? undefined : costWords(budget, report.summaries.made),
    lacks: result.diagnostics.filter(({ code }) => LACKS.has(code)),
    cancelled: signal.aborted,
  };
}
