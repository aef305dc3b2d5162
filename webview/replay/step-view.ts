import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { finalActionOf } from "../../src/model/action-types.ts";
import type { Action } from "../../src/model/action.ts";
import type { Episode, Proposal, Step } from "../../src/model/episode.ts";
import { revisionAt } from "../../src/model/revised-drafts.ts";
import { stopReasonWords } from "../../src/model/stop-reasons.ts";
import type { OpenedRun } from "../../src/protocol/replay.ts";
import { icon } from "../shared/icon.ts";
import { term } from "../shared/terms.ts";
import { actionView, lenientView } from "./action-view.ts";
import type { Controller } from "./controller.ts";
import { iconButton } from "./icon-button.ts";
import { decisionsView, instructionsView } from "./decisions.ts";
import { detailsView } from "./details.ts";
import { sourceToggle } from "./formula-source.ts";
import { followView, liveLook, phaseOf, RUNNING_LOOK, waitingFor } from "./live-view.ts";
import { stepLineage } from "./lineage.ts";
import type { MenuItem } from "./menu.ts";
import { notesOf } from "./note-words.ts";
import { notesView } from "./notes-view.ts";
import { interventionsView, programsOf, programsView } from "./programs.ts";
import { SPEEDS } from "./play.ts";
import { revisedView } from "./revised-view.ts";
import { changeAt, changeView } from "./what-if.ts";
import { valueOf, type ReplayState } from "./state.ts";
import { textLook, type TextLook } from "./text-look.ts";
import { thoughtLines } from "./thought-lines.ts";
import { interventionSteps, isModified } from "./timeline-model.ts";
import { proposalVerdictsView } from "./verdicts.ts";

function row(name: unknown, body: unknown, className = ""): TemplateResult {
  return html`<div class="row ${className}">
    <h2>${name}</h2>
    <div class="cell-body">${body}</div>
  </div>`;
}

const THOUGHT_LINES = { one: 40, many: 4 };
/** Lines of a closed program: most answers are shorter. */
const PROGRAM_LINES = 40;

function thought(text: string, field: string, lines: number, { formulas, code }: TextLook): TemplateResult {
  if (text === "") return html`<span class="quiet">none recorded</span>`;
  return html`<hasp-clamp
    .text=${text}
    .formulas=${formulas && "text"}
    .code=${code && "text"}
    data-field=${field}
    lines=${lines}
    what="the thought"
  ></hasp-clamp>`;
}

/** A draft waited for a context; in a word what the policy made of it, where both answers are judged. */
function heldBackView(episode: Episode, step: Step): TemplateResult {
  const result = revisionAt(episode, step);
  return html` <span class="quiet"
    >${term("held back")} once; the policy proposed
    again${result === undefined ? nothing : html`: ${term(result)}`}</span
  >`;
}

/** A proposed action and its verdicts: those of a program stand beside it where there is room. */
function proposedView(
  proposal: Proposal,
  i: number,
  other: Action | undefined,
  look: TextLook,
  held: unknown,
): TemplateResult {
  const lines = look.code ? PROGRAM_LINES : undefined;
  const action = html`<span data-field="action-${i}"
    >${actionView(proposal.action, { other, ...look, ...(lines && { lines }) })}</span
  >`;
  const verdicts = proposalVerdictsView(proposal, true);
  if (!look.code) return html`${action}${held}${verdicts}`;
  return html`<div class="program-and-tests">
    <div>${action}${held}</div>
    ${verdicts}
  </div>`;
}

/** Thought, action and verdicts of each proposal. A second one exists where a context held back the first. */
function proposalsView(episode: Episode, step: Step, modified: boolean, look: TextLook): unknown {
  const last = step.proposals.length - 1;
  const proposals = step.proposals.map((proposal, i) => {
    const held = i < last ? heldBackView(episode, step) : nothing;
    const other: Action | undefined = i === last && modified ? step.executed : undefined;
    const name = (word: string): string => (last > 0 ? `${word} ${i + 1} of ${last + 1}` : word);
    return html`${row(name("Thought"), thought(proposal.thought, `thought-${i}`, thoughtLines(episode, THOUGHT_LINES), look), "thought")}
    ${row(term("proposed", name("Proposed")), html`${proposedView(proposal, i, other, look, held)}${lenientView(proposal)}`, "proposed")}`;
  });
  const revised = look.code ? revisedView(episode, step) : undefined;
  return html`${proposals} ${revised === undefined ? nothing : row("Changed", revised, "revised")}`;
}

function remindedView(step: Step, { formulas }: TextLook): unknown {
  if ((step.instructions ?? []).length === 0) return nothing;
  return row("Reminded", instructionsView(step, formulas), "reminded");
}

/** What a person said since the step before: for an agent that is talked to, as telling as the question. */
function saidView({ prompts = [] }: Step, { formulas }: TextLook): unknown {
  if (prompts.length === 0) return nothing;
  const texts = prompts.map(
    (text, i) =>
      html`<hasp-clamp
        .text=${text}
        .formulas=${formulas && "text"}
        data-field="prompt-${i}"
        lines="6"
        what="what the person said"
      ></hasp-clamp>`,
  );
  return row("Person said", texts, "said");
}

