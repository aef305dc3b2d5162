import { readFileSync } from "node:fs";

/**
 * Counts of failures in the real trajectory files, worked out from their raw lines by code that shares nothing with `src/`: another way to
 * cut words, lists instead of sets, and no episode model.
 */
interface RawStep {
  readonly action: string | null;
  readonly arg: string | null;
  readonly observation: string | null;
}

interface RawEpisode {
  readonly status: "correct" | "incorrect" | "halted";
  readonly question: string;
  readonly gold: string;
  readonly steps: readonly RawStep[];
}

export const COUNTED = [
  "premature_final",
  "repeated_search",
  "wrong_entity_focus",
  "partial_answer",
  "reasoning_hallucination",
] as const;
export type Counted = (typeof COUNTED)[number];
type ByOutcome = Record<"wrong" | "halted" | "correct", number>;

const OUTCOME = { correct: "correct", incorrect: "wrong", halted: "halted" } as const;

const is = ({ action }: RawStep, name: string): boolean => (action ?? "").toLowerCase() === name;
const unique = (all: readonly string[]): string[] => all.filter((one, i) => all.indexOf(one) === i);
const shared = (a: readonly string[], b: readonly string[]): number =>
  a.filter((one) => b.includes(one)).length;

/** Everything that is no letter, mark-free digit or number becomes a blank. */
const cut = (text: string): string[] =>
  unique(
    Array.from(text.toLowerCase(), (char) => (/\p{L}|\p{N}/u.test(char) ? char : " "))
      .join("")
      .split(" ")
      .filter((word) => word.length > 0),
  );

/** As HotpotQA's evaluation does: lower case, no ASCII punctuation, no article. */
const normal = (text: string): string[] =>
  unique(
    Array.from(text.toLowerCase())
      .filter((char) => !"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~".includes(char))
      .join("")
      .split(/\s/)
      .filter((word) => word !== "" && !["a", "an", "the"].includes(word)),
  );

function isPremature({ steps }: RawEpisode): boolean {
  return steps.length <= 2 && steps.some((step) => is(step, "finish"));
}

function repeatsSearch({ steps }: RawEpisode): boolean {
  const queries = steps.filter((step) => is(step, "search")).map(({ arg }) => cut(arg ?? ""));
  return queries.some((query, i) =>
    queries.slice(0, i).some((before) => {
      const both = shared(query, before);
      return both > 0 && 5 * both > 4 * (query.length + before.length - both);
    }),
  );
}

/** The answer as it was given: the file's own `pred` of FireAct has lost its punctuation. */
const answerOf = ({ steps, status }: RawEpisode): string | undefined =>
  status === "halted" ? undefined : (steps.findLast((step) => is(step, "finish"))?.arg ?? undefined);

/** Words of the accepted answer that the answer has, and all; undefined without an answer. */
function overlap(episode: RawEpisode): { have: number; all: number } | undefined {
  const answer = answerOf(episode);
  if (answer === undefined) return undefined;
  const wanted = normal(episode.gold);
  return { have: shared(wanted, normal(answer)), all: wanted.length };
}

const FUNCTION_WORDS =
  "a an and are as at be been but by can did do does for from had has have he her his how if in into is it its of on or she than that " +
  "the their them then there these they this those to was were what when where which who whom whose why will with would";

function isMadeUp(episode: RawEpisode): boolean {
  const { question, steps } = episode;
  const answer = answerOf(episode);
  const last = steps.findLastIndex((step) => is(step, "finish"));
  if (answer === undefined || ["yes", "no"].includes(normal(answer).join(" "))) return false;
  const left = [...FUNCTION_WORDS.split(" "), ...cut(question)];
  const own = cut(answer).filter((word) => !left.includes(word));
  const texts = steps
    .slice(0, last)
    .filter((step) => is(step, "search") || is(step, "lookup"))
    .map(({ observation }) => observation ?? "")
    .filter(
      (text) => !/^\s*(could not find|no results?\b|there are no search results|none$|\[\s*\]$)/i.test(text),
    );
  return own.length > 0 && 10 * shared(own, cut(texts.join(" "))) < 3 * own.length;
}

const SHOWS: Readonly<Record<Counted, (episode: RawEpisode) => boolean>> = {
  premature_final: isPremature,
  repeated_search: repeatsSearch,
  wrong_entity_focus(episode) {
    const found = overlap(episode);
    return found !== undefined && 10 * found.have < 3 * found.all;
  },
  partial_answer(episode) {
    const found = overlap(episode);
    return found !== undefined && 10 * found.have >= 3 * found.all && found.have < found.all;
  },
  reasoning_hallucination: isMadeUp,
};

/** The counts of one raw file. */
export function countFailures(file: string): Record<Counted, ByOutcome> {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const episodes = lines.map((line) => JSON.parse(line) as RawEpisode);
  const count = (name: Counted): ByOutcome => {
    const by: ByOutcome = { wrong: 0, halted: 0, correct: 0 };
    for (const episode of episodes) if (SHOWS[name](episode)) by[OUTCOME[episode.status]] += 1;
    return by;
  };
  return Object.fromEntries(COUNTED.map((name) => [name, count(name)])) as Record<Counted, ByOutcome>;
}
