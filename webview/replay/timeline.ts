import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { Episode } from "../../src/model/episode.ts";
import type { Note } from "../../src/model/note.ts";
import type { StepMarks } from "../../src/protocol/replay.ts";
import { icon } from "../shared/icon.ts";
import { term } from "../shared/terms.ts";
import type { Controller } from "./controller.ts";
import { judgingLibrary } from "./library-names.ts";
import { modeSwitch } from "./mode-switch.ts";
import { lastAnswer } from "./last-answer.ts";
import { noteWords, WENT_WRONG } from "./note-words.ts";
import { noteIcon } from "./notes-view.ts";
import { failureView } from "./notices.ts";
import { shownOf, valueOf, type ReplayState } from "./state.ts";
import { changeAt } from "./what-if.ts";
import { hasRecordedEvents, markWords, timelineCells, type TimelineCell } from "./timeline-model.ts";

function marksView(marks: StepMarks | undefined): TemplateResult {
  if (marks === undefined) return html`<span class="marks"></span>`;
  return html`<span class="marks ${marks.diverged ? "diverged" : ""}">
    ${marks.modified ? icon("triangle-up", "changed") : nothing}
    ${marks.injected ? icon("circle-filled", "injected") : nothing}
    ${marks.error ? icon("error", "bad") : nothing}
  </span>`;
}

/** One mark for each kind of note, where it went wrong first. */
function noteMarks(notes: readonly Note[]): TemplateResult {
  const wrong = notes.some(({ kind }) => kind === WENT_WRONG);
  const other = notes.find(({ kind }) => kind !== WENT_WRONG);
  return html`<span class="marks noted">
    ${wrong ? noteIcon(WENT_WRONG) : nothing} ${other === undefined ? nothing : noteIcon(other.kind)}
  </span>`;
}

function describe(cell: TimelineCell, { recorded, library }: Rows): string {
  const parts = [`Step ${cell.t + 1}: ${cell.type}`];
  if (cell.failure !== undefined) parts.push(cell.failure);
  const then = recorded ? markWords(cell.recorded) : [];
  const now = cell.today === undefined ? [] : markWords(cell.today);
  if (then.length > 0) parts.push(`recorded: ${then.join(", ")}`);
  if (now.length > 0) parts.push(`with ${library}: ${now.join(", ")}`);
  if (cell.notes.length > 0) parts.push(`noted: ${cell.notes.map(noteWords).join("; ")}`);
  return parts.join(" · ");
}

/** Which rows the strip has below its letters. */
interface Rows {
  readonly recorded: boolean;
  readonly judged: boolean;
  /** The name of the library that judges. */
  readonly library: string;
  readonly noted: boolean;
  /** An edit of the library changes this episode; `changed`: at this step. */
  readonly edited: boolean;
  readonly changed: boolean;
}

function cellView(cell: TimelineCell, selected: boolean, rows: Rows, controller: Controller): TemplateResult {
  const edit = rows.changed ? " · changed by your edit" : "";
  const words = `${describe(cell, rows)}${edit}`;
  return html`<button
    type="button"
    role="tab"
    id="step-tab-${cell.t}"
    class="cell"
    data-t=${cell.t}
    aria-selected=${selected}
    aria-controls="step-panel"
    aria-label=${words}
    title=${words}
    tabindex=${selected ? 0 : -1}
    @click=${() => controller.goToStep(cell.t)}
  >
    <span class="letter">
      ${cell.letter}${cell.failure === undefined ? nothing : icon(cell.notRun ? "circle-slash" : "close", "bad")}
    </span>
    ${rows.recorded ? marksView(cell.recorded) : nothing} ${rows.judged ? marksView(cell.today) : nothing}
    ${rows.edited ? html`<span class="marks">${rows.changed ? icon("edit", "changed") : nothing}</span>` : nothing}
    ${rows.noted ? noteMarks(cell.notes) : nothing}
  </button>`;
}

