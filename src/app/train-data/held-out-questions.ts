import { datasetsOf, domainKeys } from "../../domains/registry.ts";
import { parseDataset } from "../../evaluation/datasets.ts";
import { parseQuestions } from "../../evaluation/questions.ts";
import { splitOf } from "../../evaluation/splits.ts";
import { heldOut, type HeldOut } from "../../dataset/held-out.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { START_OF_FILE } from "../../model/diagnostic.ts";
import type { Episode } from "../../model/episode.ts";
import { z } from "../../model/zod.ts";
import { readEpisodes } from "../../trace/episode-file.ts";
import { hashText } from "../../trace/hash.ts";
import { runPaths } from "../../trace/run-paths.ts";
import { take } from "../refusal.ts";
import type { TrainDataOrder, TrainDataServices, TrainRun } from "./order.ts";

/** The settings of a `run.json` that tell its questions. */
const settingsSchema = z.looseObject({
  questions: z.looseObject({ file: z.string(), hash: z.string() }).optional(),
  dataset: z.string().optional(),
  split: z.string().optional(),
});
type QuestionSettings = z.infer<typeof settingsSchema>;

/** Splits that hold no question of another one: the splits of test and validation are not needed then. */
const CLEAN: ReadonlySet<string> = new Set(["train", "seed"]);
/** Splits of which no row may be made. */
const HELD_OUT = ["test", "val"] as const;

interface Found {
  readonly questions: readonly string[];
  /** Names of the runs all of whose questions are held out. */
  readonly wholeRuns: ReadonlySet<string>;
}

/** Nothing is known where a run names no split; where it names one that may hold such questions, they are probably among its rows. */
function untold({ run, folder }: TrainRun, severity: Diagnostic["severity"], why: string): Diagnostic {
  return {
    code: "HASP631",
    severity,
    message: `${run}: ${why}, so nothing tells which of its questions are test or validation.`,
    next: "Name the files of these questions (`hasp train-data --held-out <file…>`), or take runs of the train split.",
    file: runPaths(folder).run,
    range: START_OF_FILE,
  };
}

/** The test and validation questions of the file that a run of this domain was made from, by the split that it took. */
async function ofRun(
  run: TrainRun,
  domain: string,
  { questions, dataset, split }: QuestionSettings,
  { readNamed }: TrainDataServices,
  found: Diagnostic[],
): Promise<readonly string[]> {
  if (split === undefined || questions === undefined) {
    found.push(untold(run, "information", "its run.json names no split"));
    return [];
  }
  const { value: named } = await readNamed(questions.file);
  const isSame = named !== undefined && hashText(named.text) === questions.hash;
  const data = isSame ? parseDataset(named.text, named.file, dataset, datasetsOf(domain)).value : undefined;
  if (data === undefined) {
    const why = named === undefined ? "missing" : isSame ? "no data set any more" : "changed";
    if (!CLEAN.has(split)) found.push(untold(run, "warning", `${questions.file} is ${why}`));
    return [];
  }
  const { questions: all, dataset: name } = data;
  const keys = domainKeys(domain);
  return HELD_OUT.flatMap((part) => splitOf(all, { dataset: name, keys, split: part }).value ?? []).map(
    ({ question }) => question,
  );
}

async function searchRuns(
  runs: readonly TrainRun[],
  domain: string,
  services: TrainDataServices,
  found: Diagnostic[],
): Promise<Found> {
  const questions: string[] = [];
  const wholeRuns = new Set<string>();
  for (const run of runs) {
    const settings = settingsSchema.safeParse(run.about?.settings ?? {}).data ?? {};
    if (HELD_OUT.some((part) => part === settings.split)) {
      wholeRuns.add(run.run);
      // The list of a run cuts long questions.
      for await (const { value } of readEpisodes(services.files, run.index))
        if (value !== undefined) questions.push(value.question);
    } else questions.push(...(await ofRun(run, domain, settings, services, found)));
  }
  return { questions, wholeRuns };
}

/** The episodes that came out of one whose question is held out: its branches, its sub-agents, and theirs. */
async function cameOutOf(
  { index }: TrainRun,
  has: HeldOut["has"],
  { files }: TrainDataServices,
): Promise<ReadonlySet<string>> {
  const parents = new Map<string, string>();
  const isHeldOut = new Map<string, boolean>();
  for await (const { value } of readEpisodes(files, index)) {
    if (value === undefined) continue;
    isHeldOut.set(value.id, has(value.question));
    if (value.origin !== undefined) parents.set(value.id, value.origin.episode);
  }
  /** Those whose origins are known; a circle, which only a file written by hand has, ends at one of them. */
  const settled = new Set<string>();
  for (const id of parents.keys()) {
    const way: string[] = [];
    let at: string | undefined = id;
    while (at !== undefined && isHeldOut.get(at) !== true && !settled.has(at)) {
      settled.add(at);
      way.push(at);
      at = parents.get(at);
    }
    if (at !== undefined && isHeldOut.get(at) === true) for (const one of way) isHeldOut.set(one, true);
  }
  return new Set([...parents.keys()].filter((id) => isHeldOut.get(id)));
}

/** What no row may be about, as the steps of an episode are asked. */
export interface HeldOutEpisodes {
  /** Distinct questions. */
  readonly size: number;
  readonly has: (run: string, episode: Pick<Episode, "id" | "question">) => boolean;
}

/**
 * The questions of which no row may be made, in runs of this domain: those of the named files, and the test and validation splits of the data sets that the runs
 * took their questions from. A run of such a split is held out whole, and its questions in the other runs, too. HASP631 where a run tells neither.
 */
export async function heldOutQuestions(
  { heldOut: files, runs }: Pick<TrainDataOrder, "heldOut" | "runs">,
  domain: string,
  services: TrainDataServices,
  found: Diagnostic[],
): Promise<HeldOutEpisodes> {
  const named = files.flatMap(({ file, text }) =>
    take(parseQuestions(text, file, datasetsOf(domain)), found),
  );
  const { questions, wholeRuns } = await searchRuns(runs, domain, services, files.length > 0 ? [] : found);
  const all = [...named.map(({ question }) => question), ...questions];
  const { has, size } = heldOut(all, domainKeys(domain).question);
  const derived = new Map<string, ReadonlySet<string>>();
  if (size > 0) for (const run of runs) derived.set(run.run, await cameOutOf(run, has, services));
  return {
    size,
    has: (run, { id, question }) => wholeRuns.has(run) || has(question) || derived.get(run)?.has(id) === true,
  };
}
