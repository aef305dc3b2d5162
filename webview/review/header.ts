import "@vscode-elements/elements/dist/vscode-button/index.js";
import { html, nothing, type TemplateResult } from "lit";
import type { ReviewHead, ReviewPage, ShownReview } from "../../src/protocol/review.ts";
import { dollars, timeAgo, usageWords } from "../shared/format.ts";
import { icon, type IconName } from "../shared/icon.ts";
import type { ReviewController } from "./controller.ts";
import type { ReviewState } from "./model.ts";

const DECISIONS: Readonly<Record<ShownReview["decision"], { icon: IconName; tone: string; word: string }>> = {
  accept: { icon: "pass", tone: "good", word: "Accept" },
  revise: { icon: "edit", tone: "warn", word: "Revise" },
  reject: { icon: "error", tone: "bad", word: "Reject" },
};

const BASIS: Readonly<Record<ShownReview["basis"], string>> = {
  exec: "because the score for Execution is below 0.30",
  said: "in the teacher's own word",
  q_skill: "by Q_skill",
};

function ago(when: string): string {
  return timeAgo(Date.parse(when), Date.now());
}

function exact(when: string): string {
  return new Date(when).toLocaleString();
}

function staleBadge({ changed }: ShownReview): unknown {
  if (changed.length === 0) return nothing;
  const files = changed.join(", ");
  return html`<span class="badge" title="The scores are of an earlier text. Review the skill again."
    >${icon("history", "warn")} stale: ${files} changed since</span
  >`;
}

function factsView(review: ShownReview): TemplateResult {
  const { teacher, when, usage, prompt, tries } = review;
  const asked = tries > 1 ? " · asked twice, since the first reply was unusable" : "";
  return html`<p class="facts quiet">
    <span title="Answered as ${teacher.model}, prompt ${prompt}" dir="auto">${teacher.id}</span>
    · <span title=${exact(when)}>${ago(when)}</span> ·
    <span title=${usageWords(usage)}>${usage.cost === undefined ? "cost unknown" : dollars(usage.cost)}</span
    >${asked} ${staleBadge(review)}
  </p>`;
}

export function decisionView(review: ShownReview): TemplateResult {
  const { icon: name, tone, word } = DECISIONS[review.decision];
  return html`<p class="decision">
      ${icon(name, tone)} <strong>${word}</strong>
      <span class="quiet">${BASIS[review.basis]}</span>
      <span class="q" title="Mean of the five scores by their weights"
        >Q_skill ${review.qSkill.toFixed(2)}</span
      >
    </p>
    ${factsView(review)}`;
}

function headWords({ decision, qSkill, version, when }: ReviewHead): string {
  return `${decision} ${qSkill.toFixed(2)} · version ${version} · ${ago(when)}`;
}

function earlierView({ reviews }: ReviewPage, index: number, controller: ReviewController): unknown {
  if (reviews.length < 2) return nothing;
  const choose = ({ currentTarget }: Event): void => {
    if (currentTarget instanceof HTMLSelectElement) void controller.select(Number(currentTarget.value));
  };
  return html`<span class="select">
    <select aria-label="Review to show" title="Review to show" @change=${choose}>
      ${reviews.map(
        (head) =>
          html`<option value=${head.index} .selected=${head.index === index} title=${exact(head.when)}>
            ${headWords(head)}
          </option>`,
      )}
    </select>
    ${icon("chevron-down")}
  </span>`;
}

function helpButton(controller: ReviewController): TemplateResult {
  return html`<button
    type="button"
    class="icon-button"
    title="Help: how a review is read"
    aria-label="Help"
    @click=${() => controller.openHelp()}
  >
    ${icon("question")}
  </button>`;
}

/** Title, the review to show, and the buttons. */
export function headerView(
  state: ReviewState,
  page: ReviewPage,
  controller: ReviewController,
): TemplateResult {
  const { shown } = state;
  const busy = page.running !== undefined;
  return html`<header>
    <h1 dir="auto">
      ${page.skillId}${shown === undefined ? nothing : html` <span class="quiet">version ${shown.review.version}</span>`}
    </h1>
    ${shown === undefined ? nothing : earlierView(page, shown.index, controller)}
    <div class="buttons">
      <vscode-button ?disabled=${busy} @click=${() => controller.reviewAgain()}
        >${page.reviews.length === 0 ? "Review" : "Review again"}</vscode-button
      >
      ${
        shown === undefined
          ? nothing
          : html`<vscode-button
              secondary
              title="Open metadata.json at this review"
              @click=${() => controller.openRaw(shown.index)}
              >Open raw</vscode-button
            >`
      }
      ${helpButton(controller)}
    </div>
  </header>`;
}
