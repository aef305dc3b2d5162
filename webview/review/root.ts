import "../shared/clamp.ts";
import { html, LitElement, nothing, type TemplateResult } from "lit";
import type { ShownReview } from "../../src/protocol/review.ts";
import type { Store } from "../replay/store.ts";
import { baseStyles } from "../replay/styles/base.ts";
import { failedView } from "../shared/failed.ts";
import { pageStyles } from "../shared/page-styles.ts";
import type { ReviewController } from "./controller.ts";
import { editsView } from "./edits.ts";
import { evidenceView, measuredView } from "./evidence.ts";
import { feedbackView } from "./feedback.ts";
import { decisionView, headerView } from "./header.ts";
import { INITIAL_REVIEW, type ReviewState } from "./model.ts";
import { checksView, scoresView } from "./scores.ts";
import { reviewStyles } from "./styles.ts";
import { runningView, unusableView } from "./tries.ts";

/** The reviews of one skill: draws the state, and hands every click to the controller. */
export class HaspReview extends LitElement {
  static override properties = { state: { state: true } };
  static override styles = [baseStyles, pageStyles, reviewStyles];
  declare private state: ReviewState;
  private controller: ReviewController | undefined;

  constructor() {
    super();
    this.state = INITIAL_REVIEW;
  }

  /** Gives the element its data; `start.ts` calls it once. */
  attach(store: Store<ReviewState>, controller: ReviewController): void {
    this.controller = controller;
    this.state = store.get();
    store.subscribe(() => {
      this.state = store.get();
    });
  }

  private reviewView(review: ShownReview, controller: ReviewController): TemplateResult {
    const { evidence } = review;
    return html`${decisionView(review)} ${evidence === undefined ? nothing : evidenceView(evidence)}
    ${scoresView(review, controller)}
    ${
      review.suggestions.length === 0
        ? nothing
        : html`<section aria-label="Suggestions">
            <h2>Suggestions</h2>
            <ul class="suggestions">
              ${review.suggestions.map((text) => html`<li>${feedbackView(text, controller)}</li>`)}
            </ul>
          </section>`
    }
    ${editsView(review.edits, controller)} ${evidence === undefined ? checksView(review) : nothing}`;
  }

  protected override render(): unknown {
    const { state, controller } = this;
    const { page, shown, failed } = state;
    if (controller === undefined) return nothing;
    if (page === undefined)
      return failed === undefined
        ? html`<p class="quiet">Reading the reviews…</p>`
        : failedView(failed, controller);
    const { running, unusable, measured } = page;
    return html`<main>
      ${headerView(state, page, controller)}
      ${failed === undefined ? nothing : failedView(failed, controller)}
      ${running === undefined ? nothing : runningView(running)}
      ${measured === undefined ? nothing : measuredView(measured)}
      ${unusable === undefined ? nothing : unusableView(unusable, controller)}
      ${shown === undefined ? nothing : this.reviewView(shown.review, controller)}
      ${
        shown === undefined && running === undefined && unusable === undefined
          ? html`<p class="quiet">This skill has no review yet. <em>Review</em> asks the teacher for one.</p>
              ${
                measured === undefined
                  ? html`<div class="buttons">
                      <vscode-button secondary @click=${() => controller.showEvidence()}
                        >Show evidence</vscode-button
                      >
                    </div>`
                  : nothing
              }`
          : nothing
      }
    </main>`;
  }
}

customElements.define("hasp-review", HaspReview);
