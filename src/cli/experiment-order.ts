import { need as needValue, needPlaced } from "./checked.ts";
import { readConfig, withoutErrors } from "./control-options.ts";
import type { Call } from "./define-command.ts";
import type { EXPERIMENT_OPTIONS } from "./experiment-options.ts";
import { runnableOrRefuse } from "./runs.ts";
import { readSkills, type Session } from "./session.ts";
import { CliError } from "./terminal.ts";
import { didYouMean } from "../skill/suggest.ts";
import { EXPERIMENTS, type ExperimentConfig, type ExperimentName } from "../model/experiment.ts";
import { sha256 } from "../platform/sha256.ts";
import { findSkillFolders } from "../skill/read-skill.ts";
import { hashLibrary } from "../training/library-hash.ts";
import { namedLibraries } from "../training/named-libraries.ts";
import type { ExperimentOrder } from "../training/order.ts";
import { readExperimentConfig } from "../training/read-config.ts";
import { orderOf, readState } from "../training/state.ts";

export type ExperimentCall = Call<typeof EXPERIMENT_OPTIONS>;

export function experimentNamed(given: string): ExperimentName {
  const name = EXPERIMENTS.find((one) => one === given.toLowerCase());
  if (name !== undefined) return name;
  throw new CliError(`There is no experiment ${given}.`, didYouMean(given, EXPERIMENTS));
}

export const experimentFolder = ({ options }: ExperimentCall, name: ExperimentName): string =>
  (options.output ?? `.hasp/experiments/${name}`).replace(/(?<=.)[/\\]+$/, "");

/** Values of the options that are short for `--set`. */
function setsOf({ options: { model, adapter, set } }: ExperimentCall): readonly string[] {
  return [
    ...(model === undefined ? [] : [`model=${JSON.stringify(model)}`]),
    ...(adapter === undefined ? [] : [`start=${JSON.stringify({ kind: "adapter", folder: adapter })}`]),
    ...set,
  ];
}

async function skillsOf(
  { options, files }: ExperimentCall,
  { loop }: ExperimentConfig,
): Promise<readonly string[]> {
  if (options.skills !== undefined || loop === "open") return options.skills ?? [];
  const config = withoutErrors(await readConfig(files), "Fix hasp.yaml, or name the skills.");
  const hasSkill = async (folder: string): Promise<boolean> =>
    (await files.exists(folder)) && (await findSkillFolders(files, folder)).length > 0;
  return namedLibraries(config, options.domain, hasSkill);
}

/** The order of a command line; without questions that of the experiment in the folder. */
export async function experimentOrder(call: ExperimentCall, name: ExperimentName): Promise<ExperimentOrder> {
  const { options, files } = call;
  const folder = experimentFolder(call, name);
  const { questions, dataset, corpus, teacher, author, pool = [], seed, config: file } = options;
  if (questions === undefined) {
    const before = needPlacedOrNone(await readState(files, folder));
    if (before?.name === name) return orderOf(before, folder);
    throw new CliError(
      `No questions are named, and ${folder} holds no ${name.toUpperCase()} to resume.`,
      "Add --questions <file>.",
    );
  }
  const domain = runnableOrRefuse(options.domain).name;
  const config = needPlaced(await readExperimentConfig({ name, file, sets: setsOf(call) }, files));
  const skills = await skillsOf(call, config);
  const { triggers } = options;
  return {
    name,
    folder,
    config,
    domain,
    questions,
    dataset,
    corpus,
    skills,
    triggers,
    teacher,
    author,
    pool,
    seed,
  };
}

function needPlacedOrNone(read: Awaited<ReturnType<typeof readState>>) {
  return read.diagnostics.length > 0 ? needValue(read) : read.value;
}

/** The hash of the skills that these names stand for, or that `hasp.yaml` names where there are none. */
export async function libraryHash(
  { skills, triggers, domain }: Pick<ExperimentOrder, "skills" | "triggers" | "domain">,
  session: Session,
): Promise<string> {
  const named = skills.length === 0 ? undefined : skills;
  return hashLibrary(await readSkills(named, { ...session, triggers }), domain, sha256);
}
