import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { icon } from "../shared/icon.ts";
import type { Controller } from "./controller.ts";
import { iconButton } from "./icon-button.ts";
import { hitsOf, MOST_HITS, positionOf } from "./find.ts";
import type { Hit } from "./find-query.ts";
import type { ReplayState } from "./state.ts";

function placeOf({ t, field }: Hit): string {
  return t === undefined ? field : `step ${t + 1}`;
}

/** `3 of 17 · step 4`. */
function countWords(state: ReplayState): string {
  const { find } = state;
  if (find === undefined || find.query.text === "") return "";
  const hits = hitsOf(state);
  if (hits.length === 0) return "No results";
  const of = `${hits.length.toLocaleString("en")}${hits.length === MOST_HITS ? "+" : ""}`;
  const at = positionOf(hits, find.current);
  const hit = hits[at];
  return hit === undefined ? `? of ${of}` : `${(at + 1).toLocaleString("en")} of ${of} · ${placeOf(hit)}`;
}

/** Finds words in the whole episode, as VS Code's own find widget does in a file. */
export function findBar(state: ReplayState, controller: Controller): TemplateResult | typeof nothing {
  const { find, compare } = state;
  if (find === undefined || compare !== undefined) return nothing;
  const { text, matchCase } = find.query;
  const words = countWords(state);
  const isFound = hitsOf(state).length > 0;
  const onKey = (event: KeyboardEvent): void => {
    const isToggle = event.altKey && event.key.toLowerCase() === "c";
    if (event.key !== "Enter" && !isToggle) return;
    event.preventDefault();
    if (isToggle) controller.setFind({ matchCase: !matchCase });
    else controller.moveFind(event.shiftKey ? -1 : 1);
  };
  const onInput = (event: InputEvent): void =>
    controller.setFind({ text: (event.currentTarget as HTMLInputElement).value });
  return html`<div class="find-bar" role="search" aria-label="Find in the episode">
    <div class="find-field ${text !== "" && !isFound ? "nothing-found" : ""}">
      <input
        type="text"
        aria-label="Find in the episode"
        placeholder="Find in the episode"
        autocomplete="off"
        spellcheck="false"
        .value=${live(text)}
        @input=${onInput}
        @keydown=${onKey}
      />
      <button
        type="button"
        class="icon-button"
        title="Match case (Alt+C)"
        aria-label="Match case"
        aria-pressed=${matchCase}
        @click=${() => controller.setFind({ matchCase: !matchCase })}
      >
        ${icon("case-sensitive")}
      </button>
    </div>
    <span class="find-count" role="status">${words}</span>
    ${iconButton("arrow-up", "Previous match (Shift+Enter)", isFound, () => controller.moveFind(-1))}
    ${iconButton("arrow-down", "Next match (Enter)", isFound, () => controller.moveFind(1))}
    ${iconButton("close", "Close (Esc)", true, () => controller.closeFind())}
  </div>`;
}
