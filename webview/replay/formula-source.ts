import { html, nothing } from "lit";
import { icon } from "../shared/icon.ts";
import type { Controller } from "./controller.ts";
import { valueOf, type ReplayState } from "./state.ts";

/** The episode shown is of a domain whose texts hold formulas. */
function hasFormulas({ run, episode }: ReplayState): boolean {
  const domain = valueOf(episode)?.facts.domain;
  return domain !== undefined && valueOf(run)?.formulaDomains?.includes(domain) === true;
}

/** Formulas in texts of the episode are drawn; else texts are shown as they are written. */
export function drawsFormulas(state: ReplayState): boolean {
  return hasFormulas(state) && !state.sourceShown;
}

/** Between formulas and their source; nothing where the episode has none. */
export function sourceToggle(state: ReplayState, controller: Controller): unknown {
  if (!hasFormulas(state)) return nothing;
  return html`<button
    type="button"
    class="plain-button source-toggle"
    title="Formulas as their LaTeX source (x)"
    aria-pressed=${state.sourceShown}
    @click=${() => controller.toggleSource()}
  >
    ${icon("code")} Show source
  </button>`;
}
