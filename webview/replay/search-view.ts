import { html, nothing, type TemplateResult } from "lit";
import { describeFields, type EpisodeHit, type HitPlace } from "../../src/model/episode-hit.ts";
import type { EpisodeHead } from "../../src/model/episode.ts";
import type { SearchActions } from "./search-actions.ts";
import type { ContentSearch } from "./state.ts";

const FIELD_NAMES: Readonly<Record<HitPlace["field"], string>> = {
  question: "Question",
  answer: "Answer",
  gold: "Gold answer",
  prompt: "Prompt",
  thought: "Thought",
  action: "Action",
  injected: "Injected text",
  observation: "Observation",
  document: "Document",
};

const numeral = (n: number): string => n.toLocaleString("en");

/** The place that a row shows: in a step, rather than in the question that the row shows anyway. */
function mainPlace({ places }: EpisodeHit): HitPlace | undefined {
  return (
    places.find(({ t }) => t !== undefined) ?? places.find(({ field }) => field !== "question") ?? places[0]
  );
}

/** The step that an episode is opened at: that of its first hit in a step, the last one for a hit in the answer. */
export function stepOfHit(hit: EpisodeHit | undefined, { length }: Pick<EpisodeHead, "length">): number {
  const place = hit && mainPlace(hit);
  return place?.t ?? (place?.field === "answer" ? Math.max(0, length - 1) : 0);
}

function placeName({ field, t }: HitPlace): string {
  return t === undefined ? FIELD_NAMES[field] : `${FIELD_NAMES[field]}, step ${t + 1}`;
}

/** Characters of the excerpt before the hit: a row has place for few, and has to show the hit. */
const BEFORE = 14;

/** The words right before the hit. */
function lead({ excerpt, at }: HitPlace): string {
  if (at <= BEFORE) return excerpt.slice(0, at);
  const near = excerpt.slice(at - BEFORE, at);
  return `…${near.includes(" ") ? near.slice(near.indexOf(" ") + 1) : near.replace(/^[\uDC00-\uDFFF]/, "")}`;
}

/** The third line of a row: the text around the hit, and how many more there are. Empty for a row found by its question alone. */
export function hitLine(hit: EpisodeHit | undefined): TemplateResult {
  const place = hit && mainPlace(hit);
  if (hit === undefined || place === undefined) return html`<span class="hit"></span>`;
  const { excerpt, at, length } = place;
  const all = hit.places.map((one) => `${placeName(one)}: ${one.excerpt}`).join("\n");
  const more = hit.count === 1 ? nothing : html`<span class="more">${numeral(hit.count)}×</span>`;
  return html`<span class="hit" title=${all}
    ><span class="excerpt"
      ><span class="where">${placeName(place)}:</span>
      <bdi
        >${lead(place)}<mark>${excerpt.slice(at, at + length)}</mark>${excerpt.slice(at + length)}</bdi
      ></span
    >${more}</span
  >`;
}

function progressWords({ state, query, hits, searched, failure }: ContentSearch, total: number): string {
  if (failure !== undefined) return [failure.what, failure.why, failure.next].join(" ");
  const fields = describeFields(hits.values());
  const where = fields === "" ? "" : ` · ${fields}`;
  if (state === "searching" && searched === 0) return `Searching “${query}”…`;
  if (state === "searching")
    return `Searching “${query}”: ${numeral(searched)} of ${numeral(total)} · found in ${numeral(hits.size)}`;
  const among = state === "done" ? "" : `the first ${numeral(searched)} of `;
  return `“${query}”: ${numeral(hits.size)} of ${among}${numeral(total)} episodes${where}`;
}

/** In how many episodes the text is, and where; while it is searched, how far that is. */
export function searchProgress(search: ContentSearch, total: number, actions: SearchActions): unknown {
  if (search.state === "idle" || total === 0) return nothing;
  const button = {
    searching: html`<button type="button" class="link" @click=${() => actions.stopSearch()}>Stop</button>`,
    stopped: html`<button type="button" class="link" @click=${() => actions.searchContents()}>Go on</button>`,
    done: nothing,
  }[search.state];
  return html`<div class="progress found" role="status">
    <span dir="auto">${progressWords(search, total)}</span>${button}
  </div>`;
}

/** In place of a list in which nothing is found yet. */
export function nothingFoundYet(): TemplateResult {
  return html`<div class="none" role="status">
    <p>None found yet: the episodes are still being searched.</p>
  </div>`;
}
