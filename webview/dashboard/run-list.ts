import { html, nothing, svg, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { JobStatus } from "../../src/model/job.ts";
import type { TrainingRun } from "../../src/protocol/dashboard.ts";
import { count } from "../shared/format.ts";
import { icon, type IconName } from "../shared/icon.ts";
import type { DashboardController } from "./controller.ts";
import { lookOf } from "./looks.ts";
import type { DashboardState } from "./model.ts";

const ICONS: Readonly<Record<JobStatus, { readonly icon: IconName; readonly tone: string }>> = {
  prepared: { icon: "circle-large-outline", tone: "quiet" },
  submitted: { icon: "history", tone: "quiet" },
  running: { icon: "play-circle", tone: "injected" },
  succeeded: { icon: "pass", tone: "good" },
  failed: { icon: "error", tone: "bad" },
  stopped: { icon: "debug-pause", tone: "quiet" },
  lost: { icon: "warning", tone: "warn" },
};

/** A piece of a line of this slot, with its colour and dash. */
export function swatch(slot: number | undefined): TemplateResult | typeof nothing {
  if (slot === undefined) return nothing;
  const { token, dash } = lookOf(slot);
  const style = `stroke: var(${token}, var(--vscode-foreground)); stroke-width: 2; stroke-dasharray: ${dash.join(" ") || "none"}`;
  return html`<svg class="swatch" viewBox="0 0 34 8" aria-hidden="true">
    ${svg`<line x1="0" y1="4" x2="34" y2="4" style=${style} />`}
  </svg>`;
}

function runRow(run: TrainingRun, slot: number | undefined, controller: DashboardController): TemplateResult {
  const { id, title, status, words } = run;
  const look = ICONS[status];
  return html`<li>
    <label title="${title}: ${words}">
      <input type="checkbox" .checked=${slot !== undefined} @change=${() => controller.toggleRun(id)} />
      <span>${swatch(slot)}</span>
      <span class="name" dir="auto">${title}</span>
      <span class="words quiet">${icon(look.icon, look.tone)} ${words}</span>
    </label>
  </li>`;
}

/** All trainings of the workspace, each with a check box, its line and its status. */
export function runList({ page, slots }: DashboardState, controller: DashboardController): TemplateResult {
  const runs = page?.runs ?? [];
  return html`<section aria-label="Runs">
    <h2>${count(runs.length, "run")}</h2>
    <ul class="runs scroll">
      ${repeat(
        runs,
        ({ id }) => id,
        (run) => runRow(run, slots.get(run.id), controller),
      )}
    </ul>
  </section>`;
}
