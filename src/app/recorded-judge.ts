import type { Checked } from "../model/diagnostic.ts";
import { readEpisodes } from "../trace/episode-file.ts";
import type { TraceFiles } from "../trace/ports.ts";
import type { OpenedRunFolder } from "../trace/run-folder.ts";
import { plainJudge } from "./judge-run.ts";
import { checked, refuse } from "./refusal.ts";

/** Names that a message lists, and characters that it shows of one name. */
const [MOST_NAMES, MOST_SHOWN] = [10, 200];

/** The judges whose verdicts the episodes of a run have, by name. Rejects on I/O errors and on abort. */
async function judgesOf(
  files: TraceFiles,
  { index }: OpenedRunFolder,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for await (const { value } of readEpisodes(files, index)) {
    signal.throwIfAborted();
    for (const { judge } of value?.verdicts ?? []) names.add(judge);
  }
  return names;
}

interface JudgeServices {
  readonly files: TraceFiles;
  readonly signal: AbortSignal;
}

const listed = (names: Iterable<string>): string =>
  [...names]
    .toSorted()
    .slice(0, MOST_NAMES)
    .map((name) => name.slice(0, MOST_SHOWN))
    .join(", ");
const shown = (wanted: string): string => JSON.stringify(wanted.slice(0, MOST_SHOWN));

function refuseUnknown(
  wanted: string,
  names: ReadonlySet<string>,
  { title, folder }: OpenedRunFolder,
): never {
  const there = names.size === 0 ? "" : `It has those of ${listed(names)}. `;
  const next = `${there}\`hasp judge <run> --judge <spec>\` adds those of another judge.`;
  return refuse("HASP597", `The run ${title} has no verdict of ${shown(wanted)}.`, next, folder);
}

/**
 * The name of the judge that a person means, among those whose verdicts a run has: as verdicts name it, as `hasp judge` takes it
 * (`f1:0.8`), or a part of its name that no other has. Refuses a name of none or of several (HASP597). Rejects on I/O errors and on abort.
 */
export async function recordedJudge(
  wanted: string,
  run: OpenedRunFolder,
  { files, signal }: JudgeServices,
): Promise<string> {
  const names = await judgesOf(files, run, signal);
  const exact = [wanted, plainJudge(wanted)?.value?.name].find(
    (name) => name !== undefined && names.has(name),
  );
  if (exact !== undefined) return exact;
  const [only, ...more] = wanted === "" ? [] : [...names].filter((name) => name.includes(wanted));
  if (only === undefined) return refuseUnknown(wanted, names, run);
  if (more.length === 0) return only;
  const message = `${shown(wanted)} may be ${listed([only, ...more])}.`;
  return refuse("HASP597", message, "Name more of the one that is meant.", run.folder);
}

/**
 * The name of a judge whose verdicts both runs have, as a person names it among those of the first; HASP597 where either has none.
 * Rejects on I/O errors and on abort.
 */
export async function judgeOfBoth(
  wanted: string,
  [a, b]: readonly [OpenedRunFolder, OpenedRunFolder],
  services: JudgeServices,
): Promise<Checked<string>> {
  return checked(async () => {
    const name = await recordedJudge(wanted, a, services);
    const others = await judgesOf(services.files, b, services.signal);
    return others.has(name) ? name : refuseUnknown(name, others, b);
  });
}
