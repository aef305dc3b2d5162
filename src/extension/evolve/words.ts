import { counted } from "../../model/counted.ts";
import {
  decisionsInWords,
  decisionWordOf,
  GATE_WORDS,
  PHASE_WORDS,
  phaseLetter,
  WORTH_NULL_WORDS,
  type EvolvedCandidate,
  type Phase,
} from "../../model/evolution.ts";
import type { FailureCluster } from "../../model/failure.ts";
import { worthNullOf, type EvolutionFile } from "../../evolve/artifacts.ts";
import type { EvolutionReport, ReportedEpoch, ReportedPhase } from "../../evolve/report.ts";
import { plainLine } from "../experiments/words.ts";

/** A figure with at most two digits after the point. */
export const figure = (value: number): string => String(Number(value.toFixed(2)));

/** `D Check candidates`. */
export const phaseTitle = (phase: Phase): string => `${phaseLetter(phase)} ${PHASE_WORDS[phase]}`;

/** An evolution of this window at work. */
export interface Work {
  /** Undefined before the first phase. */
  readonly epoch?: number | undefined;
  readonly phase?: Phase | undefined;
  /** Progress within the phase: `3 of 5 candidates written`. */
  readonly progress?: string | undefined;
  /** It ends after the running phase. */
  readonly isStopping?: boolean | undefined;
}

/** `epoch 1 · D Check candidates · 3 of 5 candidates`. */
export function workWords({ epoch, phase, progress, isStopping }: Work): string {
  const parts = [
    ...(isStopping === true ? ["stops after this phase"] : []),
    ...(epoch === undefined || phase === undefined ? ["starts"] : [`epoch ${epoch}`, phaseTitle(phase)]),
    ...(progress === undefined ? [] : [progress]),
  ];
  return parts.join(" · ");
}

export type EvolutionState = "running" | "done" | "unfinished";

/** Whether all epochs and the final reading are there. */
export function stateOf({ order, final }: EvolutionReport, work: Work | undefined): EvolutionState {
  if (work !== undefined) return "running";
  return final.some(({ epoch }) => epoch >= order.epochs) ? "done" : "unfinished";
}

const isDone = ({ words }: ReportedPhase): boolean => words !== undefined;

/** The first phase that is left; undefined where only the final reading is. */
export function nextPhase(epochs: readonly ReportedEpoch[]): { epoch: number; phase: Phase } | undefined {
  for (const { number: epoch, phases } of epochs) {
    const left = phases.find((one) => !isDone(one));
    if (left !== undefined) return { epoch, phase: left.phase };
  }
  return undefined;
}

/** `4 of 9 candidates admitted`; empty before the first decision. */
function admittedWords(epochs: readonly Pick<ReportedEpoch, "candidates">[]): string {
  const all = epochs.flatMap(({ candidates }) => candidates);
  return all.length === 0 ? "" : decisionsInWords(all);
}

/** The description of an evolution's row. */
export function evolutionWords(report: EvolutionReport, work: Work | undefined): string {
  if (work !== undefined) return `running · ${workWords(work)}`;
  const admitted = admittedWords(report.epochs);
  const parts = admitted === "" ? [] : [admitted];
  if (stateOf(report, work) === "done") return ["done", ...parts].join(" · ");
  const next = nextPhase(report.epochs);
  const left =
    next === undefined ? "final reading is left" : `epoch ${next.epoch} · ${phaseTitle(next.phase)}`;
  return ["not finished", left, ...parts].join(" · ");
}

/** The source of the episodes: names of runs, or the file of questions. */
export function sourceWords({ rollouts }: Pick<EvolutionFile, "rollouts">): string {
  if (rollouts["kind"] === "live") {
    const questions = rollouts["questions"] as { readonly file?: string } | undefined;
    return `live rollouts of ${plainLine(questions?.file ?? "questions")}, policy ${plainLine(String(rollouts["policy"]))}`;
  }
  const runs = Array.isArray(rollouts["runs"]) ? (rollouts["runs"] as readonly { run?: unknown }[]) : [];
  return `recorded episodes of ${runs.map(({ run }) => plainLine(String(run))).join(", ")}`;
}

