import { html, nothing, type TemplateResult } from "lit";
import type { TeacherCall } from "../../src/model/intervention.ts";
import { usageWords } from "../shared/format.ts";

function callView({ site, prompt, reply, error, usage }: TeacherCall): TemplateResult {
  const where = site === undefined ? nothing : html` at <bdi class="code">${site}</bdi>`;
  const used = usage === undefined ? nothing : html` · ${usageWords(usage)}`;
  return html`<details class="teacher">
    <summary>Asked the teacher${where}${used}</summary>
    <hasp-clamp .text=${prompt} lines="4" what="the question to the teacher"></hasp-clamp>
    <p class="quiet">${error === undefined ? "It answered:" : "It failed:"}</p>
    <hasp-clamp .text=${error ?? reply ?? "nothing"} lines="4" what="the teacher's answer"></hasp-clamp>
  </details>`;
}

/** What the teacher was asked, by a PF or by the harness, and what it said; folded. */
export function teacherCallsView(calls: readonly TeacherCall[] = []): readonly TemplateResult[] {
  return calls.map(callView);
}
