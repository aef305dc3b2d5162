import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../shared/icon.ts";
import type { Controller } from "./controller.ts";
import { KEY_ACTIONS } from "./keys.ts";
import { valueOf, type ReplayState } from "./state.ts";

function helpLink(controller: Controller): TemplateResult {
  return html`<button
    type="button"
    class="link"
    title="Open the page on modes, statuses, filters and terms"
    @click=${() => controller.openHelp({ page: "replay" })}
  >
    Help
  </button>`;
}

/** All keys of the view. It covers a corner, takes no focus, and leaves with `?` or Escape. */
export function keysOverlay(
  { keysOpen, run }: ReplayState,
  controller: Controller,
): TemplateResult | typeof nothing {
  if (!keysOpen) return nothing;
  const hasHelp = valueOf(run)?.withoutHelp !== true;
  return html`<aside class="keys" role="region" aria-label="Keys">
    <div class="keys-title">
      <h2>Keys</h2>
      ${hasHelp ? helpLink(controller) : nothing}
      <button
        type="button"
        class="icon-button"
        title="Close (Esc)"
        aria-label="Close keys"
        @click=${() => controller.setKeys(false)}
      >
        ${icon("close")}
      </button>
    </div>
    <dl>
      ${KEY_ACTIONS.map(
        ({ shown, does }) =>
          html`<dt>${shown.map((key) => html`<kbd>${key}</kbd>`)}</dt>
            <dd>${does}</dd>`,
      )}
    </dl>
  </aside>`;
}
