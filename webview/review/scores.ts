import { html, nothing, type TemplateResult } from "lit";
import { styleMap } from "lit/directives/style-map.js";
import type { ScoreRow, ShownReview } from "../../src/protocol/review.ts";
import { icon } from "../shared/icon.ts";
import type { ReviewController } from "./controller.ts";
import { feedbackView } from "./feedback.ts";
import { OUTCOMES } from "./outcomes.ts";

function bar(name: string, score: number): TemplateResult {
  return html`<div
    class="bar"
    role="meter"
    aria-label=${name}
    aria-valuemin="0"
    aria-valuemax="1"
    aria-valuenow=${score.toFixed(2)}
  >
    <div class="filled" style=${styleMap({ width: `${score * 100}%` })}></div>
  </div>`;
}

function scoreView(
  { name, meaning, score, weight, why }: ScoreRow,
  controller: ReviewController,
): TemplateResult {
  return html`<li>
    <span class="name" title=${meaning}>${name}</span>
    ${bar(name, score)}
    <span class="number">${score.toFixed(2)}</span>
    <span class="number quiet" title="Share of ${name} in Q_skill">× ${weight.toFixed(2)}</span>
    ${why.length === 0 ? nothing : html`<div class="why">${feedbackView(why, controller)}</div>`}
  </li>`;
}

/** The five scores with the teacher's reasons. */
export function scoresView({ scores }: ShownReview, controller: ReviewController): TemplateResult {
  return html`<section aria-label="Scores">
    <h2>Scores</h2>
    <ul class="scores">
      ${scores.map((row) => scoreView(row, controller))}
    </ul>
  </section>`;
}

function casesView({ cases: { held, total } }: ShownReview): TemplateResult {
  const look = held === total ? OUTCOMES.passed : OUTCOMES.failed;
  return total === 0
    ? html`<li>${icon("dash", "quiet")} no cases</li>`
    : html`<li>${icon(look.icon, look.tone)} ${held} of ${total} cases hold</li>`;
}

/** HASP's own checks, which are no part of the teacher's scores; of a review that kept no evidence. */
export function checksView(review: ShownReview): TemplateResult {
  const { checks } = review;
  return html`<section aria-label="Measured here">
    <h2>Measured here, not by the teacher</h2>
    <ul class="checks">
      ${
        checks === undefined
          ? html`<li>${icon("dash", "quiet")} no Program Function, so nothing was run</li>`
          : checks.map(
              ({ name, outcome }) =>
                html`<li>${icon(OUTCOMES[outcome].icon, OUTCOMES[outcome].tone)} ${name}: ${outcome}</li>`,
            )
      }
      ${casesView(review)}
    </ul>
  </section>`;
}
