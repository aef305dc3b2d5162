import { readEpisodeFacts, type ReadEpisode } from "../../analysis/internalised/read-episode.ts";
import { internalisedReport } from "../../analysis/internalised/report.ts";
import { counted } from "../../model/counted.ts";
import { START_OF_FILE, type Checked, type Diagnostic } from "../../model/diagnostic.ts";
import type { Episode } from "../../model/episode.ts";
import {
  INTERNALISED_RUNS,
  INTERNALISED_RUN_WORDS,
  type InternalisedReport,
  type InternalisedRun,
} from "../../model/internalised.ts";
import { sampleId } from "../../model/sample.ts";
import { timeSlices } from "../../model/time-slices.ts";
import { judgedBy } from "../../scoring/judged-by.ts";
import { readEpisodes } from "../../trace/episode-file.ts";
import type { TraceFiles } from "../../trace/ports.ts";
import type { OpenedRunFolder } from "../../trace/run-folder.ts";
import { judgeOfBoth } from "../recorded-judge.ts";
import { progressOf, type Progress } from "../progress.ts";
import { checked, need, refuse } from "../refusal.ts";
import {
  conditionsOf,
  refuseOtherConditions,
  refuseOtherQuestions,
  refuseOtherRole,
  type RunConditions,
} from "./comparable.ts";

export interface InternalisedOrder {
  readonly runs: Readonly<
    Record<"beforeOn" | "afterOn", OpenedRunFolder> &
      Partial<Record<InternalisedRun, OpenedRunFolder | undefined>>
  >;
  /** The judge by whose recorded verdicts answers are right, as a person names it; undefined: that of each run. */
  readonly by?: string | undefined;
}

export interface InternalisedServices {
  readonly files: TraceFiles;
  readonly signal: AbortSignal;
  readonly on?: ((event: Progress) => void) | undefined;
}

interface ReadRun extends RunConditions {
  readonly episodes: readonly ReadEpisode[];
}

/** Reads one run; of several episodes of one sample the first in the file counts. HASP744 for a run without an episode. */
async function readRun(
  name: InternalisedRun,
  { folder, title, run, index, diagnostics }: OpenedRunFolder,
  judge: string | undefined,
  { files, signal, on }: InternalisedServices,
  found: Diagnostic[],
): Promise<ReadRun> {
  const episodes = new Map<string, ReadEpisode>();
  const pause = timeSlices(signal);
  let first: Episode | undefined;
  let done = 0;
  found.push(...diagnostics);
  for await (const { value, diagnostics: wrong } of readEpisodes(files, index)) {
    signal.throwIfAborted();
    await pause();
    found.push(...wrong);
    on?.(progressOf(++done, index.entries.length, `episodes of ${title}`));
    if (value === undefined) continue;
    first ??= value;
    const facts = readEpisodeFacts(judge === undefined ? value : judgedBy(value, judge));
    const key = sampleId(facts.questionId, facts.sample);
    if (!episodes.has(key)) episodes.set(key, facts);
  }
  if (first === undefined)
    return refuse(
      "HASP744",
      `${title} (${INTERNALISED_RUN_WORDS[name]}) has no episode.`,
      "Run its questions first.",
      folder,
    );
  return { ...conditionsOf({ name, title, folder }, run, first), episodes: [...episodes.values()] };
}

function unjudged({ title, folder, episodes }: ReadRun): readonly Diagnostic[] {
  const count = episodes.filter(({ right }) => right === undefined).length;
  if (count === 0) return [];
  return [
    {
      code: "HASP745",
      severity: "warning",
      message: `${counted(count, "episode")} of ${title} ${count === 1 ? "has" : "have"} no verdict; triggers count, answers do not.`,
      next: "Judge the run with `hasp judge`.",
      file: folder,
      range: START_OF_FILE,
    },
  ];
}

/** The name of a judge whose verdicts all runs have. */
async function judgeOfAll(
  wanted: string | undefined,
  runs: readonly OpenedRunFolder[],
  services: InternalisedServices,
): Promise<string | undefined> {
  const [first, ...others] = runs;
  if (wanted === undefined || first === undefined) return undefined;
  let name = wanted;
  for (const other of others) name = need(await judgeOfBoth(wanted, [first, other], services));
  return name;
}

function refuseTwice(runs: readonly (readonly [InternalisedRun, OpenedRunFolder])[]): void {
  const seen = new Map<string, InternalisedRun>();
  for (const [name, { folder }] of runs) {
    const before = seen.get(folder);
    if (before !== undefined)
      refuse(
        "HASP743",
        `${folder} is named twice: as the run ${INTERNALISED_RUN_WORDS[before]} and ${INTERNALISED_RUN_WORDS[name]}.`,
        "Name a run of its own for each.",
        folder,
      );
    seen.set(folder, name);
  }
}

/**
 * How far training has taken the place of each skill, from runs before and after it. Refuses runs that do not compare: other questions
 * (HASP740), libraries (HASP741), settings (HASP742), a run in the wrong place (HASP743) or without episodes (HASP744). Calls no model.
 * Rejects on I/O errors and on abort.
 */
export function internalisedSkills(
  { runs, by }: InternalisedOrder,
  services: InternalisedServices,
): Promise<Checked<InternalisedReport>> {
  return checked(async (found) => {
    const given = INTERNALISED_RUNS.flatMap((name) => {
      const run = runs[name];
      return run === undefined ? [] : [[name, run] as const];
    });
    refuseTwice(given);
    const judge = await judgeOfAll(
      by,
      given.map(([, run]) => run),
      services,
    );
    const read: ReadRun[] = [];
    for (const [name, run] of given) read.push(await readRun(name, run, judge, services, found));
    for (const one of read) refuseOtherRole(one);
    for (const [i, one] of read.entries())
      for (const other of read.slice(i + 1)) {
        refuseOtherConditions(one, other);
        refuseOtherQuestions(one, other);
      }
    found.push(...read.flatMap(unjudged));
    const of = (name: InternalisedRun): ReadRun | undefined => read.find((one) => one.name === name);
    const [beforeOn, afterOn] = [of("beforeOn"), of("afterOn")];
    return internalisedReport({
      episodes: {
        beforeOn: beforeOn?.episodes ?? [],
        afterOn: afterOn?.episodes ?? [],
        ...Object.fromEntries(read.map(({ name, episodes }) => [name, episodes])),
      },
      titles: Object.fromEntries(read.map(({ name, title }) => [name, title])),
      library: (beforeOn?.library ?? []).map((one) => one.split(" ", 1)[0] ?? one),
    });
  });
}
