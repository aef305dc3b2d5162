import type { Dimension, Review } from "../../model/review.ts";
import { DIMENSION_WEIGHTS, DIMENSIONS } from "../../model/review.ts";
import { describeUsage } from "../models/configure.ts";
import type { LatestReview } from "./reviews.ts";

const NAMES: Record<Dimension, string> = {
  concept: "Concept",
  trigger: "Trigger",
  intervene: "Intervention",
  exec: "Execution",
  val: "Value",
};

const BASIS: Record<Review["basis"], string> = {
  exec: "the score for execution is below 0.30",
  said: "the teacher's own word",
  q_skill: "Q_skill",
};

/** Narrow enough that a line fits beside an editor. */
const BAR = 10;

function bar(score: number): string {
  const filled = Math.round(score * BAR);
  return "█".repeat(filled) + "░".repeat(BAR - filled);
}

function scoreLine(review: Review, name: Dimension): string {
  const score = review.scores[name];
  return `${NAMES[name].padEnd(12)} ${score.toFixed(2)}  ${bar(score)}  ×${DIMENSION_WEIGHTS[name].toFixed(2)}`;
}

function commentBlocks({ comments }: Review): string[] {
  return DIMENSIONS.flatMap((name) => {
    const comment = comments[name];
    return comment === undefined ? [] : [`## ${NAMES[name]}`, comment];
  });
}

function measured({ executable, cases }: Review): string {
  if (executable === undefined) return "The skill has no Program Function, so nothing of it was run.";
  const checks = executable.checks.map(({ name, outcome }) => `- ${name}: ${outcome}`);
  const held = cases.total === 0 ? "It has no cases." : `${cases.held} of ${cases.total} cases held.`;
  return [...checks, `- ${held}`].join("\n");
}

function staleNote({ changed }: LatestReview): string[] {
  if (changed.length === 0) return [];
  const files = changed.join(", ");
  return [
    `STALE: ${files} changed since. What stands here speaks of an earlier text; review the skill again.`,
  ];
}

/** A stored review as a page of Markdown, to be read as text. */
export function renderReview(latest: LatestReview): string {
  const { review, earlier } = latest;
  const { skillId, version, decision, qSkill, basis, suggestions, teacher, prompt, when, usage, tries } =
    review;
  const scores = DIMENSIONS.map((name) => scoreLine(review, name));
  const twice = tries > 1 ? " The first reply could not be read, so it was asked twice." : "";
  const before =
    earlier === 0
      ? ""
      : ` ${earlier} earlier ${earlier === 1 ? "review stands" : "reviews stand"} in metadata.json.`;
  return [
    `# Review of ${skillId}, version ${version}`,
    ...staleNote(latest),
    `Decision: ${decision}, by ${BASIS[basis]}. Q_skill ${qSkill.toFixed(2)}, the mean of these by their weights:`,
    ["```text", ...scores, "```"].join("\n"),
    ...(suggestions.length === 0
      ? []
      : ["## What to change", suggestions.map((text) => `- ${text}`).join("\n")]),
    ...commentBlocks(review),
    "## What was measured here, not by the teacher",
    measured(review),
    "## Who, when, and what it cost",
    `${teacher.id} answered as ${teacher.model}, prompt ${prompt}, on ${new Date(when).toLocaleString()}.${twice}`,
    `${describeUsage(usage)}.${before}`,
  ]
    .join("\n\n")
    .concat("\n");
}

/** While the teacher speaks. */
export function renderRunning(skillId: string, teacher: string, phase: string, words: string): string {
  return `# Review of ${skillId}\n\n${teacher} ${phase}\n\n${words}`;
}
