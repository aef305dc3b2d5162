import "@vscode-elements/elements/dist/vscode-textfield/index.js";
import { virtualize } from "@lit-labs/virtualizer/virtualize.js";
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { EpisodeHead } from "../../src/model/episode.ts";
import type { Note } from "../../src/model/note.ts";
import { tellingLine } from "../../src/model/telling-line.ts";
import type { OpenedRun } from "../../src/protocol/replay.ts";
import { count } from "../shared/format.ts";
import { icon } from "../shared/icon.ts";
import { termSentence } from "../shared/terms.ts";
import type { Controller } from "./controller.ts";
import {
  countOutcomes,
  filterEpisodes,
  needsFacets,
  NO_FILTER,
  type ListedEpisode,
  type OutcomeFilter,
} from "./filter.ts";
import { libraryNames, type LibraryNames } from "./library-names.ts";
import { emptyListView, noneEndedView } from "./list-empty.ts";
import { countFacets, type FacetCounts } from "./list-filter-counts.ts";
import {
  facetProgress,
  filterButton,
  filterChips,
  filterSelects,
  patternActions,
  type FilterControls,
} from "./list-filter.ts";
import { notesInShort, noteWords, WENT_WRONG } from "./note-words.ts";
import { noteIcon } from "./notes-view.ts";
import { FOUND_ROW_LAYOUT, ROW_LAYOUT } from "./row-layout.ts";
import { samplesByQuestion } from "./samples.ts";
import { hitLine, nothingFoundYet, searchProgress } from "./search-view.ts";
import { INITIAL_STATE, type ContentSearch, type FacetsRead, type ReplayState } from "./state.ts";
import { OUTCOME_LOOKS } from "./statuses.ts";
import { baseStyles } from "./styles/base.ts";
import { listStyles, ROW_HEIGHT } from "./styles/list.ts";
import { FOUND_ROW_HEIGHT, searchStyles } from "./styles/search.ts";

/** Episodes that PageUp and PageDown pass over. */
const PAGE = 10;
/** Of the field for words. */
const FILTER_HELP = `Filter episodes (f).
Words of the question, a text anywhere in the episode, and
pf: with part of the name of a Program Function,
status: with fired, applied, overridden, limited, skipped, noop or error.`;
/** Characters of the line that tells most of a task for a program. */
const HEADWORD = 160;
/** The strip of a row shows this many steps at most; the number beside it is exact. */
const STRIP_STEPS = 24;

/** The episodes of a run: a filter, and a list that draws only the rows in sight. */
export class HaspEpisodeList extends LitElement {
  static override properties = {
    heads: { attribute: false },
    selected: { attribute: false },
    filter: { attribute: false },
    notes: { attribute: false },
    facets: { attribute: false },
    search: { attribute: false },
    skills: { attribute: false },
    library: { attribute: false },
    canWrite: { attribute: false },
    patterns: { attribute: false },
    code: { attribute: false },
    controller: { attribute: false },
    filtersOpen: { state: true },
  };
  static override styles = [baseStyles, listStyles, searchStyles];
  declare heads: readonly EpisodeHead[];
  /** Position in the file. */
  declare selected: number | undefined;
  declare filter: ReplayState["filter"];
  declare notes: readonly Note[];
  /** Questions are tasks for programs, with lines of code in them. */
  declare code: boolean;
  declare facets: FacetsRead;
  declare search: ContentSearch;
  /** Of the library that judges; none where it cannot be asked. */
  declare skills: OpenedRun["skills"];
  declare library: LibraryNames;
  /** Skills can be made from here. */
  declare canWrite: boolean;
  /** Failure patterns that the run's domain can show; undefined: any. */
  declare patterns: OpenedRun["patterns"];
  declare controller: Controller;
  declare private filtersOpen: boolean;
  private listed: ListedEpisode[] = [];
  private byEpisode: ReadonlyMap<string, readonly Note[]> = new Map();
  private laidOut = false;
  private outcomes: ReadonlyMap<OutcomeFilter, number> = new Map();
  private counts: FacetCounts = countFacets([], INITIAL_STATE.filter);

  constructor() {
    super();
    this.heads = [];
    this.selected = undefined;
    this.filter = INITIAL_STATE.filter;
    this.notes = [];
    this.code = false;
    this.facets = INITIAL_STATE.facets;
    this.search = INITIAL_STATE.search;
    this.skills = [];
    this.library = libraryNames({});
    this.canWrite = false;
    this.patterns = undefined;
    this.filtersOpen = false;
  }

