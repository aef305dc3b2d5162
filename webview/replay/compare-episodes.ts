import { html, nothing, type TemplateResult } from "lit";
import type { AlignedStep, EpisodeComparison, EpisodeSide } from "../../src/model/comparison.ts";
import type { Episode, Step } from "../../src/model/episode.ts";
import { otherPrompts } from "../../src/model/prompt-versions.ts";
import { repliesText } from "../../src/model/replies.ts";
import type { ComparableEpisode } from "../../src/protocol/replay.ts";
import { count, dollars } from "../shared/format.ts";
import { shortTextView } from "../shared/clamp.ts";
import { icon } from "../shared/icon.ts";
import { actionView } from "./action-view.ts";
import type { Controller } from "./controller.ts";
import { failureView, remarkView } from "./notices.ts";
import { valueOf, type Compare, type ReplayState } from "./state.ts";
import { OUTCOME_LOOKS } from "./statuses.ts";
import { textLook, type TextLook } from "./text-look.ts";
import { isModified } from "./timeline-model.ts";

type EpisodesCompare = Extract<Compare, { view: "episodes" }>;

function choiceView(choice: ComparableEpisode, chosen: boolean, controller: Controller): TemplateResult {
  const look = OUTCOME_LOOKS[choice.head.outcome];
  return html`<li>
    <button
      type="button"
      class="choice"
      aria-pressed=${chosen}
      @click=${() => controller.compareWithEpisode(choice)}
    >
      <span>${icon(look.icon, look.tone)} ${look.label}</span>
      <bdi>${choice.isThisRun ? "this run" : choice.title}</bdi>
      <span class="quiet">episode ${choice.index + 1} · ${count(choice.head.length, "step")}</span>
    </button>
  </li>`;
}

function choicesView(state: ReplayState, compare: EpisodesCompare, controller: Controller): unknown {
  const { comparableEpisodes: found } = state;
  if (found.state === "failed")
    return failureView(found.failure, controller, () => controller.closeCompare());
  if (found.state !== "ready")
    return html`<p class="loading">Looking for other episodes of this question…</p>`;
  if (found.value.length === 0) {
    return html`<div class="empty">
      <p>
        Other episodes of the same question are compared here: tries of this run, or of another run of the
        workspace. There is none yet.
      </p>
      <vscode-button @click=${() => controller.fillRun("runQuestions")}>Run questions</vscode-button>
    </div>`;
  }
  const { other } = compare;
  return html`<ul class="choices" aria-label="Compare with">
    ${found.value.map((choice) =>
      choiceView(choice, choice.run === other?.run && choice.index === other.index, controller),
    )}
  </ul>`;
}

function sideFigures(name: string, { a, b }: { a: unknown; b: unknown }): TemplateResult {
  return html`<tr>
    <th scope="row">${name}</th>
    <td>${a}</td>
    <td>${b}</td>
  </tr>`;
}

function outcomeView({ outcome }: EpisodeSide): TemplateResult {
  const look = OUTCOME_LOOKS[outcome];
  return html`${icon(look.icon, look.tone)} ${look.label}`;
}

function answerView({ answer }: EpisodeSide, { formulas, code }: TextLook): TemplateResult {
  if (code && answer !== undefined)
    return html`<hasp-clamp
      class="code"
      .text=${answer}
      .code=${"program"}
      lines="12"
      what="the answer"
    ></hasp-clamp>`;
  const text =
    answer === undefined ? "none given" : shortTextView(answer, formulas && "answer", "the answer");
  return html`<bdi>${text}</bdi>`;
}

function costOf({ cost }: EpisodeSide): string {
  return cost?.cost === undefined ? "not known" : dollars(cost.cost);
}

const repliesOf = ({ replies }: EpisodeSide): string => repliesText(replies) ?? "no reply of a model";

/** Searches and reads, where the domain of an episode has them. */
function gathered(a: EpisodeSide, b: EpisodeSide): TemplateResult | typeof nothing {
  const of = ({ searches, reads }: EpisodeSide): string => `${searches ?? "–"}, ${reads ?? "–"}`;
  const isThere = [a, b].some(({ searches, reads }) => searches !== undefined || reads !== undefined);
  return isThere ? sideFigures("Searches, reads", { a: of(a), b: of(b) }) : nothing;
}

