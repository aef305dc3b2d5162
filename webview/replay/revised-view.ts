import "./code-diff.ts";
import { html, type TemplateResult } from "lit";
import type { Episode, Step } from "../../src/model/episode.ts";
import { revisionAt } from "../../src/model/revised-drafts.ts";
import { bothVerdictsView } from "./verdicts.ts";

/** What the revision of a program changed in its draft, and what became of it; undefined where a step has no revision. */
export function revisedView(episode: Episode, step: Step): TemplateResult | undefined {
  const [draft, revision] = step.proposals;
  if (draft === undefined || revision === undefined) return undefined;
  const [before, after] = [draft.action, revision.action];
  if (before.type !== after.type) return undefined;
  const diff =
    before.arg === after.arg
      ? html`<p class="quiet">The program is the same.</p>`
      : html`<hasp-code-diff .draft=${before.arg} .revision=${after.arg}></hasp-code-diff>`;
  return html`${bothVerdictsView(draft, revision, revisionAt(episode, step))}${diff}`;
}
