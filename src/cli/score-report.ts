import { repliesText } from "../model/replies.ts";
import { tellingLine } from "../model/telling-line.ts";
import type { Agreement, Disagreement } from "../scoring/score-answers.ts";
import type { ScoreReport, ScoreRow, ShareRight } from "../scoring/score-report.ts";
import { questionsLines } from "./questions-line.ts";
import { renderTable, right } from "./table.ts";

const percent = (share: number, of: number): string => (of === 0 ? "–" : (share * 100).toFixed(1));

function sharePercent({ atLeast, atMost, judged, unjudged }: ShareRight): string {
  const least = percent(atLeast, judged + unjudged);
  return unjudged === 0 ? least : `${least}–${percent(atMost, judged + unjudged)}`;
}

function cells({ outcome, answers, score, right: ofDomain, mbe }: ScoreRow): string[] {
  const { count, em, f1, precision, recall } = score;
  const shares =
    ofDomain === undefined
      ? [em, f1, precision, recall].map((share) => percent(share, count))
      : [sharePercent(ofDomain), String(ofDomain.unjudged)];
  const judge = mbe === undefined ? [] : [sharePercent(mbe), String(mbe.unjudged)];
  return [outcome, String(answers), ...shares, ...judge];
}

const LONGEST_SHOWN = 120;
/** In one line: of a program the one that tells most. */
const shown = (text: string): string => JSON.stringify(tellingLine(text, LONGEST_SHOWN));

function disagreementLine({ id, answer, gold, recorded }: Disagreement, judge: string): string {
  const given = answer === undefined ? "no answer" : shown(answer);
  const accepted = gold.length === 0 ? "" : `, gold ${gold.map(shown).join(" or ")}`;
  return `  ${id}: ${given}${accepted}; recorded ${recorded}, ${judge} ${recorded === "correct" ? "no" : "yes"}`;
}

const EXACT_MATCH = "exact match";

function agreementLines(agreement: Agreement | undefined, judge: string): string[] {
  if (agreement === undefined) {
    const own = judge === EXACT_MATCH ? `this very ${judge}` : `those of ${judge}`;
    return [`the recorded outcomes are ${own}, so there is nothing to compare`];
  }
  const { compared, agreed, disagreements } = agreement;
  if (compared === 0) return ["the source gives no verdicts to compare with"];
  return [
    `${judge} agrees with the recorded verdict on ${agreed} of ${compared}`,
    ...disagreements.map((one) => disagreementLine(one, judge)),
  ];
}

/** A report for people: percent by outcome, then how far exact match and the source's verdicts agree. `passAt`: the k that were asked for. */
export function renderScore(
  { input, by, judge: scorer, rows, replies, agreement, groups }: ScoreReport,
  passAt?: readonly number[],
): string[] {
  const byDomain = rows.some(({ right: ofDomain }) => ofDomain !== undefined);
  const judgeName = byDomain ? (scorer ?? "") : EXACT_MATCH;
  const shares = byDomain ? [`${judgeName} %`, "no verdict"] : ["EM %", "F1 %", "precision %", "recall %"];
  const judge = rows.some(({ mbe }) => mbe !== undefined) ? ["MBE %", "unjudged"] : [];
  const titles = ["answers", ...shares, ...judge];
  const table = renderTable(["outcome", ...titles.map(right)], rows.map(cells));
  const several = groups === undefined ? [] : questionsLines(groups.figures, passAt);
  const said = repliesText(replies);
  // Without a judge there is nothing that could agree.
  const isCompared = by === undefined && (byDomain || rows.some(({ score }) => score.count > 0));
  const compared = isCompared ? agreementLines(agreement, judgeName) : [];
  return [
    by === undefined ? input : `${input}, outcomes by ${by}`,
    ...table,
    ...several,
    ...(said === undefined ? [] : [`replies: ${said}`]),
    ...compared,
  ];
}
