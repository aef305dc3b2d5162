import { sameAction, type Action } from "../../model/action.ts";
import { finalActionOf, SEARCH } from "../../model/action-types.ts";
import type { Episode, Step } from "../../model/episode.ts";
import type { PfEvent } from "../../model/intervention.ts";
import type { WorthKind } from "../../model/worth.ts";
import type { RecordedJudgement } from "../judge.ts";

/** A changed action of an episode, by today's library. */
export interface Change {
  /** 0-based. */
  readonly t: number;
  /** Those whose Program Functions made it. */
  readonly skillIds: readonly string[];
  readonly kind: WorthKind;
  /** As the policy proposed it. */
  readonly before: Action;
  /** The action that runs instead; undefined where the answer is held back and the policy proposes again. */
  readonly after: Action | undefined;
  /** The record was made with this change: its observation is that of `after`. */
  readonly isRecorded: boolean;
}

type Wants = "MODIFY_ACTION" | "INJECT_CONTEXT";

const appliedOn = (events: readonly PfEvent[], proposal: number, wants: Wants): readonly string[] =>
  events.flatMap((event) =>
    event.proposal === proposal &&
    event.pass !== "post" &&
    event.status === "applied" &&
    event.intervention?.type === wants
      ? [event.skillId]
      : [],
  );

interface Proposed {
  readonly step: Step;
  readonly judged: RecordedJudgement;
  readonly proposal: number;
  readonly finalAction: string;
}

/** Whether the skills that change the answer leave it an answer. */
function staysFinal({ judged, proposal, finalAction }: Proposed): boolean {
  return judged.events.every(
    ({ intervention, status, proposal: at }) =>
      at !== proposal ||
      status !== "applied" ||
      intervention?.type !== "MODIFY_ACTION" ||
      (intervention.newActionType ?? finalAction) === finalAction,
  );
}

/** The change of one proposal; undefined where it runs as it was proposed. */
function changeOf(one: Proposed): Change | undefined {
  const { step, judged, proposal, finalAction } = one;
  const before = step.proposals[proposal]?.action;
  if (before === undefined) return undefined;
  const modify = appliedOn(judged.events, proposal, "MODIFY_ACTION");
  const inject = appliedOn(judged.events, proposal, "INJECT_CONTEXT");
  const isFinal = before.type === finalAction;
  const isLast = proposal === step.proposals.length - 1;
  if (isFinal && inject.length > 0 && proposal === 0 && staysFinal(one)) {
    const skillIds = [...modify, ...inject];
    return { t: judged.t, skillIds, kind: "answer", before, after: undefined, isRecorded: !isLast };
  }
  const after = judged.executed;
  if (modify.length === 0 || sameAction(before, after)) return undefined;
  const kind = isFinal ? "answer" : before.type === SEARCH ? "search" : "other";
  const isRecorded = isLast && sameAction(step.executed, after);
  return { t: judged.t, skillIds: modify, kind, before, after, isRecorded };
}

/** A search in the place of a search: the episode may go on as recorded, if both bring the same. */
const isSearchForSearch = ({ kind, after }: Change): boolean => kind === "search" && after?.type === SEARCH;

/**
 * The changes of an episode, in order, up to the first behind which the record says nothing of what would have come. Only changes of a search
 * into another search stand before that one: whether they matter is for the measure to say.
 */
export function changesOf(episode: Episode, judgements: readonly RecordedJudgement[]): readonly Change[] {
  const finalAction = finalActionOf(episode.facts);
  const changes: Change[] = [];
  for (const judged of judgements) {
    const step = episode.steps[judged.t];
    if (step === undefined) return changes;
    const change = [...step.proposals.keys()]
      .map((proposal) => changeOf({ step, judged, proposal, finalAction }))
      .find((one) => one !== undefined);
    if (change !== undefined) changes.push(change);
    const goesOn =
      change === undefined ? sameAction(judged.executed, step.executed) : isSearchForSearch(change);
    if (!goesOn) return changes;
  }
  return changes;
}

/** Ids of the skills that added a context to another action than the final one, once per step, before the episode had diverged. */
export function contextsIn(episode: Episode, judgements: readonly RecordedJudgement[]): readonly string[] {
  const finalAction = finalActionOf(episode.facts);
  return judgements.flatMap(({ t, events, diverged }) => {
    const step = episode.steps[t];
    const added = events.flatMap(({ skillId, proposal, status, intervention }) =>
      status === "applied" &&
      intervention?.type === "INJECT_CONTEXT" &&
      step?.proposals[proposal]?.action.type !== finalAction
        ? [skillId]
        : [],
    );
    return diverged ? [] : [...new Set(added)];
  });
}
