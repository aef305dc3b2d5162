import { need, refuse } from "../app/refusal.ts";
import { readWorkspaceConfig } from "../app/run/settings.ts";
import { defaultDomain } from "../domains/registry.ts";
import { EXPERIMENTS, type ExperimentConfig } from "../model/experiment.ts";
import { EXPERIMENT_LIST, SHIPPED_LISTS } from "../model/shipped-lists.ts";
import { findSkillFolders } from "../skill/read-skill.ts";
import type { SkillFiles } from "../skill/skill-files.ts";
import { didYouMean } from "../skill/suggest.ts";
import { CONFIG_FILE } from "../skill/workspace-files.ts";
import { SPLIT_SEED } from "../trace/question-split.ts";
import { optionIn, optionsIn, type CommandWords } from "./command-words.ts";
import { withoutSlash } from "./job-parts.ts";
import { namedLibraries } from "./named-libraries.ts";
import type { ExperimentFiles, ExperimentOrder } from "./order.ts";
import { readExperimentConfig } from "./read-config.ts";

/** The files of an experiment and of the skills that it names. */
export type CommandFiles = ExperimentFiles & Pick<SkillFiles, "list" | "readText">;

/** Values of the options that are short for `--set`. */
function setsOf(words: CommandWords): readonly string[] {
  const [model, adapter] = [optionIn(words, "model"), optionIn(words, "adapter")];
  return [
    ...(model === undefined ? [] : [`model=${JSON.stringify(model)}`]),
    ...(adapter === undefined ? [] : [`start=${JSON.stringify({ kind: "adapter", folder: adapter })}`]),
    ...optionsIn(words, "set"),
  ];
}

async function skillsOf(
  files: CommandFiles,
  words: CommandWords,
  { loop }: ExperimentConfig,
  domain: string,
): Promise<readonly string[]> {
  const named = words.options.get("skills");
  if (named !== undefined || loop === "open") return named ?? [];
  const { value } = await readWorkspaceConfig(files, CONFIG_FILE);
  const hasSkill = async (folder: string): Promise<boolean> =>
    (await files.list(folder)).length > 0 && (await findSkillFolders(files, folder)).length > 0;
  return namedLibraries(value, domain, hasSkill);
}

/** The order of `hasp experiment <name> …`. Refuses with HASP798 without questions, and as `readExperimentConfig` does. */
export async function experimentOrderOf(files: CommandFiles, words: CommandWords): Promise<ExperimentOrder> {
  const [given = ""] = words.given;
  const name = EXPERIMENTS.find((one) => one === given.toLowerCase());
  if (name === undefined)
    return refuse("HASP798", `There is no experiment ${given}.`, didYouMean(given, EXPERIMENTS));
  const questions = optionIn(words, "questions");
  if (questions === undefined)
    return refuse("HASP798", "The experiment names no questions.", "Add --questions <file>.");
  const config = need(
    await readExperimentConfig({ name, file: optionIn(words, "config"), sets: setsOf(words) }, files),
  );
  const domain = optionIn(words, "domain") ?? defaultDomain().name;
  const seed = optionIn(words, "seed");
  return {
    name,
    folder: withoutSlash(optionIn(words, "output") ?? `.hasp/experiments/${name}`),
    config,
    domain,
    questions,
    dataset: optionIn(words, "dataset"),
    corpus: optionIn(words, "corpus"),
    skills: await skillsOf(files, words, config, domain),
    triggers: SHIPPED_LISTS.find((list) => list === optionIn(words, "triggers")) ?? EXPERIMENT_LIST,
    teacher: optionIn(words, "teacher"),
    author: optionIn(words, "author"),
    pool: optionsIn(words, "pool"),
    seed: seed === undefined ? SPLIT_SEED : Number(seed),
  };
}