/** Who changed the action: the vote of the handlers, the PF that won the step, or a tool that knows no READ. */
function changer({ decisions = [] }: Episode, step: Step): unknown {
  const here = decisions.filter(({ t }) => t === step.t);
  if (here.some(({ part, value }) => part === "handler_vote" && value === true))
    return "the vote of the handlers";
  const winner = step.events.findLast(
    (event) => event.status === "applied" && event.intervention?.type === "MODIFY_ACTION",
  );
  if (winner !== undefined) return html`<bdi class="code">${winner.skillId}</bdi>`;
  return here.some(({ part }) => part === "snippet_mode") ? "snippet mode" : undefined;
}

/** The action above would have run. */
function notRunView(reason: string): TemplateResult {
  return html`<p class="not-run-reason">
    ${icon("circle-slash", "bad")}
    <span title="Stop reason: ${reason}">did not run: ${stopReasonWords(reason)}</span>
  </p>`;
}

/** A program is not shown once more. */
function asProposedView({ executed: { type, arg } }: Step, look: TextLook): TemplateResult {
  return look.code ? html`<span class="action-type">${type}</span>` : actionView({ type, arg }, look);
}

function executedView(episode: Episode, step: Step, modified: boolean, look: TextLook): TemplateResult {
  const who = changer(episode, step);
  const by = who === undefined ? nothing : html` <span class="quiet">by</span> ${who}`;
  const body = modified
    ? html`${icon("triangle-up", "changed")}
        <span data-field="executed"
          >${actionView(step.executed, { other: step.proposals.at(-1)?.action, side: "after", ...look })}</span
        >
        <span class="modified-label changed">${term("modified")}</span>${by}`
    : html`${asProposedView(step, look)} <span class="quiet">(as proposed)</span>`;
  if (step.notRun !== undefined)
    return row("Did not run", html`${body}${notRunView(step.notRun)}`, "executed not-run");
  return row(term("executed", "Executed"), body, "executed");
}

function observationView({ facts }: Episode, step: Step, { formulas }: TextLook): TemplateResult {
  const text =
    step.observation === ""
      ? html`<span class="quiet">nothing returned</span>`
      : html`<hasp-clamp
          .text=${step.observation}
          .formulas=${formulas && "text"}
          data-field="observation"
          lines="10"
          what="the observation"
        ></hasp-clamp>`;
  const injected = step.injected.map(
    (added, i) =>
      html`<div class="injected-text">
        <p class="injected-by">
          ${icon("circle-filled", "injected")} ${term("injected", "Injected")} by
          <bdi class="code">${added.skillId}</bdi>
        </p>
        <hasp-clamp
          .text=${added.text}
          .formulas=${formulas && "text"}
          data-field="injected-${i}"
          lines="6"
          what="the injected text"
        ></hasp-clamp>
      </div>`,
  );
  // A final action has no observation but what the policy is told where its answer was not taken.
  const isNote = step.executed.type === finalActionOf(facts) && step.observation !== "";
  return row(
    isNote ? "Next round" : term("observation", "Observation"),
    html`${text}${injected}`,
    "observation",
  );
}

/** Play and pause, and how fast. */
function playView({ playing, speed }: ReplayState, episode: Episode, controller: Controller): TemplateResult {
  const faster = SPEEDS.some((other) => other > speed);
  return html`${iconButton(
      playing ? "debug-pause" : "play",
      playing ? "Pause (Space)" : "Play (Space)",
      episode.steps.length > 1,
      () => controller.togglePlay(),
    )}
    <button
      type="button"
      class="plain-button speed"
      title="Speed: ${speed}× (< slower, > faster)"
      aria-label="Speed ${speed}×"
      @click=${() => (faster ? controller.changeSpeed(1) : SPEEDS.forEach(() => controller.changeSpeed(-1)))}
    >
      ${speed}×
    </button>`;
}

/** What a step can be used for, with the keys that do the same. */
function menuItems({ controller, openNoteForm }: StepViewContext): MenuItem[] {
  return [
    {
      label: "New Skill from This Step",
      icon: "add",
      key: "Shift+S",
      run: () => controller.stepCommand("newSkillFromStep"),
    },
    {
      label: "Add Step as Case",
      icon: "checklist",
      key: "Shift+A",
      run: () => controller.stepCommand("addStepAsCase"),
    },
    {
      label: "Debug PF on This Step",
      icon: "bug",
      key: "Shift+D",
      run: () => controller.stepCommand("debugPf"),
    },
    {
      label: "Branch from Here",
      icon: "git-branch",
      key: "Shift+B",
      run: () => controller.stepCommand("branchFromHere"),
    },
    {
      label: "Mark “went wrong here”",
      icon: "flame",
      key: "Shift+W",
      begins: true,
      run: () => controller.toggleWentWrong(),
    },
    { label: "Label the step…", icon: "tag", key: "Shift+L", run: () => openNoteForm("step") },
    { label: "Label the episode…", icon: "tag", key: "Shift+E", run: () => openNoteForm("episode") },
    {
      label: "Compare episodes…",
      icon: "compare-changes",
      key: "c",
      begins: true,
      run: () => controller.openCompare("episodes"),
    },
    {
      label: "Compare runs…",
      icon: "compare-changes",
      key: "Shift+C",
      run: () => controller.openCompare("runs"),
    },
    {
      label: "Copy link to the step",
      icon: "link",
      key: "y",
      begins: true,
      run: () => controller.copyLink(),
    },
  ];
}

