import { html, nothing, type TemplateResult } from "lit";
import type { Note } from "../../src/model/note.ts";
import { icon } from "../shared/icon.ts";
import type { Controller } from "./controller.ts";
import { labelOf, labelsInUse, WENT_WRONG } from "./note-words.ts";
import { undoInSight, valueOf, type ReplayState } from "./state.ts";

/** Shape of a note: where it went wrong has its own. */
export function noteIcon(kind: string): TemplateResult {
  return kind === WENT_WRONG ? icon("flame", "bad") : icon("bookmark", "injected");
}

function noteView(note: Note, controller: Controller): TemplateResult {
  const { kind, text, author, when } = note;
  return html`<li class="note-line" data-kind=${kind}>
    <span class="note-kind">${noteIcon(kind)} <bdi>${labelOf(kind)}</bdi></span>
    ${text === undefined ? nothing : html`<hasp-clamp .text=${text} lines="3" what="the note"></hasp-clamp>`}
    <span class="quiet" title=${when}>${author ?? ""}</span>
    <button
      type="button"
      class="icon-button"
      title="Remove this note"
      aria-label="Remove the note ${labelOf(kind)}"
      @click=${() => controller.removeNote(note)}
    >
      ${icon("trash")}
    </button>
  </li>`;
}

/** Notes on one step, or on an episode. */
export function notesView(notes: readonly Note[], controller: Controller): unknown {
  if (notes.length === 0) return nothing;
  return html`<ul class="notes" aria-label="Notes">
    ${notes.map((note) => noteView(note, controller))}
  </ul>`;
}

/** The short form for a label: a label to choose or to type, and free text. Enter writes it, Escape puts it away. */
export function noteForm(state: ReplayState, controller: Controller): unknown {
  const on = state.noteForm;
  if (on === undefined) return nothing;
  const where = on === "step" ? `step ${state.t + 1}` : "this episode";
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const field = (name: string): string => {
      const value = data.get(name);
      return typeof value === "string" ? value : "";
    };
    controller.addNote(on, field("kind"), field("text"));
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    controller.setNoteForm(undefined);
  };
  return html`<form class="note-form" aria-label="Label ${where}" @submit=${submit} @keydown=${onKey}>
    <label>
      <span>Label ${where}</span>
      <input
        name="kind"
        list="labels"
        maxlength="60"
        required
        autocomplete="off"
        placeholder="went wrong here"
      />
    </label>
    <datalist id="labels">
      ${labelsInUse(valueOf(state.notes)?.notes ?? []).map((label) => html`<option value=${label}></option>`)}
    </datalist>
    <label class="wide">
      <span>Text</span>
      <input name="text" maxlength="10000" autocomplete="off" placeholder="Text, if you like" />
    </label>
    <button type="submit" class="text-button">Add note (Enter)</button>
    <button type="button" class="link" @click=${() => controller.setNoteForm(undefined)}>Cancel (Esc)</button>
  </form>`;
}

/** What was just noted or removed, and the way back, for as long as its place is shown. It takes no focus. */
export function undoView(state: ReplayState, controller: Controller): unknown {
  const undo = undoInSight(state);
  if (undo === undefined) return nothing;
  const { note, did } = undo;
  const where = note.t === undefined ? "the episode" : `step ${note.t + 1}`;
  return html`<div class="bar undo" role="status">
    ${icon(did === "added" ? "check" : "trash")}
    <span
      >${did === "added" ? "Noted" : "Removed"} “<bdi>${labelOf(note.kind)}</bdi>”
      ${did === "added" ? "on" : "from"} ${where}.</span
    >
    <button type="button" class="link" @click=${() => controller.undo()}>Undo (Shift+U)</button>
    <button
      type="button"
      class="icon-button"
      title="Dismiss (Esc)"
      aria-label="Dismiss"
      @click=${() => controller.dismissUndo()}
    >
      ${icon("close")}
    </button>
  </div>`;
}

/** One line about a thing done that nothing else shows. */
export function toldView({ told }: ReplayState): unknown {
  return told === undefined ? nothing : html`<div class="bar" role="status">${icon("check")}${told}</div>`;
}
