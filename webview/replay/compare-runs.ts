import { html, nothing, type TemplateResult } from "lit";
import {
  RUN_MEASURES,
  type ComparedEpisode,
  type QuestionPair,
  type QuestionVerdict,
  type RunComparison,
  type RunMeasure,
  type Spread,
} from "../../src/model/comparison.ts";
import type { ComparableRun } from "../../src/protocol/replay.ts";
import { count } from "../shared/format.ts";
import { icon, type IconName } from "../shared/icon.ts";
import type { Controller } from "./controller.ts";
import { failureView } from "./notices.ts";
import type { Compare, ReplayState } from "./state.ts";
import { OUTCOME_LOOKS } from "./statuses.ts";

type RunsCompare = Extract<Compare, { view: "runs" }>;

const VERDICTS: Readonly<Record<QuestionVerdict, { icon: IconName; tone: string; label: string }>> = {
  won: { icon: "pass", tone: "good", label: "won" },
  lost: { icon: "error", tone: "bad", label: "lost" },
  both_right: { icon: "check", tone: "quiet", label: "both right" },
  both_wrong: { icon: "close", tone: "quiet", label: "both wrong" },
  unjudged: { icon: "question", tone: "quiet", label: "unjudged" },
  only_a: { icon: "arrow-left", tone: "quiet", label: "only in this run" },
  only_b: { icon: "arrow-right", tone: "quiet", label: "only in the other" },
};

/** The first of them, which are those that differ; a table of thousands helps nobody. */
const PAIRS_SHOWN = 500;

function choiceView(choice: ComparableRun, chosen: boolean, controller: Controller): TemplateResult {
  return html`<li>
    <button
      type="button"
      class="choice"
      aria-pressed=${chosen}
      @click=${() => controller.compareWithRun(choice, false)}
    >
      <bdi>${choice.title}</bdi>
      <span class="quiet"
        >${count(choice.shared, "question")} of this run · ${count(choice.episodes, "episode")}</span
      >
    </button>
  </li>`;
}

function choicesView(state: ReplayState, compare: RunsCompare, controller: Controller): unknown {
  const { comparableRuns: found } = state;
  if (found.state === "failed")
    return failureView(found.failure, controller, () => controller.closeCompare());
  if (found.state !== "ready") return html`<p class="loading">Looking for other runs…</p>`;
  if (found.value.length === 0) {
    return html`<div class="empty">
      <p>Runs of the same questions are compared here: what was won and lost. There is no other run yet.</p>
      <vscode-button @click=${() => controller.fillRun("runQuestions")}>Run questions</vscode-button>
    </div>`;
  }
  return html`<ul class="choices" aria-label="Compare with">
    ${found.value.map((choice) => choiceView(choice, choice.run === compare.other?.run, controller))}
  </ul>`;
}

function number(value: number | undefined): string {
  return value === undefined ? "not known" : value.toLocaleString("en", { maximumFractionDigits: 4 });
}

function measureRow(name: RunMeasure, { a, b }: { a: Spread; b: Spread }): TemplateResult {
  return html`<tr>
    <th scope="row">${RUN_MEASURES[name]}, median</th>
    <td title="of ${count(a.known, "question")}">${number(a.median)}</td>
    <td title="of ${count(b.known, "question")}">${number(b.median)}</td>
  </tr>`;
}

function measuresView({ measures }: RunComparison, title: string): TemplateResult {
  const names = (Object.keys(RUN_MEASURES) as RunMeasure[]).flatMap((name) => {
    const measure = measures[name];
    return measure === undefined ? [] : [measureRow(name, measure)];
  });
  return html`<table class="figures-table numbers">
    <caption class="for-readers">
      The two runs in figures
    </caption>
    <thead>
      <tr>
        <td></td>
        <th scope="col">This run</th>
        <th scope="col"><bdi>${title}</bdi></th>
      </tr>
    </thead>
    <tbody>
      ${names}
    </tbody>
  </table>`;
}

