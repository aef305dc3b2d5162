import { html, nothing, type TemplateResult } from "lit";
import type { Action } from "../../src/model/action.ts";
import type { Explanation, Operand } from "../../src/model/explanation.ts";
import type { PfEvent, PfStatus } from "../../src/model/intervention.ts";
import type { JudgedPf } from "../../src/protocol/replay.ts";
import { count, literal } from "../shared/format.ts";
import { icon } from "../shared/icon.ts";
import { term } from "../shared/terms.ts";
import { actionView } from "./action-view.ts";
import type { Controller } from "./controller.ts";
import { judgedSource, recordedSource, type SourceLink } from "./source.ts";
import { statusLook } from "./statuses.ts";
import { teacherCallsView } from "./teacher-calls.ts";

function operandView(operand: Operand): TemplateResult {
  return html`<span class="operand" title="line ${operand.line}"
    ><bdi>${operand.expression}</bdi> <span class="quiet">is</span>
    <bdi class="value">${literal(operand.value)}</bdi></span
  >`;
}

/**
 * The reason in one line. A PF whose own condition said no has nothing to say but that; the explanation knows why.
 * Where a limit or another rule skipped it, the reason is the point.
 */
function headline(event: PfEvent, explanation: Explanation | undefined): string {
  const own = event.status === "skipped" && explanation?.activated === false && explanation.sentence !== "";
  return own ? explanation.sentence : event.reason;
}

/** The operand that settled the answer, then the values inside it. */
function whyView(explanation: Explanation | undefined, reason: string): unknown {
  if (explanation === undefined) return nothing;
  const { deciding, operands, sentence } = explanation;
  const inner = operands.filter((operand) => operand.expression !== deciding?.expression);
  return html`${sentence === "" || sentence === reason ? nothing : html`<p class="sentence" dir="auto">${sentence}</p>`}
  ${
    deciding === undefined && inner.length === 0
      ? nothing
      : html`<p class="operands code">
          ${deciding === undefined ? nothing : html`<span class="deciding">${operandView(deciding)}</span>`}
          ${inner.map(operandView)}
        </p>`
  }`;
}

/** Proposed → what the PF wants, whether or not it won the step. */
function changeView(event: PfEvent, proposed: Action | undefined): unknown {
  const wanted = event.intervention;
  if (wanted?.type === "INJECT_CONTEXT") {
    return html`<hasp-clamp
      class="set-apart"
      .text=${wanted.contextText}
      lines="3"
      what="the context of ${event.skillId}"
    ></hasp-clamp>`;
  }
  if (wanted?.type !== "MODIFY_ACTION" || proposed === undefined) return nothing;
  const after = { type: wanted.newActionType ?? proposed.type, arg: wanted.newActionArg ?? proposed.arg };
  return html`<p class="change">
    ${actionView({ type: proposed.type, arg: proposed.arg }, after, "before")}
    <span class="arrow" aria-label="becomes">→</span>
    ${actionView(after, proposed, "after")}
  </p>`;
}

function sourceButton(source: SourceLink, { enter, controller }: CardContext): TemplateResult {
  const key = enter?.skillId === source.skillId && enter.line === source.line ? " (Enter)" : "";
  return html`<button
    type="button"
    class="link source"
    title="Open ${source.label} of ${source.skillId}${key}"
    @click=${() => controller.openSource(source.skillId, source.line)}
  >
    ${source.label}
  </button>`;
}

function debugButton(skillId: string, { debuggable, controller }: CardContext): unknown {
  if (!debuggable.has(skillId)) return nothing;
  return html`<button
    type="button"
    class="link"
    title="Debug ${skillId} on this step"
    aria-label="Debug ${skillId}"
    @click=${() => controller.stepCommand("debugPf", skillId)}
  >
    Debug
  </button>`;
}

/** What all cards of a step share. */
export interface CardContext {
  /** Skills of today's library, which alone can be run again. */
  readonly debuggable: ReadonlySet<string>;
  /** The step's proposed actions, by number of proposal. */
  readonly proposals: readonly Action[];
  /** Where the Enter key leads. */
  readonly enter: SourceLink | undefined;
  readonly controller: Controller;
}

