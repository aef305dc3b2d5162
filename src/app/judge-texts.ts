import { finalActionOf } from "../model/action-types.ts";
import type { Episode, Proposal } from "../model/episode.ts";
import type { Verdict } from "../model/verdict.ts";
import { outcomeOf, verdictIn, whyNoVerdict, type Judgement } from "../scoring/judge.ts";

/** Which verdicts are wanted, and of which judge. */
export interface WantedVerdicts {
  readonly judge: string;
  /** Also on proposed answers, whether they were taken or held back. */
  readonly drafts: boolean;
  /** Also on what has a verdict of this judge. */
  readonly again: boolean;
}

/** The answer, and every proposed answer, of one episode that want a verdict. */
export interface EpisodeTexts {
  readonly answer: string | undefined;
  /** One for each proposal; several may have one text. */
  readonly drafts: readonly string[];
  /** Verdicts that the judge has given on texts of the episode: nobody is asked about these again. */
  readonly known: ReadonlyMap<string, Verdict>;
  /** Answers and proposed answers that have a verdict of this judge already. */
  readonly had: { readonly answer: boolean; readonly drafts: number };
}

const latestOf = (verdicts: readonly Verdict[] = [], judge: string): Verdict | undefined =>
  verdicts.findLast((one) => one.judge === judge);

/** The proposals of an episode that are answers, in order. */
function answersIn({ steps, facts }: Pick<Episode, "steps" | "facts">): readonly Proposal[] {
  const finalAction = finalActionOf(facts);
  return steps.flatMap(({ proposals }) => proposals.filter(({ action }) => action.type === finalAction));
}

const wants = (verdicts: readonly Verdict[] | undefined, { judge, again }: WantedVerdicts): boolean =>
  again || latestOf(verdicts, judge) === undefined;

/** The texts of an episode on which verdicts of a judge are wanted. */
export function textsToJudge(episode: Episode, wanted: WantedVerdicts): EpisodeTexts {
  const { answer, verdicts } = episode;
  const proposed = wanted.drafts ? answersIn(episode) : [];
  const drafts = proposed.filter((one) => wants(one.verdicts, wanted));
  const isWanted = answer !== undefined && wants(verdicts, wanted);
  const known = new Map<string, Verdict>();
  const learn = (text: string | undefined, list: readonly Verdict[] | undefined): void => {
    const verdict = latestOf(list, wanted.judge);
    if (text !== undefined && verdict !== undefined) known.set(text, verdict);
  };
  if (!wanted.again) {
    for (const { action, verdicts: ofDraft } of answersIn(episode)) learn(action.arg, ofDraft);
    learn(answer, verdicts);
  }
  return {
    answer: isWanted ? answer : undefined,
    drafts: drafts.map(({ action }) => action.arg),
    known,
    had: { answer: answer !== undefined && !isWanted, drafts: proposed.length - drafts.length },
  };
}

/**
 * The episode with one verdict more on each text that wants one and got one. What was said first stays first; an outcome that nothing was
 * known of follows from it. An answer that never got one has the reason.
 */
export function withVerdicts(
  episode: Episode,
  wanted: WantedVerdicts,
  given: ReadonlyMap<string, Judgement>,
): Episode {
  const finalAction = finalActionOf(episode.facts);
  const draft = (proposal: Proposal): Proposal => {
    const { action, verdicts = [] } = proposal;
    const verdict = verdictIn(given.get(action.arg));
    const isWanted = wanted.drafts && action.type === finalAction && wants(verdicts, wanted);
    return isWanted && verdict !== undefined ? { ...proposal, verdicts: [...verdicts, verdict] } : proposal;
  };
  const steps = episode.steps.map((step) => ({ ...step, proposals: step.proposals.map(draft) }));
  const { answer, outcome, verdicts = [], noVerdict, ...rest } = episode;
  const judgement = answer === undefined ? undefined : given.get(answer);
  const verdict = verdictIn(judgement);
  const why = verdicts.length > 0 ? noVerdict : (whyNoVerdict(judgement) ?? noVerdict);
  if (verdict === undefined || !wants(verdicts, wanted))
    return { ...episode, ...(why !== undefined && { noVerdict: why }), steps };
  return {
    ...rest,
    answer,
    outcome: outcome === "unjudged" ? outcomeOf(answer, verdict) : outcome,
    verdicts: [...verdicts, verdict],
    steps,
  };
}
