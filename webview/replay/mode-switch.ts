import { html, type TemplateResult } from "lit";
import type { Controller } from "./controller.ts";
import { REPLAY_MODES, type ReplayMode } from "./state.ts";

const NAMES: Readonly<Record<ReplayMode, { readonly label: string; readonly title: string }>> = {
  step: { label: "Step", title: "One step and everything about it (e)" },
  episode: { label: "Episode", title: "All steps as a transcript (e)" },
};

/** `Step | Episode`: one of two, by click, by the arrow keys or by `e`. */
export function modeSwitch(mode: ReplayMode, controller: Controller): TemplateResult {
  const onKey = (event: KeyboardEvent): void => {
    if (!["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    controller.setMode(mode === "step" ? "episode" : "step");
    const group = event.currentTarget;
    if (group instanceof Element) group.querySelector<HTMLElement>("[aria-checked=false]")?.focus();
  };
  return html`<div class="mode-switch" role="radiogroup" aria-label="View" @keydown=${onKey}>
    ${REPLAY_MODES.map(
      (other) =>
        html`<button
          type="button"
          role="radio"
          aria-checked=${other === mode}
          tabindex=${other === mode ? 0 : -1}
          title=${NAMES[other].title}
          @click=${() => controller.setMode(other)}
        >
          ${NAMES[other].label}
        </button>`,
    )}
  </div>`;
}
