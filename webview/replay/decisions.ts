import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { decisionsAt, PART_NAMES, type ControlPart } from "../../src/model/control-parts.ts";
import type { Decision, Vote } from "../../src/model/decision.ts";
import type { Episode, Step } from "../../src/model/episode.ts";
import { count } from "../shared/format.ts";
import { icon } from "../shared/icon.ts";
import { term, termIfKnown } from "../shared/terms.ts";
import { hookAnswerView, hookDegradedView, hookFollowedView } from "./hook-view.ts";
import { teacherCallsView } from "./teacher-calls.ts";

/** What the text is that a decision came to; other parts say it in their reason. */
const VALUE_NAMES: Readonly<Partial<Record<ControlPart, string>>> = {
  answer_format: "answer",
  snippet_mode: "search",
  hook_prompt: "prompt",
};

function valueView({ part, value }: Decision): unknown {
  const name = VALUE_NAMES[part];
  if (name === undefined || typeof value !== "string") return nothing;
  return html`<div class="decision-value">
    <span class="quiet">${name}:</span>
    <hasp-clamp .text=${value} lines="2" what="the ${name}"></hasp-clamp>
  </div>`;
}

function keptView(skillIds: readonly string[]): unknown {
  if (skillIds.length === 0) return nothing;
  return html`<p class="skill-ids">
    <span class="quiet">kept ${skillIds.length}:</span>
    ${skillIds.map((id) => html`<bdi class="code">${id}</bdi> `)}
  </p>`;
}

/** Folded: a library of dozens leaves out most of itself. */
function leftOutView(leftOut: Decision["leftOut"] = []): unknown {
  if (leftOut.length === 0) return nothing;
  return html`<details class="left-out">
    <summary>${count(leftOut.length, "skill")} left out</summary>
    <ul>
      ${leftOut.map(
        ({ skillId, reason }) =>
          html`<li class="skill-line">
            <bdi class="code" title=${skillId}>${skillId}</bdi> <span dir="auto">${reason}</span>
          </li>`,
      )}
    </ul>
  </details>`;
}

function voteView({ skillId, override, reason, query }: Vote): TemplateResult {
  return html`<li class="skill-line vote" data-skill=${skillId}>
    <bdi class="code" title=${skillId}>${skillId}</bdi>
    <div>
      <p>
        ${icon(override ? "triangle-up" : "circle-large-outline", override ? "changed" : "quiet")}
        ${override ? "search again" : "let it stand"}:
        <span class="quiet" dir="auto">${reason}</span>
      </p>
      ${query === undefined || !override ? nothing : html`<p><span class="quiet">would search:</span> <bdi>${query}</bdi></p>`}
    </div>
  </li>`;
}

function votesView(votes: readonly Vote[] = []): unknown {
  if (votes.length === 0) return nothing;
  return html`<ul class="votes" aria-label="Votes">
    ${votes.map(voteView)}
  </ul>`;
}

/** Parts that say what they came to in words of their own. */
const OWN_WORDS: Readonly<Partial<Record<ControlPart, (decision: Decision) => unknown>>> = {
  hook_answer: hookAnswerView,
  hook_degraded: hookDegradedView,
  hook_followed: hookFollowedView,
};

function decisionView(decision: Decision): TemplateResult {
  const { part, by, reason, chosen = [], leftOut, votes, calls } = decision;
  const words = OWN_WORDS[part]?.(decision) ?? html`<p dir="auto">${reason}</p>`;
  return html`<li class="decision" data-part=${part}>
    <p class="decision-part">${termIfKnown(PART_NAMES[part])} <span class="by">by ${by}</span></p>
    <div class="decision-body">
      ${words} ${valueView(decision)} ${votesView(votes)} ${keptView(chosen)} ${leftOutView(leftOut)}
      ${teacherCallsView(calls)}
    </div>
  </li>`;
}

/** What the harness itself decided at this step (SPEC §4); folded, with its parts in the summary. */
export function decisionsView({ id, decisions = [], steps }: Episode, t: number): unknown {
  const here = decisionsAt(decisions, t, steps.length);
  if (here.length === 0) return nothing;
  const names = [...new Set(here.map(({ part }) => PART_NAMES[part]))].join(", ");
  return html`<details class="more" data-section="harness">
    <summary>Harness <span class="quiet">${names}</span></summary>
    ${keyed(
      // What was opened inside belongs to this step; only the section itself stays open.
      `${id} ${t}`,
      html`<ul class="more-body decisions">
        ${here.map(decisionView)}
      </ul>`,
    )}
  </details>`;
}

/** The phase instructions that the policy read before it proposed. */
export function instructionsView({ instructions = [] }: Step, formulas: boolean): unknown {
  return instructions.map(
    ({ skillId, phase, text, proposal }, i) =>
      html`<div class="injected-text">
        <p class="injected-by">
          ${icon("circle-filled", "injected")} ${term("reminded", "Reminded")} by
          <bdi class="code">${skillId}</bdi>
          <span
            >in phase
            <bdi class="code">${phase}</bdi>${proposal === 1 ? ", after the answer was held back" : ""}</span
          >
        </p>
        <hasp-clamp
          .text=${text}
          .formulas=${formulas && "text"}
          data-field="reminder-${i}"
          lines="4"
          what="the reminder of ${skillId}"
        ></hasp-clamp>
      </div>`,
  );
}
