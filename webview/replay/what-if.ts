import { html, nothing, type TemplateResult } from "lit";
import type { Action } from "../../src/model/action.ts";
import type { PfEvent } from "../../src/model/intervention.ts";
import type { PfChange, StepChange } from "../../src/model/what-if.ts";
import { actionWords, count } from "../shared/format.ts";
import { icon } from "../shared/icon.ts";
import { termSentence } from "../shared/terms.ts";
import type { Controller } from "./controller.ts";
import type { ReplayState } from "./state.ts";

/** Links to more steps than this would fill the bar; the strip marks them all. */
const LINKS = 8;

function stepLink(t: number, controller: Controller): TemplateResult {
  return html`<button type="button" class="link" @click=${() => controller.jumpToStep(t)}>
    step ${t + 1}
  </button> `;
}

/** Above the step: what an edit changes on this episode, or that it changes nothing. */
export function whatIfBanner({ whatIf }: ReplayState, controller: Controller): unknown {
  if (whatIf === undefined) return nothing;
  const { changes, saved } = whatIf;
  const edit = saved ? "Your saved edit" : "Your edit, not saved yet,";
  const more = changes.length - LINKS;
  const words =
    changes.length === 0
      ? html`<span>${edit} changes no decision on this episode.</span>`
      : html`<span
          >${edit} changes the decisions of ${count(changes.length, "step")}:
          ${changes.slice(0, LINKS).map(({ t }) => stepLink(t, controller))}${more > 0 ? html`and ${more} more` : nothing}</span
        >`;
  return html`<div class="bar what-if" role="status">
    ${icon("edit", "changed")} ${words}
    <button
      type="button"
      class="icon-button"
      title="Dismiss"
      aria-label="Dismiss what the edit changes"
      @click=${() => controller.dismissWhatIf()}
    >
      ${icon("close")}
    </button>
  </div>`;
}

export function changeAt({ whatIf }: Pick<ReplayState, "whatIf">, t: number): StepChange | undefined {
  return whatIf?.changes.find((change) => change.t === t);
}

function sameAction(a: Action, b: Action): boolean {
  return a.type === b.type && a.arg === b.arg;
}

function statusWord(event: PfEvent | undefined): TemplateResult {
  const status = event?.status ?? "not there";
  return html`<span title=${termSentence(status)}>${status}</span>`;
}

function pfLine({ skillId, before, after }: PfChange): TemplateResult {
  return html`<li>
    <bdi class="code">${skillId}</bdi> ${statusWord(before)}
    <span aria-label="becomes">→</span> ${statusWord(after)}
    <span class="quiet" dir="auto">${after?.reason ?? ""}</span>
  </li>`;
}

function injects(event: PfEvent | undefined): boolean {
  return event?.status === "applied" && event.intervention?.type === "INJECT_CONTEXT";
}

/** Where the action stays, what the policy would read may still be other. */
function sameActionWords(pfs: readonly PfChange[]): string {
  const [had, has] = [pfs.some(({ before }) => injects(before)), pfs.some(({ after }) => injects(after))];
  if (had && has) return "the same action would run, with another context";
  if (has) return "the same action would run, with a context added";
  return had ? "the same action would run, without the context" : "the same action would run";
}

/** On a step that the edit changes: each Program Function before and after, and what would run. */
export function changeView(change: StepChange | undefined): unknown {
  if (change === undefined) return nothing;
  const { executedBefore, executedAfter, pfs } = change;
  return html`<div class="note your-change">
    <p>
      ${icon("edit", "changed")} With your change:
      ${
        sameAction(executedBefore, executedAfter)
          ? sameActionWords(pfs)
          : html`would run <bdi>${actionWords(executedAfter)}</bdi>
              <span class="quiet">instead of <bdi>${actionWords(executedBefore)}</bdi></span>`
      }
    </p>
    <ul>
      ${pfs.map(pfLine)}
    </ul>
  </div>`;
}
