import { html, nothing, type TemplateResult } from "lit";
import type { DataCard, SampleRow } from "../../src/model/data-card.ts";
import { icon } from "../shared/icon.ts";
import type { TrainingController } from "./controller.ts";
import { decimal } from "./model.ts";

/** Rows of objective B are made of candidates and lead to no step. */
function placeView({ episode, step, line }: SampleRow, linked: boolean, open: () => void): TemplateResult {
  if (!linked) return html`<span>Line ${line}</span>`;
  return html`<button
    type="button"
    class="link"
    dir="auto"
    title="Open this step in the replay"
    @click=${open}
  >
    Line ${line}: ${episode}, step ${step}
  </button>`;
}

function textView(label: string, what: string, text: string, lines: number): unknown {
  if (text === "") return nothing;
  return html`<dt>${label}</dt>
    <dd class="text"><hasp-clamp .text=${text} lines=${lines} what=${what}></hasp-clamp></dd>`;
}

function sampleView({ kind, objective }: DataCard, row: SampleRow, open: () => void): TemplateResult {
  const { line, weight, correction, skills, prompt, target, rejected } = row;
  const label = kind === "a-context" ? "Contexts" : rejected === undefined ? "Target" : "Chosen";
  const changed = correction !== "" && correction !== "none";
  return html`<li>
    <p class="row-head">
      ${placeView(row, objective === "a", open)}
      <span class="quiet"
        >${changed ? html`${icon("triangle-up", "changed")} ${correction}` : nothing}
        ${changed && skills !== "" ? "·" : nothing} <bdi>${skills}</bdi></span
      >
      <span class="number" title="Weight of the row in the loss">weight ${decimal(weight, 4)}</span>
    </p>
    <dl>
      ${textView("Prompt end", `the prompt of line ${line}`, prompt, 3)}
      ${textView(label, `the ${kind === "a-context" ? "contexts" : "target"} of line ${line}`, target, 6)}
      ${rejected === undefined ? nothing : textView("Rejected", `the rejected text of line ${line}`, rejected, 6)}
    </dl>
  </li>`;
}

/** The first rows of a file; each leads to its step in the replay. */
export function samplesView(card: DataCard, position: number, controller: TrainingController): unknown {
  const { sample } = card;
  if (sample.length === 0) return nothing;
  return html`<section aria-label="First rows">
    <h2>First rows</h2>
    <ol class="samples">
      ${sample.map((row, i) => sampleView(card, row, () => controller.openRow(position, i)))}
    </ol>
  </section>`;
}
