import { html, nothing, type TemplateResult } from "lit";
import { FAILURE_PATTERNS, type FoundPattern } from "../../src/model/failure-pattern.ts";
import type { PfFacet } from "../../src/model/pf-facet.ts";
import type { Controller } from "./controller.ts";
import { filtersPfs, matchingPfs } from "./filter.ts";
import type { ReplayState } from "./state.ts";

function stepLink(t: number, controller: Controller): TemplateResult {
  return html` <button type="button" class="link" @click=${() => controller.jumpToStep(t)}>
    step ${t + 1}
  </button>`;
}

/** More steps than this say no more. */
const STEPS_SHOWN = 6;

function stepLinks(steps: readonly number[], controller: Controller): TemplateResult[] {
  return steps.slice(0, STEPS_SHOWN).map((t) => stepLink(t, controller));
}

function patternView({ name, steps, reason }: FoundPattern, controller: Controller): TemplateResult {
  return html`<li class="pattern" data-pattern=${name} title=${reason}>
    <span>${FAILURE_PATTERNS[name]}</span>${stepLinks(steps, controller)}
  </li>`;
}

function pfView({ skillId, statuses, fired }: PfFacet, controller: Controller): TemplateResult {
  return html`<li
    class="pattern"
    data-skill=${skillId}
    title="Its statuses in this episode, and where it fired"
  >
    <span><bdi>${skillId}</bdi> ${statuses.join(", ")}</span>${stepLinks(fired, controller)}
  </li>`;
}

function part(label: string, items: readonly TemplateResult[]): unknown {
  if (items.length === 0) return nothing;
  return html`<div class="patterns">
    <span class="quiet">${label}</span>
    <ul>
      ${items}
    </ul>
  </div>`;
}

/** What a look at the whole episode shown has found: failure patterns, and the PFs that the filter is about. */
export function facetsView({ facets, filter, index }: ReplayState, controller: Controller): unknown {
  const found = index === undefined ? undefined : facets.found.get(index);
  if (found === undefined) return nothing;
  const pfs = filtersPfs(filter) ? matchingPfs(found, filter) : [];
  const whose = filter.pfSource === "today" ? "With today's library" : "Filtered";
  return html`${part(
    "Patterns",
    found.patterns.map((pattern) => patternView(pattern, controller)),
  )}
  ${part(
    whose,
    pfs.map((facet) => pfView(facet, controller)),
  )}`;
}
