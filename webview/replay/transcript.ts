import { html, LitElement, nothing, type PropertyValues } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { Episode, Step } from "../../src/model/episode.ts";
import type { Note } from "../../src/model/note.ts";
import type { Controller } from "./controller.ts";
import { lastAnswer } from "./last-answer.ts";
import { notesOf } from "./note-words.ts";
import { INITIAL_STATE, valueOf, type ReplayState } from "./state.ts";
import { codeStyles } from "../shared/code-styles.ts";
import { highlightStyles } from "../shared/highlight.ts";
import { baseStyles } from "./styles/base.ts";
import { stepStyles } from "./styles/step.ts";
import { transcriptStyles } from "./styles/transcript.ts";
import { eyeLine, GROUP, lastAbove, rangeAround, STEP_TOP, type Range } from "./transcript-layout.ts";
import { transcriptStep } from "./transcript-step.ts";

const NO_NOTES: readonly Note[] = [];
/** Pixels of a step that was never laid out, until the first ones are. */
const UNKNOWN_STEP = 120;

/** A chosen step stays where it was put until a person scrolls, whatever is drawn or opened above it. */
interface Pin {
  readonly t: number;
  /** Pixels of its top below the top of the view. */
  readonly offset: number;
}

/**
 * `<hasp-transcript .state .controller>`: all steps below each other. Only the groups in and around the view are drawn; the
 * others keep the height that they had.
 */
export class HaspTranscript extends LitElement {
  static override properties = {
    state: { attribute: false },
    controller: { attribute: false },
    range: { state: true },
  };
  static override styles = [baseStyles, highlightStyles, codeStyles, stepStyles, transcriptStyles];
  declare state: ReplayState;
  declare controller: Controller;
  declare private range: Range;
  private pin: Pin | undefined;
  /** The step that was scrolled to, until the state says so, too. */
  private underEye: number | undefined;
  private frame: number | undefined;
  private stepHeight = UNKNOWN_STEP;
  private readonly heights = new Map<number, number>();
  private readonly opened = new Map<string, number>();
  private readonly observer = new ResizeObserver((entries) => this.onResize(entries));
  private readonly notesHere = lastAnswer((notes: readonly Note[], episode: Episode) =>
    Map.groupBy(notesOf(notes, episode), ({ t }) => t),
  );

  constructor() {
    super();
    this.state = INITIAL_STATE;
    this.range = { from: 0, to: 0 };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.pin = { t: this.state.t, offset: STEP_TOP };
  }

  override disconnectedCallback(): void {
    this.observer.disconnect();
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
    super.disconnectedCallback();
  }

  /** In parts of what is in sight; what comes under the eye is chosen. */
  scrollParts(parts: number): void {
    this.unpin();
    const scroller = this.scroller();
    scroller?.scrollBy(0, scroller.clientHeight * parts);
  }

  override focus(): void {
    this.scroller()?.focus({ preventScroll: true });
  }

  /** Moves the view as little as it takes to bring a place of the chosen step into sight, and keeps it there. */
  showPlace(place: { readonly top: number; readonly bottom: number }): void {
    const view = this.scroller()?.getBoundingClientRect();
    const step = this.entry(this.state.t)?.getBoundingClientRect();
    if (view === undefined || step === undefined) return;
    const by =
      place.bottom > view.bottom - STEP_TOP || place.top < view.top
        ? place.top - view.top - view.height / 3
        : 0;
    this.pin = { t: this.state.t, offset: step.top - view.top - by };
    this.align();
  }

  private scroller(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(".scroller");
  }

  private entry(t: number): Element | null {
    return this.renderRoot.querySelector(`.entry[data-t="${t}"]`);
  }

  private episode(): Episode | undefined {
    return valueOf(this.state.episode);
  }

  private groups(): number {
    return Math.ceil((this.episode()?.steps.length ?? 0) / GROUP);
  }

  private forget(): void {
    this.heights.clear();
    this.opened.clear();
    this.range = { from: 0, to: 0 };
    this.pin = { t: this.state.t, offset: STEP_TOP };
  }

