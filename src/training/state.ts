import { readNamed } from "../app/named-text.ts";
import { openRunAt } from "../app/open-run.ts";
import { pathFrom } from "../jobs/job-folder.ts";
import { needRecordPath } from "../app/record-path.ts";
import { checked, need, refuse } from "../app/refusal.ts";
import { START_OF_FILE, type Checked } from "../model/diagnostic.ts";
import { experimentConfigSchema, EXPERIMENTS } from "../model/experiment.ts";
import { parseJson } from "../model/read-json.ts";
import { SHIPPED_LISTS } from "../model/shipped-lists.ts";
import { recordNameSchema } from "../model/record-path.ts";
import { z } from "../model/zod.ts";
import { hashText } from "../trace/hash.ts";
import { contentOf } from "../trace/run-folder.ts";
import type { ExperimentFiles, ExperimentOrder, ExperimentServices } from "./order.ts";
import { experimentPaths } from "./paths.ts";

const fileSchema = z.object({ file: z.string(), hash: z.string() });

/** `experiment.json`: the order, and what its inputs were when it began. */
export const experimentFileSchema = z.object({
  schema: z.literal("hasp.experiment/1"),
  /** Eight hexadecimal digits, new for each folder: names of the students of two experiments differ. */
  id: z.string().regex(/^[0-9a-f]{8}$/, "must be eight hexadecimal digits"),
  name: z.enum(EXPERIMENTS),
  /** ISO 8601 in UTC. */
  createdAt: z.string(),
  config: experimentConfigSchema,
  domain: recordNameSchema,
  questions: fileSchema,
  dataset: z.string().nullable(),
  corpus: fileSchema.nullable(),
  skills: z.array(z.string()),
  triggers: z.enum(SHIPPED_LISTS).optional(),
  /** Of all skills that act in the first rollout. */
  library: z.string(),
  teacher: z.string().nullable(),
  author: z.string().nullable(),
  pool: z.array(z.object({ run: z.string(), episodes: z.number().int(), hash: z.string() })),
  seed: z.number().int(),
});
export type ExperimentFile = z.infer<typeof experimentFileSchema>;

const encoder = new TextEncoder();
const MAX_BYTES = 10_000_000;

/** `experiment.json` of a folder; no value where there is none, HASP687 where it cannot be read. Rejects on I/O errors. */
export async function readState(files: ExperimentFiles, folder: string): Promise<Checked<ExperimentFile>> {
  const { value, diagnostics } = await readStateText(files, folder);
  return { value: value?.experiment, diagnostics };
}

/** An experiment with the text of its `experiment.json`. */
interface StateText {
  readonly experiment: ExperimentFile;
  readonly text: string;
}

/** As `readState`, with the text. */
export async function readStateText(files: ExperimentFiles, folder: string): Promise<Checked<StateText>> {
  const file = experimentPaths(folder).state;
  const found = await files.readText(file, MAX_BYTES);
  if (found.kind === "absent") return { value: undefined, diagnostics: [] };
  const read = experimentFileSchema.safeParse(found.kind === "text" ? parseJson(found.text) : undefined);
  if (read.success && found.kind === "text")
    return { value: { experiment: read.data, text: found.text }, diagnostics: [] };
  const [issue] = read.error?.issues ?? [];
  const where = issue?.path.map(String).join(".") ?? "";
  const message = `The file is not an order of an experiment: ${where === "" ? "" : `${where}: `}${issue?.message ?? "it is not JSON"}.`;
  const next = "Restore it from a copy, or begin the experiment in a new folder.";
  const place = { file, range: START_OF_FILE };
  return { value: undefined, diagnostics: [{ code: "HASP687", severity: "error", message, next, ...place }] };
}

async function fileOf(files: ExperimentFiles, file: string): Promise<z.infer<typeof fileSchema>> {
  return { file, hash: hashText(need(await readNamed(files, file)).text) };
}

/** Ids and outcomes in order tell runs apart without reading them whole. */
async function poolOf(
  { files, sha256 }: ExperimentServices,
  run: string,
): Promise<ExperimentFile["pool"][number]> {
  const { index } = need(await openRunAt(files, run));
  const heads = index.entries.map(({ head }) => [head.id, head.outcome, head.length]);
  return { run, episodes: heads.length, hash: sha256(JSON.stringify(heads)) };
}

