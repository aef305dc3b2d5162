import { virtualize } from "@lit-labs/virtualizer/virtualize.js";
import { html, type TemplateResult } from "lit";
import type { ComparedSide, QuestionPair, QuestionVerdict } from "../../src/model/comparison.ts";
import { tellingLine } from "../../src/model/telling-line.ts";
import type { ComparableRun } from "../../src/protocol/replay.ts";
import { count } from "../shared/format.ts";
import { icon, type IconName } from "../shared/icon.ts";
import type { Controller } from "./controller.ts";
import { OUTCOME_LOOKS } from "./statuses.ts";

/** Characters of a question in its row. */
const HEADWORD = 300;

export const VERDICTS: Readonly<Record<QuestionVerdict, { icon: IconName; tone: string; label: string }>> = {
  won: { icon: "pass", tone: "good", label: "won" },
  lost: { icon: "error", tone: "bad", label: "lost" },
  both_right: { icon: "check", tone: "quiet", label: "both right" },
  tied: { icon: "check", tone: "quiet", label: "as many right" },
  both_wrong: { icon: "close", tone: "quiet", label: "both wrong" },
  unjudged: { icon: "question", tone: "quiet", label: "unjudged" },
  only_a: { icon: "arrow-left", tone: "quiet", label: "only in this run" },
  only_b: { icon: "arrow-right", tone: "quiet", label: "only in the other" },
};

export function verdictView(verdict: QuestionVerdict): TemplateResult {
  const look = VERDICTS[verdict];
  return html`${icon(look.icon, look.tone)} ${look.label}`;
}

/** The outcome of the one sample, or how many of several are right. */
function figuresOf({ episodes, right, of }: ComparedSide): string | undefined {
  return episodes.length < 2 ? undefined : `${right} of ${of} right`;
}

function sideView(
  side: ComparedSide | undefined,
  label: string,
  open: (index: number) => void,
): TemplateResult {
  const first = side?.episodes[0];
  if (side === undefined || first === undefined) return html`<div role="cell" class="quiet">none</div>`;
  const look = OUTCOME_LOOKS[first.outcome];
  const words = figuresOf(side) ?? look.label;
  return html`<div role="cell">
    <button
      type="button"
      class="link"
      aria-label="Open in ${label}: ${words}"
      @click=${() => open(first.index)}
    >
      ${icon(look.icon, look.tone)} ${words}
    </button>
    <span class="quiet">${count(first.steps, "step")}</span>
  </div>`;
}

function pairView(
  pair: QuestionPair,
  row: number,
  other: ComparableRun,
  controller: Controller,
): TemplateResult {
  const openA = (index: number): void => (controller.closeCompare(), controller.select(index, 0));
  const openB = (index: number): void => controller.openEpisode({ run: other.run, index }, 0);
  // The head of the table is row 1.
  return html`<div class="pair" role="row" aria-rowindex=${row + 2} data-verdict=${pair.verdict}>
    <div role="cell" class="verdict-cell">${verdictView(pair.verdict)}</div>
    <div role="rowheader" dir="auto">${tellingLine(pair.question, HEADWORD)}</div>
    ${sideView(pair.a, "this run", openA)} ${sideView(pair.b, "the other run", openB)}
  </div>`;
}

/** One of a question and its verdict; a run may hold thousands, of which only those in sight are drawn. */
export function pairsView(
  pairs: readonly QuestionPair[],
  other: ComparableRun,
  controller: Controller,
): TemplateResult {
  return html`<div
    class="pairs"
    role="table"
    aria-label="Questions of the two runs"
    aria-rowcount=${pairs.length + 1}
  >
    <div role="rowgroup" class="pair-head">
      <div class="pair head" role="row" aria-rowindex="1">
        <div role="columnheader">Verdict</div>
        <div role="columnheader">Question</div>
        <div role="columnheader">This run</div>
        <div role="columnheader"><bdi>${other.title}</bdi></div>
      </div>
    </div>
    <div role="rowgroup" class="pair-rows" tabindex="0">
      ${virtualize({
        items: [...pairs],
        renderItem: (pair, row) => pairView(pair, row, other, controller),
        keyFunction: (pair) => `${pair.a?.episodes[0]?.index} ${pair.b?.episodes[0]?.index}`,
        scroller: true,
      })}
    </div>
  </div>`;
}
