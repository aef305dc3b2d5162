import { html, nothing, type TemplateResult } from "lit";
import type { EvidenceLine, EvidenceSection } from "../../src/model/evidence.ts";
import type { Measured } from "../../src/protocol/review.ts";
import { timeAgo } from "../shared/format.ts";
import { icon } from "../shared/icon.ts";
import { OUTCOMES } from "./outcomes.ts";

function lineView({ text, outcome }: EvidenceLine): TemplateResult {
  const look = outcome === undefined ? undefined : OUTCOMES[outcome];
  return html`<li>
    ${look === undefined ? html`<span class="no-icon"></span>` : icon(look.icon, look.tone)}
    <span dir="auto">${text}</span>
  </li>`;
}

const sectionView = ({ title, lines }: EvidenceSection): TemplateResult =>
  html`<h3>${title}</h3>
    <ul class="evidence-lines">
      ${lines.map(lineView)}
    </ul>`;

/** All that was measured before the teacher was asked. */
export function evidenceView(sections: readonly EvidenceSection[], aside: unknown = nothing): TemplateResult {
  return html`<section class="evidence" aria-label="Evidence">
    <h2>Evidence <span class="quiet">measured here, not by the teacher${aside}</span></h2>
    ${sections.map(sectionView)}
  </section>`;
}

/** The same, measured since the latest review. */
export function measuredView({ when, sections }: Measured): TemplateResult {
  const exact = new Date(when).toLocaleString();
  return evidenceView(
    sections,
    html` · <span title=${exact}>${timeAgo(Date.parse(when), Date.now())}</span>`,
  );
}
