import type { Controller } from "./controller.ts";
import { NO_FILTER } from "./filter.ts";
import { decidingSource } from "./source.ts";
import { undoInSight, valueOf, type ReplayState } from "./state.ts";

interface KeyAction {
  /** Values of `KeyboardEvent.key`; letters in lower case, since Caps Lock must change nothing. */
  readonly keys: readonly string[];
  /** As shown in the overlay. */
  readonly shown: readonly string[];
  /** With Ctrl held, or Cmd. */
  readonly ctrl?: boolean;
  /** With Alt held. */
  readonly alt?: boolean;
  /** With Shift held; false for a letter that does not say. Every key that writes or starts something has it. */
  readonly shift?: boolean;
  readonly does: string;
  run(controller: Controller, state: ReplayState, view: KeyedView): void;
}

/** What keys do to the page itself. */
export interface KeyedView {
  focusFilter(): void;
  openMenu(): void;
  /** Opens the find bar with what is selected, the focus in it. */
  openFind(): void;
  /** Opens the form for a label, with the focus in it. */
  openNoteForm(on: "step" | "episode"): void;
  /** Scrolls the step, or the comparison in its place, in parts of what is in sight. */
  scroll(parts: number): void;
}

function lastStep(state: ReplayState): number {
  return (valueOf(state.episode)?.steps.length ?? 1) - 1;
}

/** More than any comparison is high, in parts of what is in sight. */
const ALL_PARTS = 1e6;

/** To an end of the episode or, while a comparison stands in its place, of that. */
function toEnd(end: "first" | "last", controller: Controller, state: ReplayState, view: KeyedView): void {
  if (state.compare === undefined) controller.goToStep(end === "first" ? 0 : lastStep(state));
  if (state.compare !== undefined || state.mode === "episode")
    view.scroll(end === "first" ? -ALL_PARTS : ALL_PARTS);
}

/** To the next or previous match, or to the find bar where it is not open. */
function find(by: 1 | -1, controller: Controller, state: ReplayState, view: KeyedView): void {
  if (state.find === undefined) view.openFind();
  else controller.moveFind(by);
}

const MODIFIER = /Mac/.test(navigator.platform) ? "⌘" : "Ctrl";

