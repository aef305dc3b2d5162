import { html, nothing, type TemplateResult } from "lit";
import type { Episode, Proposal } from "../../src/model/episode.ts";
import type { Verdict } from "../../src/model/verdict.ts";
import { ratingWords } from "../../src/model/verdict-words.ts";
import { testEvidenceOf } from "../../src/model/test-evidence.ts";
import { countWords } from "../../src/model/test-words.ts";
import type { revisionAt } from "../../src/model/revised-drafts.ts";
import { literal } from "../shared/format.ts";
import { icon } from "../shared/icon.ts";
import { term } from "../shared/terms.ts";
import { testDetailsView, testSummaryView } from "./test-verdict.ts";

const EVIDENCE_CHARS = 600;

/** One verdict; its evidence is in the tooltip, and opens by a press. That of tests is said in words, and `open` where it is looked for. */
function verdictView(verdict: Verdict, open: boolean): TemplateResult {
  const { judge, passed, evidence } = verdict;
  const words = html`${icon(passed ? "pass" : "close", passed ? "good" : "bad")}
    <bdi class="code">${judge}</bdi>${`: ${ratingWords(verdict)}`}`;
  if (evidence === undefined)
    return html`<span class="judged" title="The judge gave no evidence.">${words}</span>`;
  const tests = testEvidenceOf(evidence);
  if (tests !== undefined)
    return html`<details class="judged by-tests" ?open=${open}>
      <summary>${words} · ${testSummaryView(tests)}</summary>
      ${testDetailsView(tests)}
    </details>`;
  const why = literal(evidence, EVIDENCE_CHARS);
  return html`<details class="judged">
    <summary title=${why}>${words}</summary>
    <bdi class="code">${why}</bdi>
  </details>`;
}

/** The verdict of each judge on the answer of an episode; the outcome follows from the first. */
export function verdictsView({ verdicts = [], noVerdict }: Episode): unknown {
  if (verdicts.length === 0 && noVerdict === undefined) return nothing;
  if (verdicts.length === 0)
    return html`<div>
      <dt>Verdict</dt>
      <dd class="not-judged">${icon("circle-slash", "quiet")} not judged: <bdi>${noVerdict}</bdi></dd>
    </div>`;
  return html`<div>
    <dt>${verdicts.length > 1 ? "Verdicts" : "Verdict"}</dt>
    <dd class="verdicts">${verdicts.map((verdict) => verdictView(verdict, false))}</dd>
  </div>`;
}

/** The verdicts on one proposed answer; nothing where it has none, as while its episode runs. `open`: with what failed. */
export function proposalVerdictsView({ verdicts = [] }: Proposal, open: boolean): unknown {
  if (verdicts.length === 0) return nothing;
  return html`<div class="verdicts" role="group" aria-label="Verdicts on this answer" data-no-find>
    ${verdicts.map((verdict) => verdictView(verdict, open))}
  </div>`;
}

/** The first verdict on a proposed answer in a few words. */
function briefView({ verdicts: [verdict] = [] }: Proposal): TemplateResult {
  if (verdict === undefined) return html`<span class="quiet">not judged</span>`;
  const tests = testEvidenceOf(verdict.evidence);
  const { passed } = verdict;
  return html`${icon(passed ? "pass" : "close", passed ? "good" : "bad")}
  ${passed ? "right" : "wrong"}${tests === undefined ? nothing : html`<span class="quiet">, ${countWords(tests)}</span>`}`;
}

/** The verdicts on a draft and its revision beside each other; `result` where both are judged. */
export function bothVerdictsView(
  draft: Proposal,
  revision: Proposal,
  result: ReturnType<typeof revisionAt>,
): unknown {
  return html`<p class="both-verdicts" data-no-find>
    draft ${briefView(draft)} <span class="quiet">→</span> revision
    ${briefView(revision)}${result === undefined ? nothing : html` <span class="quiet">·</span> ${term(result)}`}
  </p>`;
}

/** Why the outcome is what it is. */
export function outcomeReason({
  outcome,
  verdicts = [],
  noVerdict,
  source,
}: Episode): string | typeof nothing {
  const [first] = verdicts;
  if (first !== undefined) return `Judged by ${first.judge}: ${first.score.toFixed(2)}`;
  if (noVerdict !== undefined) return `Not judged: ${noVerdict}`;
  if (outcome !== "correct" && outcome !== "wrong") return nothing;
  return `Judged by its source (${source}): the record keeps no verdict.`;
}
