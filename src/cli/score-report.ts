import type { Outcome } from "../model/episode.ts";
import {
  agreementWith,
  meanScore,
  type Agreement,
  type Answered,
  type Disagreement,
  type MeanScore,
} from "../scoring/score-answers.ts";
import type { Judged } from "./judge-answers.ts";
import { printable } from "../model/printable.ts";
import type { ScoreInput } from "./score-input.ts";
import { renderTable, type Column } from "./table.ts";

/** Answers of one recorded outcome, or all of them under `all`. */
export interface ScoreRow {
  readonly outcome: Outcome | "unrecorded" | "all";
  readonly answers: number;
  readonly score: MeanScore;
  /** Undefined where no judge was asked. */
  readonly mbe: MbeScore | undefined;
}

/**
 * Model-based equivalence: the share of answers that a judge takes for right, between what it is if every answer without a verdict
 * is wrong and if every one is right. Leaving those out would flatter: exact matches need no verdict and so are never among them.
 */
export interface MbeScore {
  readonly atLeast: number;
  readonly atMost: number;
  /** Answers with gold that have a verdict, and those that have none. */
  readonly judged: number;
  readonly unjudged: number;
}

export interface ScoreReport {
  readonly input: string;
  readonly rows: readonly ScoreRow[];
  /** Undefined where the verdicts are our own: they would agree with themselves. */
  readonly agreement: Agreement | undefined;
}

type Verdict = boolean | undefined;

interface Judgeable {
  readonly answer: Answered;
  readonly verdict: Verdict;
}

function mbeOf(list: readonly Judgeable[]): MbeScore {
  const withGold = list.filter(({ answer }) => answer.gold !== undefined);
  const judged = withGold.filter(({ verdict }) => verdict !== undefined);
  const right = judged.filter(({ verdict }) => verdict === true).length;
  const [total, unjudged] = [withGold.length, withGold.length - judged.length];
  const share = (n: number): number => (total === 0 ? 0 : n / total);
  return { atLeast: share(right), atMost: share(right + unjudged), judged: judged.length, unjudged };
}

const OUTCOMES = ["correct", "wrong", "halted", "unjudged", "unrecorded"] as const;

/** The scores of one input: of all answers, and of those of each recorded outcome. */
export function scoreReport(
  { name, answers, foreignVerdicts }: ScoreInput,
  judged: Judged | undefined,
): ScoreReport {
  const list = answers.map((answer, i) => ({ answer, verdict: judged?.judgements[i]?.equivalent }));
  const rowOf = (outcome: ScoreRow["outcome"], part: readonly Judgeable[]): ScoreRow => ({
    outcome,
    answers: part.length,
    score: meanScore(part.map(({ answer }) => answer)),
    mbe: judged === undefined ? undefined : mbeOf(part),
  });
  const rows = OUTCOMES.flatMap((outcome) => {
    const part = list.filter(({ answer }) => (answer.recorded ?? "unrecorded") === outcome);
    return part.length === 0 ? [] : [rowOf(outcome, part)];
  });
  const agreement = foreignVerdicts ? agreementWith(answers) : undefined;
  return { input: name, rows: [...rows, rowOf("all", list)], agreement };
}

const percent = (share: number, of: number): string => (of === 0 ? "–" : (share * 100).toFixed(1));

function mbePercent({ atLeast, atMost, judged, unjudged }: MbeScore): string {
  const least = percent(atLeast, judged + unjudged);
  return unjudged === 0 ? least : `${least}–${percent(atMost, judged + unjudged)}`;
}

function cells({ outcome, answers, score, mbe }: ScoreRow): string[] {
  const { count, em, f1, precision, recall } = score;
  const shares = [em, f1, precision, recall].map((share) => percent(share, count));
  const judge = mbe === undefined ? [] : [mbePercent(mbe), String(mbe.unjudged)];
  return [outcome, String(answers), ...shares, ...judge];
}

const LONGEST_SHOWN = 120;
const shown = (text: string): string =>
  JSON.stringify(printable(text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN - 1)}…` : text));

function disagreementLine({ id, answer, gold, recorded, em }: Disagreement): string {
  const given = answer === undefined ? "no answer" : shown(answer);
  const accepted = gold.map(shown).join(" or ");
  return `  ${printable(id)}: ${given}, gold ${accepted}; recorded ${recorded}, exact match ${em ? "yes" : "no"}`;
}

function agreementLines(agreement: Agreement | undefined): string[] {
  if (agreement === undefined)
    return ["the recorded outcomes are this very exact match, so there is nothing to compare"];
  const { compared, agreed, disagreements } = agreement;
  if (compared === 0) return ["the source gives no verdicts to compare with"];
  return [
    `exact match agrees with the recorded verdict on ${agreed} of ${compared}`,
    ...disagreements.map(disagreementLine),
  ];
}

/** A report for people: percent by outcome, then how far exact match and the source's verdicts agree. */
export function renderScore({ input, rows, agreement }: ScoreReport): string[] {
  const judge = rows.some(({ mbe }) => mbe !== undefined) ? ["MBE %", "unjudged"] : [];
  const titles = ["answers", "EM %", "F1 %", "precision %", "recall %", ...judge];
  const columns: Column[] = [
    { title: "outcome" },
    ...titles.map((title) => ({ title, align: "right" as const })),
  ];
  return [input, ...renderTable(columns, rows.map(cells)), ...agreementLines(agreement)];
}
