import { domainOf } from "../domains/registry.ts";
import { EVOLVE_PRESETS } from "../evolve/presets.ts";
import type { ExperimentConfig, TrainMethod } from "../model/experiment.ts";
import type { JobCommand } from "../model/job.ts";
import type { ExperimentOrder } from "./order.ts";
import type { PlannedRun, Student } from "./planned.ts";

/** Findings, such as an episode that a failing model ended, do not fail the job; its result is checked afterwards. */
const FINE_OR_FINDINGS = [0, 1];

const hasp = (about: string, args: readonly string[]): JobCommand => ({
  program: "hasp",
  args: [...args],
  exitCodes: FINE_OR_FINDINGS,
  about,
});

const option = (name: string, value: string | number | undefined): readonly string[] =>
  value === undefined ? [] : [name, String(value)];

/** The model that Program Functions, harness and snippets may ask. */
export const teacherOf = ({ teacher, config }: ExperimentOrder): string | undefined =>
  teacher ?? config.teacher?.model;

/** Whether a setting asks a teacher; a retriever that does so is none of its business. */
const ASKS_TEACHER: ReadonlySet<ExperimentConfig["rollout"]["setting"]> = new Set(["full", "teacher-only"]);

/** Whether anything is searched in the experiment's domain. */
export const isSearching = ({ domain }: ExperimentOrder): boolean =>
  domainOf(domain)?.needsPassages !== undefined;

/** Whether SEARCH brings snippets, of the teacher where one is asked. */
export const isSnippets = (order: ExperimentOrder): boolean =>
  isSearching(order) && order.config.rollout.retriever === "teacher-snippet";

/** The teacher of rollouts in a setting, undefined where none would be asked. */
export function askedTeacher(
  order: ExperimentOrder,
  setting: ExperimentConfig["rollout"]["setting"],
): string | undefined {
  return ASKS_TEACHER.has(setting) || isSnippets(order) ? teacherOf(order) : undefined;
}

/** Episodes at once: a teacher with a limit of its own sets it. */
const concurrencyOf = ({ config }: ExperimentOrder): number =>
  Math.min(config.rollout.concurrency, config.teacher?.concurrency ?? Infinity);

/** Snippets without a teacher are made of passages; those of the questions, where no corpus is named. */
function questionArgs(order: ExperimentOrder, teacher: string | undefined): readonly string[] {
  const { questions, dataset, corpus, domain, config } = order;
  const isOfPassages = isSnippets(order) && teacher === undefined;
  return [
    ...option("--questions", questions),
    ...option("--dataset", dataset),
    ...option("--corpus", corpus ?? (isOfPassages ? questions : undefined)),
    ...option("--domain", domain),
    ...option("--retriever", isSearching(order) ? config.rollout.retriever : undefined),
  ];
}

function budgetArgs({ config: { rollout, teacher } }: ExperimentOrder): readonly string[] {
  const budgets = {
    ...(teacher !== null && { teacher_max_tokens: teacher.max_tokens }),
    max_steps: rollout.max_steps,
    max_search_calls: rollout.max_search_calls,
    max_read_calls: rollout.max_read_calls,
  };
  return Object.entries(budgets).flatMap(([name, value]) => ["--set", `${name}=${value}`]);
}

function samplingArgs({ config: { rollout }, seed }: ExperimentOrder): readonly string[] {
  return [
    ...option("--temperature", rollout.temperature),
    ...option("--top-p", rollout.top_p),
    ...option("--seed", seed),
  ];
}

const skillArgs = ({ triggers }: ExperimentOrder, skills: readonly string[]): readonly string[] => [
  ...(skills.length === 0 ? [] : ["--skills", ...skills]),
  ...option("--triggers", triggers),
];

interface Watched {
  readonly run: string;
  readonly skills: readonly string[];
}

/** Sampling, harness, budgets and skills of a live rollout (SPEC §8). */
function rolloutArgs(order: ExperimentOrder, skills: readonly string[]): readonly string[] {
  const { samples, setting } = order.config.rollout;
  return [
    ...samplingArgs(order),
    ...option("--samples", samples),
    ...option("--concurrency", concurrencyOf(order)),
    ...option("--setting", setting),
    ...budgetArgs(order),
    ...skillArgs(order, skills),
  ];
}

/** A rollout of the train split with skills and teacher (SPEC §8, layer 0). */
export function rolloutCommand(
  order: ExperimentOrder,
  { spec }: Student,
  { run, skills }: Watched,
): JobCommand {
  const teacher = askedTeacher(order, order.config.rollout.setting);
  return hasp("Roll out the train split", [
    "run",
    ...questionArgs(order, teacher),
    ...option("--split", "train"),
    ...option("--policy", spec),
    ...option("--teacher", teacher),
    ...rolloutArgs(order, skills),
    ...option("-o", run),
    "--resume",
  ]);
}

