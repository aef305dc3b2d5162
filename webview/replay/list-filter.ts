import { html, nothing, type TemplateResult } from "lit";
import { FAILURE_PATTERNS, type FailurePattern } from "../../src/model/failure-pattern.ts";
import type { Note } from "../../src/model/note.ts";
import { FACET_STATUSES, type FacetStatus } from "../../src/model/pf-facet.ts";
import type { OpenedRun } from "../../src/protocol/replay.ts";
import { icon } from "../shared/icon.ts";
import { termSentence } from "../shared/terms.ts";
import type { Controller } from "./controller.ts";
import {
  filtersPfs,
  needsFacets,
  NO_FILTER,
  OUTCOME_FILTERS,
  PF_SOURCES,
  SORTS,
  type LabelFilter,
  type OutcomeFilter,
  type PfSource,
  type Sort,
} from "./filter.ts";
import type { LibraryNames } from "./library-names.ts";
import type { FacetCounts } from "./list-filter-counts.ts";
import { labelOf } from "./note-words.ts";
import type { FacetsRead, ReplayState } from "./state.ts";

const OUTCOME_LABELS: Readonly<Record<OutcomeFilter, string>> = {
  all: "All outcomes",
  failed: "Failed: wrong or halted",
  wrong: "Wrong",
  halted: "Halted",
  correct: "Correct",
  unjudged: "Unjudged",
  abandoned: "Abandoned branches",
};

const SORT_LABELS: Readonly<Record<Sort, string>> = {
  order: "In order of the run",
  outcome: "Failures first",
  longest: "Longest first",
  shortest: "Shortest first",
  question: "By question",
  notes: "Most notes first",
};

const pfSourceLabel = (source: PfSource, { name }: LibraryNames): string =>
  source === "recorded" ? "PFs as recorded in the run" : `PFs as ${name} decides`;

interface Choice {
  readonly value: string;
  readonly label: string;
  /** The term that it is, explained in its tooltip. */
  readonly term?: string;
}

/** The browser's own list: a drawn one measures itself with each update, six of them a tenth of a second before the first paint. */
function select(
  label: string,
  value: string,
  choices: readonly Choice[],
  choose: (value: string) => void,
  title = label,
): TemplateResult {
  const onChange = ({ currentTarget }: Event): void => {
    if (currentTarget instanceof HTMLSelectElement) choose(currentTarget.value);
  };
  return html`<span class="select">
    <select aria-label=${label} title=${title} @change=${onChange}>
      ${choices.map(
        (choice) =>
          html`<option
            value=${choice.value}
            title=${termSentence(choice.term ?? "")}
            .selected=${choice.value === value}
            .textContent=${choice.label}
          ></option>`,
      )}
    </select>
    ${icon("chevron-down")}
  </span>`;
}

function counted(label: string, n: number): string {
  return `${label} (${n.toLocaleString("en")})`;
}

/** Those that the run's domain can show, and the one that is chosen. */
function patternNames({ filter, patterns }: FilterControls): FailurePattern[] {
  const all = Object.keys(FAILURE_PATTERNS) as FailurePattern[];
  return all.filter((name) => patterns?.includes(name) !== false || name === filter.pattern);
}

/** A count only where every episode was looked at: it would grow under the pointer. */
function countedOnceDone({ state }: FacetsRead, words: string, n = 0): string {
  return state === "done" ? counted(words, n) : words;
}

function patternChoices(controls: FilterControls): Choice[] {
  const { facets, counts } = controls;
  return [
    { value: "all", label: "All patterns" },
    ...patternNames(controls).map((name) => ({
      value: name,
      label: countedOnceDone(facets, FAILURE_PATTERNS[name], counts.patterns.get(name)),
    })),
  ];
}

/** `retrieval_failure: fired in 12`. */
function pfLabel(id: string, { state }: FacetsRead, n = 0, chosen: FacetStatus | "all"): string {
  const status = chosen === "all" ? "fired" : chosen;
  return state === "done" ? `${id}: ${status} in ${n.toLocaleString("en")}` : id;
}

/** The PFs of the run and of today's library, and the one that is chosen even where neither has it any more. */
function pfChoices({ filter, facets, counts, skills }: FilterControls): Choice[] {
  const { status } = filter;
  const chosen = filter.pf === "all" ? [] : [filter.pf];
  const ids = new Set([...counts.pfs.keys(), ...skills.map(({ skillId }) => skillId), ...chosen]);
  return [
    { value: "all", label: "All Program Functions" },
    ...[...ids]
      .toSorted()
      .map((id) => ({ value: id, label: pfLabel(id, facets, counts.pfs.get(id), status) })),
  ];
}