function toolbar(state: ReplayState, episode: Episode, context: StepViewContext): TemplateResult {
  const { controller } = context;
  const { t } = state;
  const interventions = interventionSteps(state);
  return html`<div class="step-bar">
    ${iconButton("chevron-left", "Previous step (←)", t > 0, () => controller.goToStep(t - 1))}
    ${iconButton("chevron-right", "Next step (→)", t < episode.steps.length - 1, () => controller.goToStep(t + 1))}
    ${iconButton(
      "triangle-left",
      "Previous intervention (p)",
      interventions.some((s) => s < t),
      () => controller.moveIntervention(-1),
    )}
    ${iconButton(
      "triangle-right",
      "Next intervention (n)",
      interventions.some((s) => s > t),
      () => controller.moveIntervention(1),
    )}
    <span class="step-count">Step ${t + 1} of ${episode.steps.length}</span>
    <span class="spacer"></span>
    ${sourceToggle(state, controller)} ${followView(state, episode, controller)}
    ${playView(state, episode, controller)}
    ${iconButton("arrow-left", "Back (Alt+←)", state.history.back.length > 0, () => controller.travel("back"))}
    ${iconButton("arrow-right", "Forward (Alt+→)", state.history.forward.length > 0, () => controller.travel("forward"))}
    ${state.live.shown === undefined ? html`<hasp-menu label="Actions" .items=${menuItems(context)}></hasp-menu>` : nothing}
  </div>`;
}

/** How long the step will stay; without motion, that it plays is said by the button alone. */
function playBar({ index, t, speed }: ReplayState): unknown {
  return keyed(
    `${index} ${t} ${speed}`,
    html`<div class="play-bar" style="--speed: ${speed}" aria-hidden="true"></div>`,
  );
}

/** What the parts of a step can make the view do. */
export interface StepViewContext {
  readonly controller: Controller;
  readonly openNoteForm: (on: "step" | "episode") => void;
}

/** One step of the episode: what was thought, proposed, decided, executed and seen. */
export function stepView(
  state: ReplayState,
  run: OpenedRun,
  episode: Episode,
  context: StepViewContext,
): TemplateResult {
  const { controller } = context;
  const step = episode.steps[state.t];
  if (step === undefined) {
    const why =
      liveLook(state) === RUNNING_LOOK
        ? "It has begun, and the policy has not proposed anything yet."
        : "This episode has no steps: it ended before the policy proposed anything.";
    return html`${state.live.shown === undefined ? nothing : html`<div class="step-bar"><span class="spacer"></span>${followView(state, episode, controller)}</div>`}
      <div class="empty">
        <p>${why}</p>
      </div>
      <div class="step">${decisionsView(episode, 0)}</div>`;
  }
  if (state.mode === "episode")
    return html`${toolbar(state, episode, context)} ${state.playing ? playBar(state) : nothing}
      <hasp-transcript id="step-panel" .state=${state} .controller=${controller}></hasp-transcript>`;
  const phase = phaseOf(state, episode);
  const isExecuted = phase !== "proposed" && phase !== "judged";
  const modified = isExecuted && isModified(step);
  const programs = programsOf(state, run, step, controller);
  const notes = notesOf(valueOf(state.notes)?.notes ?? [], episode).filter(({ t }) => t === state.t);
  const look = textLook(state);
  return html`${toolbar(state, episode, context)} ${state.playing ? playBar(state) : nothing}
    <div
      class="step"
      data-t=${state.t}
      id="step-panel"
      role="tabpanel"
      aria-labelledby="step-tab-${state.t}"
      tabindex="0"
    >
      <div class="step-inner">
        ${notes.length === 0 ? nothing : row("Notes", notesView(notes, controller), "noted")}
        ${saidView(step, look)} ${remindedView(step, look)} ${proposalsView(episode, step, modified, look)}
        ${isExecuted ? executedView(episode, step, modified, look) : row("Executed", waitingFor(state, phase), "executed")}
        ${changeView(changeAt(state, state.t))} ${interventionsView(programs)}
        ${step.notRun !== undefined && step.observation === "" ? nothing : phase === undefined ? observationView(episode, step, look) : row("Observation", waitingFor(state, phase === "executed" ? phase : undefined), "observation")}
        ${stepLineage(step, state, controller).map(({ name, links }) => row(name, links, "lineage-row"))}
        ${programsView(programs)} ${detailsView(state, episode, step, controller)}
      </div>
    </div>`;
}
