import { html, type TemplateResult } from "lit";
import type { Feedback, FeedbackPart } from "../../src/protocol/review.ts";
import type { ReviewController } from "./controller.ts";

function partView({ text, code, file, line }: FeedbackPart, controller: ReviewController): unknown {
  const style = code === true ? "code" : "";
  if (file === undefined) return html`<span class=${style}>${text}</span>`;
  const place = line === undefined ? file : `${file}:${line}`;
  return html`<button
    type="button"
    class="link ${style}"
    title="Open ${place}"
    @click=${() => controller.openFile(file, line)}
  >
    ${text}
  </button>`;
}

/** A teacher's text; what it says of lines, code and headings of the skill opens them. */
export function feedbackView(feedback: Feedback, controller: ReviewController): TemplateResult {
  return html`<p class="feedback" dir="auto">${feedback.map((part) => partView(part, controller))}</p>`;
}
