import * as vscode from "vscode";
import type { ControlChoice } from "../../evaluation/choose-control.ts";
import { DATASETS } from "../../evaluation/dataset-rows.ts";
import { parseShard } from "../../evaluation/shard.ts";
import { SPLITS } from "../../evaluation/splits.ts";
import { controlSchema, DEFAULT_CONTROL, DEFAULT_SETTING, SETTINGS } from "../../harness/control.ts";
import { DEFAULT_SAMPLING, type Sampling } from "../../harness/model-policy.ts";
import { z } from "../../model/zod.ts";
import { Unmet } from "../failure.ts";
import { chosenModel, CONFIGURE, type Role } from "../models/chosen-model.ts";
import type { Models } from "../models/open-model.ts";
import type { FoundRun } from "../runs/find-runs.ts";
import type { RunPart } from "./execute.ts";
import { placeOf } from "./inputs.ts";
import type { RunPlan } from "./plan.ts";
import { type LocalRetriever, localRetriever } from "./run-config.ts";

const samplingSchema = z.object({
  temperature: z.number().min(0).max(2),
  maxTokens: z.number().int().positive(),
  seed: z.number().int().optional(),
});

/** What `run.json` must say so that a run can go on. */
const settingsSchema = z.object({
  policy: z.string(),
  teacher: z.string().default("none"),
  questions: z.object({ file: z.string() }),
  corpus: z.object({ file: z.string() }).optional(),
  retriever: z.object({ kind: z.string(), topK: z.number().int().positive() }).optional(),
  setting: z.enum(SETTINGS).default(DEFAULT_SETTING),
  control: controlSchema.default(DEFAULT_CONTROL),
  sampling: samplingSchema.default({
    temperature: DEFAULT_SAMPLING.temperature,
    maxTokens: DEFAULT_SAMPLING.maxTokens,
  }),
  limit: z.number().int().positive().optional(),
  shard: z.string().optional(),
  dataset: z.enum(DATASETS).optional(),
  split: z.enum(SPLITS).optional(),
});

export interface ResumePlan extends RunPlan, ControlChoice, RunPart {
  readonly sampling: Sampling;
  readonly retriever: LocalRetriever;
}

/** The `run.json` of a run of questions; undefined for other runs, which have no questions left. */
export function resumeSettings({ run }: Pick<FoundRun, "run">): z.output<typeof settingsSchema> | undefined {
  return settingsSchema.safeParse(run?.source === "hasp" ? run.settings : undefined).data;
}

/** What re-drives no model, or one that VS Code itself guards, may be named by a file. */
const NAMED_BY_FILE = /^(recorded|vscode):/;

/**
 * The spec of the model that a run names. A file of the workspace cannot choose an endpoint: it must be the one that the
 * person has configured.
 */
async function specFor(models: Models, role: Role, id: string): Promise<string> {
  if (NAMED_BY_FILE.test(id)) return id;
  const own = chosenModel(role);
  if (own !== undefined && (await models.open(own)).id === id) return own;
  throw new Unmet(
    `The run was made with the ${role} ${id}, and ${own === undefined ? "none is" : `${own} is`} configured now.`,
    "Configure that model to go on, or run the questions as a new run.",
    CONFIGURE,
  );
}

/** A file that `run.json` names is read inside the workspace folder, and elsewhere only after a yes. */
async function fileFor(root: vscode.Uri, named: string): Promise<vscode.Uri> {
  const { path, inside } = placeOf(root, named);
  if (inside) return vscode.Uri.file(path);
  const read = "Read it";
  const asked = `The run reads ${path}, which is outside the workspace.`;
  if ((await vscode.window.showWarningMessage(asked, read)) === read) return vscode.Uri.file(path);
  throw new vscode.CancellationError();
}

function retrieverOf(title: string, named: { kind: string; topK: number } | undefined): LocalRetriever {
  const retriever = localRetriever(named?.kind, named?.topK);
  if (retriever !== undefined) return retriever;
  throw new Unmet(
    `${title} asks the retriever "${named?.kind ?? ""}", which runs of the editor do not.`,
    "Go on with it by `hasp run --resume`.",
  );
}

/** The plan of a run that is there, from its `run.json`. */
export async function planOf(models: Models, root: vscode.Uri, found: FoundRun): Promise<ResumePlan> {
  const { title } = found;
  const data = resumeSettings(found);
  if (data === undefined) {
    throw new Unmet(
      `${title} was not made by running questions.`,
      "Choose a run that was, or run the questions anew.",
    );
  }
  const policy = await specFor(models, "policy", data.policy);
  const teacher = data.teacher === "none" ? undefined : await specFor(models, "teacher", data.teacher);
  const questions = await fileFor(root, data.questions.file);
  const named = data.corpus?.file;
  const corpus =
    named === undefined || named === data.questions.file ? undefined : await fileFor(root, named);
  const { setting, control, limit, dataset, split } = data;
  const { seed, ...greedy } = data.sampling;
  const sampling = { ...greedy, ...(seed !== undefined && { seed }) };
  const shard = data.shard === undefined ? undefined : parseShard(data.shard).value;
  const part = { limit, dataset, split, shard };
  const retriever = retrieverOf(title, data.retriever);
  const places = new Map<string, never>();
  return { root, questions, corpus, policy, teacher, ...part, setting, control, places, sampling, retriever };
}
