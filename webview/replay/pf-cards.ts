import { html, nothing, type TemplateResult } from "lit";
import { PASS_WORDS } from "../../src/model/pass-words.ts";
import { repeat } from "lit/directives/repeat.js";
import type { Action } from "../../src/model/action.ts";
import { eachValueOnce } from "../../src/model/explained-text.ts";
import type { PfEvent } from "../../src/model/intervention.ts";
import { count } from "../shared/format.ts";
import { icon } from "../shared/icon.ts";
import { term } from "../shared/terms.ts";
import { actionView } from "./action-view.ts";
import type { Card } from "./cards.ts";
import { expressionView, operandView } from "./code-view.ts";
import type { Controller } from "./controller.ts";
import type { SourceLink } from "./source.ts";
import { statusLook } from "./statuses.ts";
import { teacherCallsView } from "./teacher-calls.ts";

/** Expressions beside the reason; those tested before them are on demand. */
const EXPRESSIONS_SHOWN = 2;

/** The reason, unless the expressions say the same in code. */
function shownReason({ reason, explanation }: Card): string {
  const isCode = explanation !== undefined && explanation.expressions.length > 0;
  return isCode && reason === explanation.sentence ? "" : reason;
}

/** Proposed → what the PF wants, whether or not it won the step. */
function changeView(event: PfEvent, { proposals, formulas }: CardContext): unknown {
  const proposed = proposals[event.proposal];
  const wanted = event.intervention;
  if (wanted?.type === "INJECT_CONTEXT") {
    return html`<hasp-clamp
      class="set-apart"
      .text=${wanted.contextText}
      .formulas=${formulas && "text"}
      lines="3"
      what="the context of ${event.skillId}"
    ></hasp-clamp>`;
  }
  if (wanted?.type !== "MODIFY_ACTION" || proposed === undefined) return nothing;
  const after = { type: wanted.newActionType ?? proposed.type, arg: wanted.newActionArg ?? proposed.arg };
  return html`<p class="change">
    ${actionView({ type: proposed.type, arg: proposed.arg }, { other: after })}
    <span class="arrow" aria-label="becomes">→</span>
    ${actionView(after, { other: proposed, side: "after" })}
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
  /** Formulas in texts are drawn. */
  readonly formulas: boolean;
  /** Where the Enter key leads. */
  readonly enter: SourceLink | undefined;
  /** The library that judges, in a word: `today`, or the day of a page's snapshot. */
  readonly library: string;
  readonly controller: Controller;
}

function listView(lines: readonly TemplateResult[]): unknown {
  return lines.length === 0
    ? nothing
    : html`<ul class="expressions">
        ${lines.map((line) => html`<li>${line}</li>`)}
      </ul>`;
}

/** Facts that no other line of the card shows: earlier expressions, other values, the words of it all, the change, the teacher. */
function moreView(
  { event, explanation, reasonToday = "" }: Card,
  earlier: readonly TemplateResult[],
  shown: string,
  context: CardContext,
): unknown {
  const others = explanation?.operands.map(operandView) ?? [];
  const said = [shown, reasonToday];
  const sentence =
    explanation === undefined || said.includes(explanation.sentence) ? "" : explanation.sentence;
  const change = changeView(event, context);
  const calls = teacherCallsView(event.teacherCalls);
  const isEmpty =
    sentence === "" &&
    reasonToday === "" &&
    change === nothing &&
    earlier.length + others.length + calls.length === 0;
  if (isEmpty) return nothing;
  return html`<details class="card-more">
    <summary aria-label="More about ${event.skillId}">More</summary>
    ${reasonToday === "" ? nothing : html`<p dir="auto"><span class="quiet">${context.library}:</span> ${reasonToday}</p>`}
    ${sentence === "" ? nothing : html`<p class="sentence" dir="auto">${sentence}</p>`} ${change}
    ${listView([...earlier, ...others])} ${calls}
  </details>`;
}

function cardOfWords({ of }: Card, { library }: CardContext): string {
  if (of === "both") return `recorded and ${library}`;
  return of === "recorded" ? "recorded" : library;
}

/** Says that an event is not about the step's first proposal. */
export function laterWords({ proposal, pass }: PfEvent): unknown {
  if (pass !== undefined) return html`<span class="quiet">${PASS_WORDS[pass]}</span>`;
  return proposal > 0 ? html`<span class="quiet">on proposal ${proposal + 1}: </span>` : nothing;
}

function cardView(card: Card, context: CardContext): TemplateResult {
  const { event, explanation, source, of } = card;
  const look = statusLook(event);
  const reason = shownReason(card);
  const by = event.by === undefined ? "" : ` (overridden by ${event.by})`;
  const later = laterWords(event);
  const expressions = eachValueOnce(explanation?.expressions.slice(0, EXPRESSIONS_SHOWN) ?? []);
  const earlier = explanation?.expressions.slice(EXPRESSIONS_SHOWN) ?? [];
  const whose = cardOfWords(card, context);
  return html`<li
    class="pf"
    data-skill=${event.skillId}
    data-status=${event.status}
    data-of=${of}
    aria-label="${event.skillId}: ${event.status}, ${whose}"
  >
    <span class="pf-status">${icon(look.icon, look.tone)} ${term(event.status)}</span>
    <span class="pf-skill">
      <bdi class="pf-name" title=${event.skillId}>${event.skillId}</bdi>
      <span class="card-of quiet">${whose}</span>
    </span>
    <div class="pf-body">
      ${
        reason === "" && by === "" && later === nothing
          ? nothing
          : html`<p class="reason" dir="auto">
              ${later}${reason}${by === "" ? nothing : html`<span class="quiet">${by}</span>`}
            </p>`
      }
      ${listView(expressions.map(expressionView))}
      ${moreView(card, earlier.map(expressionView), reason, context)}
    </div>
    <span class="pf-links">${debugButton(event.skillId, context)} ${sourceButton(source, context)}</span>
  </li>`;
}

/** A list of cards; each keeps its place, and what was opened in it, while its facts change. */
export function cardList(cards: readonly Card[], context: CardContext): unknown {
  if (cards.length === 0) return nothing;
  return html`<ul class="pfs">
    ${repeat(
      cards,
      ({ event, of }) => `${event.proposal} ${event.pass ?? ""} ${event.skillId} ${of === "today" ? of : ""}`,
      (card) => cardView(card, context),
    )}
  </ul>`;
}

/** More skipped PFs than this fold into one line. */
const SKIPPED_SHOWN = 8;

/** The cards of PFs that did not intervene; many skipped ones are folded. */
export function quietCards(cards: readonly Card[], context: CardContext, skippedOpen: boolean): unknown {
  const skipped = cards.filter(({ event }) => event.status === "skipped");
  if (skipped.length <= SKIPPED_SHOWN) return cardList(cards, context);
  const { controller } = context;
  const others = cards.filter(({ event }) => event.status !== "skipped");
  const toggled = (event: Event): void =>
    controller.setSkippedOpen((event.currentTarget as HTMLDetailsElement).open);
  return html`${cardList(others, context)}
    <details class="skipped" ?open=${skippedOpen} @toggle=${toggled}>
      <summary>${count(skipped.length, "Program Function")} skipped</summary>
      ${cardList(skipped, context)}
    </details>`;
}