function legend(cells: readonly TimelineCell[]): TemplateResult {
  const isCut = cells.some(({ notRun }) => notRun);
  return html`<div class="legend" role="group" aria-label="Marks of the steps">
    <span>${icon("circle-filled", "injected")} ${term("injected", "context injected")}</span>
    <span>${icon("triangle-up", "changed")} ${term("modified", "action modified")}</span>
    <span>${icon("close", "bad")} failure</span>
    ${isCut ? html`<span>${icon("circle-slash", "bad")} ${term("did not run")}</span>` : nothing}
    <span>${noteIcon(WENT_WRONG)} went wrong here</span>
    <span>${noteIcon("")} note</span>
    <span><span class="swatch diverged"></span> ${term("diverged")}</span>
  </div>`;
}

/**
 * So many steps are drawn, laid out and painted together. Of an episode of thousands of steps only the groups in sight are laid
 * out, and a change of step draws only the two groups it leaves and enters.
 */
const GROUP = 50;
/** Pixels; as in styles/timeline.ts. */
const CELL_WIDTH = 40;

const groupsOf = lastAnswer((cells: readonly TimelineCell[]): readonly (readonly TimelineCell[])[] =>
  Array.from({ length: Math.ceil(cells.length / GROUP) }, (_, i) => cells.slice(i * GROUP, (i + 1) * GROUP)),
);

type StripRows = Omit<Rows, "changed">;

function groupView(
  cells: readonly TimelineCell[],
  rows: StripRows,
  state: ReplayState,
  controller: Controller,
): unknown {
  const selected = cells.some(({ t }) => t === state.t) ? state.t : undefined;
  const { recorded, judged, library, noted, edited } = rows;
  return guard([cells, selected, recorded, judged, library, noted, edited, state.whatIf], () => {
    const drawn = cells.map((cell) => {
      const changed = edited && changeAt(state, cell.t) !== undefined;
      return cellView(cell, cell.t === selected, { ...rows, changed }, controller);
    });
    const width = cells.length * CELL_WIDTH;
    return html`<div class="cell-group" role="presentation" style="width: ${width}px">${drawn}</div>`;
  });
}

function cellAt({ currentTarget, target, clientX, clientY }: PointerEvent): HTMLElement | null {
  const root = currentTarget instanceof Element ? currentTarget.getRootNode() : undefined;
  const hit = root instanceof ShadowRoot ? root.elementFromPoint(clientX, clientY) : target;
  return hit instanceof Element ? hit.closest<HTMLElement>(".cell") : null;
}

/** With the button down along the strip: each step that the pointer comes to is shown. */
function scrub(event: PointerEvent, controller: Controller): void {
  const t = event.buttons === 1 ? cellAt(event)?.dataset["t"] : undefined;
  if (t !== undefined) controller.goToStep(Number(t));
}

/** The strip of steps: a letter for the proposed action, and a row of marks for the run and for today's library. */
export function timelineView(episode: Episode, state: ReplayState, controller: Controller): TemplateResult {
  const recorded = hasRecordedEvents(episode);
  const judged = state.marks.state !== "idle";
  const { name: library, row, title } = judgingLibrary(state);
  const cells = timelineCells(
    episode,
    shownOf(state.marks),
    valueOf(state.notes)?.notes,
    state.live.shown !== undefined,
  );
  const edited = (state.whatIf?.changes.length ?? 0) > 0;
  const noted = cells.some(({ notes }) => notes.length > 0);
  return html`<section class="timeline" aria-label="Steps">
    <div class="row-names quiet" aria-hidden="true">
      <span>Proposed</span>
      ${recorded ? html`<span>Recorded</span>` : nothing}
      ${judged ? html`<span title=${title}>${row}</span>` : nothing}
      ${edited ? html`<span title="Changes by your edit">Your edit</span>` : nothing}
      ${noted ? html`<span>Notes</span>` : nothing}
    </div>
    <div
      class="cells"
      role="tablist"
      aria-label="Steps of the episode"
      aria-busy=${state.marks.state === "loading"}
      @pointermove=${(event: PointerEvent) => scrub(event, controller)}
    >
      ${groupsOf(cells).map((group) => groupView(group, { recorded, judged, library, noted, edited }, state, controller))}
    </div>
    ${legend(cells)} ${modeSwitch(state.mode, controller)}
    ${state.marks.state === "failed" && state.judged.state !== "failed" ? failureView(state.marks.failure, controller) : nothing}
  </section>`;
}