  private readonly unpin = (): void => {
    this.pin = undefined;
  };

  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get("state") as ReplayState | undefined;
    if (before !== undefined && valueOf(before.episode)?.id !== this.episode()?.id) this.forget();
    if (before !== undefined && before.t !== this.state.t) this.follow(this.state.t);
    if (this.pin === undefined) return;
    const group = Math.floor(this.pin.t / GROUP);
    if (group < this.range.from || group >= this.range.to) this.range = rangeAround(group, this.groups());
  }

  /** The step shown has changed: to the one that was scrolled to, or to one that was chosen elsewhere. */
  private follow(t: number): void {
    if (t !== this.underEye && t !== this.pin?.t) this.pin = { t, offset: STEP_TOP };
    this.underEye = undefined;
  }

  protected override updated(): void {
    for (const group of this.renderRoot.querySelectorAll(".group")) this.observer.observe(group);
    this.align();
    this.dispatchEvent(new CustomEvent("hasp-drawn", { bubbles: true, composed: true }));
  }

  private align(): void {
    const scroller = this.scroller();
    const step = this.pin === undefined ? null : this.entry(this.pin.t);
    if (scroller === null || step === null || this.pin === undefined) return;
    const by = step.getBoundingClientRect().top - scroller.getBoundingClientRect().top - this.pin.offset;
    if (Math.abs(by) >= 1) scroller.scrollTop += by;
  }

  private onResize(entries: readonly ResizeObserverEntry[]): void {
    for (const { target, contentRect } of entries) {
      const group = target instanceof HTMLElement ? Number(target.dataset["group"]) : -1;
      if (contentRect.height > 0 && group >= this.range.from && group < this.range.to)
        this.heights.set(group, contentRect.height);
    }
    const [first] = this.heights.values();
    if (this.stepHeight === UNKNOWN_STEP && first !== undefined) {
      this.stepHeight = first / GROUP;
      this.requestUpdate();
    }
    this.align();
  }

  private readonly onScroll = (): void => {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.look();
    });
  };

  /** Draws what came near, and chooses the step under the eye where a person scrolled. */
  private look(): void {
    const scroller = this.scroller();
    const groups = [...this.renderRoot.querySelectorAll(".group")];
    if (scroller === null || groups.length === 0) return;
    const { top, bottom, height } = scroller.getBoundingClientRect();
    const groupAt = (y: number): number =>
      lastAbove(groups.length, (i) => groups[i]?.getBoundingClientRect().top ?? 0, y);
    const range = { from: groupAt(top - height), to: groupAt(bottom + height) + 1 };
    if (range.from !== this.range.from || range.to !== this.range.to) this.range = range;
    if (this.pin !== undefined) return;
    const y = top + eyeLine({ scrollTop: scroller.scrollTop, height, scrollHeight: scroller.scrollHeight });
    this.lookAt(groupAt(y), y);
  }

  private lookAt(group: number, y: number): void {
    const entries = [...this.renderRoot.querySelectorAll<HTMLElement>(`[data-group="${group}"] > .entry`)];
    const at = lastAbove(entries.length, (i) => entries[i]?.getBoundingClientRect().top ?? 0, y);
    // A group that is not drawn yet is looked at by its first step, until it is.
    const t = group * GROUP + at;
    if (t === this.state.t) return;
    this.underEye = t;
    if (!this.controller.lookAt(t)) this.underEye = undefined;
  }

  private readonly onFold = (event: CustomEvent<number>): void => {
    const field = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-field]") : null;
    const entry = field?.closest<HTMLElement>(".entry");
    if (field !== null && entry !== undefined && entry !== null)
      this.opened.set(`${entry.dataset["t"]} ${field.dataset["field"]}`, event.detail);
  };

  /** Chooses a step where it is, unless the click was for a control in it or marked text. */
  private readonly onClick = (event: MouseEvent): void => {
    const target = event.composedPath()[0];
    const view = this.scroller()?.getBoundingClientRect();
    if (!(target instanceof Element) || view === undefined || target.closest("button, summary, a") !== null)
      return;
    const entry = event.composedPath().find((at) => at instanceof HTMLElement && at.matches(".entry"));
    if (!(entry instanceof HTMLElement) || getSelection()?.isCollapsed === false) return;
    const t = Number(entry.dataset["t"]);
    this.pin = { t, offset: entry.getBoundingClientRect().top - view.top };
    this.controller.goToStep(t);
  };

  private groupView(group: number, episode: Episode): unknown {
    const isDrawn = group >= this.range.from && group < this.range.to;
    const steps = episode.steps.slice(group * GROUP, (group + 1) * GROUP);
    const height = this.heights.get(group) ?? this.stepHeight * steps.length;
    return html`<div
      class="group"
      role="presentation"
      data-group=${group}
      style=${isDrawn ? "" : `height: ${height}px`}
    >
      ${isDrawn ? steps.map((step, i) => this.stepView(episode, step, group * GROUP + i)) : nothing}
    </div>`;
  }

  private stepView(episode: Episode, step: Step, t: number): unknown {
    const { state, controller } = this;
    const isLast = t === episode.steps.length - 1;
    return transcriptStep({
      episode,
      step,
      t,
      selected: t === state.t,
      phase: isLast ? state.live.shown?.phase : undefined,
      notes: this.notesHere(valueOf(state.notes)?.notes ?? NO_NOTES, episode).get(t) ?? NO_NOTES,
      today: valueOf(state.marks)?.[t],
      state,
      controller,
      opened: (field) => this.opened.get(`${t} ${field}`) ?? 0,
    });
  }

  protected override render(): unknown {
    const episode = this.episode();
    if (episode === undefined) return nothing;
    const groups = Array.from({ length: this.groups() }, (_, group) => this.groupView(group, episode));
    return html`<div
      class="scroller"
      role="feed"
      tabindex="0"
      aria-label="Transcript"
      @scroll=${this.onScroll}
      @wheel=${this.unpin}
      @touchmove=${this.unpin}
      @pointerdown=${this.unpin}
      @click=${this.onClick}
      @hasp-fold=${this.onFold}
    >
      ${keyed(episode.id, groups)}
    </div>`;
  }
}

customElements.define("hasp-transcript", HaspTranscript);
