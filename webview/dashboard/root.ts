import "@vscode-elements/elements/dist/vscode-button/index.js";
import "./curves.ts";
import { html, LitElement, nothing, type TemplateResult } from "lit";
import { iconButton } from "../replay/icon-button.ts";
import type { Store } from "../replay/store.ts";
import { baseStyles } from "../replay/styles/base.ts";
import { failedView } from "../shared/failed.ts";
import { icon } from "../shared/icon.ts";
import { keysPanel, keysStyles } from "../shared/keys-panel.ts";
import { pageStyles } from "../shared/page-styles.ts";
import { X_AXES, type XAxis } from "./axis.ts";
import type { DashboardController } from "./controller.ts";
import type { HaspCurves } from "./curves.ts";
import { actionFor, KEY_ACTIONS } from "./keys.ts";
import { type DashboardState, INITIAL_DASHBOARD, shownRuns, type ShownRun } from "./model.ts";
import { readout } from "./readout.ts";
import { runList } from "./run-list.ts";
import { dashboardStyles } from "./styles.ts";

const AXIS_WORDS: Readonly<Record<XAxis, { readonly label: string; readonly title: string }>> = {
  step: { label: "Steps", title: "Optimizer steps on the x axis (x)" },
  tokens: { label: "Tokens", title: "Tokens seen on the x axis (x)" },
};

/** Messages that are shown of one run; the file has the others. */
const MOST_TROUBLES = 5;

/** The training dashboard: draws the state, and hands every key and click to the controller. */
export class HaspDashboard extends LitElement {
  static override properties = { state: { state: true } };
  static override styles = [baseStyles, pageStyles, keysStyles, dashboardStyles];
  declare private state: DashboardState;
  private controller: DashboardController | undefined;
  private store: Store<DashboardState> | undefined;
  private shown: readonly ShownRun[] = [];
  /** The parts of the state that `shown` was made of. */
  private shownOf: readonly unknown[] = [];

  constructor() {
    super();
    this.state = INITIAL_DASHBOARD;
  }

  /** Gives the element its data; `start.ts` calls it once. */
  attach(store: Store<DashboardState>, controller: DashboardController): void {
    this.store = store;
    this.controller = controller;
    this.state = store.get();
    store.subscribe(() => {
      this.state = store.get();
    });
    window.addEventListener("keydown", this.onKey);
  }

  override disconnectedCallback(): void {
    window.removeEventListener("keydown", this.onKey);
    super.disconnectedCallback();
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    const action = actionFor(event);
    if (action === undefined || this.controller === undefined || this.store === undefined) return;
    event.preventDefault();
    action.run(this.controller, this.store.get());
  };

  /** The element of the charts, for tests. */
  curves(): HaspCurves | null {
    return this.renderRoot.querySelector<HaspCurves>("hasp-curves");
  }

  /** The same list for the same runs and points, so that a cursor that moves draws no curve anew. */
  private runsInSight(): readonly ShownRun[] {
    const { page, slots, points, troubles } = this.state;
    const parts = [page, slots, points, troubles];
    if (parts.some((part, i) => part !== this.shownOf[i])) {
      this.shownOf = parts;
      this.shown = shownRuns(this.state);
    }
    return this.shown;
  }

  private axisSwitch(controller: DashboardController): TemplateResult {
    const { axis } = this.state;
    const onKey = (event: KeyboardEvent): void => {
      if (!event.key.startsWith("Arrow")) return;
      event.preventDefault();
      controller.setAxis(axis === "step" ? "tokens" : "step");
      const group = event.currentTarget;
      if (group instanceof Element) group.querySelector<HTMLElement>("[aria-checked=false]")?.focus();
    };
    return html`<div class="switch" role="radiogroup" aria-label="X axis" @keydown=${onKey}>
      ${X_AXES.map(
        (one) =>
          html`<button
            type="button"
            role="radio"
            aria-checked=${one === axis}
            tabindex=${one === axis ? 0 : -1}
            title=${AXIS_WORDS[one].title}
            @click=${() => controller.setAxis(one)}
          >
            ${AXIS_WORDS[one].label}
          </button>`,
      )}
    </div>`;
  }

