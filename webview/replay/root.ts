import "../shared/clamp.ts";
import "./episode-list.ts";
import { libraryNames } from "./library-names.ts";
import "./live-list.ts";
import "./menu.ts";
import "./transcript.ts";
import { html, LitElement, nothing, type TemplateResult } from "lit";
import type { Action } from "../../src/model/action.ts";
import type { Note } from "../../src/model/note.ts";
import { tellingLine } from "../../src/model/telling-line.ts";
import type { OpenedRun } from "../../src/protocol/replay.ts";
import { actionWords } from "../shared/format.ts";
import { codeStyles } from "../shared/code-styles.ts";
import { highlightStyles } from "../shared/highlight.ts";
import { icon } from "../shared/icon.ts";
import type { HelpEvent } from "../shared/terms.ts";
import type { Controller } from "./controller.ts";
import type { HaspEpisodeList } from "./episode-list.ts";
import { compareView } from "./compare-view.ts";
import { findBar } from "./find-bar.ts";
import { FindPainter } from "./find-painter.ts";
import { headerView } from "./header.ts";
import { actionFor } from "./keys.ts";
import type { HaspMenu } from "./menu.ts";
import { keysOverlay } from "./keys-overlay.ts";
import { noteForm, toldView, undoView } from "./notes-view.ts";
import { emptyRunView, failureView, notesNotice, runNotices } from "./notices.ts";
import { canJudge, INITIAL_STATE, valueOf, type ReplayState } from "./state.ts";
import { stepView } from "./step-view.ts";
import type { Store } from "./store.ts";
import type { HaspTranscript } from "./transcript.ts";
import { baseStyles } from "./styles/base.ts";
import { decisionStyles } from "./styles/decisions.ts";
import { keysStyles } from "../shared/keys-panel.ts";
import { layoutStyles } from "./styles/layout.ts";
import { compareStyles } from "./styles/compare.ts";
import { noteStyles } from "./styles/notes.ts";
import { programStyles } from "./styles/programs.ts";
import { findStyles } from "./styles/find.ts";
import { signalStyles } from "./styles/signals.ts";
import { stepStyles } from "./styles/step.ts";
import { timelineStyles } from "./styles/timeline.ts";
import { answersAreCode, isCodeRun } from "./answer-code.ts";
import { whatIfBanner } from "./what-if.ts";
import { timelineView } from "./timeline.ts";
import { isModified } from "./timeline-model.ts";

/** One array each, so that the list is not drawn anew for an empty one. */
const NO_NOTES: readonly Note[] = [];
const NO_SKILLS: OpenedRun["skills"] = [];

/** Characters of a program that a screen reader says. */
const SPOKEN = 80;

/** Also where an episode that ran took its place in the file: who reads it must not be moved. */
function isSameStep(before: ReplayState, now: ReplayState): boolean {
  if (before.t !== now.t) return false;
  const id = valueOf(now.episode)?.id;
  return before.index === now.index
    ? before.live.shown?.id === now.live.shown?.id
    : id !== undefined && valueOf(before.episode)?.id === id;
}

/** The element that has the focus, however deep; undefined where none has. */
function focused(): HTMLElement | undefined {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at instanceof HTMLElement && at !== document.body ? at : undefined;
}

/** The whole view: draws the state, and hands every key and click to the controller. */
export class HaspReplay extends LitElement {
  static override properties = { state: { state: true } };
  static override styles = [
    baseStyles,
    layoutStyles,
    keysStyles,
    timelineStyles,
    stepStyles,
    decisionStyles,
    programStyles,
    noteStyles,
    compareStyles,
    findStyles,
    signalStyles,
    highlightStyles,
    codeStyles,
  ];
  declare private state: ReplayState;
  private controller: Controller | undefined;
  private store: Store<ReplayState> | undefined;
  /** Had the focus when the find bar was opened. */
  private beforeFind: HTMLElement | undefined;
  private readonly painter = new FindPainter(() => ({
    state: this.state,
    roots: [this.renderRoot, this.transcript()?.renderRoot].filter((root) => root !== undefined),
    show: (place) => this.showPlace(place),
  }));

  constructor() {
    super();
    this.state = INITIAL_STATE;
  }

  /** Gives the element its data; `start.ts` calls it once. */
  attach(store: Store<ReplayState>, controller: Controller): void {
    this.store = store;
    this.controller = controller;
    this.state = store.get();
    store.subscribe(() => {
      this.state = store.get();
    });
    window.addEventListener("keydown", this.onKey);
    for (const drawn of ["hasp-drawn", "hasp-fold"])
      this.addEventListener(drawn, () => this.painter.schedule());
    this.addEventListener("hasp-help", (event) => {
      if (this.hasHelp()) controller.openHelp((event as HelpEvent).detail);
    });
  }

