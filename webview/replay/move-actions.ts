import { comparison, filterEpisodes, neighbour, type ListedEpisode } from "./filter.ts";
import { firstBadStep } from "./first-bad-step.ts";
import { travel } from "./history.ts";
import { stepOfHit } from "./search-view.ts";
import { headAt, lookAt, select, type Context } from "./showing.ts";
import { factsOf, valueOf } from "./state.ts";
import { interventionSteps } from "./timeline-model.ts";

/** Moves to another episode or step. */
export interface MoveActions {
  /** Opens an episode at the step that holds the text of the filter, else at its beginning. */
  openFound(index: number): void;
  /** Along the places that were jumped from. */
  travel(direction: "back" | "forward"): void;
  select(index: number, t: number): void;
  goToStep(t: number): void;
  /** The transcript was scrolled to a step; false where the step shown stays. */
  lookAt(t: number): boolean;
  moveEpisode(by: number): void;
  /** To the next (1) or previous (-1) step where a PF intervened. */
  moveIntervention(direction: 1 | -1): void;
  /** To where the episode shown first went wrong, as far as labels, patterns and its outcome tell. */
  goToFirstBadStep(): void;
  /** To a step that is named in a text. */
  jumpToStep(t: number): void;
}

/** Within the episodes that run, which stand above the others. True where that was the move. */
function moveLive({ store, live }: Context, by: number, first: boolean): boolean {
  const { heads, shown } = store.get().live;
  const at = heads.findIndex(({ id }) => id === shown?.id);
  const from = shown === undefined ? (first ? heads.length : undefined) : at;
  const next = from === undefined ? undefined : heads[Math.max(from + by, 0)];
  if (next !== undefined) live.openLive(next.id);
  return next !== undefined;
}

function openFound(context: Context, index: number): void {
  const state = context.store.get();
  const head = headAt(state, index);
  if (head !== undefined) select(context, index, stepOfHit(state.search.hits.get(index), head));
}

function moveEpisode(context: Context, by: number): void {
  const state = context.store.get();
  const { filter, index } = state;
  const facts = factsOf(state);
  const listed = filterEpisodes(valueOf(state.run)?.episodes ?? [], filter, facts);
  const isFirst = by < 0 && (listed[0] === undefined || listed[0].index === index);
  if (moveLive(context, by, isFirst)) return;
  if (state.live.shown !== undefined && listed[0] !== undefined) return openFound(context, listed[0].index);
  const head = headAt(state, index);
  const compare = comparison(filter.sort, facts);
  const isBefore = (episode: ListedEpisode): boolean =>
    head !== undefined && index !== undefined && compare(episode, { head, index }) < 0;
  const next = neighbour(listed, index, by, isBefore);
  if (next !== undefined && next !== index) openFound(context, next);
}

/** Selects the step of the episode shown that is nearest to `t`; does nothing without a `t`. */
export function goToStep(context: Context, t: number | undefined): void {
  const { index, live, episode } = context.store.get();
  const last = (valueOf(episode)?.steps.length ?? 1) - 1;
  if (t !== undefined && live.shown !== undefined)
    context.store.update({ t: Math.min(Math.max(t, 0), Math.max(last, 0)), told: undefined });
  if (t !== undefined && t < last) context.live.unfollow();
  if (index !== undefined && t !== undefined) select(context, index, t);
}

function travelTo(context: Context, direction: "back" | "forward"): void {
  const { index, t, history } = context.store.get();
  const went = index === undefined ? undefined : travel(history, { index, t }, direction);
  if (went === undefined) return;
  select(context, went.to.index, went.to.t);
  context.store.update({ history: went.history });
}

function moveIntervention(context: Context, direction: 1 | -1): void {
  const { t } = context.store.get();
  const steps = interventionSteps(context.store.get());
  goToStep(context, direction > 0 ? steps.find((step) => step > t) : steps.findLast((step) => step < t));
}

export function createMoveActions(context: Context, pause: () => void): MoveActions {
  const { store, live } = context;
  const byHand = (move: () => void): void => (live.unfollow(), move());
  const jumpToStep = (t: number): void => {
    const { index, t: from, history } = store.get();
    if (t === from) return;
    if (index === undefined) return goToStep(context, t);
    pause();
    goToStep(context, t);
    store.update({ history: { back: [...history.back, { index, t: from }], forward: [] } });
  };
  return {
    openFound: (index) => byHand(() => openFound(context, index)),
    travel: (direction) => byHand(() => travelTo(context, direction)),
    select: (index, t) => byHand(() => select(context, index, t)),
    goToStep: (t) => (pause(), goToStep(context, t)),
    lookAt: (t) => lookAt(context, t),
    moveEpisode: (by) => byHand(() => moveEpisode(context, by)),
    moveIntervention: (direction) => moveIntervention(context, direction),
    goToFirstBadStep: () => {
      const bad = firstBadStep(store.get(), store.get().index);
      if (bad !== undefined) return jumpToStep(bad.t);
      store.update({ told: "Nothing in this episode points to a failure." });
    },
    jumpToStep,
  };
}
