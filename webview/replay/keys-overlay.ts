import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../shared/icon.ts";
import type { Controller } from "./controller.ts";
import { KEY_ACTIONS } from "./keys.ts";

/** All keys of the view. It covers a corner, takes no focus, and leaves with `?` or Escape. */
export function keysOverlay(open: boolean, controller: Controller): TemplateResult | typeof nothing {
  if (!open) return nothing;
  return html`<aside class="keys" role="region" aria-label="Keys">
    <div class="keys-title">
      <h2>Keys</h2>
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
