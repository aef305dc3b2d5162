import { html, nothing, type TemplateResult } from "lit";
import type { Episode, Proposal } from "../../src/model/episode.ts";
import type { Verdict } from "../../src/model/verdict.ts";
import { ratingWords } from "../../src/model/verdict-words.ts";
import { literal } from "../shared/format.ts";
import { icon } from "../shared/icon.ts";

const EVIDENCE_CHARS = 600;

/** One verdict; its evidence is in the tooltip, and opens by a press. */
function verdictView(verdict: Verdict): TemplateResult {
  const { judge, passed, evidence } = verdict;
  const words = html`${icon(passed ? "pass" : "close", passed ? "good" : "bad")}
    <bdi class="code">${judge}</bdi>${`: ${ratingWords(verdict)}`}`;
  if (evidence === undefined)
    return html`<span class="judged" title="The judge gave no evidence.">${words}</span>`;
  const why = literal(evidence, EVIDENCE_CHARS);
  return html`<details class="judged">
    <summary title=${why}>${words}</summary>
    <bdi class="code">${why}</bdi>
  </details>`;
}

/** The verdict of each judge on the answer of an episode; the outcome follows from the first. */
export function verdictsView({ verdicts = [] }: Episode): unknown {
  if (verdicts.length === 0) return nothing;
  return html`<dt>${verdicts.length > 1 ? "Verdicts" : "Verdict"}</dt>
    <dd class="verdicts">${verdicts.map(verdictView)}</dd>`;
}

/** The verdicts on one proposed answer; nothing where it has none, as while its episode runs. */
export function proposalVerdictsView({ verdicts = [] }: Proposal): unknown {
  if (verdicts.length === 0) return nothing;
  return html`<div class="verdicts" role="group" aria-label="Verdicts on this answer" data-no-find>
    ${verdicts.map(verdictView)}
  </div>`;
}

/** Why the outcome is what it is. */
export function outcomeReason({ outcome, verdicts = [], source }: Episode): string | typeof nothing {
  const [first] = verdicts;
  if (first !== undefined) return `Judged by ${first.judge}: ${first.score.toFixed(2)}`;
  if (outcome !== "correct" && outcome !== "wrong") return nothing;
  return `Judged by its source (${source}): the record keeps no verdict.`;
}
