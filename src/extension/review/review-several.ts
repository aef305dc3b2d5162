import * as vscode from "vscode";
import type { Progress } from "../../app/progress.ts";
import type { ChatModel } from "../../llm/chat-model.ts";
import type { Review } from "../../model/review.ts";
import { isCancelled } from "../failure.ts";
import { counted } from "../../model/counted.ts";
import { inform, inNotification } from "../notification.ts";
import type { LocatedSkill } from "../workspace/library.ts";
import type { Desk } from "./desk.ts";
import { reviewOne } from "./review-one.ts";

/** The end of one skill of several: a review, a failure, or neither where it was not begun. */
interface Outcome {
  readonly skill: LocatedSkill;
  readonly review?: Review;
  readonly failure?: string;
}

/** The ends of all of them. */
export interface SeveralReviews {
  readonly reviews: readonly Review[];
  readonly summary: string;
}

const WORDS = { accept: "accepted", revise: "to revise", reject: "rejected" } as const;

/** `2 accepted, 1 rejected, 1 without a review`. */
function countsOf(outcomes: readonly Outcome[]): string {
  const parts = (["accept", "revise", "reject"] as const).map((decision) => {
    const n = outcomes.filter(({ review }) => review?.decision === decision).length;
    return n === 0 ? "" : `${n} ${WORDS[decision]}`;
  });
  const failures = outcomes.filter(({ failure }) => failure !== undefined).length;
  const left = outcomes.filter(({ review, failure }) => review === undefined && failure === undefined).length;
  const rest = [failures === 0 ? "" : `${failures} failed`, left === 0 ? "" : `${left} not begun`];
  return [...parts, ...rest].filter((part) => part !== "").join(", ");
}

const ICONS = { accept: "$(pass)", revise: "$(edit)", reject: "$(error)" } as const;

function rowOf({ skill, review, failure }: Outcome) {
  const { skillId } = skill;
  if (review !== undefined) {
    const { decision, qSkill } = review;
    const description = `${decision}, Q_skill ${qSkill.toFixed(2)}`;
    return { label: `${ICONS[decision]} ${skillId}`, description, skill };
  }
  if (failure !== undefined) return { label: `$(warning) ${skillId}`, description: failure, skill };
  return { label: `$(circle-slash) ${skillId}`, description: "not begun", skill };
}

/** The skills with what became of each; a choice opens its review. */
async function pickResult({ panels }: Desk, outcomes: readonly Outcome[]): Promise<void> {
  const rows = outcomes.map(rowOf);
  const options = { title: "HASP: Teacher Review", placeHolder: "Review to show", matchOnDescription: true };
  const picked = await vscode.window.showQuickPick(rows, options);
  if (picked !== undefined) await panels.show(picked.skill.uri);
}

/**
 * Reviews skills one after another, under one notification. Cancelling lets the running review come to its end and begins no other one;
 * what is finished stays. A review that fails does not stop the rest. `stop` cancels as a person does.
 */
export async function reviewSeveral(
  desk: Desk,
  skills: readonly LocatedSkill[],
  teacher: ChatModel,
  stop?: vscode.CancellationToken,
): Promise<SeveralReviews> {
  const outcomes: Outcome[] = [];
  // The running review must not hear of the cancellation.
  const { signal: unheard } = new AbortController();
  const begin = async (signal: AbortSignal, on: (event: Progress) => void): Promise<void> => {
    let running = "";
    signal.addEventListener("abort", () =>
      inform(`The review of ${running} comes to its end; no other one begins.`),
    );
    for (const [i, skill] of skills.entries()) {
      if (signal.aborted || stop?.isCancellationRequested === true) return;
      const words = `${i + 1} of ${skills.length}: ${skill.skillId}`;
      on({ kind: "progress", done: i, total: skills.length, words });
      running = skill.skillId;
      outcomes.push(await outcomeOf(desk, skill, teacher, unheard));
    }
  };
  await inNotification(`${teacher.id} reviews ${counted(skills.length, "skill")}`, begin);
  const begun = new Set(outcomes.map(({ skill }) => skill));
  const all = [...outcomes, ...skills.filter((skill) => !begun.has(skill)).map((skill) => ({ skill }))];
  const summary = `${counted(all.length, "skill")}: ${countsOf(all)}.`;
  inform(summary, { label: "Show Results", press: () => pickResult(desk, all) });
  return { reviews: outcomes.flatMap(({ review }) => review ?? []), summary };
}

async function outcomeOf(
  desk: Desk,
  skill: LocatedSkill,
  teacher: ChatModel,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    return { skill, review: await reviewOne(desk, skill, teacher, signal) };
  } catch (error) {
    if (isCancelled(error)) throw error;
    const failure = error instanceof Error ? error.message : String(error);
    desk.log.error(`The review of ${skill.skillId} failed`, failure);
    return { skill, failure };
  }
}
