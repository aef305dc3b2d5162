import { randomBytes } from "node:crypto";
import { bundleOf } from "../../../jobs/remote/bundle.ts";
import { jobScript } from "../../../jobs/remote/script.ts";
import { PRESET_NAMES, PRESETS } from "../../../jobs/presets.ts";
import { bytesInWords } from "../../../model/bytes-in-words.ts";
import { counted } from "../../../model/counted.ts";
import type { JobBackend, JobRecord, JobSpec, Resources } from "../../../model/job.ts";
import { hostOf, type NamedTarget } from "../../../model/target.ts";
import type { NodeFiles } from "../../../platform/files.ts";
import { shellLine } from "../../../platform/shell-word.ts";
import { jobsFor, JOB_COMMANDS } from "../../../training/command-job.ts";
import { checkCommand } from "../../check-command.ts";
import { needPlaced } from "../../checked.ts";
import { defineCommand, type Call } from "../../define-command.ts";
import { exitCodeOf, followToEnd, printEnd } from "../../follow-job.ts";
import { KEYS } from "../../help.ts";
import {
  findJob,
  folderOf,
  openJob,
  openOwnJob,
  withWords,
  writeJob,
  type OpenJob,
} from "../../job-folders.ts";
import { jobFacts } from "../../../jobs/job-facts.ts";
import { factLines, YES_TO } from "../../own-order.ts";
import { decimal, flag, oneOf, text, texts, whole } from "../../options.ts";
import { cliBackends, LOCAL, needAllowed, targetNamed } from "../../targets.ts";
import { CliError, EXIT, type ExitCode, type Terminal } from "../../terminal.ts";

const OPTIONS = {
  target: text("--target <name>", `a target of hasp.yaml, or ${LOCAL}: this machine (default: ${LOCAL})`),
  shards: whole(
    "--shards <n>",
    "of a run: deal the questions out to n tasks, and merge their runs",
    1,
    10_000,
  ),
  preset: oneOf(
    "--preset <name>",
    "what to ask for (default: as the command is, see `hasp job preset`)",
    PRESET_NAMES,
  ),
  gpus: whole("--gpus <n>", "GPUs of each node; over the preset, as those below"),
  nodes: whole("--nodes <n>", "nodes", 1),
  cpus: whole("--cpus <n>", "cores of each node", 1),
  memory: decimal("--memory <GB>", "memory of each node"),
  hours: decimal("--hours <h>", "then the job writes a checkpoint and is queued again"),
  serve: text("--serve <model>", "serve this student while the command runs: a folder, or a name in the hub"),
  adapter: text("--adapter <folder>", "with --serve: a LoRA adapter on it"),
  engine: oneOf("--engine <name>", "with --serve: the engine (default: auto)", [
    "auto",
    "vllm",
    "transformers",
  ] as const),
  after: texts("--after <id...>", "begin once these jobs of the same target have succeeded"),
  title: text("--title <text>", "for lists (default: the command)"),
  python: text("--python <path>", "on this machine: the Python with the trainer's packages"),
  follow: flag("--follow", "follow the job to its end"),
  dryRun: flag("--dry-run", "print what would be sent and asked for; asks the target nothing"),
  yes: flag("--yes", "do not ask whether the target may be used"),
  yesTo: YES_TO,
};
type SubmitCall = Call<typeof OPTIONS>;

/** `run-1126-220930-3fa9`: made before the first attempt to submit, so that a repeated one is harmless. */
function newId(name: string): string {
  const [day = "", time = ""] = new Date().toISOString().split("T");
  return `${name}-${day.slice(5).replaceAll("-", "")}-${time.slice(0, 8).replaceAll(":", "")}-${randomBytes(2).toString("hex")}`;
}

function resourcesOf({
  preset,
  gpus,
  nodes,
  cpus,
  memory: memoryGb,
  hours,
}: SubmitCall["options"]): Resources {
  const given = Object.entries({ gpus, nodes, cpus, memoryGb, hours }).filter(
    ([, value]) => value !== undefined,
  );
  return {
    ...(preset !== undefined && PRESETS[preset].resources),
    ...(Object.fromEntries(given) as Resources),
  };
}

function serveOf({ serve: model, adapter, engine = "auto" }: SubmitCall["options"]) {
  if (model !== undefined) return { model, engine, ...(adapter !== undefined && { adapter }) };
  if (adapter !== undefined)
    throw new CliError("--adapter is of a student that is served.", "Add --serve <model>.");
  return undefined;
}

