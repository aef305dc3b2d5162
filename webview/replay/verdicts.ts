import { html, nothing, type TemplateResult } from "lit";
import type { Episode } from "../../src/model/episode.ts";
import type { Verdict } from "../../src/model/verdict.ts";
import { literal } from "../shared/format.ts";
import { icon } from "../shared/icon.ts";

const EVIDENCE_CHARS = 600;

function verdictView({ judge, score, passed, evidence }: Verdict): TemplateResult {
  const why = evidence === undefined ? "The judge gave no evidence." : literal(evidence, EVIDENCE_CHARS);
  const words = `: ${passed ? "right" : "wrong"}, ${score.toFixed(2)}`;
  return html`<span class="verdict" title=${why}
    >${icon(passed ? "pass" : "close", passed ? "good" : "bad")}
    <bdi class="code">${judge}</bdi>${words}</span
  >`;
}

/** Each judge's word on the answer; the outcome follows from the first. */
export function verdictsView({ verdicts = [] }: Episode): unknown {
  if (verdicts.length === 0) return nothing;
  return html`<dt>${verdicts.length > 1 ? "Verdicts" : "Verdict"}</dt>
    <dd class="verdicts">${verdicts.map(verdictView)}</dd>`;
}

/** Why the outcome is what it is. */
export function outcomeReason({ outcome, verdicts = [], source }: Episode): string | typeof nothing {
  const [first] = verdicts;
  if (first !== undefined) return `Judged by ${first.judge}: ${first.score.toFixed(2)}`;
  if (outcome !== "correct" && outcome !== "wrong") return nothing;
  return `Judged by its source (${source}): the record keeps no verdict.`;
}
