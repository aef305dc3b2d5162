import "../shared/clamp.ts";
import "@vscode-elements/elements/dist/vscode-button/index.js";
import { html, LitElement, nothing, type TemplateResult } from "lit";
import type { TrainingPage } from "../../src/protocol/training.ts";
import type { Store } from "../replay/store.ts";
import { baseStyles } from "../replay/styles/base.ts";
import { failedView } from "../shared/failed.ts";
import { pageStyles } from "../shared/page-styles.ts";
import type { TrainingController } from "./controller.ts";
import { dataView } from "./data-view.ts";
import { importView } from "./import-view.ts";
import { INITIAL_TRAINING, type TrainingState } from "./model.ts";
import { brokenView } from "./notices.ts";
import { signalsView } from "./signals-view.ts";
import { trainingStyles } from "./styles.ts";

/** Training data, the signals of a run, or the report of its import: draws the state, and hands every click to the controller. */
export class HaspTraining extends LitElement {
  static override properties = { state: { state: true } };
  static override styles = [baseStyles, pageStyles, trainingStyles];
  declare private state: TrainingState;
  private controller: TrainingController | undefined;

  constructor() {
    super();
    this.state = INITIAL_TRAINING;
  }

  /** Gives the element its data; `start.ts` calls it once. */
  attach(store: Store<TrainingState>, controller: TrainingController): void {
    this.controller = controller;
    this.state = store.get();
    store.subscribe(() => {
      this.state = store.get();
    });
  }

  private pageView(page: TrainingPage, controller: TrainingController): TemplateResult {
    const { card, sorting } = this.state;
    if (page.kind === "data") return dataView(page, card, controller);
    if (page.kind === "signals") return signalsView(page, sorting, controller);
    if (page.kind === "import") return importView(page, controller);
    return brokenView(page, controller);
  }

  protected override render(): unknown {
    const { state, controller } = this;
    const { page, failed } = state;
    if (controller === undefined) return nothing;
    const problem = failed === undefined ? nothing : failedView(failed, controller);
    if (page === undefined)
      return html`<main>
        ${failed === undefined ? html`<p class="quiet">Reading the page…</p>` : problem}
      </main>`;
    return html`<main>${problem} ${this.pageView(page, controller)}</main>`;
  }
}

customElements.define("hasp-training", HaspTraining);
