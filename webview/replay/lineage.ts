import { html, nothing, type TemplateResult } from "lit";
import type { Episode, EpisodeHead, Origin, Step } from "../../src/model/episode.ts";
import { linkedFrom } from "../../src/model/episode-links.ts";
import { count } from "../shared/format.ts";
import { icon } from "../shared/icon.ts";
import type { Controller } from "./controller.ts";
import { lastAnswer } from "./last-answer.ts";
import { valueOf, type ReplayState } from "./state.ts";

/** Steps and episodes that a line names; the others are counted. */
const MOST_NAMED = 12;

interface Placed {
  readonly head: EpisodeHead;
  readonly index: number;
}

const byId = lastAnswer(
  (heads: readonly EpisodeHead[]): ReadonlyMap<string, Placed> =>
    new Map(heads.map((head, index) => [head.id, { head, index }])),
);

const find = (id: string, state: ReplayState): Placed | undefined =>
  byId(valueOf(state.run)?.episodes ?? []).get(id);

function link(label: unknown, title: string, go: () => void): TemplateResult {
  return html`<button type="button" class="link" title=${title} @click=${go}>${label}</button>`;
}

/** The episode that this one came out of, at that step. An exported page may lack it. */
function originLink({ episode: id, t }: Origin, state: ReplayState, controller: Controller): unknown {
  const found = find(id, state);
  const words = (episode: unknown): TemplateResult =>
    t === undefined ? html`${episode}` : html`step ${t + 1} of ${episode}`;
  if (found === undefined) return words(html`<bdi class="code">${id}</bdi>`);
  const { head, index } = found;
  return link(words(`episode ${index + 1}`), head.question, () => controller.select(index, t ?? 0));
}

function originView({ origin }: Episode, state: ReplayState, controller: Controller): unknown {
  if (origin === undefined) return nothing;
  const where = originLink(origin, state, controller);
  if (origin.as === "sub_agent")
    return html`<p>${icon("robot", "quiet")} <span>Sub-agent, called by ${where}</span></p>`;
  return html`<p>
    ${icon("discard", "quiet")}
    <span
      >Abandoned branch, left ${origin.t === undefined ? "before the first step of" : "after"} ${where}</span
    >
  </p>`;
}

/** How an episode that came out of another one is called, with its icon. */
const LOOKS = {
  branch: { icon: "discard", one: "abandoned branch", many: "abandoned branches" },
  sub_agent: { icon: "robot", one: "sub-agent", many: "sub-agents" },
} as const;

const KINDS = ["branch", "sub_agent"] as const;

/** The steps of the episode from which others came, each with a way to it. */
function stepsView(
  as: Origin["as"],
  { steps }: Episode,
  { t }: ReplayState,
  controller: Controller,
): unknown {
  const from = steps.flatMap((step, at) => {
    const n = linkedFrom(step, as).length;
    return n === 0 ? [] : [{ at, n }];
  });
  if (from.length === 0) return nothing;
  const total = from.reduce((sum, { n }) => sum + n, 0);
  const { one, many } = LOOKS[as];
  const words = `${count(total, one, many)} ${as === "branch" ? "left after" : "called by"} `;
  const named = from.slice(0, MOST_NAMED).map(({ at, n }, i) => {
    const label = `step ${at + 1}${n > 1 && from.length > 1 ? ` (${n})` : ""}`;
    const shown = at === t ? label : link(label, `Go to step ${at + 1}`, () => controller.jumpToStep(at));
    return html`${i === 0 ? nothing : ", "}${shown}`;
  });
  const more = from.length > MOST_NAMED ? ` and ${from.length - MOST_NAMED} more` : "";
  return html`<p>${icon(LOOKS[as].icon, "quiet")} <span>${words}${named}${more}</span></p>`;
}

function episodeLink(
  id: string,
  as: Origin["as"],
  state: ReplayState,
  controller: Controller,
): TemplateResult {
  const found = find(id, state);
  if (found === undefined) return html`<bdi class="code">${id}</bdi>`;
  const { head, index } = found;
  const label = html`<span dir="auto"
    >${head.question === "" ? `Episode ${index + 1}` : head.question}</span
  >`;
  return html`${link(label, `Open episode ${index + 1}`, () => controller.select(index, 0))}
    <span class="quiet"
      >(${as === "branch" ? "abandoned, " : ""}episode ${index + 1}, ${count(head.length, "step")})</span
    >`;
}

/** Links to the episodes of one kind that came out of a step, or of the episode at no known step. */
function episodeLinks(
  from: Pick<Step | Episode, "extra">,
  as: Origin["as"],
  state: ReplayState,
  controller: Controller,
): unknown {
  const ids = linkedFrom(from, as);
  if (ids.length === 0) return nothing;
  return html`<ul class="lineage-links">
    ${ids
      .slice(0, MOST_NAMED)
      .map(
        (id) =>
          html`<li>
            ${icon(LOOKS[as].icon, "quiet")} <span>${episodeLink(id, as, state, controller)}</span>
          </li>`,
      )}
    ${ids.length > MOST_NAMED ? html`<li class="quiet">and ${ids.length - MOST_NAMED} more</li>` : nothing}
  </ul>`;
}

/** In the header: where the episode came from, and which of its steps others came out of. */
export function lineageView(episode: Episode, state: ReplayState, controller: Controller): unknown {
  const atNoStep = KINDS.flatMap((as) => {
    const n = linkedFrom(episode, as).length;
    if (n === 0) return [];
    const where = as === "branch" ? "left before the first step" : "called at no known step";
    return [
      html`<p>
          ${icon(LOOKS[as].icon, "quiet")} <span>${count(n, LOOKS[as].one, LOOKS[as].many)} ${where}:</span>
        </p>
        ${episodeLinks(episode, as, state, controller)}`,
    ];
  });
  const lines = [
    originView(episode, state, controller),
    ...atNoStep,
    ...KINDS.map((as) => stepsView(as, episode, state, controller)),
  ].filter((line) => line !== nothing);
  return lines.length === 0 ? nothing : html`<div class="lineage">${lines}</div>`;
}

/** What came out of a step: each kind with its name and its links; none for most steps. */
export function stepLineage(
  step: Step,
  state: ReplayState,
  controller: Controller,
): readonly { readonly as: Origin["as"]; readonly name: string; readonly links: unknown }[] {
  return KINDS.filter((as) => linkedFrom(step, as).length > 0).map((as) => ({
    as,
    name: as === "branch" ? "Branches" : "Sub-agents",
    links: episodeLinks(step, as, state, controller),
  }));
}
