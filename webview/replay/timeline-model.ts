import type { Episode, Step } from "../../src/model/episode.ts";
import type { Note } from "../../src/model/note.ts";
import { stopReasonWords } from "../../src/model/stop-reasons.ts";
import type { StepMarks } from "../../src/protocol/replay.ts";
import { lastAnswer } from "./last-answer.ts";
import { notesOf } from "./note-words.ts";
import { shownOf, valueOf, type ReplayState } from "./state.ts";

/** One step of the strip: what the policy proposed, what went wrong, and who intervened, recorded and today. */
export interface TimelineCell {
  readonly t: number;
  readonly letter: string;
  /** Action type in full, for people who do not see the strip. */
  readonly type: string;
  /** Why the step is marked ✗; undefined when it is not. */
  readonly failure: string | undefined;
  /** It was proposed and did not run. */
  readonly notRun: boolean;
  readonly recorded: StepMarks;
  readonly today: StepMarks | undefined;
  /** What people noted on the step. */
  readonly notes: readonly Note[];
}

/** `invalid` text has no letter of its own: `?`. */
function letterOf(type: string): string {
  return type === "invalid" ? "?" : type.slice(0, 1).toUpperCase();
}

/** An executed action that is not what was proposed last. */
export function isModified(step: Step): boolean {
  const proposed = step.proposals.at(-1)?.action;
  return (
    proposed !== undefined && (proposed.type !== step.executed.type || proposed.arg !== step.executed.arg)
  );
}

function recordedMarks(step: Step): StepMarks {
  return {
    t: step.t,
    modified: isModified(step),
    injected: step.injected.length > 0,
    error: step.events.some((event) => event.status === "error"),
    diverged: false,
  };
}

/** `last`: the step that ended the episode; while it runs there is none. */
function failureAt(episode: Episode, step: Step, last: boolean): string | undefined {
  if (step.proposals.at(-1)?.action.type === "invalid") return "invalid action";
  if (step.notRun !== undefined) return `did not run: ${stopReasonWords(step.notRun)}`;
  if (last && episode.outcome === "wrong") return "wrong answer";
  if (last && episode.outcome === "halted") return "halted here";
  return undefined;
}

/** Of each step of the episode that have any. */
function notesByStep(notes: readonly Note[], episode: Episode): ReadonlyMap<number | undefined, Note[]> {
  return Map.groupBy(notesOf(notes, episode), ({ t }) => t);
}

const NO_NOTES: readonly Note[] = [];

/** The same arguments give the same array again: stepping through an episode changes none of them. */
export const timelineCells = lastAnswer(makeCells);

const intervenedIn = lastAnswer((episode: Episode, marks: readonly StepMarks[] | undefined) =>
  makeCells(episode, marks, NO_NOTES)
    .filter((cell) => intervened(cell.recorded) || intervened(cell.today))
    .map((cell) => cell.t),
);

function makeCells(
  episode: Episode,
  marks: readonly StepMarks[] | undefined,
  notes: readonly Note[] | undefined,
  runs = false,
): readonly TimelineCell[] {
  const here = notesByStep(notes ?? NO_NOTES, episode);
  return episode.steps.map((step, position) => {
    const type = step.proposals.at(-1)?.action.type ?? step.executed.type;
    return {
      t: position,
      letter: letterOf(type),
      type,
      failure: failureAt(episode, step, !runs && position === episode.steps.length - 1),
      notRun: step.notRun !== undefined,
      recorded: recordedMarks(step),
      today: marks?.[position],
      notes: here.get(position) ?? NO_NOTES,
    };
  });
}

/** True when the run itself had PFs, so that there is something recorded to tell apart from today's library. */
export const hasRecordedEvents = lastAnswer((episode: Episode): boolean =>
  episode.steps.some((step) => step.events.length > 0 || step.injected.length > 0),
);

function intervened(marks: StepMarks | undefined): boolean {
  return marks !== undefined && (marks.modified || marks.injected || marks.error);
}

/** Steps where a PF modified, injected or failed, in the run or with today's library; ascending. */
export function interventionSteps(state: Pick<ReplayState, "episode" | "marks">): readonly number[] {
  const episode = valueOf(state.episode);
  return episode === undefined ? [] : intervenedIn(episode, shownOf(state.marks));
}

/** What a screen reader says of a mark row, and what a tooltip shows. */
export function markWords(marks: StepMarks): string[] {
  return [
    marks.modified ? "action modified" : "",
    marks.injected ? "context injected" : "",
    marks.error ? "Program Function failed" : "",
    marks.diverged ? "diverged" : "",
  ].filter((word) => word !== "");
}