  focusFilter(): void {
    this.renderRoot.querySelector("vscode-textfield")?.focus();
  }

  focusList(): void {
    this.listbox()?.focus();
  }

  private listbox(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>("[role=listbox]");
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("heads")) this.outcomes = countOutcomes(this.heads);
    if (changed.has("notes")) this.byEpisode = Map.groupBy(this.notes, ({ episodeId }) => episodeId);
    if (changed.has("facets") || changed.has("filter"))
      this.counts = countFacets(this.facets.found.values(), this.filter);
    if (["heads", "filter", "notes", "facets", "search"].some((name) => changed.has(name))) {
      const facts = { notes: this.byEpisode, facets: this.facets.found, hits: this.search.hits };
      this.listed = filterEpisodes(this.heads, this.filter, facts);
    }
  }

  protected override updated(changed: PropertyValues): void {
    // Results that arrive while episodes are read must not scroll the list away from its reader.
    if (["selected", "heads", "filter"].some((name) => changed.has(name))) this.followSelection();
  }

  private isSearching(): boolean {
    return this.search.state !== "idle";
  }

  /** Brings the selected row into sight with the least movement. All rows are of one height, drawn or not. */
  private followSelection(): void {
    const rows = this.listbox();
    const position = this.listed.findIndex((episode) => episode.index === this.selected);
    if (rows === null || position === -1) return;
    const height = this.isSearching() ? FOUND_ROW_HEIGHT : ROW_HEIGHT;
    const top = position * height;
    if (top < rows.scrollTop) rows.scrollTop = top;
    else if (top + height > rows.scrollTop + rows.clientHeight) {
      rows.scrollTop = top + height - rows.clientHeight;
    }
  }

  /** The list has no height to scroll in before its first rows are drawn. */
  private readonly onFirstLayout = (): void => {
    if (this.laidOut) return;
    this.laidOut = true;
    requestAnimationFrame(() => this.followSelection());
  };

  private readonly onListKey = (event: KeyboardEvent): void => {
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE };
    const by = moves[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.controller.moveEpisode(by);
  };

  /** From the filter into the list: ArrowDown or Enter, as in VS Code's own filters. */
  private readonly onFilterKey = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowDown" && event.key !== "Enter") return;
    event.preventDefault();
    this.focusList();
    const first = this.listed[0];
    const inList = this.listed.some((episode) => episode.index === this.selected);
    if (!inList && first !== undefined) this.controller.openFound(first.index);
  };

  private readonly onText = (event: InputEvent): void => {
    this.controller.setFilter({ text: (event.currentTarget as HTMLElement & { value: string }).value });
  };

  private readonly rowView = (episode: ListedEpisode, position: number): TemplateResult => {
    const { head, index } = episode;
    const look = OUTCOME_LOOKS[head.outcome];
    const selected = index === this.selected;
    const steps = Math.min(head.length, STRIP_STEPS);
    return html`<div
      role="option"
      id="episode-${index}"
      class="row ${selected ? "selected" : ""} ${this.isSearching() ? "found" : ""}"
      data-index=${index}
      aria-selected=${selected}
      aria-posinset=${position + 1}
      aria-setsize=${this.listed.length}
      title=${head.question}
      @click=${() => this.pick(index)}
    >
      <span class="headword"
        ><span class="number"><span class="for-readers">Episode </span>${index + 1}</span
        ><span class="question" dir="auto"
          >${this.code ? tellingLine(head.question, HEADWORD) : head.question}</span
        ></span
      >
      <span class="outcome" title=${termSentence(head.outcome)}
        >${icon(look.icon, look.tone)} ${look.label}</span
      >
      <span class="strip" style="--steps: ${steps}" aria-hidden="true"></span>
      ${this.notedView(head)}
      <span class="length">${this.sampleView(episode)} ${count(head.length, "step")}</span>
      ${this.isSearching() ? hitLine(this.search.hits.get(index)) : nothing}
    </div>`;
  };

  private notedView({ id }: EpisodeHead): unknown {
    const notes = this.byEpisode.get(id) ?? [];
    const first = notes.find(({ kind }) => kind === WENT_WRONG) ?? notes[0];
    if (first === undefined) return html`<span></span>`;
    return html`<span class="noted" title=${notes.map(noteWords).join("\n")}
      >${noteIcon(first.kind)} <bdi>${notesInShort(notes)}</bdi></span
    >`;
  }

  private pick(index: number): void {
    this.controller.openFound(index);
    this.controller.setDrawer(false);
  }

  private controls(): FilterControls {
    const { filter, facets, counts, canWrite, patterns, skills, library, notes, outcomes, controller } = this;
    return { filter, facets, counts, canWrite, patterns, skills, library, notes, outcomes, controller };
  }

  private readonly toggleFilters = (): void => {
    this.filtersOpen = !this.filtersOpen;
  };

  /** Escape closes the choices before it takes the filter away. */
  private readonly onFiltersKey = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !this.filtersOpen) return;
    event.preventDefault();
    this.filtersOpen = false;
    this.renderRoot.querySelector<HTMLElement>(".filter-button")?.focus();
  };

  /** The episode shown is not listed, and it is known that it will not be. */
  private filteredOutView(isListed: boolean): unknown {
    const { selected, filter, facets, search, controller } = this;
    // An empty list says so, with the same way out.
    if (this.listed.length === 0) return nothing;
    if (selected === undefined || isListed || this.heads[selected] === undefined) return nothing;
    const isOpen = (needsFacets(filter) && !facets.found.has(selected)) || search.state === "searching";
    if (isOpen) return nothing;
    return html`<div class="filtered-out" role="status">
      <span>Episode ${selected + 1}, which is shown, is filtered out.</span>
      <button type="button" class="link" @click=${() => controller.setFilter(NO_FILTER)}>
        Clear the filter
      </button>
    </div>`;
  }

  /** Shown if the question has several. The head of a `hasp.episode/1` line lacks it; the whole episode has it. */
  private sampleView({ head, index }: ListedEpisode): unknown {
    if (!samplesByQuestion(this.heads).has(head.questionId)) return nothing;
    const sample = head.sample ?? this.facets.found.get(index)?.sample;
    if (sample === undefined) return nothing;
    return html`<span class="sample" title="sample ${sample} of this question">#${sample}</span>`;
  }

  private filterView(): TemplateResult {
    const { filtersOpen } = this;
    const controls = this.controls();
    return html`<div class="filter" @keydown=${this.onFiltersKey}>
      <div class="words">
        <vscode-textfield
          type="search"
          label="Filter episodes"
          placeholder="Text of the episode, pf:…, status:…"
          title=${FILTER_HELP}
          .value=${this.filter.text}
          @input=${this.onText}
          @keydown=${this.onFilterKey}
        ></vscode-textfield>
        ${filterButton(controls, filtersOpen, this.toggleFilters)}
      </div>
      ${filtersOpen ? filterSelects(controls) : nothing} ${filterChips(controls)} ${patternActions(controls)}
      ${facetProgress(controls, this.heads.length, filtersOpen)}
      ${searchProgress(this.search, this.heads.length, this.controller)}
    </div>`;
  }

  private emptyView(): unknown {
    if (this.listed.length > 0) return nothing;
    if (this.search.state === "searching") return nothingFoundYet();
    return this.heads.length === 0 ? noneEndedView() : emptyListView(this.controls());
  }

  protected override render(): unknown {
    const shown = this.listed.length;
    const active = this.listed.some((episode) => episode.index === this.selected);
    const all = this.heads.length.toLocaleString("en");
    return html`<div class="title">
        <h2 id="list-title">Episodes</h2>
        <span class="total" aria-live="polite"
          >${shown === this.heads.length ? all : `${shown.toLocaleString("en")} of ${all}`}</span
        >
      </div>
      ${this.filterView()} ${this.emptyView()} ${this.filteredOutView(active)}
      <div
        class="rows"
        role="listbox"
        tabindex="0"
        aria-labelledby="list-title"
        aria-activedescendant=${active ? `episode-${this.selected}` : nothing}
        @keydown=${this.onListKey}
        @rangeChanged=${this.onFirstLayout}
      >
        ${virtualize({
          items: this.listed,
          renderItem: this.rowView,
          keyFunction: (episode) => episode.index,
          scroller: true,
          layout: this.isSearching() ? FOUND_ROW_LAYOUT : ROW_LAYOUT,
        })}
      </div> `;
  }
}

customElements.define("hasp-episode-list", HaspEpisodeList);
