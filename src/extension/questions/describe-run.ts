import type { RunResult, RunSummary } from "../../app/run/questions.ts";
import { dollars } from "../../llm/budget.ts";
import { counted } from "../../model/counted.ts";
import { judgeFailedWords } from "../../model/outcomes.ts";
import { repliesText } from "../../model/replies.ts";
import { passAtKText } from "../../scoring/pass-at-k.ts";
import { describeCounts } from "../runs/find-runs.ts";

function costOf({ dollars: cost, costUnknown }: RunSummary): string {
  if (costUnknown) return " Cost unknown.";
  return cost === undefined ? "" : ` Cost ${dollars(cost)}.`;
}

/** A run in a few sentences: episodes by outcome, pass@k of several samples, cost, and the questions that are left. */
export function describeRun({ summary, skipped, questions }: RunResult): string {
  const { finished, outcomes, left, endedBy } = summary;
  const money = costOf(summary);
  const before = skipped > 0 ? ` ${skipped} had their episode already.` : "";
  const said = repliesText(summary.replies);
  const replies = said === undefined ? "" : ` Replies: ${said}.`;
  const several = questions === undefined ? "" : ` ${passAtKText(questions.passAtK)}.`;
  // A reason may be a sentence with its own end.
  const none = Object.entries(summary.undecided).map(([why, n]) => `${n}: ${why.replace(/\.$/, "")}`);
  const unjudged = none.length === 0 ? "" : ` The judge came to no verdict on ${none.join("; ")}.`;
  const done = `${counted(finished, "episode")}: ${describeCounts(outcomes)}.${several}${unjudged}${replies}${before}${money}`;
  if (left === 0) return done;
  const why = endedBy === "cancelled" ? "Cancelled." : `The run ended early, by ${endedBy ?? "a failure"}.`;
  return `${why} ${done} ${left} ${left === 1 ? "question is" : "questions are"} left: Resume Run goes on with them.`;
}

/** Failures outside of the agent, by stop reason, and those of the judge; empty without any. */
export function failuresOf({ stopReasons, judgeFailed }: RunSummary): string {
  const stops = Object.entries(stopReasons)
    .filter(([reason]) => /^(model_|environment_error|budget)/.test(reason))
    .map(([reason, count]) => `${reason} ${count}`);
  return [...stops, ...(judgeFailed === undefined ? [] : [judgeFailedWords(judgeFailed)])].join(", ");
}