  override disconnectedCallback(): void {
    window.removeEventListener("keydown", this.onKey);
    super.disconnectedCallback();
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    const action = actionFor(event);
    if (action === undefined || this.controller === undefined || this.store === undefined) return;
    event.preventDefault();
    const drawerWasOpen = this.store.get().drawerOpen;
    action.run(this.controller, this.store.get(), {
      focusFilter: () => this.openFilter(),
      openMenu: () => this.menu()?.toggle(),
      openNoteForm: (on) => this.openNoteForm(on),
      openFind: () => this.openFind(),
      scroll: (parts) => this.scrollStep(parts),
    });
    if (drawerWasOpen && !this.store.get().drawerOpen) this.drawerButton()?.focus();
  };

  private hasHelp(): boolean {
    return valueOf(this.state.run)?.withoutHelp !== true;
  }

  private list(): HaspEpisodeList | null {
    return this.renderRoot.querySelector("hasp-episode-list");
  }

  private drawerButton(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(".drawer-button");
  }

  private menu(): HaspMenu | null {
    return this.renderRoot.querySelector("hasp-menu");
  }

  private readonly openNoteForm = (on: "step" | "episode"): void => {
    if (this.state.episode.state !== "ready" || this.state.index === undefined) return;
    this.controller?.setNoteForm(on);
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>(".note-form input")?.focus(),
    );
  };

  private openFilter(): void {
    if (this.drawerButton()?.checkVisibility() === true) this.controller?.setDrawer(true);
    void this.updateComplete.then(() => this.list()?.focusFilter());
  }

  /** The focus goes where a form was opened from, not to the start of the page. */
  private focusStep(): void {
    if (this.shadowRoot?.activeElement === null) {
      this.renderRoot.querySelector<HTMLElement>(".step, hasp-transcript")?.focus({ preventScroll: true });
    }
  }

  private openFind(): void {
    const selected = getSelection()?.toString() ?? "";
    if (this.state.find === undefined) this.beforeFind = focused();
    this.controller?.openFind(/^[^\n]{1,200}$/.test(selected) ? selected : "");
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLInputElement>(".find-bar input")?.select(),
    );
  }

  private leaveFind(): void {
    if (this.beforeFind?.isConnected === true) this.beforeFind.focus({ preventScroll: true });
    else this.focusStep();
    this.beforeFind = undefined;
  }

  /** Of the current hit. The head of the episode is always in sight. */
  private showPlace(place: DOMRect): void {
    if (this.state.find?.current?.t === undefined) return;
    const transcript = this.transcript();
    const step = this.renderRoot.querySelector(".step");
    if (transcript !== undefined) return transcript.showPlace(place);
    const view = step?.getBoundingClientRect();
    if (view !== undefined && (place.top < view.top || place.bottom > view.bottom))
      step?.scrollBy(0, place.top - view.top - view.height / 3);
  }

  private transcript(): HaspTranscript | undefined {
    return this.renderRoot.querySelector<HaspTranscript>("hasp-transcript") ?? undefined;
  }

  private scrollStep(parts: number): void {
    const find = (selector: string): Element | null => this.renderRoot.querySelector(selector);
    const transcript = this.transcript();
    if (transcript !== undefined) return transcript.scrollParts(parts);
    const shown = find(".pair-rows") ?? find(".compare-body") ?? find(".step");
    shown?.scrollBy(0, shown.clientHeight * parts);
  }

  private toggleDrawer(): void {
    const open = !this.state.drawerOpen;
    this.controller?.setDrawer(open);
    if (open) void this.updateComplete.then(() => this.list()?.focusList());
  }

  protected override updated(changed: Map<string, unknown>): void {
    const before = changed.get("state") as ReplayState | undefined;
    if (before?.noteForm !== undefined && this.state.noteForm === undefined) this.focusStep();
    if (before?.find !== undefined && this.state.find === undefined) this.leaveFind();
    if (before?.find !== undefined || this.state.find !== undefined) this.painter.schedule();
    if (before === undefined || isSameStep(before, this.state)) return;
    this.renderRoot.querySelector(".step")?.scrollTo(0, 0);
    this.followTimeline();
  }

  /** Brings the chosen tab into sight, and moves the focus along if it is in the strip. */
  private followTimeline(): void {
    const tab = this.renderRoot.querySelector<HTMLElement>(".cell[aria-selected=true]");
    tab?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (this.shadowRoot?.activeElement?.matches(".cell") === true) tab?.focus();
  }

  private announcement(): string {
    const episode = valueOf(this.state.episode);
    const step = episode?.steps[this.state.t];
    const proposed = step?.proposals.at(-1)?.action;
    if (episode === undefined || step === undefined || proposed === undefined) return "";
    const code = answersAreCode(this.state);
    const words = ({ type, arg }: Action): string =>
      actionWords({ type, arg: code ? tellingLine(arg, SPOKEN) : arg });
    const executed =
      step.notRun !== undefined
        ? ", which did not run"
        : isModified(step)
          ? `, executed ${words(step.executed)}`
          : "";
    return `Step ${this.state.t + 1} of ${episode.steps.length}: proposed ${words(proposed)}${executed}`;
  }

  private episodeView(run: OpenedRun, controller: Controller): unknown {
    const { episode, compare } = this.state;
    if (compare !== undefined) return compareView(this.state, compare, controller);
    if (episode.state === "failed") return failureView(episode.failure, controller);
    if (episode.state === "idle") return html`<p class="loading">Choose an episode on the left.</p>`;
    if (episode.state !== "ready") return html`<p class="loading">Reading the episode…</p>`;
    return html`${headerView(episode.value, this.state, controller)}
    ${timelineView(episode.value, this.state, controller)} ${whatIfBanner(this.state, controller)}
    ${noteForm(this.state, controller)}
    ${stepView(this.state, run, episode.value, { controller, openNoteForm: this.openNoteForm })}
    ${toldView(this.state)} ${undoView(this.state, controller)}`;
  }

  private topBar(run: OpenedRun): TemplateResult {
    return html`<header class="top-bar">
      <button
        type="button"
        class="drawer-button plain-button"
        title="Episodes (f)"
        aria-expanded=${this.state.drawerOpen}
        aria-controls="drawer"
        @click=${() => this.toggleDrawer()}
      >
        ${icon("list-unordered")} Episodes
      </button>
      <span class="run-title" dir="auto" title=${run.title}>${run.title}</span>
      <button
        type="button"
        class="icon-button"
        title="Keys (?)"
        aria-label="Keys"
        aria-expanded=${this.state.keysOpen}
        @click=${() => this.controller?.setKeys(!this.state.keysOpen)}
      >
        ${icon("keyboard")}
      </button>
    </header>`;
  }

  private runView(run: OpenedRun, controller: Controller): TemplateResult {
    const { failedAction, drawerOpen, filter, index, live } = this.state;
    const body =
      run.episodes.length === 0 && live.heads.length === 0 && live.shown === undefined && !live.follow
        ? html`<main class="main">${emptyRunView(controller)}</main>`
        : html`<div class="columns">
            <nav id="drawer" class="drawer ${drawerOpen ? "open" : ""}" aria-label="Episodes">
              <hasp-live-list .live=${live} .controller=${controller}></hasp-live-list>
              <hasp-episode-list
                .heads=${run.episodes}
                .selected=${index}
                .filter=${filter}
                .facets=${this.state.facets}
                .search=${this.state.search}
                .canWrite=${run.isExported !== true}
                .patterns=${run.patterns}
                .code=${isCodeRun(run)}
                .skills=${canJudge(run) ? run.skills : NO_SKILLS}
                .library=${libraryNames(run)}
                .notes=${valueOf(this.state.notes)?.notes ?? NO_NOTES}
                .controller=${controller}
              ></hasp-episode-list>
            </nav>
            <main class="main" @click=${() => drawerOpen && controller.setDrawer(false)}>
              ${this.episodeView(run, controller)} ${findBar(this.state, controller)}
            </main>
          </div>`;
    const diagnostics = [...run.diagnostics, ...(valueOf(this.state.notes)?.diagnostics ?? [])];
    return html`${this.topBar(run)} ${runNotices({ ...run, diagnostics }, controller)}
    ${notesNotice(this.state.notes, controller)}
    ${failedAction === undefined ? nothing : failureView(failedAction, controller, () => controller.dismissFailedAction())}
    ${body}`;
  }

  protected override render(): unknown {
    const { controller } = this;
    const { run } = this.state;
    if (controller === undefined) return nothing;
    const body =
      run.state === "failed"
        ? failureView(run.failure, controller)
        : run.state === "ready"
          ? this.runView(run.value, controller)
          : html`<p class="loading">Opening the run…</p>`;
    return html`<div class="app ${this.hasHelp() ? "" : "without-help"}">${body}</div>
      ${keysOverlay(this.state, controller)}
      <div class="for-readers" aria-live="polite">${this.announcement()}</div>`;
  }
}

customElements.define("hasp-replay", HaspReplay);
