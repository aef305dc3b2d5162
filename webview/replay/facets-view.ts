import { html, nothing, type TemplateResult } from "lit";
import { FAILURE_PATTERNS, type FoundPattern } from "../../src/model/failure-pattern.ts";
import type { PfFacet } from "../../src/model/pf-facet.ts";
import type { EpisodeFacets } from "../../src/protocol/replay.ts";
import { icon } from "../shared/icon.ts";
import type { Controller } from "./controller.ts";
import { filtersPfs, matchingPfs } from "./filter.ts";
import { firstBadStep } from "./first-bad-step.ts";
import { judgingLibrary } from "./library-names.ts";
import { valueOf, type ReplayState } from "./state.ts";

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

function newSkillButton({ name }: FoundPattern, controller: Controller): TemplateResult {
  const label = `New Skill from This Pattern: ${FAILURE_PATTERNS[name]}`;
  return html` <button
    type="button"
    class="icon-button new-skill"
    title="New Skill from This Pattern, with the steps of all episodes that show it as cases"
    aria-label=${label}
    @click=${() => controller.newSkillFromPattern(name)}
  >
    ${icon("add")}
  </button>`;
}

function patternView(pattern: FoundPattern, canWrite: boolean, controller: Controller): TemplateResult {
  const { name, steps, reason } = pattern;
  return html`<li class="pattern" data-pattern=${name} title=${reason}>
    ${icon("warning", "warn")} <span>${FAILURE_PATTERNS[name]}</span>${stepLinks(steps, controller)}${
      canWrite ? newSkillButton(pattern, controller) : nothing
    }
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

function list(label: string, items: readonly TemplateResult[]): unknown {
  if (items.length === 0) return nothing;
  return html`<span class="quiet">${label}</span>
    <ul aria-label=${label}>
      ${items}
    </ul>`;
}

function firstBadStepButton(state: ReplayState, controller: Controller): unknown {
  const bad = firstBadStep(state, state.index);
  if (bad === undefined) return nothing;
  return html`<button
    type="button"
    class="plain-button first-bad"
    title="Go to the first bad step: ${bad.reason} (g)"
    @click=${() => controller.goToFirstBadStep()}
  >
    ${icon("arrow-right")} First bad step: ${bad.t + 1}
  </button>`;
}

/** Its line is there from the start: what is found must not push the step down. */
function patternsOf(found: EpisodeFacets | undefined, state: ReplayState, controller: Controller): unknown {
  if (found === undefined) {
    const words = state.facets.missed === state.index ? "not known" : "…";
    return html`<span class="quiet">Patterns ${words}</span>`;
  }
  const { outcome } = valueOf(state.run)?.episodes[state.index ?? -1] ?? {};
  if (outcome === "abandoned") return html`<span class="quiet">Nobody judges an abandoned branch</span>`;
  if (found.patterns.length === 0) return html`<span class="quiet">No failure pattern found</span>`;
  const canWrite = valueOf(state.run)?.isExported !== true;
  return list(
    "Patterns",
    found.patterns.map((pattern) => patternView(pattern, canWrite, controller)),
  );
}

/** The failure of the episode shown: its first bad step, its failure patterns, and the PFs that the filter is about. */
export function facetsView(state: ReplayState, controller: Controller): unknown {
  const { facets, filter, index } = state;
  if (index === undefined) return nothing;
  const found = facets.found.get(index);
  const pfs = found !== undefined && filtersPfs(filter) ? matchingPfs(found, filter) : [];
  const whose = filter.pfSource === "today" ? `With ${judgingLibrary(state).name}` : "Filtered";
  return html`<div class="patterns" role="group" aria-label="Failure patterns">
      ${firstBadStepButton(state, controller)} ${patternsOf(found, state, controller)}
    </div>
    ${
      pfs.length === 0
        ? nothing
        : html`<div class="patterns">
            ${list(
              whose,
              pfs.map((facet) => pfView(facet, controller)),
            )}
          </div>`
    }`;
}
