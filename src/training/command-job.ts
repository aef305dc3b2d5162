import { checked, need, refuse } from "../app/refusal.ts";
import { readWorkspaceConfig } from "../app/run/settings.ts";
import { defaultDomain } from "../domains/registry.ts";
import { presetOf, PRESETS } from "../jobs/presets.ts";
import { clip } from "../model/clip.ts";
import { isClean, type Checked } from "../model/diagnostic.ts";
import { GENERATED_FOLDER } from "../model/domain-folder.ts";
import { TASK, TASKS, type JobCommand, type JobSpec, type Resources } from "../model/job.ts";
import { didYouMean } from "../skill/suggest.ts";
import { CONFIG_FILE } from "../skill/workspace-files.ts";
import { checkExperiment } from "./check-order.ts";
import { teacherOf } from "./commands.ts";
import { commandWords, optionIn, optionsIn, type CommandWords } from "./command-words.ts";
import { experimentOrderOf, type CommandFiles } from "./experiment-args.ts";
import { JobParts, leavesFolder, withoutSlash, type CommandOrder } from "./job-parts.ts";
import { keysOf } from "./keys-of.ts";
import type { ExperimentOrder } from "./order.ts";
import { planExperiment } from "./plan.ts";
import { trainJob } from "./train-job.ts";

/** Commands that can run as jobs. */
export const JOB_COMMANDS = ["run", "evolve", "experiment", "bootstrap", "train"] as const;
type JobCommandName = (typeof JOB_COMMANDS)[number];

/** The folder of a workspace, from a job folder in its `.hasp/jobs`. */
const WORKSPACE = "../../..";
/** Seconds that an experiment gets to end: the trainer in it gets 60 for its checkpoint. */
const EXPERIMENT_GRACE = 150;
/** Characters of a job's title. */
const MOST_TITLE = 100;
const SMALL: Resources = { cpus: 1, memoryGb: 2, hours: 1 };
/** Findings, such as an episode that a failing model ended, do not fail a job; the command has told them. */
const FINE_OR_FINDINGS = [0, 1];

/** A command while its job is made. */
interface Draft {
  readonly order: CommandOrder;
  readonly words: CommandWords;
  readonly files: CommandFiles;
  readonly parts: JobParts;
}

const isServed = ({ order: { serve } }: Draft): boolean => serve !== undefined;

/** `Qwen/Qwen2.5-7B-Instruct` as `served:qwen2.5-7b-instruct`: recorded replies are kept under it. */
function servedSpec({ order: { serve } }: Draft): string {
  const slug = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9.]+/g, "-");
  const model = serve?.model.split(/[/\\]/).findLast((part) => part !== "") ?? "";
  const name = [slug(model), ...(serve?.adapter === undefined ? [] : [slug(serve.adapter)])].join("-");
  return `served:${name.replaceAll(/^[^a-z0-9]+|-+$/g, "") || "student"}`;
}

/** The options of models that a served student fills where the command names none. */
function withStudent(draft: Draft, names: readonly string[]): readonly string[] {
  if (!isServed(draft)) return [];
  const open = names.filter((name) => !draft.words.options.has(name));
  return open.flatMap((name) => [`--${name}`, servedSpec(draft)]);
}

async function libraries({ words, files, parts }: Draft): Promise<void> {
  const skills = optionsIn(words, "skills");
  for (const folder of skills) await parts.read(folder);
  await parts.readIfThere(CONFIG_FILE);
  const read = await readWorkspaceConfig(files, CONFIG_FILE);
  if (!isClean(read.diagnostics)) need<never>({ value: undefined, diagnostics: read.diagnostics });
  const { libraries: named, tools } = read.value;
  const isNamed = skills.length > 0 || words.options.has("no-skills");
  for (const library of isNamed ? [] : named)
    if (library.kind === "folder") await parts.readIfThere(library.path);
  if (tools.corpus !== undefined && optionIn(words, "corpus") === undefined)
    await parts.readIfThere(tools.corpus);
}

/** Files, skills and models of a command that makes episodes. */
async function episodeParts(draft: Draft): Promise<void> {
  const { words, parts } = draft;
  for (const name of ["questions", "corpus"]) await parts.read(optionIn(words, name));
  for (const run of optionsIn(words, "episodes")) await parts.read(run);
  for (const name of ["policy", "teacher", "author"])
    await parts.asks(optionIn(words, name), isServed(draft));
  if (optionIn(words, "retriever") === "serpapi") parts.passEnv.add("SERPAPI_API_KEY");
  await libraries(draft);
}

function neededOutput({ words }: Draft): string {
  const output = optionIn(words, "output");
  if (output !== undefined && output !== "") return withoutSlash(output);
  return refuse("HASP798", `hasp ${words.name} names no folder for what it makes.`, "Add -o <folder>.");
}

const hasp = (about: string, args: readonly string[], exitCodes?: readonly number[]): JobCommand => ({
  program: "hasp",
  args: [...args],
  ...(exitCodes !== undefined && { exitCodes: [...exitCodes] }),
  about,
});