/** The jobs of a command line, of which nothing is written yet. */
async function jobsOf(
  { options, files, terminal }: SubmitCall,
  words: readonly string[],
): Promise<readonly JobSpec[]> {
  const serve = serveOf(options);
  await checkCommand(words, serve !== undefined, terminal.context);
  const { shards, after, title } = options;
  const id = newId(JOB_COMMANDS.find((one) => one === words[0]) ?? "job");
  const resources = resourcesOf(options);
  return needPlaced(await jobsFor({ id, args: words, shards, after, title, serve, resources }, files));
}

async function write(files: NodeFiles, spec: JobSpec): Promise<string> {
  const folder = folderOf(spec.id);
  await files.makeFolder(folder);
  await writeJob(files, folder, spec);
  return folder;
}

/** Files that a job sends, with their sizes. */
async function sentFiles(files: NodeFiles, spec: JobSpec) {
  const bundle = await withWords(async () => bundleOf(files, folderOf(spec.id), spec));
  const sizes = bundle.files.map(async ({ from, at }) => ({
    at,
    bytes: (await files.stat(from))?.size ?? 0,
  }));
  return Promise.all(sizes);
}

/** The head of the batch script of a job, as SLURM gets it. */
function batchHead({ target }: NamedTarget, spec: JobSpec): readonly string[] {
  if (target.kind !== "slurm") return [];
  const place = {
    root: target.folder,
    folder: `${target.folder}/jobs/${spec.id}`,
    content: "",
    program: "",
    node: "",
    python: undefined,
  };
  return jobScript(target, spec, place, 1)
    .split("\n")
    .filter((line) => line.startsWith("#SBATCH"));
}

/** Files of a job that are listed one by one. */
const MOST_LISTED = 20;

async function plan(
  { terminal, files }: SubmitCall,
  named: NamedTarget | undefined,
  specs: readonly JobSpec[],
): Promise<ExitCode> {
  const plans = [];
  for (const spec of specs) {
    const sent = named === undefined ? [] : await sentFiles(files, spec);
    const head = named === undefined ? [] : batchHead(named, spec);
    plans.push({ spec, sent, head });
    for (const line of factLines(jobFacts(spec, shellLine))) terminal.line(line);
    const bytes = sent.reduce((sum, one) => sum + one.bytes, 0);
    if (named !== undefined)
      terminal.line(`sends    ${counted(sent.length, "file")}, ${bytesInWords(bytes)}, beside the program`);
    for (const one of sent.slice(0, MOST_LISTED))
      terminal.line(`         ${one.at}  ${bytesInWords(one.bytes)}`);
    if (sent.length > MOST_LISTED) terminal.line(`         and ${sent.length - MOST_LISTED} more`);
    for (const line of head) terminal.line(line);
    terminal.line();
  }
  terminal.line("Nothing was sent.");
  terminal.result({ target: named?.name ?? LOCAL, jobs: plans });
  return EXIT.fine;
}

/** Follows the last job where a person wants it, and answers how the command ends. */
async function followed(
  { terminal, options }: SubmitCall,
  place: string,
  jobs: readonly OpenJob[],
): Promise<ExitCode> {
  for (const { spec } of jobs) terminal.line(`submitted to ${place}: ${spec.id}`);
  const last = jobs.at(-1);
  const ids = jobs.map(({ spec, folder }) => ({ id: spec.id, folder }));
  if (options.follow !== true || last === undefined) {
    terminal.line(`Follow it: hasp job follow ${last?.spec.id ?? ""}`);
    terminal.result({ target: place, jobs: ids });
    return EXIT.fine;
  }
  const ends: JobRecord[] = [];
  for (const job of jobs) {
    if (jobs.length > 1) terminal.line(job.spec.title);
    const record = await withWords(async () => followToEnd(terminal, job, { log: true, metrics: true }));
    if (record === undefined) return EXIT.findings;
    printEnd(terminal, record);
    ends.push(record);
    if (record.status !== "succeeded") break;
  }
  const isFine = ends.length === jobs.length && ends.every((one) => exitCodeOf(one) === EXIT.fine);
  if (isFine && place !== LOCAL) terminal.line(`Bring what it made here: hasp job fetch ${last.spec.id}`);
  terminal.result({ target: place, jobs: ids.map((one, i) => ({ ...one, record: ends[i] })) });
  return isFine ? EXIT.fine : EXIT.findings;
}

