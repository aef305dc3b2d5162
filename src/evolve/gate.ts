import {
  isOpen,
  verdictOf,
  type CandidateDecision,
  type EvolvedCandidate,
  type Gate,
} from "../model/evolution.ts";
import { qSkillOf, type Review } from "../model/review.ts";
import { ADMIT_KNOWN_FROM, ADMIT_NEW_FROM, admits, LOWEST_EXEC } from "../review/decide.ts";

/** The parts of a candidate that gates read. */
export type GatedCandidate = Pick<EvolvedCandidate, "checks" | "review" | "worth" | "newCategory">;

/** The reason is the first result that decides, with its figures. */
export type GateDecision = Pick<CandidateDecision, "admitted" | "reason" | "undecided">;

/** `undecided`: its worth is. `unknown`: a result that the gate asks for was not stored. */
export interface GateRuling {
  readonly ruling: "admitted" | "refused" | "undecided" | "unknown";
  readonly reason: string;
}

type Objection = GateRuling & { readonly ruling: Exclude<GateRuling["ruling"], "admitted"> };

const refused = (reason: string): Objection => ({ ruling: "refused", reason });
const figure = (value: number): string => String(Number(value.toFixed(4)));

function byCompiler({ checks }: GatedCandidate): Objection | undefined {
  if (checks.compiles) return undefined;
  const finding = checks.checks.find(({ outcome }) => outcome === "failed")?.finding ?? checks.refusals[0];
  return refused(
    finding === undefined
      ? "It cannot be loaded; no gate admits such a candidate."
      : `It cannot be loaded, and no gate admits such a candidate: ${finding.code}: ${finding.message}`,
  );
}

function byChecks({ checks }: GatedCandidate): Objection | undefined {
  if (checks.score < 1) {
    const failed = checks.checks.find(({ outcome }) => outcome === "failed");
    const which = failed === undefined ? "" : `; the first that failed is ${failed.name}`;
    const finding = failed?.finding === undefined ? "" : ` (${failed.finding.message})`;
    return refused(`The executable checks give ${figure(checks.score)} of 1${which}${finding}.`);
  }
  const [first] = checks.refusals;
  if (first === undefined) return undefined;
  const more = checks.refusals.length === 1 ? "" : ` (and ${checks.refusals.length - 1} more)`;
  return refused(`${first.code}: ${first.message}${more}`);
}

function whyNot({ scores, said }: Pick<Review, "scores" | "said">, newCategory: boolean): string {
  if (scores.exec < LOWEST_EXEC)
    return `The review scores exec ${figure(scores.exec)}, which is below ${LOWEST_EXEC}.`;
  if (said === "REJECT") return `The teacher's decision is REJECT (Q_skill ${figure(qSkillOf(scores))}).`;
  const [enough, kind] = newCategory
    ? [ADMIT_NEW_FROM, "a new category"]
    : [ADMIT_KNOWN_FROM, "a known category"];
  return `Q_skill ${figure(qSkillOf(scores))} is below ${enough}, which ${kind} needs.`;
}

function byReview({ review, newCategory }: GatedCandidate): Objection | undefined {
  if (review === undefined)
    return { ruling: "unknown", reason: "It has no review, and this gate asks for one." };
  return admits(review, { newCategory }) ? undefined : refused(whyNot(review, newCategory));
}

function byWorth({ worth }: GatedCandidate): Objection | undefined {
  if (worth === undefined)
    return { ruling: "unknown", reason: "Its worth on held-out questions was not measured." };
  const verdict = verdictOf(worth);
  return verdict === "passed" ? undefined : { ruling: verdict, reason: worth.why };
}

type Judge = (candidate: GatedCandidate) => Objection | undefined;

const JUDGES: Readonly<Record<Gate, readonly Judge[]>> = {
  strict: [byChecks, byReview],
  "exec-only": [byChecks],
  "teacher-only": [byReview],
  audit: [],
  none: [],
};

function admission(candidate: GatedCandidate, gate: Gate, worthOn: boolean): string {
  const { review, worth, checks } = candidate;
  const said = {
    exec: `all executable checks pass`,
    review: review === undefined ? "" : `Q_skill ${figure(qSkillOf(review.scores))}`,
  };
  const open = `It compiles; this gate asks for nothing else (executable checks ${figure(checks.score)}).`;
  const byGate: Readonly<Record<Gate, string>> = {
    strict: `Admitted: ${said.exec}, and the review gives ${said.review}.`,
    "exec-only": `Admitted: ${said.exec}.`,
    "teacher-only": `Admitted: the review gives ${said.review}.`,
    audit: open,
    none: "It compiles; this gate asks for nothing else.",
  };
  return worthOn && worth !== undefined ? `${byGate[gate]} ${worth.why}` : byGate[gate];
}

/** As `decideBy`, and tells a result that is missing from one that refuses. */
export function ruleBy(gate: Gate, worthOn: boolean, candidate: GatedCandidate): GateRuling {
  const asksWorth = worthOn && !isOpen(gate);
  for (const judge of [byCompiler, ...JUDGES[gate], ...(asksWorth ? [byWorth] : [])]) {
    const objection = judge(candidate);
    if (objection !== undefined) return objection;
  }
  return { ruling: "admitted", reason: admission(candidate, gate, asksWorth) };
}

/**
 * Whether a gate admits a candidate (SPEC §7 F). `worthOn` also asks for worth on held-out questions, unless the gate is open. Nothing that
 * cannot be loaded is admitted; without a result that the gate asks for, neither.
 */
export function decideBy(gate: Gate, worthOn: boolean, candidate: GatedCandidate): GateDecision {
  const { ruling, reason } = ruleBy(gate, worthOn, candidate);
  return { admitted: ruling === "admitted", reason, ...(ruling === "undecided" && { undecided: true }) };
}