/** With a PF and no status the episodes are listed in which it fired, so that `fired` needs no entry of its own. */
function statusChoices({ filter, facets, counts }: FilterControls): Choice[] {
  const isFired = filter.pf !== "all" && filter.status === "all";
  const fired = countedOnceDone(facets, "fired", counts.statuses.get("fired"));
  return [
    { value: "all", label: isFired ? fired : "Any PF status" },
    ...FACET_STATUSES.filter((status) => status !== "fired" || !isFired).map((status) => ({
      value: status,
      term: status,
      label: countedOnceDone(facets, status, counts.statuses.get(status)),
    })),
  ];
}

function pfSourceView({ filter, library, controller }: FilterControls): unknown {
  if (!filtersPfs(filter)) return nothing;
  const sources = PF_SOURCES.map((name) => ({ value: name, label: pfSourceLabel(name, library) }));
  return html`<div class="wide">
    ${select("Whose decisions", filter.pfSource, sources, (value) =>
      controller.setFilter({ pfSource: PF_SOURCES.find((name) => name === value) ?? "recorded" }),
    )}
  </div>`;
}

function labelChoices(notes: readonly Note[]): Choice[] {
  const kinds = [...new Set(notes.map(({ kind }) => kind))].toSorted();
  const episodes = (kind: string): number =>
    new Set(notes.filter((note) => note.kind === kind).map(({ episodeId }) => episodeId)).size;
  return [
    { value: "all", label: "All labels" },
    { value: "noted", label: counted("With notes", new Set(notes.map((note) => note.episodeId)).size) },
    { value: "unnoted", label: "Without notes" },
    ...kinds.map((kind) => ({ value: `is:${kind}`, label: counted(labelOf(kind), episodes(kind)) })),
  ];
}

export interface FilterControls {
  readonly filter: ReplayState["filter"];
  readonly facets: FacetsRead;
  readonly counts: FacetCounts;
  readonly patterns: OpenedRun["patterns"];
  /** Skills can be made from here. */
  readonly canWrite: boolean;
  /** Of the library that judges. */
  readonly skills: OpenedRun["skills"];
  readonly library: LibraryNames;
  readonly notes: readonly Note[];
  readonly outcomes: ReadonlyMap<OutcomeFilter, number>;
  readonly controller: Controller;
}

/** The choices below the words: outcome, failure pattern, Program Function and its status, label, and the order. */
export function filterSelects(controls: FilterControls): TemplateResult {
  const { filter, notes, outcomes, controller } = controls;
  const outcome = OUTCOME_FILTERS.map((name) => ({
    value: name,
    term: name,
    label: counted(OUTCOME_LABELS[name], outcomes.get(name) ?? 0),
  }));
  const sorts = SORTS.map((name) => ({ value: name, label: SORT_LABELS[name] }));
  return html`<div class="selects" id="filters" role="group" aria-label="Filters and order">
    ${select("Outcome", filter.outcome, outcome, (value) =>
      controller.setFilter({ outcome: OUTCOME_FILTERS.find((name) => name === value) ?? "all" }),
    )}
    ${select("Failure pattern", filter.pattern, patternChoices(controls), (value) =>
      controller.setFilter({ pattern: patternNames(controls).find((name) => name === value) ?? "all" }),
    )}
    ${select("Program Function", filter.pf, pfChoices(controls), (pf) => controller.setFilter({ pf }))}
    ${select("PF status", filter.status, statusChoices(controls), (value) =>
      controller.setFilter({ status: FACET_STATUSES.find((name) => name === value) ?? "all" }),
    )}
    ${pfSourceView(controls)}
    ${select("Label", filter.label, labelChoices(notes), (value) =>
      controller.setFilter({ label: value as LabelFilter }),
    )}
    ${select("Sort", filter.sort, sorts, (value) =>
      controller.setFilter({ sort: SORTS.find((name) => name === value) ?? "order" }),
    )}
  </div>`;
}

function labelWords(label: LabelFilter): string {
  if (label === "noted") return "with notes";
  return label === "unnoted" ? "without notes" : labelOf(label.slice("is:".length));
}

