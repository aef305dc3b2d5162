import type { AgentPrompt } from "../domains/domain.ts";
import type { Completion, Episode, Proposal, Step } from "../model/episode.ts";
import type { StepSignals } from "../model/signals.ts";
import type { DropReason, PromptOrigin } from "../model/train-data.ts";
import type { ScoredStep } from "./scored-steps.ts";
import { conversation, float, signalColumns, text, whole, type Columns, type Message } from "./encode-row.ts";

/** The texts of a row, as the record has them. */
export interface TargetText {
  /** As the policy read them before its first proposal. */
  readonly prompt: readonly Message[];
  readonly target: string;
  /** The first proposal, word for word. */
  readonly proposed: string;
  /** No model wrote the completion: the policy was a record or a script. */
  readonly rendered: boolean;
}

/** A step with its place, its signals and the verdicts on its answers. */
export interface PlacedStep extends Pick<ScoredStep, "step" | "signals" | "answers"> {
  readonly run: string;
  readonly episode: Pick<Episode, "id" | "questionId" | "sample">;
  /** Whether the episode succeeded; undefined: unknown. */
  readonly passed: boolean | undefined;
}

/** A step with all that its rows are made of; nothing in it is rebuilt from other steps. */
export interface TrainableStep extends TargetText, PlacedStep {}

/** The text that the policy should have written, or the reason why it is unknown. */
type Target = Omit<TargetText, "prompt"> | { readonly dropped: DropReason };

function usable(completion: Completion | undefined): DropReason | undefined {
  if (completion === undefined || completion.text.trim() === "") return "no_completion";
  return completion.finish === "length" ? "cut_off" : undefined;
}

/**
 * The target of a step (SPEC §8, Readings): the policy's own completion where its action ran, its second one where it revised its proposal,
 * and where HASP modified the action the policy's own thought with the action that ran, in the form that the domain's prompt asks for.
 */
export function targetOf(
  { step, signals, sharesReply }: Pick<ScoredStep, "step" | "signals" | "sharesReply">,
  prompt: AgentPrompt | undefined,
): Target {
  const [first] = step.proposals;
  const last: Proposal | undefined = step.proposals.at(-1);
  const proposed = first?.completion;
  const isModified = signals.correction === "modified";
  // A rejected completion may well have been cut off; a target may not.
  const wrong =
    isModified && proposed?.text.trim() ? undefined : (usable(last?.completion) ?? usable(proposed));
  if (first === undefined || last?.completion === undefined || proposed === undefined)
    return { dropped: sharesReply ? "same_reply" : "no_completion" };
  if (wrong !== undefined) return { dropped: wrong };
  const rendered = (proposed.rendered ?? false) || (last.completion.rendered ?? false);
  if (!isModified) return { target: last.completion.text, proposed: proposed.text, rendered };
  if (prompt === undefined) return { dropped: "no_completion" };
  const target = prompt.render({ thought: first.thought, action: step.executed });
  return { target, proposed: proposed.text, rendered };
}

/** −1 where nothing is known: a null would leave the type of the column open. */
const rightColumn = (passed: boolean | undefined): string =>
  float(passed === undefined ? -1 : passed ? 1 : 0);

/** The author of the target: the policy itself, or a Program Function in its place (SPEC §7 G, the two streams). */
const sourceOf = ({ correction }: StepSignals): "student" | "teacher" =>
  correction === "modified" ? "teacher" : "student";

/** How what the policy read before its first proposal of the step is known. */
export function promptOrigin({ proposals: [first] }: Pick<Step, "proposals">): PromptOrigin {
  if (first?.messages === undefined) return "none";
  return first.fromTranscript === true ? "transcript" : "exact";
}

/** The columns that every row of a step has: its place, the skills that acted, what was right, and its signals. */
export function placeColumns({ run, episode, step, signals, answers, passed }: PlacedStep): Columns {
  const { id, questionId, sample } = episode;
  return {
    run: text(run),
    episode: text(id),
    question_id: text(questionId),
    sample: whole(sample),
    step: whole(step.t + 1),
    skills: text(signals.acted.join(",")),
    correction: text(signals.correction),
    source: text(sourceOf(signals)),
    prompt_source: text(promptOrigin(step)),
    outcome: rightColumn(passed),
    draft_correct: rightColumn(answers.draft),
    revision_correct: rightColumn(answers.revision),
    ...signalColumns(signals),
  };
}

/** The weight of a row: w_t = max(A_t, 0) (SPEC §8). */
export const weightOf = ({ reward }: Pick<StepSignals, "reward">): number => Math.max(0, reward);

const assistant = (content: string): string => conversation([{ role: "assistant", content }]);

export function sftRow(one: TrainableStep): Columns {
  return {
    prompt: conversation(one.prompt),
    completion: assistant(one.target),
    sample_weight: float(weightOf(one.signals)),
    ...placeColumns(one),
  };
}

/** Undefined where there is nothing to prefer: the step was not modified, or with `revised` not corrected at all. */
export function dpoRow(one: TrainableStep, { revised }: { readonly revised: boolean }): Columns | undefined {
  const { correction } = one.signals;
  const isPair = correction === "modified" || (revised && correction === "revised");
  if (!isPair || one.target === one.proposed) return undefined;
  return {
    prompt: conversation(one.prompt),
    chosen: assistant(one.target),
    rejected: assistant(one.proposed),
    sample_weight: float(weightOf(one.signals)),
    ...placeColumns(one),
  };
}

export function promptRow(one: TrainableStep): Columns {
  return { prompt: conversation(one.prompt), ...placeColumns(one) };
}

/** Layer 1 as a line: a step that was scored, kept or not, so that other weights need neither its run nor a rollout. */
export function stepRow(one: PlacedStep, dropped: DropReason | undefined): Columns {
  const { reward, fine } = one.signals;
  return { ...placeColumns(one), reward: float(reward), fine: float(fine), dropped: text(dropped ?? "") };
}
