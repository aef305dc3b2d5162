import { datasetNames } from "../domains/registry.ts";
import { EXPERIMENT_LIST, SHIPPED_LISTS } from "../model/shipped-lists.ts";
import { SPLIT_SEED } from "../trace/question-split.ts";
import { TASK_DOMAIN } from "./domain-option.ts";
import { YES_TO } from "./own-order.ts";
import { Option } from "commander";
import { flag, oneOf, SKILL_FOLDERS, text, texts, whole, withDefault, type Typed } from "./options.ts";

/** The options of `hasp experiment`. */
export const EXPERIMENT_OPTIONS = {
  output: text(
    "-o, --output <folder>",
    "the experiment: a new folder, or one to resume (default: .hasp/experiments/<name>)",
  ),
  questions: text(
    "--questions <file>",
    "a file of questions with a train and a test split (docs/datasets.md)",
  ),
  dataset: oneOf("--dataset <name>", "the format of the questions (default: as it looks)", datasetNames()),
  corpus: text("--corpus <file>", "what is searched (default: the paragraphs of the questions)"),
  domain: TASK_DOMAIN,
  skills: SKILL_FOLDERS,
  triggers: withDefault(
    oneOf("--triggers <list>", "which shipped skills; hasp.yaml has no say", SHIPPED_LISTS),
    EXPERIMENT_LIST,
  ),
  model: text(
    "--model <model>",
    "the student, a folder or a name in the hub (default: that of the configuration)",
  ),
  adapter: text(
    "--adapter <folder>",
    "a LoRA adapter that the student starts from (default: the configuration says)",
  ),
  yesTo: YES_TO,
  teacher: text("--teacher <spec>", "the model that Program Functions, harness and snippets may ask"),
  author: text("--author <spec>", "closed loop: the author of skills (default: the student itself)"),
  pool: texts("--pool <run...>", "recorded runs of the train split, in place of the first rollout"),
  seed: withDefault(whole("--seed <n>", "of rollouts and tests"), SPLIT_SEED),
  config: text("--config <file>", "YAML with the values that differ from the shipped configuration"),
  set: new Option("--set <key=value>", "one of them, e.g. train.learning_rate=1e-3; again for more")
    .default([], "none")
    .argParser((value: string, before: readonly string[]) => [...before, value]) as Typed<readonly string[]>,
  python: text(
    "--python <path>",
    "the Python with the trainer's packages (default: that of `hasp trainer install`)",
  ),
  dryRun: flag("--dry-run", "print the plan; starts and writes nothing"),
  stop: flag(
    "--stop",
    "ask a running experiment to stop: after its job, or at the next checkpoint of a training",
  ),
  stopOnSignal: flag(
    "--stop-on-signal",
    "SIGTERM and Ctrl-C end the running job, too, as schedulers want it; the same command resumes",
  ),
  status: flag("--status", "say how far an experiment is, and what it found"),
};