/** A run on questions that are in no row, at temperature 0: the bare loop, or every Program Function by its code alone. */
export function testCommand(
  order: ExperimentOrder,
  { spec }: Student,
  { run, split, limit, pfs, skills }: PlannedRun & Watched & { readonly pfs: "off" | "on" },
): JobCommand {
  const setting = pfs === "on" ? "pf-only" : "ra-agent";
  const teacher = askedTeacher(order, setting);
  return hasp(`Evaluate ${pfs === "on" ? "with" : "without"} Program Functions`, [
    "run",
    ...questionArgs(order, teacher),
    ...option("--split", split),
    ...option("--limit", limit),
    ...option("--policy", spec),
    ...option("--teacher", teacher),
    ...option("--temperature", 0),
    ...option("--seed", order.seed),
    ...option("--concurrency", concurrencyOf(order)),
    ...option("--setting", setting),
    ...budgetArgs(order),
    ...(pfs === "on" ? skillArgs(order, skills) : ["--no-skills"]),
    ...option("-o", run),
    "--resume",
  ]);
}

/** An evolution with live rollouts of the seed and the validation split; the student is policy and, unless another is named, author. */
export function evolveCommand(
  order: ExperimentOrder,
  { spec }: Student,
  evolution: {
    readonly folder: string;
    readonly generated: string;
    readonly skills: readonly string[];
    readonly preset: "e4" | "e5" | "e6";
    readonly epochs: number;
  },
): JobCommand {
  const { folder, generated, skills, preset, epochs } = evolution;
  // Lite mode asks no teacher.
  const teacher = EVOLVE_PRESETS[preset].mode === "full" ? teacherOf(order) : undefined;
  return hasp("Evolve the library", [
    "evolve",
    ...option("-o", folder),
    ...option("--preset", preset),
    ...option("--epochs", epochs),
    ...questionArgs(order, teacher),
    ...option("--policy", spec),
    ...option("--author", order.author ?? spec),
    ...option("--teacher", teacher),
    ...rolloutArgs(order, skills),
    ...option("--generated", generated),
  ]);
}

export function dataCommand(
  { name }: ExperimentOrder,
  {
    runs,
    folder,
    isWarmUp,
    mayBeEmpty,
  }: {
    readonly runs: readonly string[];
    readonly folder: string;
    readonly isWarmUp: boolean;
    readonly mayBeEmpty: boolean;
  },
): JobCommand {
  const rows = isWarmUp ? option("--filter", "none") : option("--experiment", name);
  return hasp("Build training data", [
    "train-data",
    ...runs,
    ...rows,
    ...(mayBeEmpty ? ["--allow-empty"] : []),
    ...option("-o", folder),
  ]);
}

/** The command of the trainer for each method: RS and OPD choose rows, and are trained as SFT is. */
const TRAINER: Readonly<Record<TrainMethod, "sft" | "sdft">> = {
  sft: "sft",
  rs: "sft",
  opd: "sft",
  sdft: "sdft",
};

interface Training {
  /** Of its configuration file. */
  readonly path: string;
  readonly data: string;
  readonly output: string;
  readonly after: string | null;
  readonly iteration: number;
  readonly isWarmUp: boolean;
}

/** The learning rate of an iteration, and its epochs. */
function dose(config: ExperimentConfig, { iteration, isWarmUp }: Training) {
  const { start, train } = config;
  if (isWarmUp && start.kind === "sft") return { learning_rate: start.learning_rate, epochs: start.epochs };
  const { learning_rate: rates, epochs } = train;
  const rate = Array.isArray(rates) ? rates[iteration - 1] : rates;
  return { learning_rate: rate ?? 0, epochs };
}

/** The configuration of a training, and the commands that look whether it fits the machine and then train. */
export function trainCommands(
  { config }: ExperimentOrder,
  { model, adapter }: Student,
  training: Training,
): { readonly text: string; readonly commands: readonly JobCommand[] } {
  const { path, data, output, after, iteration, isWarmUp } = training;
  const method = isWarmUp ? "sft" : TRAINER[config.method];
  const { learning_rate: _rates, epochs: _epochs, processes, ...rest } = config.train;
  const file = {
    method,
    model,
    adapter: adapter ?? null,
    data: [data],
    output,
    after,
    iteration: Math.max(1, iteration),
    ...dose(config, training),
    ...rest,
  };
  const trainer = (about: string, command: string): JobCommand => ({
    program: "python",
    args: ["-m", "hasp_trainer", command, path],
    about,
    ...(processes !== undefined && { processes }),
  });
  return {
    text: `${JSON.stringify(file, null, 2)}\n`,
    commands: [
      trainer("See whether model and data fit this machine", "preflight"),
      trainer("Train the student", method),
    ],
  };
}