async function runParts(draft: Draft): Promise<readonly JobCommand[]> {
  const { order, words, parts } = draft;
  await episodeParts(draft);
  const output = neededOutput(draft);
  if (!words.options.has("resume") && (await parts.isThere(output)))
    refuse("HASP798", `${output} is there already.`, "Add --resume, or name a new folder.", output);
  const more = [
    ...withStudent(draft, ["policy"]),
    // A job that is queued again continues its run.
    ...(words.options.has("resume") ? [] : ["--resume"]),
  ];
  if (order.shards === undefined) await parts.writes(output);
  return [hasp("Answer the questions", [...order.args, ...more], FINE_OR_FINDINGS)];
}

async function evolveParts(draft: Draft): Promise<readonly JobCommand[]> {
  const { order, words, parts } = draft;
  await episodeParts(draft);
  await parts.writes(neededOutput(draft));
  const domain = optionIn(words, "domain") ?? defaultDomain().name;
  await parts.writes(optionIn(words, "generated") ?? `skills/${domain}/${GENERATED_FOLDER}`);
  const asked = ["author", ...(words.options.has("questions") ? ["policy"] : [])];
  return [hasp("Evolve the library", [...order.args, ...withStudent(draft, asked)], FINE_OR_FINDINGS)];
}

async function bootstrapParts(draft: Draft): Promise<readonly JobCommand[]> {
  const { order, words, parts } = draft;
  for (const run of words.given) await parts.read(run);
  await episodeParts(draft);
  const domain = optionIn(words, "domain") ?? defaultDomain().name;
  await parts.writes(optionIn(words, "output") ?? `skills/${domain}`);
  return [
    hasp("Write the first skills", [...order.args, ...withStudent(draft, ["author"])], FINE_OR_FINDINGS),
  ];
}

/** A folder that only the configuration names has that name on a target, too. */
function checkInside(words: CommandWords, option: string, folder: string): void {
  if (leavesFolder(folder) && optionIn(words, option) !== folder)
    refuse(
      "HASP798",
      `The configuration names a place outside of the folder in which the job runs: ${folder}.`,
      `Name it with --${option}.`,
      folder,
    );
}

async function studentParts({ words, parts }: Draft, { config }: ExperimentOrder): Promise<void> {
  const { model, start } = config;
  await parts.weights(model);
  if (parts.inputs.has(withoutSlash(model))) checkInside(words, "model", model);
  if (start.kind !== "adapter") return;
  await parts.weights(start.folder, true);
  checkInside(words, "adapter", start.folder);
}

/** The places that an experiment writes, without the checkpoints of its trainings. */
function experimentOutputs(folder: string, outputs: readonly string[]): readonly string[] {
  if (leavesFolder(folder)) return [folder];
  const names = ["experiment.json", "jobs", "runs", "data", "evolution", "library"];
  const kept = ["train.json", "metrics.jsonl", "adapter", "result.json"];
  return [
    ...names.map((name) => `${folder}/${name}`),
    ...outputs.flatMap((output) => kept.map((name) => `${output}/${name}`)),
  ];
}

const NOT_OF_JOBS = ["status", "stop", "dry-run", "python"];

async function experimentParts(draft: Draft): Promise<readonly JobCommand[]> {
  const { order: given, words, files, parts } = draft;
  const wrong = NOT_OF_JOBS.find((name) => words.options.has(name));
  if (wrong !== undefined) refuse("HASP798", `--${wrong} is not for a job.`, "Leave it out.");
  const order = await experimentOrderOf(files, words);
  await episodeParts(draft);
  await parts.read(optionIn(words, "config"));
  for (const run of order.pool) await parts.read(run);
  await studentParts(draft, order);
  await checkExperiment(files, order);
  await parts.asks(teacherOf(order), false);
  for (const name of keysOf(order)) parts.passEnv.add(name);
  const { jobs } = planExperiment(order, { id: "00000000", cwd: "." });
  const trained = jobs.flatMap(({ result }) => (result.kind === "train" ? [result.output] : []));
  for (const { spec } of jobs) parts.metrics.push(...(spec.metrics ?? []));
  for (const path of experimentOutputs(order.folder, trained)) parts.outputs.add(path);
  await parts.readIfThere(order.folder);
  return [hasp(`Experiment ${order.name.toUpperCase()}`, [...given.args, "--stop-on-signal"])];
}

async function trainParts({ order, words, files, parts }: Draft): Promise<readonly JobCommand[]> {
  const [config, ...more] = words.given;
  if (config === undefined || more.length > 0 || words.options.size > 0)
    return refuse("HASP798", "A training takes one configuration.", "Write it as in `train config.json`.");
  // One process for each GPU that the job asks for.
  return trainJob(files, parts, config, order.resources?.gpus);
}

const PARTS: Readonly<Record<JobCommandName, (draft: Draft) => Promise<readonly JobCommand[]>>> = {
  run: runParts,
  evolve: evolveParts,
  experiment: experimentParts,
  bootstrap: bootstrapParts,
  train: trainParts,
};

