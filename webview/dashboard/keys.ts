import type { ShownKeys } from "../shared/keys-panel.ts";
import type { DashboardController } from "./controller.ts";
import type { DashboardState } from "./model.ts";

interface KeyAction extends ShownKeys {
  /** Values of `KeyboardEvent.key`; letters in lower case, since Caps Lock must change nothing. */
  readonly keys: readonly string[];
  run(controller: DashboardController, state: DashboardState): void;
}

const ZOOM = 0.8;
/** Share of the width in sight. */
const PAN = 0.1;
const SCREEN = 0.9;

/** All keys of the dashboard, in the order of the panel. */
export const KEY_ACTIONS: readonly KeyAction[] = [
  { keys: ["+", "="], shown: ["+"], does: "Zoom in", run: (c, s) => c.zoom(ZOOM, s.cursor) },
  { keys: ["-"], shown: ["-"], does: "Zoom out", run: (c, s) => c.zoom(1 / ZOOM, s.cursor) },
  { keys: ["ArrowLeft"], shown: ["←"], does: "Pan to the left", run: (c) => c.pan(-PAN) },
  { keys: ["ArrowRight"], shown: ["→"], does: "Pan to the right", run: (c) => c.pan(PAN) },
  { keys: ["PageUp"], shown: ["PgUp"], does: "Pan by a screen to the left", run: (c) => c.pan(-SCREEN) },
  { keys: ["PageDown"], shown: ["PgDn"], does: "Pan by a screen to the right", run: (c) => c.pan(SCREEN) },
  { keys: ["0"], shown: ["0"], does: "Show all, as a double click does", run: (c) => c.show(undefined) },
  { keys: [","], shown: [","], does: "Cursor to the point before", run: (c) => c.stepCursor(-1) },
  { keys: ["."], shown: ["."], does: "Cursor to the next point", run: (c) => c.stepCursor(1) },
  {
    keys: ["x"],
    shown: ["x"],
    does: "Count steps or tokens on the x axis",
    run: (c, s) => c.setAxis(s.axis === "step" ? "tokens" : "step"),
  },
  { keys: ["s"], shown: ["s"], does: "Smooth the curves, or not", run: (c, s) => c.setSmooth(!s.isSmooth) },
  { keys: ["?"], shown: ["?"], does: "Show or hide these keys", run: (c, s) => c.setKeys(!s.keysOpen) },
  {
    keys: ["Escape"],
    shown: ["Esc"],
    does: "Close the keys, or hide the cursor",
    run: (c, s) => (s.keysOpen ? c.setKeys(false) : c.setCursor(undefined)),
  },
];

/** A control that has its own use for the key. */
function ownsKey(target: EventTarget, key: string): boolean {
  if (!(target instanceof Element)) return false;
  if (key.startsWith("Page")) return target.matches(".scroll");
  return key.startsWith("Arrow") && target.matches("[role=radio], .scroll");
}

/** The action for a key press; undefined where a control or VS Code should have it. */
export function actionFor(event: KeyboardEvent): KeyAction | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return undefined;
  const key = /^[a-z]$/i.test(event.key) ? event.key.toLowerCase() : event.key;
  const action = KEY_ACTIONS.find(({ keys }) => keys.includes(key));
  return event.composedPath().some((target) => ownsKey(target, key)) ? undefined : action;
}