interface Card {
  readonly event: PfEvent;
  readonly explanation: Explanation | undefined;
  readonly source: SourceLink;
}

function cardView({ event, explanation, source }: Card, context: CardContext): TemplateResult {
  const look = statusLook(event);
  const reason = headline(event, explanation);
  const by = event.by === undefined ? "" : ` (overridden by ${event.by})`;
  const later =
    event.proposal > 0 ? html`<span class="quiet">on proposal ${event.proposal + 1}: </span>` : nothing;
  return html`<li class="pf" data-skill=${event.skillId} data-status=${event.status}>
    <span class="pf-status">${icon(look.icon, look.tone)} ${term(event.status)}</span>
    <bdi class="pf-skill" title=${event.skillId}>${event.skillId}</bdi>
    <div class="pf-body">
      <p class="reason" dir="auto">
        ${later}${reason}${by === "" ? nothing : html`<span class="quiet">${by}</span>`}
      </p>
      ${whyView(explanation, reason)} ${changeView(event, context.proposals[event.proposal])}
      ${teacherCallsView(event.teacherCalls)}
    </div>
    <span class="pf-links">${debugButton(event.skillId, context)} ${sourceButton(source, context)}</span>
  </li>`;
}

/** More skipped PFs than this fold into one line, so that the observation stays within reach. */
const SKIPPED_SHOWN = 8;

function skippedView(
  cards: readonly TemplateResult[],
  open: boolean,
  controller: Controller,
): TemplateResult {
  const toggled = (event: Event): void =>
    controller.setSkippedOpen((event.currentTarget as HTMLDetailsElement).open);
  return html`<details class="skipped" ?open=${open} @toggle=${toggled}>
    <summary>${count(cards.length, "Program Function")} skipped</summary>
    <ul class="pfs">
      ${cards}
    </ul>
  </details>`;
}

interface Made {
  readonly status: PfStatus;
  readonly card: TemplateResult;
}

function foldedCards(made: readonly Made[], skippedOpen: boolean, controller: Controller): TemplateResult {
  const skipped = made.filter(({ status }) => status === "skipped").map(({ card }) => card);
  if (skipped.length <= SKIPPED_SHOWN)
    return html`<ul class="pfs">
      ${made.map(({ card }) => card)}
    </ul>`;
  const others = made.filter(({ status }) => status !== "skipped");
  return html`<ul class="pfs">
      ${others.map(({ card }) => card)}
    </ul>
    ${skippedView(skipped, skippedOpen, controller)}`;
}

/** What became of each PF in the run itself. */
export function recordedCards(
  events: readonly PfEvent[],
  context: CardContext,
  skippedOpen: boolean,
): TemplateResult {
  const made = events.map((event) => ({
    status: event.status,
    card: cardView({ event, explanation: undefined, source: recordedSource(event) }, context),
  }));
  return foldedCards(made, skippedOpen, context.controller);
}

/** What each PF of today's library decides, and why. */
export function judgedCards(
  pfs: readonly JudgedPf[],
  context: CardContext,
  skippedOpen: boolean,
): TemplateResult {
  const made = pfs.map((pf) => ({
    status: pf.event.status,
    card: cardView({ ...pf, source: judgedSource(pf) }, context),
  }));
  return foldedCards(made, skippedOpen, context.controller);
}

/** One line for each PF that is being asked, so that its answer takes the place that was kept for it. */
export function pendingCards(skills: readonly { readonly skillId: string }[]): TemplateResult {
  return html`<ul class="pfs pending" aria-busy="true">
    ${skills.slice(0, SKIPPED_SHOWN).map(
      ({ skillId }) =>
        html`<li class="pf" data-skill=${skillId} data-status="pending">
          <span class="pf-status quiet">judging…</span><bdi class="pf-skill">${skillId}</bdi>
          <div class="pf-body">
            <p class="reason">&nbsp;</p>
            <p class="operands code">&nbsp;</p>
          </div>
        </li>`,
    )}
  </ul>`;
}
