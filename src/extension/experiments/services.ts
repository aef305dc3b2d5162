import { isAbsolute, join } from "node:path";
import process from "node:process";
import type * as vscode from "vscode";
import { keyVariable } from "../../llm/keys.ts";
import { parseModelSpec } from "../../llm/endpoint.ts";
import type { JobBackend } from "../../model/job.ts";
import { filesBelow } from "../../platform/files-below.ts";
import { localJobs } from "../../platform/local-jobs.ts";
import { ownRecords } from "../../platform/own-records.ts";
import { sha256 } from "../../platform/sha256.ts";
import { hashLibrary } from "../../training/library-hash.ts";
import type { ExperimentOrder, ExperimentServices } from "../../training/order.ts";
import { isPlainHttpAllowed } from "../models/chosen-model.ts";
import type { RunBundles } from "../questions/order.ts";
import { buildOf, pythonHere } from "./trainer.ts";

/** Origins over plain http that jobs may ask; the variable of `hasp`. */
const PLAIN_HTTP = "HASP_PLAIN_HTTP";

/** The variables of this process with the keys of these models from the secret storage, and origins that the person allowed. */
export async function environmentFor(
  { modelServices: { keys } }: Pick<RunBundles, "modelServices">,
  specs: readonly string[],
): Promise<NodeJS.ProcessEnv> {
  const environment: NodeJS.ProcessEnv = { ...process.env };
  const plain: string[] = [];
  for (const spec of specs) {
    const parsed = parseModelSpec(spec, { isPlainHttpAllowed }).value;
    if (parsed?.kind !== "endpoint") continue;
    const { origin } = parsed.endpoint;
    const variable = keyVariable(origin);
    const key = await keys.keyFor(origin);
    if (variable !== undefined && key !== undefined) environment[variable] = key;
    if (isPlainHttpAllowed(origin)) plain.push(origin);
  }
  if (plain.length > 0)
    environment[PLAIN_HTTP] = [environment[PLAIN_HTTP], ...plain].filter(Boolean).join(" ");
  return environment;
}

/** Names of job folders are relative to the workspace folder. */
function below(root: vscode.Uri, backend: JobBackend): JobBackend {
  const at = (folder: string): string => (isAbsolute(folder) ? folder : join(root.fsPath, folder));
  return {
    name: backend.name,
    submit: (folder, signal) => backend.submit(at(folder), signal),
    status: (folder) => backend.status(at(folder)),
    follow: (folder, signal) => backend.follow(at(folder), signal),
    cancel: (folder) => backend.cancel(at(folder)),
    fetch: (folder, signal) => backend.fetch(at(folder), signal),
  };
}

type Listening = Pick<ExperimentServices, "signal" | "stop" | "on">;

/** Jobs of a workspace folder on this machine, with the keys of these models. */
export async function localBackendIn(
  bundles: RunBundles,
  root: vscode.Uri,
  specs: readonly string[],
): Promise<JobBackend> {
  const jobs = localJobs({
    build: buildOf(bundles.editorServices.context),
    python: async () => pythonHere(),
    environment: await environmentFor(bundles, specs),
    own: ownRecords(),
  });
  return below(root, jobs);
}

/**
 * Services of an experiment of a workspace folder. Names are relative to that folder, as those of `hasp experiment` that is started
 * there.
 */
export async function experimentServices(
  bundles: RunBundles,
  root: vscode.Uri,
  { teacher, author, config, domain, triggers }: ExperimentOrder,
  listening: Listening,
): Promise<ExperimentServices> {
  const { files, clock, library } = bundles.editorServices;
  const specs = [teacher, author, config.teacher?.model].filter((spec) => spec !== undefined);
  return {
    files: filesBelow(root.fsPath, files),
    cwd: root.fsPath,
    clock,
    sha256,
    own: ownRecords(),
    backend: await localBackendIn(bundles, root, specs),
    libraryHash: async () =>
      hashLibrary(await library.read(await library.list(triggers), "saved"), domain, sha256),
    ...listening,
  };
}
