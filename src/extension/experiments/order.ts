import { join } from "node:path";
import type * as vscode from "vscode";
import type { ExperimentOrder } from "../../training/order.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { nameIn } from "../questions/places.ts";
import type { RunConfig } from "../questions/run-config.ts";
import { parentOf } from "../workspace/skill-folders.ts";
import { folderNamed } from "./experiments.ts";
import type { ExperimentPlan } from "./plan.ts";

/** Of rollouts and evaluations (SPEC §8). */
const SEED = 42;

/** The libraries that `hasp.yaml` names, as far as they are there: what evolves further is named in the order. */
async function librariesIn(
  files: NodeFiles,
  root: vscode.Uri,
  { value: { libraries } }: RunConfig,
  domain: string,
): Promise<readonly string[]> {
  const names: string[] = [];
  for (const library of libraries) {
    if (library.kind === "builtin" && library.domain === domain) names.push(`builtin:${domain}`);
    if (library.kind === "folder" && (await files.exists(join(root.fsPath, library.path))))
      names.push(library.path);
  }
  return names;
}

/** The order of a plan, with names relative to the workspace folder, as those of `hasp experiment` that is started there. */
export async function experimentOrder(
  files: NodeFiles,
  plan: ExperimentPlan,
  config: RunConfig,
): Promise<ExperimentOrder> {
  const { root, name, domain, questions, dataset, corpus, teacher, author, pool } = plan;
  const isClosed = plan.config.loop === "closed";
  return {
    name: plan.config.experiment,
    folder: folderNamed(name),
    config: plan.config,
    domain,
    questions: nameIn(root, questions.fsPath),
    dataset,
    corpus: corpus === undefined ? undefined : nameIn(root, corpus.fsPath),
    skills: isClosed ? await librariesIn(files, root, config, domain) : [],
    teacher,
    author,
    pool: pool.map((file) => nameIn(root, parentOf(file).fsPath)),
    seed: SEED,
  };
}
