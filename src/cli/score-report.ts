import { repliesText } from "../model/replies.ts";
import type { Agreement, Disagreement } from "../scoring/score-answers.ts";
import type { MbeScore, ScoreReport, ScoreRow } from "../scoring/score-report.ts";
import { questionsLine } from "./questions-line.ts";
import { renderTable, right } from "./table.ts";

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
  JSON.stringify(text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN - 1)}…` : text);

function disagreementLine({ id, answer, gold, recorded, em }: Disagreement): string {
  const given = answer === undefined ? "no answer" : shown(answer);
  const accepted = gold.map(shown).join(" or ");
  return `  ${id}: ${given}, gold ${accepted}; recorded ${recorded}, exact match ${em ? "yes" : "no"}`;
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
export function renderScore({ input, by, rows, replies, agreement, groups }: ScoreReport): string[] {
  const judge = rows.some(({ mbe }) => mbe !== undefined) ? ["MBE %", "unjudged"] : [];
  const titles = ["answers", "EM %", "F1 %", "precision %", "recall %", ...judge];
  const table = renderTable(["outcome", ...titles.map(right)], rows.map(cells));
  const several = groups === undefined ? [] : [questionsLine(groups.figures)];
  const said = repliesText(replies);
  // Without an exact match there is nothing that could agree.
  const isCompared = by === undefined && rows.some(({ score }) => score.count > 0);
  const compared = isCompared ? agreementLines(agreement) : [];
  return [
    by === undefined ? input : `${input}, outcomes by ${by}`,
    ...table,
    ...several,
    ...(said === undefined ? [] : [`replies: ${said}`]),
    ...compared,
  ];
}
