import type { Action } from "../model/action.ts";
import type { AlignedStep, EpisodeComparison, EpisodeSide, StepPart } from "../model/comparison.ts";
import type { Episode, Step } from "../model/episode.ts";
import { align } from "./compare-align.ts";
import { measureEpisode } from "./compare-measures.ts";

/** Likeness of two steps: the executed action counts more than the proposal. */
const SAME_EXECUTED = 2;
const SAME_PROPOSED = 1;

interface StepKeys {
  readonly proposed: string;
  readonly executed: string;
}

/**
 * Two episodes of one question side by side. Steps match where what ran is the same action, or what was proposed last is: so the step
 * at which a PF changed something stands beside the step at which it did not. Steps that match nothing are paired in their order.
 */
export function compareEpisodes(a: Episode, b: Episode): EpisodeComparison {
  const [keysA, keysB] = [a.steps.map(keysOf), b.steps.map(keysOf)];
  const likeness = (i: number, j: number): number => likenessOf(keysA[i], keysB[j]);
  const { rows, capped } = align(a.steps.length, b.steps.length, likeness, SAME_EXECUTED + SAME_PROPOSED);
  const aligned = rows.map((row) => ({ ...row, differs: differences(row, a, b) }));
  const firstDivergence = place(aligned, (row) => parts(row) || row.differs.some(isDeed));
  const firstOtherObservation = place(
    aligned,
    (row) => row.differs.length === 1 && !row.differs.some(isDeed),
  );
  return {
    a: sideOf(a),
    b: sideOf(b),
    rows: aligned,
    ...(firstDivergence === undefined ? {} : { firstDivergence }),
    ...(firstOtherObservation === undefined ? {} : { firstOtherObservation }),
    capped,
  };
}

/**
 * One text for actions that ask for the same. Of a SEARCH its words, whatever their case and punctuation; of any other action its
 * argument with runs of blanks within a line as one, since in a command or a formula every other character counts, and in a program the
 * indentation, too.
 */
export function actionKey({ type, arg }: Pick<Action, "type" | "arg">): string {
  const words = type === "SEARCH" ? arg.toLowerCase().match(/[\p{L}\p{N}]+/gu) : null;
  return `${type} ${words?.join(" ") ?? withoutLayout(arg)}`;
}

function withoutLayout(arg: string): string {
  const lines = arg.trim().split("\n");
  return lines.map((line) => line.replaceAll(/(?<=\S)\s+/g, " ").trimEnd()).join("\n");
}

function proposedLast({ proposals, executed }: Step): Action {
  return proposals.at(-1)?.action ?? executed;
}

function keysOf(step: Step): StepKeys {
  // The same action that ran in one episode and not in the other is a difference.
  const ran = step.notRun === undefined ? "" : "not run: ";
  return { proposed: actionKey(proposedLast(step)), executed: `${ran}${actionKey(step.executed)}` };
}

function likenessOf(a: StepKeys | undefined, b: StepKeys | undefined): number {
  if (a === undefined || b === undefined) return 0;
  return (a.executed === b.executed ? SAME_EXECUTED : 0) + (a.proposed === b.proposed ? SAME_PROPOSED : 0);
}

function differences(row: { readonly a?: number; readonly b?: number }, a: Episode, b: Episode): StepPart[] {
  const [one, other] = [a.steps[row.a ?? -1], b.steps[row.b ?? -1]];
  if (one === undefined || other === undefined) return [];
  const [keys, others] = [keysOf(one), keysOf(other)];
  const texts = ({ injected }: Step): string => JSON.stringify(injected.map(({ text }) => text));
  const differs: Record<StepPart, boolean> = {
    proposed: keys.proposed !== others.proposed,
    executed: keys.executed !== others.executed,
    injected: texts(one) !== texts(other),
    observation: one.observation.trim() !== other.observation.trim(),
  };
  return (Object.keys(differs) as StepPart[]).filter((part) => differs[part]);
}

/** What the agent or a PF did, and not what came of it. */
const isDeed = (part: StepPart): boolean => part !== "observation";

const parts = ({ a, b }: AlignedStep): boolean => a === undefined || b === undefined;

function place(rows: readonly AlignedStep[], holds: (row: AlignedStep) => boolean): number | undefined {
  const at = rows.findIndex(holds);
  return at < 0 ? undefined : at;
}

function sideOf(episode: Episode): EpisodeSide {
  const { id, questionId, outcome, answer, stopReason } = episode;
  const told = { episodeId: id, questionId, outcome, stopReason, ...measureEpisode(episode) };
  return answer === undefined ? told : { ...told, answer };
}