function chip(words: string, remove: () => void): TemplateResult {
  return html`<button
    type="button"
    class="chip"
    title="Remove this filter"
    aria-label="Remove filter: ${words}"
    @click=${remove}
  >
    <bdi>${words}</bdi>${icon("close")}
  </button>`;
}

/** Every filter in force, each with its way out. */
export function filterChips({ filter, controller }: FilterControls): unknown {
  const { text, outcome, pattern, label, pf, status } = filter;
  const chips = [
    text.trim() === "" ? undefined : chip(`“${text.trim()}”`, () => controller.setFilter({ text: "" })),
    outcome === "all" ? undefined : chip(outcome, () => controller.setFilter({ outcome: "all" })),
    pattern === "all"
      ? undefined
      : chip(FAILURE_PATTERNS[pattern], () => controller.setFilter({ pattern: "all" })),
    pf === "all"
      ? undefined
      : chip(status === "all" ? `pf ${pf} fired` : `pf ${pf}`, () => controller.setFilter({ pf: "all" })),
    status === "all" ? undefined : chip(`pf status ${status}`, () => controller.setFilter({ status: "all" })),
    label === "all" ? undefined : chip(labelWords(label), () => controller.setFilter({ label: "all" })),
  ].filter((view) => view !== undefined);
  if (chips.length === 0) return nothing;
  const all =
    chips.length > 1
      ? html`<button type="button" class="link" @click=${() => controller.setFilter(NO_FILTER)}>
          Clear all
        </button>`
      : nothing;
  return html`<div class="chips" role="group" aria-label="Filters in force">${chips} ${all}</div>`;
}

/** Filters in force, apart from the words: the number on the button. */
function countFilters({ filter }: FilterControls): number {
  const { outcome, pattern, pf, status, label } = filter;
  return [outcome, pattern, pf, status, label].filter((value) => value !== "all").length;
}

/** Opens and closes the lists of choices. */
export function filterButton(controls: FilterControls, isOpen: boolean, toggle: () => void): TemplateResult {
  const n = countFilters(controls);
  return html`<button
    type="button"
    class="filter-button icon-button"
    title="Filters and order"
    aria-label=${n === 0 ? "Filters and order" : `Filters and order, ${n} in force`}
    aria-expanded=${isOpen}
    aria-controls=${isOpen ? "filters" : nothing}
    @click=${toggle}
  >
    ${icon("filter")}${n === 0 ? nothing : html`<span class="badge" aria-hidden="true">${n}</span>`}
  </button>`;
}

/** At the filter by pattern: a skill of all the episodes that it lists. */
export function patternActions({ filter, canWrite, controller }: FilterControls): unknown {
  const { pattern } = filter;
  if (pattern === "all" || !canWrite) return nothing;
  return html`<button
    type="button"
    class="link pattern-skill"
    title="The steps of the episodes that show “${FAILURE_PATTERNS[pattern]}” become its cases"
    @click=${() => controller.newSkillFromPattern(pattern)}
  >
    New Skill from This Pattern
  </button>`;
}

/** A run that is too large to be counted unasked. */
function countRequest({ facets, controller }: FilterControls, total: number): unknown {
  if (facets.state !== "idle" || total === 0) return nothing;
  return html`<div class="progress">
    <span>Counts need a look into ${total.toLocaleString("en")} episodes.</span>
    <button type="button" class="link" @click=${() => controller.readFacets()}>Count</button>
  </div>`;
}

/** How far the look at whole episodes has come, while a filter needs it or the choices with their counts are open. */
export function facetProgress(controls: FilterControls, total: number, isOpen: boolean): unknown {
  const { filter, facets, controller } = controls;
  const { state, read, failure } = facets;
  if (state === "done" || !(isOpen || needsFacets(filter))) return nothing;
  if (state === "idle") return countRequest(controls, total);
  const far = `${read.toLocaleString("en")} of ${total.toLocaleString("en")}`;
  const words = state === "reading" ? `Looking into episodes: ${far}` : `Looked into ${far} episodes`;
  const why = failure === undefined ? words : [failure.what, failure.why, failure.next].join(" ");
  return html`<div class="progress" role="status">
    <span dir="auto">${why}</span>
    ${
      state === "reading"
        ? html`<button type="button" class="link" @click=${() => controller.stopFacets()}>Stop</button>`
        : html`<button type="button" class="link" @click=${() => controller.readFacets()}>Go on</button>`
    }
  </div>`;
}
