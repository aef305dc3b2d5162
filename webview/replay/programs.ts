import { html, nothing, type TemplateResult } from "lit";
import type { Action } from "../../src/model/action.ts";
import type { Step } from "../../src/model/episode.ts";
import type { JudgedStep, OpenedRun } from "../../src/protocol/replay.ts";
import { count } from "../shared/format.ts";
import { icon } from "../shared/icon.ts";
import { term } from "../shared/terms.ts";
import { actionView } from "./action-view.ts";
import { cardsOf, isIntervention, type Card } from "./cards.ts";
import type { Controller } from "./controller.ts";
import { drawsFormulas } from "./formula-source.ts";
import { libraryNames } from "./library-names.ts";
import { failureView } from "./notices.ts";
import { cardList, quietCards, type CardContext } from "./pf-cards.ts";
import { decidingSource } from "./source.ts";
import { canJudge, shownOf, type ReplayState } from "./state.ts";

/** The Program Functions of a step, as it shows them. */
export interface Programs {
  readonly state: ReplayState;
  readonly run: OpenedRun;
  readonly step: Step;
  readonly judged: JudgedStep | undefined;
  readonly cards: readonly Card[];
  readonly context: CardContext;
}

/** A debugger takes the files of today's skills. */
function isDebuggable({ libraryNotice, runSkills }: OpenedRun): boolean {
  return libraryNotice === undefined && runSkills !== "judging";
}

/** The decisions of the run and of today's library on this step; those of a library that is asked again stay until its answer. */
export function programsOf(state: ReplayState, run: OpenedRun, step: Step, controller: Controller): Programs {
  const last = shownOf(state.judged);
  const judged = last?.t === state.t ? last : undefined;
  const context: CardContext = {
    proposals: step.proposals.map((proposal) => proposal.action),
    formulas: drawsFormulas(state),
    enter: decidingSource(state),
    debuggable: new Set(isDebuggable(run) ? run.skills.map(({ skillId }) => skillId) : []),
    library: libraryNames(run).word,
    controller,
  };
  return { state, run, step, judged, cards: cardsOf(step.events, judged?.pfs ?? []), context };
}

function isSame(a: Action, b: Action): boolean {
  return a.type === b.type && a.arg === b.arg;
}

/** The action that today's library would run, where it is another than the run's. */
function otherAction({ judged, step }: Programs): Action | undefined {
  if (judged === undefined) return undefined;
  const proposed = step.proposals.at(-1)?.action ?? step.executed;
  const executed = judged.executed ?? proposed;
  return isSame(executed, step.executed) ? undefined : executed;
}

/** Which PFs intervened, in the run and today, above the observation: compact, and nothing where none did. */
export function interventionsView(programs: Programs): unknown {
  const cards = programs.cards.filter(isIntervention);
  const other = otherAction(programs);
  if (cards.length === 0 && other === undefined) return nothing;
  const { step, state } = programs;
  return html`<section
    class="interventions"
    aria-labelledby="interventions-heading"
    aria-busy=${state.judged.state === "loading"}
  >
    <h2 id="interventions-heading">Interventions</h2>
    ${cardList(cards, programs.context)}
    ${
      other === undefined
        ? nothing
        : html`<p class="verdict">
            ${icon("triangle-up", "changed")} ${libraryNames(programs.run).subject} would run
            ${actionView(other, { other: step.executed, side: "after" })}
          </p>`
    }
  </section>`;
}

function divergedNote(): TemplateResult {
  return html`<p class="note">
    ${icon("info")} ${term("diverged", "Diverged")}: an earlier step would have been changed, so the recorded
    steps from here on are another path. What the library decides here is counted apart.
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

/** PFs that decide otherwise today; one that skips now and was not asked then, or the other way round, is none of them. */
function differing(cards: readonly Card[]): number {
  const unlike = cards.filter(({ of }) => of !== "both");
  const bySkill = Map.groupBy(unlike, ({ event }) => event.skillId);
  const others = [...bySkill.values()].filter((own) => {
    const statuses = new Set(own.map(({ event }) => event.status));
    return statuses.size > 1 || own.some(isIntervention);
  });
  return others.length;
}

/** Today's library against the record, in one line. */
function verdictWords(programs: Programs): string {
  const { cards, judged, step, run } = programs;
  const { subject: library } = libraryNames(run);
  const others = differing(cards);
  const decide = `${count(others, "Program Function")} decide${others === 1 ? "s" : ""} otherwise`;
  if (otherAction(programs) !== undefined) return `${library}: ${decide}.`;
  if (step.events.length > 0 && others === 0) return `${library} decides the same as the run.`;
  const adds = (judged?.injected.length ?? 0) > step.injected.length;
  const runs = `${library} would run the same action${adds ? " and add a context" : ""}`;
  return step.events.length === 0 ? `${runs}.` : `${runs}; ${decide}.`;
}

function todayView(programs: Programs): unknown {
  const { state, run, judged, context } = programs;
  const { name, subject, title } = libraryNames(run);
  if (run.libraryNotice !== undefined)
    return html`<p class="note">${icon("info")} Not judged: ${run.libraryNotice}</p>`;
  if (state.live.shown !== undefined)
    return html`<p class="note">${icon("info")} ${subject} is asked when the episode has ended.</p>`;
  if (!canJudge(run)) return firstSkill(context.controller);
  if (state.judged.state === "failed") return failureView(state.judged.failure, context.controller);
  if (judged === undefined) return html`<p class="verdict quiet pending">${`Asking ${name}…`}</p>`;
  const again =
    state.judged.state === "loading" ? html` <span class="pending">Asking again…</span>` : nothing;
  return html`${judged.diverged ? divergedNote() : nothing}
    <p class="verdict quiet" title=${title}>${verdictWords(programs)}${again}</p>`;
}

/** The way to the skills that the run had, where its folder keeps them. */
function runSkillsView({ run, state, context }: Programs): unknown {
  if (run.runSkills !== "kept" || run.libraryNotice !== undefined || state.live.shown !== undefined)
    return nothing;
  return html`<p class="verdict">
    <button
      type="button"
      class="link"
      title="The run's folder keeps the texts of the skills that it had"
      @click=${() => context.controller.stepCommand("judgeWithRunSkills")}
    >
      Judge with the skills of the run
    </button>
  </p>`;
}

/** The Program Functions that did not intervene, and today's library against the record. */
export function programsView(programs: Programs): TemplateResult {
  const { state, cards, context } = programs;
  const quiet = cards.filter((card) => !isIntervention(card));
  return html`<section
    class="programs"
    aria-labelledby="programs-heading"
    aria-busy=${state.judged.state === "loading"}
  >
    <h2 id="programs-heading">Program Functions</h2>
    ${todayView(programs)} ${runSkillsView(programs)} ${quietCards(quiet, context, state.skippedOpen)}
  </section>`;
}
