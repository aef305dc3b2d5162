import { html, type TemplateResult } from "lit";
import type { RunningReview, UnusableReply } from "../../src/protocol/review.ts";
import { timeAgo } from "../shared/format.ts";
import { icon } from "../shared/icon.ts";
import type { ReviewController } from "./controller.ts";

/** A review under way: the reply as it comes. */
export function runningView({ teacher, phase, words }: RunningReview): TemplateResult {
  return html`<section class="notice" aria-label="Review under way">
    <p role="status"><strong dir="auto">${phase}</strong> <span class="quiet" dir="auto">${teacher}</span></p>
    <pre class="reply" dir="auto">${words}</pre>
  </section>`;
}

/** A reply that is no review: the fields that it lacks, and the reply. */
export function unusableView(reply: UnusableReply, controller: ReviewController): TemplateResult {
  const { teacher, when, text, problems } = reply;
  return html`<section class="notice" role="alert" aria-label="Unusable reply">
    <p>
      ${icon("error", "bad")} <strong>The reply is unusable; nothing was stored.</strong>
      <span class="quiet" title=${new Date(when).toLocaleString()} dir="auto"
        >${teacher} · ${timeAgo(Date.parse(when), Date.now())}</span
      >
    </p>
    <ul class="problems">
      ${problems.map(({ code, message }) => html`<li dir="auto">${message} <span class="quiet">${code}</span></li>`)}
    </ul>
    <h2>The reply</h2>
    ${
      text.trim() === ""
        ? html`<p class="quiet">The reply is empty.</p>`
        : html`<div class="reply"><hasp-clamp .text=${text} lines="12" what="the reply"></hasp-clamp></div>`
    }
    <div class="buttons">
      <vscode-button @click=${() => controller.reviewAgain()}>Try again</vscode-button>
      <vscode-button secondary @click=${() => controller.openLog()}>Open log</vscode-button>
    </div>
  </section>`;
}