function resourcesOf(draft: Draft): Resources {
  const { order, words } = draft;
  const preset = presetOf({
    name: words.name,
    experiment: words.given[0],
    domain: optionIn(words, "domain"),
    isServed: isServed(draft),
  });
  return { ...(preset !== undefined && PRESETS[preset].resources), ...order.resources };
}

const listed = (values: Iterable<string>): string[] | undefined => {
  const list = [...values];
  return list.length === 0 ? undefined : list;
};

/** A command as the title of its job, with an ellipsis where it is long. */
export const commandTitle = (args: readonly string[]): string => clip(`hasp ${args.join(" ")}`, MOST_TITLE);

/** The fields of a job that have a value. */
function specOf(draft: Draft, commands: readonly JobCommand[]): JobSpec {
  const { order, words, parts } = draft;
  const resources = resourcesOf(draft);
  const optional = {
    serve: order.serve,
    inputs: listed(parts.inputs),
    outputs: listed(parts.outputs),
    configs: listed(parts.configs),
    metrics: listed(parts.metrics),
    models: listed(parts.models),
    after: order.after === undefined ? undefined : [...order.after],
    resources: Object.keys(resources).length === 0 ? undefined : resources,
    graceSeconds: words.name === "experiment" ? EXPERIMENT_GRACE : undefined,
  };
  const given = Object.entries(optional).filter(([, value]) => value !== undefined);
  return {
    schema: "hasp.job/1",
    id: order.id,
    title: order.title ?? commandTitle(order.args),
    cwd: order.cwd ?? WORKSPACE,
    commands: [...commands],
    env: { ...order.env },
    passEnv: [...parts.passEnv],
    ...(Object.fromEntries(given) as Partial<JobSpec>),
  };
}

/** The arguments of a run with those of its shard in place of the folder of the whole. */
function shardArgs(args: readonly string[], output: string): readonly string[] {
  const at = args.findLastIndex((word) => word === "-o" || word === "--output");
  const kept =
    at >= 0
      ? [...args.slice(0, at), ...args.slice(at + 2)]
      : args.filter((word) => !/^(?:--output=|-o.)/.test(word));
  return [...kept, "--shard", `${TASK}/${TASKS}`, "-o", `${output}-shard-${TASK}`];
}

/** A run whose questions are dealt out to tasks, and the job that merges their runs. */
async function shardedJobs(draft: Draft, shards: number, whole: JobSpec): Promise<readonly JobSpec[]> {
  const { words, parts } = draft;
  if (words.name !== "run")
    refuse("HASP798", `hasp ${words.name} has no shards.`, "Leave out --shards; only a run is dealt out.");
  if (words.options.has("shard"))
    refuse("HASP798", "The run names a shard, and is to be dealt out.", "Leave out --shard, or --shards.");
  const output = neededOutput(draft);
  if (leavesFolder(output))
    refuse("HASP798", `The runs of shards are inside the workspace, and ${output} is not.`, "Name another.");
  if (await parts.isThere(output))
    refuse("HASP798", `${output} is there already.`, "Name a new folder for the merged run.", output);
  const runs = Array.from({ length: shards }, (_, i) => `${output}-shard-${i + 1}`);
  const { serve: _serve, models: _models, after: _after, inputs: _inputs, ...rest } = whole;
  const commands = whole.commands.map((one) => ({ ...one, args: [...shardArgs(one.args, output)] }));
  return [
    { ...whole, commands, tasks: shards, group: whole.id, outputs: runs },
    {
      ...rest,
      id: `${whole.id}-merge`,
      title: `${whole.title} (merge)`,
      commands: [hasp("Merge the runs", ["merge", ...runs, "-o", output, "--resume"], FINE_OR_FINDINGS)],
      outputs: [output],
      passEnv: [],
      group: whole.id,
      after: [whole.id],
      resources: SMALL,
    },
  ];
}

async function serveParts({ order: { serve }, parts }: Draft): Promise<void> {
  if (serve === undefined) return;
  await parts.weights(serve.model);
  if (serve.adapter !== undefined) await parts.weights(serve.adapter, true);
}

/**
 * The job of a command that a person would type here: an array of runs and a merge with `shards`, else one. All that it reads must be there:
 * HASP790 for what is missing, HASP798 for a command that cannot be a job, HASP799 for a configuration of the trainer, and the findings about
 * `hasp.yaml`, the configuration and the order of an experiment. Names of files are relative to the folder in which the command runs. Rejects on
 * I/O errors.
 */
export async function jobsFor(
  order: CommandOrder,
  files: CommandFiles,
): Promise<Checked<readonly JobSpec[]>> {
  return checked(async () => {
    const words = commandWords(order.args);
    const name = JOB_COMMANDS.find((one) => one === words.name);
    if (name === undefined)
      return refuse(
        "HASP798",
        `hasp ${words.name} cannot run as a job.`,
        words.name === "" ? "Add a command, such as `-- run …`." : didYouMean(words.name, JOB_COMMANDS),
      );
    const draft: Draft = { order, words, files, parts: new JobParts(files) };
    await serveParts(draft);
    const spec = specOf(draft, await PARTS[name](draft));
    return order.shards === undefined ? [spec] : shardedJobs(draft, order.shards, spec);
  });
}
