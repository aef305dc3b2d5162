import { html, nothing, type TemplateResult } from "lit";
import { parseFilterText, statusesLike } from "./filter-text.ts";
import { filtersPfs, needsFacets, NO_FILTER } from "./filter.ts";
import type { FilterControls } from "./list-filter.ts";
import { FACET_STATUSES } from "../../src/model/pf-facet.ts";

interface Hint {
  readonly words: string;
  /** Today's library can be asked instead of the record. */
  readonly askToday?: boolean;
}

/** What the text names and does not exist. */
function unknownName({ filter, counts, skills, facets }: FilterControls): string | undefined {
  const { pfs, statuses } = parseFilterText(filter.text);
  const status = statuses.find((like) => statusesLike(like).length === 0);
  if (status !== undefined)
    return `There is no status “${status}”. Write status: and one of ${FACET_STATUSES.join(", ")}.`;
  const ids = [...counts.pfs.keys(), ...skills.map(({ skillId }) => skillId)];
  const pf = pfs.find((part) => !ids.some((id) => id.toLowerCase().includes(part)));
  return pf === undefined || facets.state !== "done"
    ? undefined
    : `No Program Function here has “${pf}” in its name. The field “All Program Functions” lists them.`;
}

/** Why nothing is listed, and what to do about it. */
function hintFor(controls: FilterControls): Hint {
  const { filter, facets, counts, skills, library } = controls;
  const unknown = unknownName(controls);
  if (unknown !== undefined) return { words: unknown };
  if (needsFacets(filter) && facets.state === "reading")
    return { words: "None found yet: the episodes are still being looked into." };
  if (needsFacets(filter) && facets.state === "stopped")
    return { words: "None found in the episodes that were looked into. “Go on” looks into the rest." };
  const nobodyRan = filtersPfs(filter) && filter.pfSource === "recorded" && counts.pfs.size === 0;
  if (nobodyRan && skills.length > 0)
    return {
      words: `No Program Function ran when these episodes were recorded. Ask what ${library.name} would do with them.`,
      askToday: true,
    };
  if (nobodyRan)
    return {
      words: "No Program Function ran when these episodes were recorded, and none can be asked today.",
    };
  return { words: "No episode matches. Take away one of the filters above, or clear them all." };
}

/** In place of a list to which no episode has come yet. */
export function noneEndedView(): TemplateResult {
  return html`<div class="none" role="status">
    <p>None has ended yet. Episodes are listed here as they end.</p>
  </div>`;
}

/** In place of a list that the filter leaves empty. */
export function emptyListView(controls: FilterControls): TemplateResult {
  const { words, askToday } = hintFor(controls);
  const { controller } = controls;
  return html`<div class="none" role="status">
    <p>${words}</p>
    ${
      askToday === true
        ? html`<p>
            <button type="button" class="link" @click=${() => controller.setFilter({ pfSource: "today" })}>
              Ask ${controls.library.name}
            </button>
          </p>`
        : nothing
    }
    <button type="button" class="link" @click=${() => controller.setFilter(NO_FILTER)}>
      Clear the filter
    </button>
  </div>`;
}
