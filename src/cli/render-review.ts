import { dollars } from "../llm/budget.ts";
import { DIMENSION_WEIGHTS, DIMENSIONS, type Review, type ReviewedFile } from "../model/review.ts";
import { printable } from "../model/printable.ts";
import { renderTable, right } from "./table.ts";

const BASIS: Readonly<Record<Review["basis"], string>> = {
  exec: "the score for exec is below 0.3",
  said: "the teacher's DECISION",
  q_skill: "by Q_skill, the teacher gave no DECISION",
};
const COLUMNS = 100;

function wrapped(text: string, indent: string): string[] {
  const piece = new RegExp(`.{1,${COLUMNS - indent.length}}(?:\\s|$)|.{1,${COLUMNS - indent.length}}`, "gu");
  return printable(text)
    .split("\n")
    .flatMap((line) => (line.match(piece) ?? []).map((part) => indent + part.trimEnd()));
}

function scoreTable({ scores, qSkill }: Review): string[] {
  const rows = DIMENSIONS.map((name) => [
    name,
    scores[name].toFixed(2),
    DIMENSION_WEIGHTS[name].toFixed(2),
    (DIMENSION_WEIGHTS[name] * scores[name]).toFixed(3),
  ]);
  const sum = ["Q_skill", "", "1.00", qSkill.toFixed(3)];
  return renderTable(["dimension", right("score"), right("weight"), right("counts")], [...rows, sum]);
}

function measured({ executable, cases }: Review): string {
  const passed = executable?.checks.filter((check) => check.outcome === "passed").length ?? 0;
  const checks =
    executable === undefined
      ? "no pf.ts"
      : `executable checks ${passed} of ${executable.checks.length} (${executable.score.toFixed(2)})`;
  return `measured, not the teacher's: ${checks}; ${cases.held} of ${cases.total} cases hold`;
}

function price({ usage, tries }: Review): string {
  const about = usage.estimated === true ? "about " : "";
  const cost = usage.cost === undefined ? "price unknown" : dollars(usage.cost);
  const asked = tries === 1 ? "asked once" : `asked ${tries} times`;
  return `${asked}, ${about}${usage.inputTokens} tokens in, ${usage.outputTokens} out, ${cost}`;
}

/** A review as people read it: scores, Q_skill, decision and why, comments, suggestions. */
export function renderReview(review: Review): string[] {
  const { comments, suggestions, decision, basis, teacher, when } = review;
  const said = DIMENSIONS.flatMap((name) => {
    const text = comments[name];
    return text === undefined ? [] : ["", name, ...wrapped(text, "    ")];
  });
  const advice = suggestions.flatMap((text) => {
    const [first = "", ...rest] = wrapped(text, "    ");
    return [`  - ${first.trimStart()}`, ...rest];
  });
  return [
    ...scoreTable(review),
    "",
    `${decision === "accept" ? "✓" : "✗"} ${review.skillId}: ${decision} (${BASIS[basis]})`,
    measured(review),
    ...said,
    ...(advice.length === 0 ? [] : ["", "suggestions", ...advice]),
    "",
    printable(`${teacher.id} (${teacher.model}), prompt ${review.prompt}, ${when}; ${price(review)}`),
  ];
}

/** Lines of an unusable reply that are printed. */
const MOST_REPLY_LINES = 20;

/** A reply that is no review, cut to its first lines. */
export function renderReply(reply: string): string[] {
  const lines = wrapped(reply, "    ");
  const left = lines.length - MOST_REPLY_LINES;
  return [
    "",
    "the reply",
    ...lines.slice(0, MOST_REPLY_LINES),
    ...(left > 0 ? [`    … ${left} more lines`] : []),
    "",
  ];
}

/** Whether a stored review still speaks of what is in the folder. */
export function renderFreshness(changed: readonly ReviewedFile[]): string {
  if (changed.length === 0) return "current: nothing has changed since";
  return `stale: ${changed.join(", ")} changed since`;
}
