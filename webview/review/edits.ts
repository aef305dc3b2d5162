import { html, nothing, type TemplateResult } from "lit";
import type { ShownEdit } from "../../src/protocol/review.ts";
import type { ReviewController } from "./controller.ts";
import { feedbackView } from "./feedback.ts";

const marked = (mark: string, text: string): string =>
  text
    .split("\n")
    .map((line) => `${mark} ${line}`)
    .join("\n");

/** The lines as they were and as they would be; the signs tell them apart in every theme. */
function editView({ why, original, replacement }: ShownEdit, controller: ReviewController): TemplateResult {
  const added = replacement === "" ? "" : `\n${marked("+", replacement)}`;
  return html`<li>
    ${feedbackView(why, controller)}
    <pre
      class="edit"
      dir="ltr"
    ><span class="gone" .textContent=${marked("−", original)}></span><span .textContent=${added}></span></pre>
  </li>`;
}

/** The edits that the teacher suggests; each is applied from its thread beside the lines. */
export function editsView(edits: readonly ShownEdit[], controller: ReviewController): unknown {
  if (edits.length === 0) return nothing;
  return html`<section aria-label="Suggested edits">
    <h2>Suggested edits</h2>
    <ul class="edits">
      ${edits.map((edit) => editView(edit, controller))}
    </ul>
  </section>`;
}
