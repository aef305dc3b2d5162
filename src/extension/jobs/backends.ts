import process from "node:process";
import type * as vscode from "vscode";
import { checked } from "../../app/refusal.ts";
import type { JobBackend, JobSpec } from "../../model/job.ts";
import { type JobBackends, jobBackends } from "../../platform/remote/job-backends.ts";
import { ownRecords } from "../../platform/own-records.ts";
import { PYTHON_VARIABLE } from "../../platform/trainer-python.ts";
import { environmentFor } from "../experiments/services.ts";
import { plainLine } from "../experiments/words.ts";
import { buildOf, pythonHere } from "../experiments/trainer.ts";
import { configuredModels } from "../models/chosen-model.ts";
import type { Services } from "../services.ts";
import { usable } from "../usable.ts";
import { isAllowed } from "./targets.ts";

export type JobBundles = Pick<Services, "editorServices" | "modelServices">;

/** The variables of this process, with the keys of the models that a job may ask; the job's own list decides which of them it gets. */
export async function environmentOf(
  bundles: JobBundles,
  specs: readonly JobSpec[],
): Promise<NodeJS.ProcessEnv> {
  const named = specs.flatMap(({ commands }) => commands.flatMap(({ args }) => args));
  const environment = await environmentFor(bundles, [
    ...named,
    ...configuredModels().map(({ spec }) => spec),
  ]);
  const python = pythonHere().value;
  // An experiment on this machine finds its trainer by the variable.
  return python === undefined ? environment : { ...environment, [PYTHON_VARIABLE]: python };
}

/** The backends of jobs. `on`: hears of what is sent and fetched. */
export function backendsFor(
  { editorServices: { context, log } }: Pick<JobBundles, "editorServices">,
  { environment = process.env, on }: { environment?: NodeJS.ProcessEnv; on?: (line: string) => void } = {},
): JobBackends {
  return jobBackends({
    build: buildOf(context),
    python: async () => pythonHere(),
    environment,
    own: ownRecords(),
    isAllowed,
    on: (line) => {
      log.info(plainLine(line));
      on?.(plainLine(line));
    },
  });
}

/** Does something with the backend of a job's folder; a refusal is a failure in its words. */
export async function withBackend<T>(
  backends: JobBackends,
  folder: vscode.Uri,
  work: (backend: JobBackend) => Promise<T>,
): Promise<T> {
  // Work without a result has a value, too.
  const { result } = usable(
    await checked(async () => ({ result: await work(await backends.of(folder.fsPath)) })),
  );
  return result;
}
