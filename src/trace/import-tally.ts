import type { Episode } from "../model/episode.ts";
import { hashText } from "./hash.ts";
import { repeatedId, repeatedSteps } from "./import-findings.ts";
import type { DiagnosticLog } from "./line-diagnostics.ts";

/** A place that is taken: the first episode that has it, and the file that it is of. */
interface Taken {
  readonly id: string;
  readonly file: string;
}

/** What an import remembers of the episodes of all its files. */
export interface Tally {
  /** By id, the file that used it first, and how often it was used. */
  readonly ids: Map<string, { readonly file: string; times: number; readonly copies: Taken[] }>;
  /** By question, the numbers that are taken, each with one from which on a free number is looked for. */
  readonly samples: Map<string, Map<number, number>>;
  /** What the judge needs of the questions besides gold, by question. */
  readonly materials: Map<string, string>;
  /** By the hash of their first steps. */
  readonly beginnings: Map<string, Taken>;
  domain: string | undefined;
}

export const emptyTally = (): Tally => ({
  ids: new Map(),
  samples: new Map(),
  materials: new Map(),
  beginnings: new Map(),
  domain: undefined,
});

/** A file whose episodes get their places in the run. */
export interface PlacedFile {
  readonly file: string;
  readonly log: DiagnosticLog;
  /** New ids by those that the file gives, where another file used these before. */
  readonly renamed: Map<string, string>;
  /** Its episodes are sessions, and no trials of questions that may well begin alike. */
  readonly hasSessions: boolean;
}

/** The episode with an id, a question's id and a sample's number that no other episode of the run has. */
export function withPlace(episode: Episode, at: PlacedFile, tally: Tally): Episode {
  const given = withoutBlanks(episode);
  const own = named(given, at, tally);
  if (own.id === given.id && at.hasSessions) noteBeginning(own, at, tally);
  return numbered(own, tally);
}

/** Blanks around an id are slips of whatever wrote it, and would make two of one. */
function withoutBlanks(episode: Episode): Episode {
  const questionId = episode.questionId.trim() || `q-${hashText(episode.question)}`;
  return { ...episode, id: episode.id.trim() || questionId, questionId };
}

/** The episode with an id that no other episode of the run has. */
function named(episode: Episode, at: PlacedFile, { ids }: Tally): Episode {
  let { id } = episode;
  for (let used = ids.get(id); used !== undefined; used = ids.get(id)) {
    const renamed = `${id}~${++used.times}`;
    const [taken, before] = [id, used.file];
    at.log.add(() => repeatedId(at.file, taken, renamed, before));
    if (id === episode.id && before !== at.file && !at.renamed.has(id)) {
      at.renamed.set(id, renamed);
      if (used.copies.length < COPIES_KEPT) used.copies.push({ id: renamed, file: at.file });
    }
    id = renamed;
  }
  ids.set(id, { file: at.file, times: 1, copies: [] });
  return id === episode.id ? episode : { ...episode, id };
}

/** Copies of an episode in other files that are told apart. */
const COPIES_KEPT = 100;

/** The place of an episode that another file gives this id: of a session and its copies, that whose file is next to `file`. */
export function placeOf(id: string, file: string, { ids }: Tally): string {
  const first = ids.get(id);
  if (first === undefined) return id;
  const shared = (other: string): number => {
    let length = 0;
    while (length < file.length && file[length] === other[length]) length++;
    return length;
  };
  let next: Taken = { id, file: first.file };
  for (const copy of first.copies) if (shared(copy.file) > shared(next.file)) next = copy;
  return next.id;
}

/** Steps that two sessions do not have in common by chance: their words, actions and results are the same. */
const SAME_STEPS = 3;
const COMPARED_CHARS = 1_000;

function noteBeginning({ id, question, steps }: Episode, { file, log }: PlacedFile, tally: Tally): void {
  if (steps.length < SAME_STEPS) return;
  const texts = steps
    .slice(0, SAME_STEPS)
    .flatMap(({ proposals, executed: { type, arg }, observation }) => [
      proposals[0]?.thought ?? "",
      type,
      arg,
      observation,
    ]);
  const hash = hashText(JSON.stringify([question, ...texts].map((text) => text.slice(0, COMPARED_CHARS))));
  const before = tally.beginnings.get(hash);
  if (before === undefined) tally.beginnings.set(hash, { id, file });
  else if (before.file !== file) log.add(() => repeatedSteps(file, id, before));
}

/** The episode as a sample that its question has once: tries that their file does not number are counted. */
function numbered(episode: Episode, { samples }: Tally): Episode {
  const taken = samples.get(episode.questionId) ?? new Map<number, number>();
  samples.set(episode.questionId, taken);
  let { sample } = episode;
  for (let next = taken.get(sample); next !== undefined; next = taken.get(sample)) sample = next;
  taken.set(episode.sample, sample + 1);
  taken.set(sample, sample + 1);
  return sample === episode.sample ? episode : { ...episode, sample };
}
