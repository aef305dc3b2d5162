import { html, type TemplateResult } from "lit";
import { icon } from "../shared/icon.ts";
import { compareEpisodesView } from "./compare-episodes.ts";
import { compareRunsView } from "./compare-runs.ts";
import type { Controller } from "./controller.ts";
import type { Compare, ReplayState } from "./state.ts";

/** What stands in place of the episode while it, or its run, is compared. Escape leads back. */
export function compareView(state: ReplayState, compare: Compare, controller: Controller): TemplateResult {
  const title = compare.view === "episodes" ? "Compare episodes of this question" : "Compare runs";
  return html`<div class="compare">
    <div class="compare-bar">
      <h1 id="compare-title">${icon("compare-changes")} ${title}</h1>
      <button
        type="button"
        class="icon-button"
        title="Back to the episode (Esc)"
        aria-label="Close the comparison"
        @click=${() => controller.closeCompare()}
      >
        ${icon("close")}
      </button>
    </div>
    <div class="compare-body" tabindex="0" role="region" aria-labelledby="compare-title">
      ${
        compare.view === "episodes"
          ? compareEpisodesView(state, compare, controller)
          : compareRunsView(state, compare, controller)
      }
    </div>
  </div>`;
}
