import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { Action } from "../../src/model/action.ts";
import { finalActionOf } from "../../src/model/action-types.ts";
import type { Episode, Step } from "../../src/model/episode.ts";
import type { PfEvent } from "../../src/model/intervention.ts";
import type { StepPhase } from "../../src/model/live-episode.ts";
import type { Note } from "../../src/model/note.ts";
import { revisionAt } from "../../src/model/revised-drafts.ts";
import { stopReasonWords } from "../../src/model/stop-reasons.ts";
import { tellingLine } from "../../src/model/telling-line.ts";
import type { StepMarks } from "../../src/protocol/replay.ts";
import { actionWords } from "../shared/format.ts";
import { icon } from "../shared/icon.ts";
import { argumentView, lenientView, rawView } from "./action-view.ts";
import type { Controller } from "./controller.ts";
import { judgingLibrary } from "./library-names.ts";
import { waitingFor } from "./live-view.ts";
import { stepLineage } from "./lineage.ts";
import { laterWords } from "./pf-cards.ts";
import { labelOf, noteWords } from "./note-words.ts";
import { noteIcon } from "./notes-view.ts";
import { revisedView } from "./revised-view.ts";
import { recordedSource } from "./source.ts";
import { valueOf, type ReplayState } from "./state.ts";
import { statusLook } from "./statuses.ts";
import { textLook } from "./text-look.ts";
import { thoughtLines } from "./thought-lines.ts";
import { isModified, markWords } from "./timeline-model.ts";
import { proposalVerdictsView } from "./verdicts.ts";

/** A step of the transcript, and what it takes to draw it. */
export interface TranscriptStep {
  readonly episode: Episode;
  readonly step: Step;
  /** Position of the step in the episode. */
  readonly t: number;
  readonly selected: boolean;
  /** How far it has come while it runs; undefined where it is whole. */
  readonly phase: StepPhase;
  readonly notes: readonly Note[];
  /** Of today's library. */
  readonly today: StepMarks | undefined;
  readonly state: ReplayState;
  readonly controller: Controller;
  /** Characters to which a text was opened before it left the screen, by its field. */
  readonly opened: (field: string) => number;
}

const LINES = { thought: { one: 12, many: 4 }, text: 2, observation: 3 };

function line(name: unknown, body: unknown, className: string): TemplateResult {
  return html`<div class="line ${className}">
    <div class="line-name">${name}</div>
    <div class="line-body">${body}</div>
  </div>`;
}

function textView(
  text: string,
  field: string,
  lines: number,
  { opened, state }: TranscriptStep,
  what: string,
): unknown {
  const { formulas, code } = textLook(state);
  return html`<hasp-clamp
    compact
    data-field=${field}
    .opened=${opened(field)}
    .text=${text}
    .formulas=${formulas && "text"}
    .code=${code && "text"}
    lines=${lines}
    what=${what}
  ></hasp-clamp>`;
}

/** Its type stands where other lines have their name. */
function actionLine(
  action: Action,
  field: string,
  { opened, state }: TranscriptStep,
  more: {
    readonly other?: Action | undefined;
    readonly isAfter?: boolean;
    readonly role?: string;
    readonly below?: unknown;
  } = {},
): TemplateResult {
  const { other, isAfter = false, role, below = nothing } = more;
  const type = html`<span class="action-type ${action.type === "invalid" ? "bad" : ""}"
    >${action.type}</span
  >`;
  const side = isAfter ? "after" : "before";
  return html`<div class="line action-line" data-field=${field}>
    <div class="line-name">${isAfter ? icon("triangle-up", "changed") : nothing} ${type}</div>
    <div class="line-body">
      ${argumentView(action, { other, side, lines: 6, compact: true, opened: opened(field), ...textLook(state) })}${rawView(action)}
      ${role === undefined ? nothing : html`<span class="quiet role" data-no-find>${role}</span>`} ${below}
    </div>
  </div>`;
}

function proposalLines(context: TranscriptStep, modified: boolean): unknown {
  const { episode, step, state } = context;
  const last = step.proposals.length - 1;
  const result = revisionAt(episode, step);
  const heldBack = result === undefined ? "held back once" : `held back once: ${result}`;
  const revised = textLook(state).code ? revisedView(episode, step) : undefined;
  const proposals = step.proposals.map((proposal, i) => {
    const { thought, action } = proposal;
    const other = i === last && modified ? step.executed : undefined;
    const role = i < last ? heldBack : modified ? "proposed" : undefined;
    return html`${
      thought === ""
        ? nothing
        : line(
            "Thought",
            textView(thought, `thought-${i}`, thoughtLines(episode, LINES.thought), context, "the thought"),
            "thought-line",
          )
    }
    ${actionLine(action, `action-${i}`, context, { other, below: html`${proposalVerdictsView(proposal, false)}${lenientView(proposal)}`, ...(role === undefined ? {} : { role }) })}`;
  });
  return html`${proposals} ${revised === undefined ? nothing : line("Changed", revised, "revised-line")}`;
}

/** The intervention of a Program Function, also one that a limit or another PF kept from acting. */
function eventLine(event: PfEvent, { controller }: TranscriptStep): TemplateResult {
  const look = statusLook(event);
  const source = recordedSource(event);
  return line(
    html`${icon(look.icon, look.tone)} ${look.label}`,
    html`<bdi class="code">${event.skillId}</bdi> <span dir="auto">${laterWords(event)}${event.reason}</span>
      <button
        type="button"
        class="link source"
        title="Open ${source.label} of ${event.skillId}"
        @click=${() => controller.openSource(event.skillId, source.line)}
      >
        ${source.label}
      </button>`,
    `event-line ${event.status}`,
  );
}

