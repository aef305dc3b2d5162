import { READ, SEARCH } from "../../model/action-types.ts";
import { jaccard, wordsOf } from "../../model/words.ts";
import { actsBeforeAnswer, shown, times, type Detector, type SeenStep } from "./episode-view.ts";

/** SPEC §7 B: an answer in fewer steps than this is early. */
const EARLY_STEPS = 3;
/** SPEC §7 B: searches whose words overlap by more than this share are the same search. */
const SAME_SEARCH = 0.8;
/** How far back a search is compared, so that an episode of thousands stays cheap. */
const LOOK_BACK = 50;
/** Steps in a row that brought nothing new. */
const NO_PROGRESS_STEPS = 3;

/** The detectors that need neither gold nor outcome: the filters of the replay and the analysis of failures share them. */
export const STEP_DETECTORS = {
  premature_final: (view) => {
    const { final, facts, steps } = view;
    const isShort = final !== undefined && steps.length < EARLY_STEPS;
    if (!isShort || facts.maxSteps < EARLY_STEPS || !actsBeforeAnswer(view)) return undefined;
    return { steps: [final], reason: `answered in step ${final + 1}` };
  },
  no_read_before_final: ({ final, facts, steps }) => {
    const canRead = facts.actionTypes.includes(READ) && !facts.searchReturnsText;
    if (final === undefined || !canRead || facts.readBecomesSearch === true) return undefined;
    const hasRead = steps.slice(0, final).some(({ step, brought }) => step.executed.type === READ && brought);
    return hasRead ? undefined : { steps: [final], reason: "nothing was read before the answer" };
  },
  format_mismatch: ({ final, domain, episode }) => {
    const words = wordsOf(episode.answer ?? "").length;
    const { longestAnswer: most = Infinity } = domain;
    if (final === undefined || words <= most) return undefined;
    return { steps: [final], reason: `an answer of ${words} words` };
  },
  repeated_search: ({ steps }) => {
    const searches = steps.filter(({ step }) => step.executed.type === SEARCH);
    const again = searches.filter((one, i) =>
      searches
        .slice(Math.max(0, i - LOOK_BACK), i)
        .some((before) => jaccard(before.words, one.words) > SAME_SEARCH),
    );
    return shown(again, (n) => `${times(n)} searched for what had been searched for`);
  },
  excessive_steps_no_progress: ({ steps, finalAction }) => {
    const stuck = longestRun(steps, (one) => one.step.executed.type !== finalAction && !one.isNew);
    if (stuck.length < NO_PROGRESS_STEPS) return undefined;
    return shown(stuck, (n) => `${n} steps in a row brought nothing new`);
  },
} as const satisfies Readonly<Record<string, Detector>>;

function longestRun(steps: readonly SeenStep[], belongs: (step: SeenStep) => boolean): readonly SeenStep[] {
  let [best, from, length] = [0, 0, 0];
  steps.forEach((step, i) => {
    length = belongs(step) ? length + 1 : 0;
    if (length > best) [best, from] = [length, i - length + 1];
  });
  return steps.slice(from, from + best);
}
