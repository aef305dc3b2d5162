import { openRunAt } from "../app/open-run.ts";
import type { InternalisedOrder } from "../app/internalised/report.ts";
import type { Checked } from "../model/diagnostic.ts";
import type { InternalisedRun } from "../model/internalised.ts";
import { failed } from "../app/refusal.ts";
import type { OpenedRunFolder } from "../trace/run-folder.ts";
import type { Evaluation, ExperimentFiles } from "./order.ts";

const NAMES: Readonly<Record<Evaluation["when"], Readonly<Record<Evaluation["pfs"], InternalisedRun>>>> = {
  before: { off: "beforeOff", on: "beforeOn" },
  after: { off: "afterOff", on: "afterOn" },
};

/** The runs of an experiment's evaluations, as `internalisedSkills` takes them. HASP694 where it lacks one with Program Functions. */
export async function evaluationRuns(
  files: ExperimentFiles,
  evaluations: readonly Evaluation[],
): Promise<Checked<InternalisedOrder["runs"]>> {
  const runs: Partial<Record<InternalisedRun, OpenedRunFolder>> = {};
  for (const { when, pfs, run } of evaluations) {
    const opened = await openRunAt(files, run);
    if (opened.value === undefined) return { value: undefined, diagnostics: opened.diagnostics };
    runs[NAMES[when][pfs]] = opened.value;
  }
  const { beforeOn, afterOn } = runs;
  if (beforeOn !== undefined && afterOn !== undefined)
    return { value: { ...runs, beforeOn, afterOn }, diagnostics: [] };
  return failed(
    "HASP694",
    "The experiment has not been evaluated both before and after training.",
    "Resume it if it is not complete; otherwise begin a new one with evaluate.when: [before, after] in its configuration.",
  );
}
