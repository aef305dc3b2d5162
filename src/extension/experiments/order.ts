import { join } from "node:path";
import type * as vscode from "vscode";
import { namedLibraries } from "../../training/named-libraries.ts";
import type { ExperimentOrder } from "../../training/order.ts";
import { EXPERIMENT_LIST } from "../../model/shipped-lists.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { nameIn } from "../questions/places.ts";
import type { RunConfig } from "../questions/run-config.ts";
import { parentOf } from "../workspace/skill-folders.ts";
import { folderNamed } from "./experiments.ts";
import type { ExperimentPlan } from "./plan.ts";

/** Of rollouts and evaluations (SPEC §8). */
const SEED = 42;

/** Whether a library of the workspace has a skill. */
const hasSkillBelow =
  (root: vscode.Uri, files: NodeFiles) =>
  async (library: string): Promise<boolean> => {
    const folder = join(root.fsPath, library);
    const { findSkillFolders } = await import("../../skill/read-skill.ts");
    return (await files.exists(folder)) && (await findSkillFolders(files, folder)).length > 0;
  };

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
    skills: isClosed ? await namedLibraries(config.value, domain, hasSkillBelow(root, files)) : [],
    triggers: EXPERIMENT_LIST,
    teacher,
    author,
    pool: pool.map((file) => nameIn(root, parentOf(file).fsPath)),
    seed: SEED,
  };
}
