import { READ, SEARCH } from "../../model/action-types.ts";
import type { DomainFacts, Episode } from "../../model/episode.ts";
import { contentWords } from "../../model/content-words.ts";
import { wordsOf } from "../../model/words.ts";
import { normaliseAnswer } from "../../scoring/exact-match.ts";
import type { Detector, EpisodeView, Shown } from "./episode-view.ts";

/** SPEC §7 B: an answer that shares less than this with every accepted one is about something else. */
const SAME_ENTITY = 0.3;
/** SPEC §7 B: an answer of which less than this was read is made up. */
const GROUNDED = 0.3;

const CLOSED_ANSWERS: ReadonlySet<string> = new Set(["yes", "no"]);

interface GoldOverlap {
  /** |answer ∩ gold| / |gold| over distinct words after normalisation; of several accepted answers the greatest. */
  readonly share: number;
  /** The accepted answer that it belongs to. */
  readonly gold: string;
}

const normalWords = (text: string): ReadonlySet<string> =>
  new Set(
    normaliseAnswer(text)
      .split(" ")
      .filter((word) => word !== ""),
  );

/** Undefined without an answer, and without an accepted answer that has words. */
function goldOverlap({ answer, gold = [] }: Pick<Episode, "answer" | "gold">): GoldOverlap | undefined {
  if (answer === undefined) return undefined;
  const given = normalWords(answer);
  const overlaps = gold.flatMap((accepted): GoldOverlap[] => {
    const wanted = normalWords(accepted);
    const shared = [...wanted].filter((word) => given.has(word)).length;
    return wanted.size === 0 ? [] : [{ share: shared / wanted.size, gold: accepted }];
  });
  const [first, ...others] = overlaps;
  return first && others.reduce((best, one) => (one.share > best.share ? one : best), first);
}

/** At the FINAL; without one, as in some imports, about the whole episode. */
const atAnswer = ({ final }: EpisodeView, reason: string): Shown => ({
  steps: final === undefined ? [] : [final],
  reason,
});

const percent = (share: number): string => `${Math.round(100 * share)}%`;

export const wrongEntityFocus: Detector = (view) => {
  const overlap = goldOverlap(view.episode);
  if (overlap === undefined || overlap.share >= SAME_ENTITY) return undefined;
  return atAnswer(
    view,
    `the answer has ${percent(overlap.share)} of the words of ${JSON.stringify(overlap.gold)}`,
  );
};

/** The range begins at that of `wrongEntityFocus`, so that an answer is never both. */
export const partialAnswer: Detector = (view) => {
  const overlap = goldOverlap(view.episode);
  if (overlap === undefined || overlap.share < SAME_ENTITY || overlap.share >= 1) return undefined;
  const part = percent(overlap.share);
  return atAnswer(view, `the answer has only ${part} of the words of ${JSON.stringify(overlap.gold)}`);
};

function canRead({ actionTypes, searchReturnsText }: DomainFacts): boolean {
  return actionTypes.includes(READ) || (searchReturnsText && actionTypes.includes(SEARCH));
}

export const reasoningHallucination: Detector = (view) => {
  const { episode, facts } = view;
  const { answer = "", question } = episode;
  if (!canRead(facts) || CLOSED_ANSWERS.has(normaliseAnswer(answer))) return undefined;
  const asked = new Set(wordsOf(question));
  const own = [...contentWords(answer)].filter((word) => !asked.has(word));
  const context = own.length === 0 ? undefined : view.finalContext();
  if (context === undefined) return undefined;
  const read = new Set(context.allReadContents.flatMap(wordsOf));
  const grounded = own.filter((word) => read.has(word)).length;
  if (grounded / own.length >= GROUNDED) return undefined;
  const words = own.length === 1 ? "1 content word" : `${own.length} content words`;
  return atAnswer(view, `of ${words} of the answer, ${grounded} ${grounded === 1 ? "was" : "were"} read`);
};

export const contradictoryEvidenceIgnored: Detector = (view) => {
  const { final, steps } = view;
  const search = steps.slice(0, final).findLast(({ step }) => step.executed.type === SEARCH);
  if (final === undefined || search === undefined) return undefined;
  // A context tells of its latest search alone, so any search after the contradiction ends it.
  if (view.finalContext()?.contradictorySources !== true) return undefined;
  return {
    steps: [search.t, final],
    reason: "the latest results contradicted one another, and the answer came without another search",
  };
};