async function describe(order: ExperimentOrder, services: ExperimentServices): Promise<ExperimentFile> {
  const { files, sha256, cwd, clock } = services;
  const { name, folder, config, domain, questions, dataset, corpus, skills, triggers } = order;
  const { teacher, author, pool, seed } = order;
  const createdAt = clock.now();
  return {
    schema: "hasp.experiment/1",
    id: sha256(JSON.stringify([cwd, folder, createdAt])).slice(0, 8),
    name,
    createdAt,
    config,
    domain,
    questions: await fileOf(files, questions),
    dataset: dataset ?? null,
    corpus: corpus === undefined ? null : await fileOf(files, corpus),
    skills: [...skills],
    triggers,
    library: await services.libraryHash(),
    teacher: teacher ?? null,
    author: author ?? null,
    pool: await Promise.all(pool.map((run) => poolOf(services, run))),
    seed,
  };
}

type Entries = Readonly<Record<string, unknown>>;
const isEntries = (value: unknown): value is Entries =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Names of the values that differ, `config.train.epochs` or `questions.hash`. */
function differing(before: unknown, now: unknown, path = ""): readonly string[] {
  if (!isEntries(before) || !isEntries(now))
    return JSON.stringify(before) === JSON.stringify(now) ? [] : [path];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return keys.flatMap((key) => differing(before[key], now[key], path === "" ? key : `${path}.${key}`));
}

/**
 * Refuses with HASP820 an experiment whose recorded runs or skills are outside of the workspace: whoever resumes it by its file alone has not named
 * them. Questions, corpus, model and adapter may be anywhere: they are read, and nothing is written beside them.
 */
export function checkPlaces(
  files: Pick<ExperimentFiles, "absolute">,
  { pool, skills }: ExperimentFile,
  folder: string,
): Promise<Checked<true>> {
  const file = experimentPaths(folder).state;
  const next = "Resume it with `hasp experiment` and the options that began it.";
  return checked<true>(async () => {
    for (const { run: path } of pool) needRecordPath(files, { path, field: "pool", file, next });
    for (const path of skills.filter((one) => !one.startsWith("builtin:")))
      needRecordPath(files, { path, field: "skills", file, next });
    return true;
  });
}

/** The order of an experiment as its file tells it. */
export const orderOf = (file: ExperimentFile, folder: string): ExperimentOrder => ({
  name: file.name,
  folder,
  config: file.config,
  domain: file.domain,
  questions: file.questions.file,
  dataset: file.dataset ?? undefined,
  corpus: file.corpus?.file,
  skills: file.skills,
  triggers: file.triggers,
  teacher: file.teacher ?? undefined,
  author: file.author ?? undefined,
  pool: file.pool.map(({ run }) => run),
  seed: file.seed,
});

/**
 * Begins an experiment in its folder, or resumes the one that is there. Refuses a folder that holds another one (HASP686) or anything else
 * (HASP680).
 */
export async function openExperiment(
  order: ExperimentOrder,
  services: ExperimentServices,
): Promise<{ readonly file: ExperimentFile; readonly isNew: boolean }> {
  const { files } = services;
  const path = experimentPaths(order.folder).state;
  const read = await readStateText(files, order.folder);
  if (read.diagnostics.length > 0) return need<never>({ value: undefined, diagnostics: read.diagnostics });
  const now = await describe(order, services);
  if (read.value === undefined) {
    const other = await contentOf(files, order.folder);
    if (other !== undefined)
      refuse(
        "HASP680",
        `${order.folder} holds ${JSON.stringify(other)} already, and no experiment.`,
        "Name a new folder.",
        order.folder,
      );
    return { file: now, isNew: true };
  }
  const { experiment: before, text } = read.value;
  if (!services.own.has(pathFrom(services.cwd, path), text))
    refuse(
      "HASP835",
      `The experiment in ${order.folder} was not begun by you on this machine, and you have not allowed it.`,
      `Read its order, then allow it: \`hasp experiment ${before.name}\`, or HASP: Resume Experiment in VS Code.`,
      path,
    );
  const { id, createdAt } = before;
  // One that names no list was begun before there were several; its library has a hash.
  const differs = differing({ triggers: now.triggers, ...before }, { ...now, id, createdAt });
  if (differs.length > 0)
    refuse(
      "HASP686",
      `The experiment in ${order.folder} was begun with another order (${differs.join(", ")}).`,
      "Repeat the command that began it, or name another folder.",
      path,
    );
  return { file: before, isNew: false };
}

/** Writes `experiment.json`: from here on the folder holds this experiment. */
export async function keepExperiment(
  { files, own, cwd }: Pick<ExperimentServices, "files" | "own" | "cwd">,
  folder: string,
  file: ExperimentFile,
): Promise<void> {
  const { state } = experimentPaths(folder);
  const text = `${JSON.stringify(file, null, 2)}\n`;
  await files.makeFolder(folder);
  own.keep(pathFrom(cwd, state), text);
  await files.writeAtomic(state, encoder.encode(text));
}
