import { html, nothing, type TemplateResult } from "lit";
import {
  RUN_MEASURES,
  type QuestionPair,
  type QuestionVerdict,
  type RunComparison,
  type RunMeasure,
  type Spread,
} from "../../src/model/comparison.ts";
import { repliesText, type ReplyCounts } from "../../src/model/replies.ts";
import type { ComparableRun } from "../../src/protocol/replay.ts";
import { count } from "../shared/format.ts";
import { pairsView, VERDICTS, verdictView } from "./compare-pairs.ts";
import type { Controller } from "./controller.ts";
import { failureView, remarkView } from "./notices.ts";
import type { Compare, ReplayState } from "./state.ts";

type RunsCompare = Extract<Compare, { view: "runs" }>;
type Verdict = RunsCompare["verdict"];

function sharedWords({ shared, byText }: ComparableRun): string {
  const words = `${count(shared, "question")} of this run`;
  return byText === 0 ? words : `${words}, ${byText.toLocaleString("en")} by text`;
}

function choiceView(choice: ComparableRun, chosen: boolean, controller: Controller): TemplateResult {
  return html`<li>
    <button
      type="button"
      class="choice"
      aria-pressed=${chosen}
      @click=${() => controller.compareWithRun(choice, false)}
    >
      <bdi>${choice.title}</bdi>
      <span class="quiet">${sharedWords(choice)} · ${count(choice.episodes, "episode")}</span>
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

/** How the models kept to the form of an action; the lists of the runs do not tell. */
function repliesRow({ replies }: RunComparison): TemplateResult {
  const cell = (counts: ReplyCounts | undefined): string =>
    counts === undefined ? "not measured" : (repliesText(counts) ?? "no reply of a model");
  return html`<tr>
    <th scope="row">replies</th>
    <td>${cell(replies?.a)}</td>
    <td>${cell(replies?.b)}</td>
  </tr>`;
}

function measuresView(comparison: RunComparison, title: string): TemplateResult {
  const { measures } = comparison;
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
      ${names} ${repliesRow(comparison)}
    </tbody>
  </table>`;
}

/** The difference in the share of right answers, with its interval. */
function shareWords(right: RunComparison["right"]): string {
  if (right === undefined) return "";
  const points = (share: number): string =>
    (share * 100).toLocaleString("en", { maximumFractionDigits: 1, signDisplay: "always" });
  const { a, b, low, high } = right;
  return ` Right answers: ${points(b - a)} points, 95 % interval ${points(low)} to ${points(high)}.`;
}

/** What came of it, each a filter of the table below. */
function verdictsView(
  { verdicts, pValue, pairs, right }: RunComparison,
  chosen: Verdict,
  controller: Controller,
): TemplateResult {
  const names = (Object.keys(VERDICTS) as QuestionVerdict[]).filter((name) => verdicts[name] > 0);
  const button = (verdict: Verdict, words: unknown, n: number): TemplateResult =>
    html`<button
      type="button"
      class="choice"
      data-verdict=${verdict}
      aria-pressed=${chosen === verdict}
      @click=${() => controller.showVerdict(verdict)}
    >
      <span>${words}</span> <strong>${n.toLocaleString("en")}</strong>
    </button>`;
  return html`<div
      class="verdict-filter"
      role="group"
      aria-label="Show questions by verdict on the other run"
    >
      ${button("all", "all questions", pairs.length)}
      ${names.map((name) => button(name, verdictView(name), verdicts[name]))}
    </div>
    <p class="quiet">
      Won and lost are said of the other run. Chance alone would tilt them so far with p =
      ${pValue.toPrecision(2)} (sign test, exact).${shareWords(right)}
    </p>`;
}

function resultView(
  state: ReplayState,
  { other, measured, verdict }: RunsCompare,
  controller: Controller,
): unknown {
  const result = state.comparedRuns;
  if (other === undefined) return nothing;
  if (result.state === "failed")
    return failureView(result.failure, controller, () => controller.closeCompare());
  if (result.state !== "ready") {
    return html`<p class="loading">${measured ? "Reading every episode of both runs…" : "Comparing…"}</p>`;
  }
  const { comparison, remarks } = result.value;
  const { byText } = comparison;
  return html`${remarks.map(remarkView)} ${verdictsView(comparison, verdict, controller)}
  ${measuresView(comparison, other.title)}
  ${
    measured
      ? nothing
      : html`<vscode-button secondary @click=${() => controller.compareWithRun(other, true)}
          >Measure cost, tokens, reads and replies</vscode-button
        >`
  }
  ${byText > 0 ? html`<p class="quiet">${count(byText, "question")} found by text: the runs name them differently.</p>` : nothing}
  ${pairsView(pairsOf(comparison, verdict), other, controller)}`;
}

function pairsOf({ pairs }: RunComparison, verdict: Verdict): readonly QuestionPair[] {
  return verdict === "all" ? pairs : pairs.filter((pair) => pair.verdict === verdict);
}

/** This run and another one: what was won and lost, question by question. */
export function compareRunsView(
  state: ReplayState,
  compare: RunsCompare,
  controller: Controller,
): TemplateResult {
  return html`${choicesView(state, compare, controller)} ${resultView(state, compare, controller)}`;
}