/** The decision of today's library at a step where the run records none; the step mode has the reasons. */
function todayLine({ today, step, t, state, controller }: TranscriptStep): unknown {
  const isRecorded = step.events.length > 0 || step.injected.length > 0;
  if (today === undefined || isRecorded || !(today.modified || today.injected || today.error)) return nothing;
  const words = markWords({ ...today, diverged: false }).join(", ");
  const { word, name } = judgingLibrary(state);
  return line(
    html`${today.modified ? icon("triangle-up", "changed") : today.injected ? icon("circle-filled", "injected") : icon("error", "bad")}
    ${word}`,
    html`${words}, with ${name}
      <button type="button" class="link" @click=${() => openStep(t, controller)}>Show why</button>`,
    "today-line",
  );
}

function injectedLines(context: TranscriptStep): unknown {
  return context.step.injected.map((added, i) =>
    line(
      html`${icon("circle-filled", "injected")} Injected`,
      html`<p class="quiet">by <bdi class="code">${added.skillId}</bdi></p>
        ${textView(added.text, `injected-${i}`, LINES.text, context, "the injected text")}`,
      "injected-line",
    ),
  );
}

function saidLines(context: TranscriptStep): unknown {
  return (context.step.prompts ?? []).map((text, i) =>
    line(
      "Person said",
      textView(text, `prompt-${i}`, LINES.observation, context, "what the person said"),
      "said-line",
    ),
  );
}

function reminderLines(context: TranscriptStep): unknown {
  return (context.step.instructions ?? []).map(({ skillId, text }, i) =>
    line(
      html`${icon("circle-filled", "injected")} Reminded`,
      html`<p class="quiet">by <bdi class="code">${skillId}</bdi></p>
        ${textView(text, `reminder-${i}`, LINES.text, context, `the reminder of ${skillId}`)}`,
      "injected-line",
    ),
  );
}

function notRunLine({ step }: TranscriptStep): unknown {
  if (step.notRun === undefined) return nothing;
  const name = html`${icon("circle-slash", "bad")} Did not run`;
  return line(name, stopReasonWords(step.notRun), "not-run-line");
}

function observationLine(context: TranscriptStep, executed: boolean): unknown {
  const { step, phase, state } = context;
  if (step.notRun !== undefined && step.observation === "") return nothing;
  if (phase !== undefined)
    return line("Observation", waitingFor(state, executed ? phase : undefined), "observation-line");
  if (step.observation === "") return nothing;
  const name = step.executed.type === finalActionOf(context.episode.facts) ? "Next round" : "Observation";
  const text = textView(step.observation, "observation", LINES.observation, context, "the observation");
  return line(name, text, "observation-line");
}

function notesLine({ notes }: TranscriptStep): unknown {
  if (notes.length === 0) return nothing;
  return html`<ul class="note-labels" aria-label="Notes">
    ${notes.map(
      (note) =>
        html`<li title=${noteWords(note)}>
          ${noteIcon(note.kind)} <bdi>${labelOf(note.kind)}</bdi>
          ${note.text === undefined ? nothing : html`<span class="quiet" dir="auto">${note.text}</span>`}
        </li>`,
    )}
  </ul>`;
}

function openStep(t: number, controller: Controller): void {
  controller.goToStep(t);
  controller.setMode("step");
}

function entryView(context: TranscriptStep): TemplateResult {
  const { episode, step, t, selected, phase, state, controller } = context;
  const isExecuted = phase !== "proposed" && phase !== "judged";
  const modified = isExecuted && isModified(step);
  const proposed = step.proposals.at(-1)?.action ?? step.executed;
  const seen = step.events.filter(({ status }) => status !== "skipped");
  return html`<article
    class="entry ${selected ? "current" : ""}"
    data-t=${t}
    aria-posinset=${t + 1}
    aria-setsize=${episode.steps.length}
    aria-current=${selected ? "step" : nothing}
    aria-label="Step ${t + 1}: ${actionWords(textLook(state).code ? { ...proposed, arg: tellingLine(proposed.arg, 80) } : proposed).slice(0, 80)}"
  >
    <button
      type="button"
      class="number link"
      title="Show step ${t + 1} alone (e)"
      aria-label="Show step ${t + 1} alone"
      @click=${() => openStep(t, controller)}
    >
      ${t + 1}
    </button>
    <div class="entry-lines">
      ${notesLine(context)} ${saidLines(context)} ${reminderLines(context)}
      ${proposalLines(context, modified)}
      ${modified ? actionLine(step.executed, "executed", context, { other: proposed, isAfter: true, role: step.notRun === undefined ? "executed" : "would have run" }) : nothing}
      ${isExecuted ? nothing : line("Executed", waitingFor(state, phase), "executed-line")}
      ${seen.map((event) => eventLine(event, context))} ${todayLine(context)} ${injectedLines(context)}
      ${notRunLine(context)} ${observationLine(context, phase === "executed")}
      ${stepLineage(step, state, controller).map(({ name, links }) => line(name, links, "lineage-line"))}
    </div>
  </article>`;
}

/** One step as an article of the transcript; drawn anew only where something of it changed. */
export function transcriptStep(context: TranscriptStep): unknown {
  const { step, selected, phase, notes, today, episode, state } = context;
  const noted = notes.map(({ id }) => id).join(" ");
  const runs = state.live.shown === undefined ? undefined : state.live;
  const { formulas, code } = textLook(state);
  // Links lead to positions in the list of episodes.
  const run = valueOf(state.run);
  return guard([step, selected, phase, noted, today, episode.steps.length, runs, run, formulas, code], () =>
    entryView(context),
  );
}
