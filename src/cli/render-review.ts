import { dollars } from "../llm/budget.ts";
import {
  DIMENSION_WEIGHTS,
  DIMENSIONS,
  type Review,
  type ReviewedFile,
  type ReviewEdit,
} from "../model/review.ts";
import { printable } from "../model/printable.ts";
import { renderTable, right } from "./table.ts";
import { wrapped } from "./wrapped.ts";

const BASIS: Readonly<Record<Review["basis"], string>> = {
  exec: "the score for exec is below 0.3",
  said: "the teacher's DECISION",
  q_skill: "by Q_skill, the teacher gave no DECISION",
};
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

/** The lines as they are and as they would be, as a diff shows them; nothing is cut, since code is copied from here. */
function editLines({ file, first, last, original, replacement, why }: ReviewEdit): string[] {
  const place = `${file} ${first === last ? first : `${first}-${last}`}`;
  const marked = (mark: string, text: string): string[] =>
    printable(text)
      .split("\n")
      .map((line) => `    ${mark} ${line}`);
  return [
    ...wrapped(`${place}: ${why}`, "  "),
    ...marked("-", original),
    ...(replacement === "" ? [] : marked("+", replacement)),
  ];
}

/** A review as people read it: scores, Q_skill, decision and why, comments, suggestions, edits. */
export function renderReview(review: Review): string[] {
  const { comments, suggestions, edits = [], decision, basis, teacher, when } = review;
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
    ...(edits.length === 0 ? [] : ["", "edits", ...edits.flatMap(editLines)]),
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
