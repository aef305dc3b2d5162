import { html, nothing, type TemplateResult } from "lit";
import type { Action } from "../../src/model/action.ts";
import type { Episode, Step } from "../../src/model/episode.ts";
import type { OpenedRun } from "../../src/protocol/replay.ts";
import { icon } from "../shared/icon.ts";
import { actionView } from "./action-view.ts";
import type { Controller } from "./controller.ts";
import { decisionsView, instructionsView } from "./decisions.ts";
import { detailsView } from "./details.ts";
import { programsView } from "./programs.ts";
import type { ReplayState } from "./state.ts";
import { interventionSteps, isModified } from "./timeline-model.ts";

function row(name: string, body: unknown, className = ""): TemplateResult {
  return html`<div class="row ${className}">
    <h2>${name}</h2>
    <div class="cell-body">${body}</div>
  </div>`;
}

function thought(text: string): TemplateResult {
  if (text === "") return html`<span class="quiet">none recorded</span>`;
  return html`<hasp-clamp .text=${text} lines="6" what="the thought"></hasp-clamp>`;
}

/** Thought and action of each proposal. A second one exists where a context held back the first. */
function proposalsView(step: Step, modified: boolean): unknown {
  const last = step.proposals.length - 1;
  return step.proposals.map((proposal, i) => {
    const held =
      i < last ? html` <span class="quiet">(held back once; the policy proposed again)</span>` : nothing;
    const other: Action | undefined = i === last && modified ? step.executed : undefined;
    return html`${row("Thought", thought(proposal.thought), "thought")}
    ${row(last > 0 ? `Proposed ${i + 1} of ${last + 1}` : "Proposed", html`${actionView(proposal.action, other)}${held}`, "proposed")}`;
  });
}

function remindedView(step: Step): unknown {
  if ((step.instructions ?? []).length === 0) return nothing;
  return row("Reminded", instructionsView(step), "reminded");
}

/** Who changed the action: the vote of the handlers, the PF that won the step, or a tool that knows no READ. */
function changer({ decisions = [] }: Episode, step: Step): unknown {
  const here = decisions.filter(({ t }) => t === step.t);
  if (here.some(({ part, value }) => part === "handler_vote" && value === true))
    return "the vote of the handlers";
  const winner = step.events.find(
    (event) => event.status === "applied" && event.intervention?.type === "MODIFY_ACTION",
  );
  if (winner !== undefined) return html`<bdi class="code">${winner.skillId}</bdi>`;
  return here.some(({ part }) => part === "snippet_mode") ? "snippet mode" : undefined;
}

function executedView(episode: Episode, step: Step, modified: boolean): TemplateResult {
  const who = changer(episode, step);
  const by = who === undefined ? nothing : html` <span class="quiet">by</span> ${who}`;
  const body = modified
    ? html`${icon("triangle-up", "changed")}
        ${actionView(step.executed, step.proposals.at(-1)?.action, "after")}
        <span class="modified-label changed">modified</span>${by}`
    : html`${actionView({ type: step.executed.type, arg: step.executed.arg })}
        <span class="quiet">(as proposed)</span>`;
  return row("Executed", body, "executed");
}

function observationView(step: Step): TemplateResult {
  const text =
    step.observation === ""
      ? html`<span class="quiet">nothing returned</span>`
      : html`<hasp-clamp .text=${step.observation} lines="10" what="the observation"></hasp-clamp>`;
  const injected = step.injected.map(
    (added) =>
      html`<div class="injected-text">
        <p class="injected-by">
          ${icon("circle-filled", "injected")} Injected by <bdi class="code">${added.skillId}</bdi>
        </p>
        <hasp-clamp .text=${added.text} lines="6" what="the injected text"></hasp-clamp>
      </div>`,
  );
  // A FINAL has no observation but what the policy is told where its answer was not taken.
  const isNote = step.executed.type === "FINAL" && step.observation !== "";
  return row(isNote ? "Next round" : "Observation", html`${text}${injected}`, "observation");
}

function button(
  name: "chevron-left" | "chevron-right" | "triangle-left" | "triangle-right",
  title: string,
  enabled: boolean,
  press: () => void,
): TemplateResult {
  return html`<button
    type="button"
    class="icon-button"
    title=${title}
    aria-label=${title}
    ?disabled=${!enabled}
    @click=${press}
  >
    ${icon(name)}
  </button>`;
}

function toolbar(state: ReplayState, episode: Episode, controller: Controller): TemplateResult {
  const { t } = state;
  const interventions = interventionSteps(state);
  return html`<div class="step-bar">
    ${button("chevron-left", "Previous step (←)", t > 0, () => controller.goToStep(t - 1))}
    ${button("chevron-right", "Next step (→)", t < episode.steps.length - 1, () => controller.goToStep(t + 1))}
    ${button(
      "triangle-left",
      "Previous intervention (p)",
      interventions.some((s) => s < t),
      () => controller.moveIntervention(-1),
    )}
    ${button(
      "triangle-right",
      "Next intervention (n)",
      interventions.some((s) => s > t),
      () => controller.moveIntervention(1),
    )}
    <span class="step-count">Step ${t + 1} of ${episode.steps.length}</span>
  </div>`;
}

/** One step of the episode: what was thought, proposed, decided, executed and seen. */
export function stepView(
  state: ReplayState,
  run: OpenedRun,
  episode: Episode,
  controller: Controller,
): TemplateResult {
  const step = episode.steps[state.t];
  if (step === undefined) {
    return html`<div class="empty">
        <p>This episode has no steps: it ended before the policy proposed anything.</p>
      </div>
      <div class="step">${decisionsView(episode, 0)}</div>`;
  }
  const modified = isModified(step);
  return html`${toolbar(state, episode, controller)}
    <div class="step" id="step-panel" role="tabpanel" aria-labelledby="step-tab-${state.t}" tabindex="0">
      <div class="step-inner">
        ${remindedView(step)} ${proposalsView(step, modified)} ${executedView(episode, step, modified)}
        ${programsView(state, run, step, controller)} ${observationView(step)}
        ${detailsView(state, episode, step, controller)}
      </div>
    </div>`;
}
