import type { Action } from "../../src/model/action.ts";
import type { Episode, Step } from "../../src/model/episode.ts";
import type { FindQuery, Hit } from "./find-query.ts";
import { lastAnswer } from "./last-answer.ts";
import { valueOf, type ReplayState } from "./state.ts";
import { answersAreCode } from "./answer-code.ts";
import { isModified } from "./timeline-model.ts";

/** More hits nobody walks through. */
export const MOST_HITS = 10_000;

/** Undefined where nothing is looked for. */
export function findPattern({ text, matchCase }: FindQuery): RegExp | undefined {
  if (text === "") return undefined;
  return new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), matchCase ? "gu" : "giu");
}

/** As both modes show it: the type, the argument, and below them what no action could be read in. */
function actionText({ type, arg, raw }: Action): string {
  return raw === undefined || raw === arg ? `${type} ${arg}` : `${type} ${arg}\n${raw}`;
}

/** Texts of a step in the order in which they stand, by the `data-field` that shows them. */
function* fieldsOf(step: Step): Generator<readonly [field: string, text: string]> {
  for (const [i, text] of (step.prompts ?? []).entries()) yield [`prompt-${i}`, text];
  for (const [i, { text }] of (step.instructions ?? []).entries()) yield [`reminder-${i}`, text];
  for (const [i, { thought, action }] of step.proposals.entries()) {
    yield [`thought-${i}`, thought];
    yield [`action-${i}`, actionText(action)];
  }
  if (isModified(step)) yield ["executed", actionText(step.executed)];
  for (const [i, { text }] of step.injected.entries()) yield [`injected-${i}`, text];
  yield ["observation", step.observation];
}

function* textsOf(
  episode: Episode,
  code: boolean,
): Generator<readonly [t: number | undefined, field: string, text: string]> {
  yield [undefined, "question", episode.question];
  // Of a program, one line stands there: its proposal has the whole.
  if (!code) yield [undefined, "answer", episode.answer ?? ""];
  for (const [t, step] of episode.steps.entries())
    for (const [field, text] of fieldsOf(step)) yield [t, field, text];
}

/** All hits in the order of the episode, at most `MOST_HITS`; `code`: its answer is a program. */
export function findInEpisode(episode: Episode, query: FindQuery, code = false): readonly Hit[] {
  const pattern = findPattern(query);
  const hits: Hit[] = [];
  if (pattern === undefined) return hits;
  for (const [t, field, text] of textsOf(episode, code)) {
    let nth = 0;
    for (const match of text.matchAll(pattern)) {
      hits.push({ t, field, nth: nth++, end: match.index + match[0].length });
      if (hits.length === MOST_HITS) return hits;
    }
  }
  return hits;
}

const NO_HITS: readonly Hit[] = [];

const hitsIn = lastAnswer((episode: Episode, text: string, matchCase: boolean, code: boolean) =>
  findInEpisode(episode, { text, matchCase }, code),
);

/** Of the episode shown; searched once for each query. */
export function hitsOf(state: Pick<ReplayState, "run" | "episode" | "find">): readonly Hit[] {
  const { episode, find } = state;
  const shown = valueOf(episode);
  return shown === undefined || find === undefined
    ? NO_HITS
    : hitsIn(shown, find.query.text, find.query.matchCase, answersAreCode(state));
}

/** Position of a hit among them; -1 where it is none of them any more. */
export function positionOf(hits: readonly Hit[], hit: Hit | undefined): number {
  return hits.findIndex(({ t, field, nth }) => t === hit?.t && field === hit?.field && nth === hit.nth);
}

/** The hit after (1) or before (-1) the current one, or the nearest from step `t` on; around both ends. */
export function neighbourHit(
  hits: readonly Hit[],
  current: Hit | undefined,
  t: number,
  by: 1 | -1,
): Hit | undefined {
  const at = positionOf(hits, current);
  const isHere = at !== -1 && (current?.t === undefined || current.t === t);
  if (isHere) return hits.at((at + by) % hits.length);
  const near = by === 1 ? hits.find((hit) => (hit.t ?? -1) >= t) : hits.findLast((hit) => (hit.t ?? -1) <= t);
  return near ?? hits.at(by === 1 ? 0 : -1);
}