function verdictView(verdict: QuestionVerdict): TemplateResult {
  const look = VERDICTS[verdict];
  return html`${icon(look.icon, look.tone)} ${look.label}`;
}

function verdictsView({ verdicts, pValue }: RunComparison): TemplateResult {
  const names = Object.keys(VERDICTS) as QuestionVerdict[];
  return html`<ul class="verdicts" aria-label="Verdicts on the other run">
      ${names
        .filter((name) => verdicts[name] > 0)
        .map(
          (name) =>
            html`<li>${verdictView(name)} <strong>${verdicts[name].toLocaleString("en")}</strong></li>`,
        )}
    </ul>
    <p class="quiet">
      Won and lost are said of the other run. Chance alone would tilt them so far with p =
      ${pValue.toPrecision(2)} (McNemar, exact).
    </p>`;
}

function sideView(
  side: ComparedEpisode | undefined,
  label: string,
  open: (index: number) => void,
): TemplateResult {
  if (side === undefined) return html`<td class="quiet">none</td>`;
  const look = OUTCOME_LOOKS[side.outcome];
  return html`<td>
    <button
      type="button"
      class="link"
      aria-label="Open in ${label}: ${look.label}"
      @click=${() => open(side.index)}
    >
      ${icon(look.icon, look.tone)} ${look.label}
    </button>
    <span class="quiet">${count(side.steps, "step")}</span>
  </td>`;
}

function pairView(pair: QuestionPair, other: ComparableRun, controller: Controller): TemplateResult {
  const openA = (index: number): void => (controller.closeCompare(), controller.select(index, 0));
  const openB = (index: number): void => controller.openEpisode({ run: other.run, index }, 0);
  return html`<tr data-verdict=${pair.verdict}>
    <td class="verdict-cell">${verdictView(pair.verdict)}</td>
    <th scope="row" dir="auto">${pair.question}</th>
    ${sideView(pair.a, "this run", openA)} ${sideView(pair.b, "the other run", openB)}
  </tr>`;
}

function resultView(state: ReplayState, { other, measured }: RunsCompare, controller: Controller): unknown {
  const result = state.comparedRuns;
  if (other === undefined) return nothing;
  if (result.state === "failed")
    return failureView(result.failure, controller, () => controller.closeCompare());
  if (result.state !== "ready") {
    return html`<p class="loading">${measured ? "Reading every episode of both runs…" : "Comparing…"}</p>`;
  }
  const { pairs, byText } = result.value;
  return html`${verdictsView(result.value)} ${measuresView(result.value, other.title)}
    ${
      measured
        ? nothing
        : html`<vscode-button secondary @click=${() => controller.compareWithRun(other, true)}
            >Measure cost, tokens and reads</vscode-button
          >`
    }
    ${byText > 0 ? html`<p class="quiet">${count(byText, "question")} found by text: the runs name them differently.</p>` : nothing}
    <table class="pairs">
      <caption class="for-readers">
        Every question of the two runs
      </caption>
      <thead>
        <tr>
          <th scope="col">Verdict</th>
          <th scope="col">Question</th>
          <th scope="col">This run</th>
          <th scope="col"><bdi>${other.title}</bdi></th>
        </tr>
      </thead>
      <tbody>
        ${pairs.slice(0, PAIRS_SHOWN).map((pair) => pairView(pair, other, controller))}
      </tbody>
    </table>
    ${pairs.length > PAIRS_SHOWN ? html`<p class="quiet">The first ${PAIRS_SHOWN} of ${count(pairs.length, "question")} are shown, lost and won ones first.</p>` : nothing}`;
}

/** This run and another one: what was won and lost, question by question. */
export function compareRunsView(
  state: ReplayState,
  compare: RunsCompare,
  controller: Controller,
): TemplateResult {
  return html`${choicesView(state, compare, controller)} ${resultView(state, compare, controller)}`;
}
