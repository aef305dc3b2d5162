import { html, nothing, type TemplateResult } from "lit";
import { keysPanel } from "../shared/keys-panel.ts";
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
  return keysPanel(KEY_ACTIONS, hasHelp ? helpLink(controller) : nothing, () => controller.setKeys(false));
}
