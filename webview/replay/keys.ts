import type { Controller } from "./controller.ts";
import { decidingSource } from "./source.ts";
import { valueOf, type ReplayState } from "./state.ts";

interface KeyAction {
  /** Values of `KeyboardEvent.key`. */
  readonly keys: readonly string[];
  /** As shown in the overlay. */
  readonly shown: readonly string[];
  readonly does: string;
  run(controller: Controller, state: ReplayState, view: KeyedView): void;
}

/** What keys do to the page itself. */
export interface KeyedView {
  focusFilter(): void;
  /** Scrolls the step, in parts of what is in sight. */
  scroll(parts: number): void;
}

function lastStep(state: ReplayState): number {
  return (valueOf(state.episode)?.steps.length ?? 1) - 1;
}

/** All keys of the view, in the order of the overlay. */
export const KEY_ACTIONS: readonly KeyAction[] = [
  { keys: ["j"], shown: ["j"], does: "Next episode", run: (c) => c.moveEpisode(1) },
  { keys: ["k"], shown: ["k"], does: "Previous episode", run: (c) => c.moveEpisode(-1) },
  { keys: ["ArrowRight"], shown: ["→"], does: "Next step", run: (c, s) => c.goToStep(s.t + 1) },
  { keys: ["ArrowLeft"], shown: ["←"], does: "Previous step", run: (c, s) => c.goToStep(s.t - 1) },
  { keys: ["n"], shown: ["n"], does: "Next intervention", run: (c) => c.moveIntervention(1) },
  { keys: ["p"], shown: ["p"], does: "Previous intervention", run: (c) => c.moveIntervention(-1) },
  { keys: ["Home"], shown: ["Home"], does: "First step", run: (c) => c.goToStep(0) },
  { keys: ["End"], shown: ["End"], does: "Last step", run: (c, s) => c.goToStep(lastStep(s)) },
  {
    keys: ["ArrowDown"],
    shown: ["↓"],
    does: "Scroll down; in the list, next episode",
    run: (_c, _s, view) => view.scroll(0.1),
  },
  {
    keys: ["ArrowUp"],
    shown: ["↑"],
    does: "Scroll up; in the list, previous episode",
    run: (_c, _s, view) => view.scroll(-0.1),
  },
  {
    keys: ["PageDown", " "],
    shown: ["PgDn"],
    does: "Scroll down a page; in the list, ten on",
    run: (_c, _s, view) => view.scroll(0.9),
  },
  {
    keys: ["PageUp"],
    shown: ["PgUp"],
    does: "Scroll up a page; in the list, ten back",
    run: (_c, _s, view) => view.scroll(-0.9),
  },
  { keys: ["f"], shown: ["f"], does: "Filter episodes", run: (_c, _s, view) => view.focusFilter() },
  {
    keys: ["Enter"],
    shown: ["Enter"],
    does: "Open the source of the deciding Program Function",
    run: (c, s) => {
      const source = decidingSource(s);
      if (source !== undefined) c.openSource(source.skillId, source.line);
    },
  },
  { keys: ["?"], shown: ["?"], does: "Show or hide these keys", run: (c, s) => c.setKeys(!s.keysOpen) },
  {
    keys: ["Escape"],
    shown: ["Esc"],
    does: "Close what is open, or clear the filter",
    run: (c, s) => {
      if (s.keysOpen) c.setKeys(false);
      else if (s.drawerOpen) c.setDrawer(false);
      else if (s.failedAction !== undefined) c.dismissFailedAction();
      else c.setFilter({ text: "" });
    },
  },
];

/** A control that has its own use for letters, arrows or Enter. */
function ownsKey(target: EventTarget, key: string): boolean {
  if (!(target instanceof Element)) return false;
  if (key === "Escape") return target.matches("vscode-single-select");
  if (target.matches("input, textarea, select, vscode-textfield, vscode-single-select")) return true;
  return (
    (key === "Enter" || key === " ") &&
    target.matches("button, a, summary, vscode-button") &&
    target.getAttribute("role") !== "tab"
  );
}

/** The action for a key press, or undefined when a control or VS Code should have it. */
export function actionFor(event: KeyboardEvent): KeyAction | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return undefined;
  if (event.composedPath().some((target) => ownsKey(target, event.key))) return undefined;
  return KEY_ACTIONS.find((action) => action.keys.includes(event.key));
}
