import { html, nothing, type TemplateResult } from "lit";
import { clip } from "../../src/model/clip.ts";
import type { TestEvidence } from "../../src/model/test-evidence.ts";
import { CAN_BE_FORGED, countWords, endedWords, groupWords, isUnloaded } from "../../src/model/test-words.ts";
import { icon } from "../shared/icon.ts";

/** Characters of a name on its line. */
const NAME = 80;

function valueRow(name: string, text: string | undefined): unknown {
  if (text === undefined) return nothing;
  const what = `${name.toLowerCase()} of the failing test`;
  if (text.trim() === "")
    return html`<dt>${name}</dt>
      <dd class="quiet">${text === "" ? "empty" : "blanks alone"}</dd>`;
  return html`<dt>${name}</dt>
    <dd>
      <hasp-clamp class="code" .text=${text} .code=${"value"} lines="6" what=${what}></hasp-clamp>
    </dd>`;
}

function failedTestView(evidence: TestEvidence): unknown {
  if (evidence.first === undefined) return nothing;
  const { name, input, expected, actual } = evidence.first;
  return html`<p class="failing-test">
      ${icon("close", "bad")} ${isUnloaded(evidence) ? "Failed while" : "First to fail"}
      <bdi class="code">${clip(name, NAME)}</bdi>
    </p>
    <dl class="test-values">
      ${valueRow("Input", input)} ${valueRow("Expected", expected)} ${valueRow("Actual", actual)}
    </dl>`;
}

/** `12 ms`, `3.4 s` */
const timeWords = (ms: number): string =>
  ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;

function forgedView({ canBeForged }: TestEvidence): unknown {
  if (canBeForged !== true) return nothing;
  return html` <span class="can-be-forged" title=${CAN_BE_FORGED}
    >${icon("warning", "warn")} can be forged<span class="for-readers">: ${CAN_BE_FORGED}</span></span
  >`;
}

/** The words of a verdict by tests, without what failed. */
export function testSummaryView(evidence: TestEvidence): TemplateResult {
  const [groups, ended] = [groupWords(evidence), endedWords(evidence)];
  return html`<span class="test-counts">${countWords(evidence)}</span
    >${groups === undefined ? nothing : html` <span class="quiet">(<bdi>${clip(groups, NAME)}</bdi>)</span>`}${ended === undefined ? nothing : html`: ${ended}`}${forgedView(evidence)}`;
}

/** The rest: the first test that failed, and where and for how long the tests ran. */
export function testDetailsView(evidence: TestEvidence): TemplateResult {
  const { containment, ms } = evidence;
  return html`<div class="tests">
    ${failedTestView(evidence)}
    <p class="quiet test-place">${timeWords(ms)} in <bdi>${clip(containment, NAME)}</bdi></p>
  </div>`;
}
