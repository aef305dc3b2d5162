import { html, type TemplateResult } from "lit";
import type { Feedback, FeedbackPart } from "../../src/protocol/review.ts";
import type { ReviewController } from "./controller.ts";

function partView({ text, code, file, line }: FeedbackPart, controller: ReviewController): unknown {
  const style = code === true ? "code" : "";
  if (file === undefined) return html`<span class=${style}>${text}</span>`;
  const open = (): void => controller.openFile(file, line);
  const place = line === undefined ? file : `${file}:${line}`;
  // White space of a text is shown as it is, so that the template has none of its own.
  return html`<button
    type="button"
    class="link ${style}"
    title="Open ${place}"
    @click=${open}
    .textContent=${text}
  ></button>`;
}

/** A teacher's text; what it says of lines, code and headings of the skill opens them. */
export function feedbackView(feedback: Feedback, controller: ReviewController): TemplateResult {
  return html`<p class="feedback" dir="auto">${feedback.map((part) => partView(part, controller))}</p>`;
}