function figuresView(
  { a, b }: Pick<EpisodeComparison, "a" | "b">,
  otherTitle: string,
  look: TextLook,
): TemplateResult {
  return html`<table class="figures-table">
    <caption class="for-readers">
      The two episodes in figures
    </caption>
    <thead>
      <tr>
        <td></td>
        <th scope="col">This episode</th>
        <th scope="col"><bdi>${otherTitle}</bdi></th>
      </tr>
    </thead>
    <tbody>
      ${sideFigures("Outcome", { a: outcomeView(a), b: outcomeView(b) })}
      ${sideFigures("Answer", { a: answerView(a, look), b: answerView(b, look) })}
      ${sideFigures("Steps", { a: a.steps, b: b.steps })} ${gathered(a, b)}
      ${sideFigures("PFs applied", { a: a.interventions.applied, b: b.interventions.applied })}
      ${sideFigures("Replies", { a: repliesOf(a), b: repliesOf(b) })}
      ${sideFigures("Cost", { a: costOf(a), b: costOf(b) })}
    </tbody>
  </table>`;
}

function stepCell(step: Step | undefined, open: (t: number) => void, look: TextLook): TemplateResult {
  if (step === undefined) return html`<td class="gap"><span class="quiet">no step</span></td>`;
  const proposed = step.proposals.at(-1)?.action;
  return html`<td>
    <p>
      <button type="button" class="link" @click=${() => open(step.t)}>Step ${step.t + 1}</button>
      ${actionView({ type: step.executed.type, arg: step.executed.arg }, look)}
      ${isModified(step) && proposed !== undefined ? html`${icon("triangle-up", "changed")} <span class="quiet">modified from ${proposed.type}</span>` : nothing}
    </p>
    ${step.injected.map(({ skillId }) => html`<p class="quiet">${icon("circle-filled", "injected")} injected by <bdi>${skillId}</bdi></p>`)}
    <hasp-clamp .text=${step.observation} lines="2" what="the observation"></hasp-clamp>
  </td>`;
}

interface Sides {
  readonly a: Episode;
  readonly b: Episode;
  readonly openA: (t: number) => void;
  readonly openB: (t: number) => void;
  readonly look: TextLook;
}

function differsWords({ a, b, differs }: AlignedStep): string {
  if (a === undefined || b === undefined) return "only here";
  return differs.length === 0 ? "same" : `other ${differs.join(", ")}`;
}

function rowView(row: AlignedStep, isFirst: boolean, { a, b, openA, openB, look }: Sides): TemplateResult {
  const at = (episode: Episode, t: number | undefined): Step | undefined =>
    t === undefined ? undefined : episode.steps[t];
  return html`${
      isFirst
        ? html`<tr class="parting">
            <td colspan="3">${icon("git-branch", "changed")} The episodes part here</td>
          </tr>`
        : nothing
    }
    <tr class=${differsWords(row) === "same" ? "same" : "differs"}>
      <th scope="row" class="quiet">${differsWords(row)}</th>
      ${stepCell(at(a, row.a), openA, look)} ${stepCell(at(b, row.b), openB, look)}
    </tr>`;
}

function alignedView(state: ReplayState, compare: EpisodesCompare, controller: Controller): unknown {
  const { other } = compare;
  const result = state.comparedEpisodes;
  if (other === undefined) return nothing;
  if (result.state === "failed")
    return failureView(result.failure, controller, () => controller.closeCompare());
  const shown = valueOf(state.episode);
  if (result.state !== "ready" || shown === undefined) return html`<p class="loading">Comparing…</p>`;
  const { comparison } = result.value;
  const name = other.isThisRun ? `Episode ${other.index + 1}` : other.title;
  const sides: Sides = {
    a: shown,
    b: result.value.other,
    openA: (t) => (controller.closeCompare(), controller.jumpToStep(t)),
    openB: (t) => controller.openEpisode(other, t),
    look: textLook(state),
  };
  const remarks = otherPrompts(
    { title: "this episode", settings: shown.settings },
    { title: name, settings: result.value.other.settings },
  );
  return html`${remarks.map(remarkView)} ${figuresView(comparison, name, sides.look)}
    ${comparison.firstDivergence === undefined ? html`<p class="note">${icon("check")} Both take the same steps.</p>` : nothing}
    ${comparison.capped ? html`<p class="note">${icon("info")} The middle is too long to be aligned; it stands side by side in its order.</p>` : nothing}
    <table class="aligned">
      <thead>
        <tr>
          <th scope="col">Steps</th>
          <th scope="col">This episode</th>
          <th scope="col"><bdi>${name}</bdi></th>
        </tr>
      </thead>
      <tbody>
        ${comparison.rows.map((row, i) => rowView(row, i === comparison.firstDivergence, sides))}
      </tbody>
    </table>`;
}

/** Another episode of the question beside the one shown. */
export function compareEpisodesView(
  state: ReplayState,
  compare: EpisodesCompare,
  controller: Controller,
): TemplateResult {
  return html`${choicesView(state, compare, controller)} ${alignedView(state, compare, controller)}`;
}
