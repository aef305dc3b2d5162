import type * as vscode from "vscode";
import { sbatchOptions } from "../../../jobs/remote/script.ts";
import { bytesInWords } from "../../../model/bytes-in-words.ts";
import { counted } from "../../../model/counted.ts";
import type { JobSpec } from "../../../model/job.ts";
import { resourceWords } from "../../../model/job-words.ts";
import { shellLine } from "../../../platform/shell-word.ts";
import { plainLine } from "../../experiments/words.ts";
import { nameIn } from "../../questions/places.ts";
import { targetWords } from "../words.ts";
import type { PreparedJobs } from "./order.ts";
import type { SubmitPlan } from "./plan.ts";

/** Files that are shown by name. */
const MOST_NAMED = 3;

type Info = vscode.QuickPickItem;

function fileRow({ root }: SubmitPlan, { sent }: PreparedJobs): Info {
  const bytes = sent.reduce((sum, one) => sum + one.bytes, 0);
  const largest = sent.toSorted((a, b) => b.bytes - a.bytes).slice(0, MOST_NAMED);
  const names = largest.map((one) => `${plainLine(nameIn(root, one.path))} (${bytesInWords(one.bytes)})`);
  return {
    label: `$(files) Sends ${counted(sent.length, "file")}, ${bytesInWords(bytes)}`,
    detail: [...names, ...(sent.length > names.length ? ["…"] : [])].join(", "),
  };
}

/** This machine gives a job all that it has. */
function askedWords({ target }: SubmitPlan, { resources = {} }: JobSpec): string {
  return target === undefined ? "" : resourceWords(resources) || "defaults of the scheduler";
}

function jobRow(plan: SubmitPlan, spec: JobSpec): Info {
  const tasks = spec.tasks === undefined ? "" : counted(spec.tasks, "task");
  return {
    label: `$(info) ${plainLine(spec.title)}`,
    description: [askedWords(plan, spec), tasks].filter((words) => words !== "").join(", "),
    detail: spec.commands.map(({ program, args }) => plainLine(shellLine([program, ...args]))).join("; "),
  };
}

/** What a person agrees to: commands, files, models, names of keys, and what SLURM is asked for. */
export function sentRows(plan: SubmitPlan, prepared: PreparedJobs): readonly Info[] {
  const { target } = plan;
  const { specs } = prepared;
  const models = [...new Set(specs.flatMap((spec) => spec.models ?? []))];
  const keys = [...new Set(specs.flatMap((spec) => spec.passEnv))];
  const outputs = [...new Set(specs.flatMap((spec) => spec.outputs ?? []))];
  const [first] = specs;
  const sbatch =
    target?.target.kind === "slurm" && first !== undefined
      ? sbatchOptions(target.target, first.resources ?? {}).map((one) => `#SBATCH ${one}`)
      : [];
  return [
    ...(target === undefined
      ? []
      : [{ label: `$(server) ${target.name}`, description: targetWords(target) }]),
    ...specs.map((spec) => jobRow(plan, spec)),
    ...(target === undefined ? [] : [fileRow(plan, prepared)]),
    ...(models.length === 0 || target === undefined
      ? []
      : [{ label: "$(cloud-download) Downloads there", description: models.map(plainLine).join(", ") }]),
    ...(keys.length === 0
      ? []
      : [{ label: "$(key) Hands over, where they are set", description: keys.map(plainLine).join(", ") }]),
    ...(outputs.length === 0
      ? []
      : [
          {
            label: `$(package) ${target === undefined ? "Writes" : "Brings back on Fetch Outputs"}`,
            description: outputs.map(plainLine).join(", "),
          },
        ]),
    ...sbatch.map((line) => ({ label: `$(terminal) ${plainLine(line)}` })),
  ];
}