/** All keys of the view, in the order of the overlay. */
export const KEY_ACTIONS: readonly KeyAction[] = [
  { keys: ["j"], shown: ["j"], does: "Next episode", run: (c) => c.moveEpisode(1) },
  { keys: ["k"], shown: ["k"], does: "Previous episode", run: (c) => c.moveEpisode(-1) },
  { keys: ["ArrowRight"], shown: ["→"], does: "Next step", run: (c, s) => c.goToStep(s.t + 1) },
  { keys: ["ArrowLeft"], shown: ["←"], does: "Previous step", run: (c, s) => c.goToStep(s.t - 1) },
  { keys: ["n"], shown: ["n"], does: "Next intervention", run: (c) => c.moveIntervention(1) },
  { keys: ["p"], shown: ["p"], does: "Previous intervention", run: (c) => c.moveIntervention(-1) },
  {
    keys: ["g"],
    shown: ["g"],
    does: "First bad step of the episode",
    run: (c) => c.goToFirstBadStep(),
  },
  { keys: ["Home"], shown: ["Home"], does: "First step", run: (c, s, view) => toEnd("first", c, s, view) },
  { keys: ["End"], shown: ["End"], does: "Last step", run: (c, s, view) => toEnd("last", c, s, view) },
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
    keys: ["PageDown"],
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
  { keys: [" "], shown: ["Space"], does: "Play, or pause", run: (c) => c.togglePlay() },
  { keys: [">"], shown: [">"], does: "Play faster", run: (c) => c.changeSpeed(1) },
  { keys: ["<"], shown: ["<"], does: "Play slower", run: (c) => c.changeSpeed(-1) },
  {
    keys: ["f"],
    shift: true,
    shown: ["Shift", "F"],
    does: "Follow the newest step of what runs, or stop following",
    run: (c) => c.toggleFollow(),
  },
  {
    keys: ["ArrowLeft"],
    alt: true,
    shown: ["Alt", "←"],
    does: "Back to where you were",
    run: (c) => c.travel("back"),
  },
  {
    keys: ["ArrowRight"],
    alt: true,
    shown: ["Alt", "→"],
    does: "Forward again",
    run: (c) => c.travel("forward"),
  },
  {
    keys: ["e"],
    shown: ["e"],
    does: "The whole episode as a transcript, or one step",
    run: (c, s) => c.setMode(s.mode === "step" ? "episode" : "step"),
  },
  { keys: ["x"], shown: ["x"], does: "Formulas, or their LaTeX source", run: (c) => c.toggleSource() },
  { keys: ["y"], shown: ["y"], does: "Copy a link to the step", run: (c) => c.copyLink() },
  {
    keys: ["c"],
    shown: ["c"],
    does: "Compare with another episode of the question",
    run: (c) => c.openCompare("episodes"),
  },
  {
    keys: ["c"],
    shift: true,
    shown: ["Shift", "C"],
    does: "Compare the run with another one",
    run: (c) => c.openCompare("runs"),
  },
  { keys: ["f"], shown: ["f"], does: "Filter episodes", run: (_c, _s, view) => view.focusFilter() },
  {
    keys: ["f"],
    ctrl: true,
    shown: [MODIFIER, "F"],
    does: "Find in the episode",
    run: (_c, _s, view) => view.openFind(),
  },
  { keys: ["/"], shown: ["/"], does: "Find in the episode", run: (_c, _s, view) => view.openFind() },
  { keys: ["F3"], shift: false, shown: ["F3"], does: "Next match", run: (c, s, view) => find(1, c, s, view) },
  {
    keys: ["F3"],
    shift: true,
    shown: ["Shift", "F3"],
    does: "Previous match",
    run: (c, s, view) => find(-1, c, s, view),
  },
  {
    keys: ["Enter"],
    shown: ["Enter"],
    does: "Open the source of the deciding Program Function",
    run: (c, s) => {
      const source = decidingSource(s);
      if (source !== undefined) c.openSource(source.skillId, source.line);
    },
  },
  {
    keys: ["w"],
    shift: true,
    shown: ["Shift", "W"],
    does: "Mark the step “went wrong here”, or unmark it",
    run: (c) => c.toggleWentWrong(),
  },
  {
    keys: ["l"],
    shift: true,
    shown: ["Shift", "L"],
    does: "Label the step",
    run: (_c, _s, view) => view.openNoteForm("step"),
  },
  {
    keys: ["e"],
    shift: true,
    shown: ["Shift", "E"],
    does: "Label the episode",
    run: (_c, _s, view) => view.openNoteForm("episode"),
  },
  {
    keys: ["u"],
    shift: true,
    shown: ["Shift", "U"],
    does: "Undo the last note or removal",
    run: (c) => c.undo(),
  },
  {
    keys: ["s"],
    shift: true,
    shown: ["Shift", "S"],
    does: "New Skill from This Step",
    run: (c) => c.stepCommand("newSkillFromStep"),
  },
  {
    keys: ["a"],
    shift: true,
    shown: ["Shift", "A"],
    does: "Add Step as Case",
    run: (c) => c.stepCommand("addStepAsCase"),
  },
  {
    keys: ["d"],
    shift: true,
    shown: ["Shift", "D"],
    does: "Debug PF on This Step",
    run: (c) => c.stepCommand("debugPf"),
  },
  {
    keys: ["b"],
    shift: true,
    shown: ["Shift", "B"],
    does: "Branch from Here",
    run: (c) => c.stepCommand("branchFromHere"),
  },
  { keys: ["m"], shown: ["m"], does: "Actions on the step", run: (_c, _s, view) => view.openMenu() },
  { keys: ["?"], shown: ["?"], does: "Show or hide these keys", run: (c, s) => c.setKeys(!s.keysOpen) },
  {
    keys: ["Escape"],
    shown: ["Esc"],
    does: "Close what is open, or clear the filter",
    run: (c, s) => {
      if (s.keysOpen) c.setKeys(false);
      else if (s.drawerOpen) c.setDrawer(false);
      else if (s.noteForm !== undefined) c.setNoteForm(undefined);
      else if (s.find !== undefined) c.closeFind();
      else if (s.told !== undefined) c.dismissTold();
      else if (undoInSight(s) !== undefined) c.dismissUndo();
      else if (s.compare !== undefined) c.closeCompare();
      else if (s.failedAction !== undefined) c.dismissFailedAction();
      else c.setFilter(NO_FILTER);
    },
  },
];

/** A control that has its own use for letters, arrows or Enter. */
function ownsKey(target: EventTarget, key: string): boolean {
  if (!(target instanceof Element)) return false;
  // An open list closes by it before anybody hears of it.
  if (key === "Escape") return false;
  if (target.matches("input, textarea, select, vscode-textfield")) return true;
  return (
    ((key === "Enter" || key === " ") &&
      target.matches("button, a, summary, vscode-button") &&
      target.getAttribute("role") !== "tab") ||
    (key.startsWith("Arrow") && target.matches("[role=radio]")) ||
    // A text that is scrolled to read a wide formula.
    ((key === "ArrowLeft" || key === "ArrowRight") && target.matches(".text[tabindex]"))
  );
}

/** By what is held, not by the case of the letter: with Caps Lock on, `w` gives a "W" that nobody held Shift for. */
function isPressed({ keys, ctrl = false, alt = false, shift }: KeyAction, event: KeyboardEvent): boolean {
  const isLetter = /^[a-z]$/i.test(event.key);
  const asked = shift ?? (isLetter ? false : undefined);
  return (
    ctrl === (event.ctrlKey || event.metaKey) &&
    alt === event.altKey &&
    (asked === undefined || asked === event.shiftKey) &&
    keys.includes(isLetter ? event.key.toLowerCase() : event.key)
  );
}

/** The action for a key press, or undefined when a control or VS Code should have it. */
export function actionFor(event: KeyboardEvent): KeyAction | undefined {
  const action = KEY_ACTIONS.find((candidate) => isPressed(candidate, event));
  // Finding works from within a field, and where VS Code has kept the browser from finding in its own way.
  const isFinding = action?.ctrl === true || action?.keys.includes("F3") === true;
  if (isFinding) return action;
  if (event.defaultPrevented) return undefined;
  return event.composedPath().some((target) => ownsKey(target, event.key)) ? undefined : action;
}
