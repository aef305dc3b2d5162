import { html, nothing, type TemplateResult } from "lit";
import { FAILURE_PATTERNS, type FoundPattern } from "../../src/model/failure-pattern.ts";
import type { Controller } from "./controller.ts";
import type { ReplayState } from "./state.ts";

function stepLink(t: number, controller: Controller): TemplateResult {
  return html` <button type="button" class="link" @click=${() => controller.jumpToStep(t)}>
    step ${t + 1}
  </button>`;
}

/** More steps than this say no more. */
const STEPS_SHOWN = 6;

function patternView({ name, steps, reason }: FoundPattern, controller: Controller): TemplateResult {
  return html`<li class="pattern" data-pattern=${name} title=${reason}>
    <span>${FAILURE_PATTERNS[name]}</span>${steps.slice(0, STEPS_SHOWN).map((t) => stepLink(t, controller))}
  </li>`;
}

/** The failure patterns of the episode shown, where somebody had them looked for. */
export function patternsView({ patterns, index }: ReplayState, controller: Controller): unknown {
  const found = index === undefined ? undefined : patterns.found.get(index);
  if (found === undefined || found.length === 0) return nothing;
  return html`<div class="patterns">
    <span class="quiet">Patterns</span>
    <ul>
      ${found.map((pattern) => patternView(pattern, controller))}
    </ul>
  </div>`;
}
