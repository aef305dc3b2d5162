import { html, nothing, type TemplateResult } from "lit";
import type { Action } from "../../src/model/action.ts";
import type { Step } from "../../src/model/episode.ts";
import type { JudgedStep, OpenedRun } from "../../src/protocol/replay.ts";
import { count } from "../shared/format.ts";
import { icon } from "../shared/icon.ts";
import { actionView } from "./action-view.ts";
import type { Controller } from "./controller.ts";
import { failureView } from "./notices.ts";
import { judgedCards, pendingCards, recordedCards, type CardContext } from "./pf-cards.ts";
import { decidingSource } from "./source.ts";
import { canJudge, type ReplayState } from "./state.ts";

function recordedView(step: Step, context: CardContext, skippedOpen: boolean): unknown {
  if (step.events.length === 0) return nothing;
  return html`<section class="judgement recorded" aria-labelledby="recorded-heading">
    <h3 id="recorded-heading">Recorded <span class="quiet">what happened in the run</span></h3>
    ${recordedCards(step.events, context, skippedOpen)}
  </section>`;
}

/** One line in every case, so that nothing below it moves when the answer changes from step to step. */
function verdictView(judged: JudgedStep, proposed: Action): TemplateResult {
  const executed = judged.executed;
  const changed =
    executed !== undefined && (executed.type !== proposed.type || executed.arg !== proposed.arg);
  if (changed) {
    return html`<p class="verdict">
      ${icon("triangle-up", "changed")} Would run ${actionView(executed, proposed, "after")}
    </p>`;
  }
  if (judged.injected.length > 0) {
    return html`<p class="verdict">
      ${icon("circle-filled", "injected")} The proposal stands; context would be added.
    </p>`;
  }
  return html`<p class="verdict quiet">The proposal stands.</p>`;
}

function divergedNote(): TemplateResult {
  return html`<p class="note">
    ${icon("info")} An earlier step would have been changed, so the recorded steps from here on are another
    path. What the library decides here is counted apart.
  </p>`;
}

/** The library is empty: what belongs here begins with this step. */
function firstSkill(controller: Controller): TemplateResult {
  return html`<p class="note">
    ${icon("info")} No skills yet. Skills of this workspace are asked here about every step.
    <button type="button" class="link" @click=${() => controller.stepCommand("newSkillFromStep")}>
      New skill from this step (Shift+S)
    </button>
  </p>`;
}

function todayBody(state: ReplayState, run: OpenedRun, step: Step, context: CardContext): TemplateResult {
  if (run.libraryNotice !== undefined)
    return html`<p class="note">${icon("info")} Not judged: ${run.libraryNotice}</p>`;
  if (state.live.shown !== undefined)
    return html`<p class="note">${icon("info")} Today's library is asked when the episode has ended.</p>`;
  if (!canJudge(run)) return firstSkill(context.controller);
  const judged = state.judged;
  if (judged.state === "failed") return failureView(judged.failure, context.controller);
  if (judged.state !== "ready")
    return html`<p class="verdict quiet pending">Asking the library…</p>
      ${pendingCards(run.skills)}`;
  const proposed = step.proposals.at(-1)?.action ?? step.executed;
  return html`${judged.value.diverged ? divergedNote() : nothing} ${verdictView(judged.value, proposed)}
  ${judgedCards(judged.value.pfs, context, state.skippedOpen)}`;
}

/** Which library judges: the one of today, or the one that a page was written with. */
function libraryHeading({ snapshot }: OpenedRun): TemplateResult {
  if (snapshot === undefined)
    return html`With today's library <span class="quiet">what the skills on disk decide now</span>`;
  const { when, skills, hash } = snapshot;
  return html`With the library of ${when.slice(0, 10)}
    <span class="quiet" title=${hash}
      >what its ${count(skills, "skill")} decided when this page was written (${hash.slice(0, 8)})</span
    >`;
}

/** What Program Functions did in the run, and what today's library would do: never mixed. */
export function programsView(
  state: ReplayState,
  run: OpenedRun,
  step: Step,
  controller: Controller,
): TemplateResult {
  const proposals = step.proposals.map((proposal) => proposal.action);
  const context: CardContext = {
    proposals,
    enter: decidingSource(state),
    debuggable: new Set(run.libraryNotice === undefined ? run.skills.map(({ skillId }) => skillId) : []),
    controller,
  };
  return html`<section class="programs" aria-labelledby="programs-heading">
    <h2 id="programs-heading">Program Functions</h2>
    ${recordedView(step, context, state.skippedOpen)}
    <section class="judgement today" aria-labelledby="today-heading">
      <h3 id="today-heading">${libraryHeading(run)}</h3>
      ${todayBody(state, run, step, context)}
    </section>
  </section>`;
}
