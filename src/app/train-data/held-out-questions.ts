import { datasetsOf, domainKeys } from "../../domains/registry.ts";
import { parseDataset } from "../../evaluation/datasets.ts";
import { parseQuestions } from "../../evaluation/questions.ts";
import { splitOf } from "../../evaluation/splits.ts";
import { heldOut, type HeldOut } from "../../dataset/held-out.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { START_OF_FILE } from "../../model/diagnostic.ts";
import { z } from "../../model/zod.ts";
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
      questions.push(...run.index.entries.map(({ head }) => head.question));
    } else questions.push(...(await ofRun(run, domain, settings, services, found)));
  }
  return { questions, wholeRuns };
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
): Promise<HeldOut & { readonly wholeRuns: ReadonlySet<string> }> {
  const named = files.flatMap(({ file, text }) =>
    take(parseQuestions(text, file, datasetsOf(domain)), found),
  );
  const { questions, wholeRuns } = await searchRuns(runs, domain, services, files.length > 0 ? [] : found);
  const all = [...named.map(({ question }) => question), ...questions];
  const { has, size } = heldOut(all, domainKeys(domain).question);
  return { has, size, wholeRuns };
}
