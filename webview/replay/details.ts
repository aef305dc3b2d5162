import { html, nothing, type TemplateResult } from "lit";
import type { Document, Episode, Step } from "../../src/model/episode.ts";
import { usageWords } from "../shared/format.ts";
import type { Controller } from "./controller.ts";
import { treeView } from "./context-tree.ts";
import { decisionsView } from "./decisions.ts";
import { drawsFormulas } from "./formula-source.ts";
import { detailSection as section } from "./detail-section.ts";
import { judgingLibrary } from "./library-names.ts";
import { failureView } from "./notices.ts";
import { completionsView, promptsView } from "./prompt-view.ts";
import { signalsView } from "./signals-view.ts";
import { valueOf, type ReplayState } from "./state.ts";

function injectedView(state: ReplayState, step: Step): unknown {
  const today = valueOf(state.judged)?.injected ?? [];
  const row = (when: string) => (text: { skillId: string; text: string }) =>
    html`<div class="text-row">
      <p><bdi class="name">${text.skillId}</bdi> <span class="quiet">${when}</span></p>
      <hasp-clamp
        class="set-apart"
        .text=${text.text}
        .formulas=${drawsFormulas(state) && "text"}
        lines="4"
        what="the text of ${text.skillId}"
      ></hasp-clamp>
    </div>`;
  const total = step.injected.length + today.length;
  const body =
    total === 0
      ? html`<p class="quiet">
          Texts that Program Functions add for the policy are listed here. This step has none.
        </p>`
      : [step.injected.map(row("recorded")), today.map(row(`with ${judgingLibrary(state).name}`))];
  return section("injected", "Injected", String(total), body);
}

function documentView(document: Document): TemplateResult {
  return html`<div class="text-row">
    <p><bdi class="name">${document.id}</bdi> <bdi>${document.title ?? ""}</bdi></p>
    <hasp-clamp .text=${document.text} lines="4" what="document ${document.id}"></hasp-clamp>
  </div>`;
}

function documentsView(step: Step): TemplateResult {
  const documents = step.documents ?? [];
  const body =
    documents.length === 0
      ? html`<p class="quiet">
          Documents that the environment returned are listed here. This step has none.
        </p>`
      : documents.map(documentView);
  return section("documents", "Documents", String(documents.length), body);
}

function contextView(state: ReplayState, controller: Controller): TemplateResult {
  const { context } = state;
  if (context.state === "idle")
    return section(
      "context",
      "Step context",
      "",
      html`<p class="quiet">It is rebuilt when the episode has ended.</p>`,
    );
  if (context.state === "failed")
    return section("context", "Step context", "not available", failureView(context.failure, controller));
  if (context.state !== "ready")
    return section("context", "Step context", "", html`<p class="quiet">Rebuilding the context…</p>`);
  const { changed } = context.value;
  return section(
    "context",
    "Step context",
    `(${changed.length} changed)`,
    treeView(context.value.context, changed),
  );
}

function costView(step: Step): unknown {
  const usages = step.proposals.flatMap((proposal) => proposal.usage ?? []);
  if (usages.length === 0 && step.dispatchMs === undefined) return nothing;
  const lines = usages.map((usage, i) => html`<p>Proposal ${i + 1}: ${usageWords(usage)}</p>`);
  const dispatch =
    step.dispatchMs === undefined
      ? nothing
      : html`<p>Program Functions: ${step.dispatchMs.toFixed(1)} ms</p>`;
  return section("cost", "Cost", "", [lines, dispatch]);
}

/** The parts of a step that fold. They stay as a person left them while stepping. */
export function detailsView(
  state: ReplayState,
  episode: Episode,
  step: Step,
  controller: Controller,
): TemplateResult {
  return html`<div class="details">
    ${decisionsView(episode, state.t)} ${injectedView(state, step)} ${documentsView(step)}
    ${promptsView(state, step, controller)} ${completionsView(step)} ${contextView(state, controller)}
    ${signalsView(state, step, controller)} ${costView(step)}
  </div>`;
}