  private head(controller: DashboardController): TemplateResult {
    const { keysOpen, page } = this.state;
    return html`<header>
      <h1>Training dashboard</h1>
      <div class="buttons">
        ${page === undefined || page.runs.length === 0 ? nothing : this.controls(controller)}
        ${iconButton("keyboard", "Keys (?)", true, () => controller.setKeys(!keysOpen))}
        ${iconButton("question", "Help", true, () => controller.openHelp())}
      </div>
    </header>`;
  }

  private controls(controller: DashboardController): TemplateResult {
    const { isSmooth, zoom } = this.state;
    const hasPoints = this.shown.some(({ points }) => (points?.length ?? 0) > 0);
    return html`${this.axisSwitch(controller)}
      <label class="check" title="Means over five points, with the recorded values behind them (s)"
        ><input
          type="checkbox"
          .checked=${isSmooth}
          @change=${() => controller.setSmooth(!isSmooth)}
        />Smooth</label
      >
      <vscode-button
        secondary
        title="Show the whole x axis (0)"
        ?disabled=${zoom === undefined}
        @click=${() => controller.show(undefined)}
        >Show All</vscode-button
      >
      <vscode-button
        secondary
        title="Save the recorded points of the shown runs"
        ?disabled=${!hasPoints}
        @click=${() => controller.saveCsv()}
        >Save CSV</vscode-button
      >`;
  }

  private troublesView(): TemplateResult | typeof nothing {
    const all = this.shown.flatMap(({ run, troubles }) => {
      const more = troubles.length - MOST_TROUBLES;
      const rest = more > 0 ? [`${more.toLocaleString("en")} more like these.`] : [];
      return [...troubles.slice(0, MOST_TROUBLES), ...rest].map((message) => ({ title: run.title, message }));
    });
    if (all.length === 0) return nothing;
    return html`<ul class="troubles" aria-label="Notices">
      ${all.map(
        ({ title, message }) =>
          html`<li>
            ${icon("warning", "warn")}
            <span dir="auto"><span class="quiet">${title}:</span> ${message}</span>
          </li>`,
      )}
    </ul>`;
  }

  private emptyView(controller: DashboardController): TemplateResult {
    return html`<section class="empty">
      <p>
        Loss, token accuracy, entropy, gradient norm, learning rate and tokens of the trainings of this
        workspace appear here while they run. There is none yet.
      </p>
      <div class="buttons">
        <vscode-button @click=${() => controller.submit()}>Submit Training Job</vscode-button>
        <vscode-button secondary @click=${() => controller.runExperiment()}>Run Experiment</vscode-button>
      </div>
    </section>`;
  }

  private chartsView(controller: DashboardController): TemplateResult {
    const { shown } = this;
    const { axis, version, isSmooth, zoom, cursor } = this.state;
    if (shown.length === 0) return html`<p class="quiet">No run is ticked. Tick one to see its curves.</p>`;
    if (shown.every(({ points }) => points === undefined))
      return html`<p class="quiet">Reading the points…</p>`;
    if (shown.every(({ points }) => (points?.length ?? 0) === 0))
      return html`${this.troublesView()}
        <p class="quiet">No points yet. A trainer writes the first after some steps.</p>`;
    return html`${this.troublesView()} ${readout(shown, axis, cursor)}
      <hasp-curves
        .controller=${controller}
        .shown=${shown}
        .version=${version}
        .axis=${axis}
        .isSmooth=${isSmooth}
        .zoom=${zoom}
        .cursor=${cursor}
      ></hasp-curves>`;
  }

  protected override render(): unknown {
    const { state, controller } = this;
    if (controller === undefined || this.store === undefined) return nothing;
    this.runsInSight();
    const { page, keysOpen } = state;
    const panes = html`<div class="panes">
      ${runList(state, controller)}
      <section aria-label="Curves">${this.chartsView(controller)}</section>
    </div>`;
    return html`<main>
        ${this.head(controller)}
        ${state.failed === undefined ? nothing : failedView(state.failed, controller)}
        ${
          page === undefined
            ? html`<p class="quiet">Reading the trainings…</p>`
            : page.runs.length === 0
              ? this.emptyView(controller)
              : panes
        }
      </main>
      ${keysOpen ? keysPanel(KEY_ACTIONS, nothing, () => controller.setKeys(false)) : nothing}`;
  }
}

customElements.define("hasp-dashboard", HaspDashboard);
