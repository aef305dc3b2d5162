import { wasRight } from "../../src/model/outcomes.ts";
import { html, nothing } from "lit";
import type { Episode, EpisodeHead } from "../../src/model/episode.ts";
import type { Controller } from "./controller.ts";
import { iconButton } from "./icon-button.ts";
import { lastAnswer } from "./last-answer.ts";
import { valueOf, type ReplayState } from "./state.ts";

/** One episode of a question that has several in the run. */
interface Sample {
  readonly head: EpisodeHead;
  /** Position of the episode in the run. */
  readonly index: number;
}

/** The samples of each question that has several, by the question's id. */
export const samplesByQuestion = lastAnswer(
  (heads: readonly EpisodeHead[]): ReadonlyMap<string, readonly Sample[]> => {
    const all = Map.groupBy(
      heads.map((head, index) => ({ head, index })),
      ({ head }) => head.questionId,
    );
    return new Map([...all].filter(([id, { length }]) => id !== "" && length > 1));
  },
);

/** `2 of 4 right`; unjudged samples do not count. Undefined if none is judged. */
function groupFigure(samples: readonly Sample[]): string | undefined {
  const judged = samples.filter(({ head }) => wasRight(head.outcome) !== undefined);
  const right = judged.filter(({ head }) => head.outcome === "correct").length;
  return judged.length === 0 ? undefined : `${right} of ${judged.length} right`;
}

/** Which sample of its question the episode is, how the others ended, and the way to them; nothing where it is the only one. */
export function samplesView(
  { questionId, sample }: Episode,
  state: ReplayState,
  controller: Controller,
): unknown {
  const samples = samplesByQuestion(valueOf(state.run)?.episodes ?? []).get(questionId);
  const at = samples?.findIndex(({ index }) => index === state.index) ?? -1;
  if (samples === undefined || at < 0) return nothing;
  const step = (by: 1 | -1): void => {
    const to = samples[at + by];
    if (to !== undefined) controller.openFound(to.index);
  };
  const figure = groupFigure(samples);
  return html`<span class="samples">
    ${iconButton("chevron-left", "Previous sample of this question", at > 0, () => step(-1))}
    <span title="sample ${sample} of this question, which has ${samples.length} in this run"
      >${`#${sample}`}</span
    >
    ${iconButton("chevron-right", "Next sample of this question", at < samples.length - 1, () => step(1))}
    ${figure === undefined ? nothing : html`<span title="Of the samples of this question that were judged">${figure}</span>`}
  </span>`;
}