/** The order of an evolution, one line each. */
export function orderLines(order: EvolutionFile): readonly string[] {
  const { domain, mode, gate, worth, author, teacher, epochs } = order;
  return [
    `${domain}, ${counted(epochs, "epoch")}, ${mode} mode`,
    `source: ${sourceWords(order)}`,
    `author: ${plainLine(author)}; teacher: ${plainLine(teacher)}`,
    `gate ${gate}: ${GATE_WORDS[gate]}`,
    `worth on held-out questions: ${worth ? `decides, too, ${WORTH_NULL_WORDS[worthNullOf(order)]}` : "does not decide"}`,
  ];
}

/** `library 12 → 14 skills · 2 of 5 candidates admitted, 1 undecided`; empty before the decisions. */
export function epochWords({ admission, candidates }: ReportedEpoch): string {
  if (admission === undefined) return "";
  const { before, after } = admission;
  return `library ${before} → ${after} skills · ${decisionsInWords(candidates)}`;
}

/** `not begun`, `running`, `done` or `not finished`. */
export function epochState({ number, phases }: ReportedEpoch, work: Work | undefined): string {
  if (phases.every(isDone)) return "done";
  if (work?.epoch === number) return "running";
  return phases.some(isDone) ? "not finished" : "not yet";
}

/** `3 episodes · new category`. */
export function clusterWords({ examples, isNewCategory }: FailureCluster): string {
  return `${counted(examples.length, "episode")}${isNewCategory ? " · new category" : ""}`;
}

export function clusterLines(cluster: FailureCluster): readonly string[] {
  const { category, abstraction, trigger, hint, novelty, source } = cluster;
  return [
    `${category}: ${clusterWords(cluster)}, found by ${source === "model" ? "a model" : "a detector"}`,
    plainLine(abstraction),
    `trigger: ${plainLine(trigger)}`,
    `hint: ${plainLine(hint)}`,
    `novelty ${figure(novelty)}`,
  ];
}

/** `late_read v2`; the candidate's id where no reply held a skill. */
export function candidateName({ id, skillId, version }: EvolvedCandidate): string {
  return skillId === "" ? `${id}: no skill` : `${plainLine(skillId)} v${version}`;
}

export const decisionWord = ({ decision }: Pick<EvolvedCandidate, "decision">): string =>
  `${decisionWordOf(decision)}${decision.by === "person" ? " by a person" : ""}`;

/** `rejected · Q_skill 0.55 · reason`. */
export function candidateWords(candidate: EvolvedCandidate): string {
  const { review, decision } = candidate;
  const score = review === undefined ? [] : [`Q_skill ${figure(review.qSkill)}`];
  return [decisionWord(candidate), ...score, plainLine(decision.reason)].join(" · ");
}

/** All that was measured of a candidate, a line each; texts of models are plain. */
export function candidateLines(candidate: EvolvedCandidate): readonly string[] {
  const { id, checks, review, worth, cluster, decision, deltaEm, reward, newCategory } = candidate;
  const outcomes = checks.checks.map(({ name, outcome }) => `${plainLine(name)} ${outcome}`).join(", ");
  return [
    `${candidateName(candidate)} (${id}): ${decisionWord(candidate)}`,
    plainLine(decision.reason),
    `executable checks ${figure(checks.score)}${outcomes === "" ? "" : `: ${outcomes}`}`,
    ...checks.refusals.map(({ code, message }) => `refusal ${code}: ${plainLine(message)}`),
    ...(review === undefined
      ? ["no review"]
      : [`review: ${review.decision}, Q_skill ${figure(review.qSkill)} by ${plainLine(review.teacher.id)}`]),
    ...(worth === undefined
      ? ["worth on held-out questions: not measured"]
      : [`worth: ${plainLine(worth.why)}`]),
    ...(deltaEm === undefined ? [] : [`change of the validation EM ${figure(100 * deltaEm)} points`]),
    ...(reward === undefined ? [] : [`reward ${figure(reward)}`]),
    ...(cluster === undefined
      ? []
      : [
          `for ${plainLine(cluster.category)}, ${counted(cluster.size, "episode")}${newCategory ? ", a new category" : ""}`,
        ]),
  ];
}