async function sendAll(
  backend: JobBackend,
  terminal: Terminal,
  files: NodeFiles,
  specs: readonly JobSpec[],
): Promise<readonly OpenJob[]> {
  const jobs: OpenJob[] = [];
  for (const spec of specs) jobs.push({ folder: await write(files, spec), spec, record: undefined, backend });
  for (const { folder, spec } of jobs) {
    terminal.line(spec.title);
    await withWords(async () => backend.submit(folder));
  }
  return jobs;
}

async function submitNew(call: SubmitCall, words: readonly string[]): Promise<ExitCode> {
  const { terminal, files, options } = call;
  const named = await targetNamed(files, options.target ?? LOCAL);
  const specs = await jobsOf(call, words);
  if (options.dryRun === true) return plan(call, named, specs);
  if (named !== undefined) await needAllowed(terminal, named, options.yes);
  const backends = cliBackends(terminal, options.python);
  const backend = named === undefined ? backends.local : await withWords(async () => backends.on(named));
  if (named !== undefined) terminal.line(`${named.name}: ${hostOf(named.target)}`);
  return followed(call, named?.name ?? LOCAL, await sendAll(backend, terminal, files, specs));
}

/** The target that a person names for a job which no target knows yet. */
async function placed(
  call: SubmitCall,
  job: OpenJob,
): Promise<{ readonly place: string; readonly job: OpenJob }> {
  const { terminal, files, options } = call;
  if (job.record !== undefined) return { place: job.record.name, job };
  if (options.target === undefined) {
    if ((await withWords(async () => job.backend.status(job.folder))).status !== "prepared")
      return { place: LOCAL, job };
    throw new CliError(
      `${job.spec.id} was not submitted yet.`,
      `Name its target: --target <name>, or --target ${LOCAL}.`,
    );
  }
  const named = await targetNamed(files, options.target);
  if (named === undefined) return { place: LOCAL, job };
  await needAllowed(terminal, named, options.yes);
  return { place: named.name, job: { ...job, backend: cliBackends(terminal).on(named) } };
}

async function submitAgain(call: SubmitCall, given: string): Promise<ExitCode> {
  const { options, terminal } = call;
  if (options.dryRun === true) {
    const opened = await openJob(call, given, options);
    const named = opened.record ?? (await targetNamed(call.files, options.target ?? LOCAL));
    return plan(call, named, [opened.spec]);
  }
  const { place, job } = await placed(call, await openOwnJob(call, given, options));
  await withWords(async () => job.backend.submit(job.folder));
  const record = await withWords(async () => job.backend.status(job.folder));
  if (record.status === "succeeded") {
    terminal.line(`${job.spec.id} is done already.`);
    terminal.result({ target: place, jobs: [{ id: job.spec.id, folder: job.folder, record }] });
    return EXIT.fine;
  }
  return followed(call, place, [job]);
}

/** `hasp job submit --target <name> -- <hasp command…>`, or with a job that is there. */
export const submitCommand = defineCommand({
  name: "submit",
  about: "Run a command as a job on a target, or submit a job that is there again.",
  takes: [
    [
      "<words...>",
      "after --: a command (run, evolve, experiment, bootstrap) or `train <config>`; or a job's id or folder",
    ],
  ],
  options: OPTIONS,
  codes: ["submitted, or done with --follow", "not done with --follow"],
  section: KEYS,
  examples: [
    "hasp job submit --target lab -- experiment e1 --questions hotpot.jsonl --teacher openai:gpt-4o-2024-11-20",
    "hasp job submit --target lab --shards 8 --serve Qwen/Qwen2.5-7B-Instruct -- run --questions dev.jsonl -o .hasp/runs/dev",
    "hasp job submit --target lab --gpus 1 --hours 4 -- train config.json",
    "hasp job submit --target lab --dry-run -- run --questions dev.jsonl --policy openai:gpt-4o-mini -o .hasp/runs/dev",
    "hasp job submit run-1126-220930-3fa9",
  ],
  async run(call: SubmitCall, words: readonly string[]) {
    const [first = "", ...more] = words;
    const isCommand = JOB_COMMANDS.some((one) => one === first);
    const isJob = !isCommand && more.length === 0 && (await findJob(call.files, first)) !== undefined;
    return isJob ? submitAgain(call, first) : submitNew(call, words);
  },
});
