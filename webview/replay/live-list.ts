import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { LiveHead } from "../../src/model/live-episode.ts";
import { count } from "../shared/format.ts";
import { icon } from "../shared/icon.ts";
import type { Controller } from "./controller.ts";
import { followButton, LIVE_LOOKS } from "./live-view.ts";
import { INITIAL_STATE, type LiveView } from "./state.ts";
import { baseStyles } from "./styles/base.ts";
import { listStyles } from "./styles/list.ts";

const liveListStyles = css`
  :host {
    flex: none;
    height: auto;
    max-height: 40%;
    border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
  }
  :host([hidden]) {
    display: none;
  }
  .title {
    align-items: center;
    padding-bottom: 6px;
  }
  .rows {
    overflow: auto;
  }
  .row {
    grid-template-columns: minmax(0, 1fr) auto;
  }
`;

/** Episodes of the run that are under way, above those that have ended. */
export class HaspLiveList extends LitElement {
  static override properties = { live: { attribute: false }, controller: { attribute: false } };
  static override styles = [baseStyles, listStyles, liveListStyles];
  declare live: LiveView;
  declare controller: Controller;

  constructor() {
    super();
    this.live = INITIAL_STATE.live;
  }

  protected override willUpdate(): void {
    this.hidden = this.live.heads.length === 0 && !this.live.follow;
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : undefined;
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.controller.moveEpisode(by);
  };

  private pick(id: string): void {
    this.controller.openLive(id);
    this.controller.setDrawer(false);
  }

  private rowView({ id, question, length, state }: LiveHead, position: number): TemplateResult {
    const look = LIVE_LOOKS[state];
    const selected = id === this.live.shown?.id;
    return html`<div
      role="option"
      id="live-${position}"
      class="row ${selected ? "selected" : ""}"
      data-id=${id}
      aria-selected=${selected}
      title=${question}
      @click=${() => this.pick(id)}
    >
      <span class="question" dir="auto">${question}</span>
      <span class="outcome">${icon(look.icon, look.tone)} ${look.label}</span>
      <span class="length">${count(length, "step")}</span>
    </div>`;
  }

  protected override updated(): void {
    this.renderRoot.querySelector(".row.selected")?.scrollIntoView({ block: "nearest" });
  }

  protected override render(): unknown {
    const { heads, shown, follow } = this.live;
    if (heads.length === 0 && !follow) return nothing;
    const at = heads.findIndex(({ id }) => id === shown?.id);
    const running = heads.filter(({ state }) => state === "running").length;
    return html`<div class="title">
        <h2 id="live-title">Running</h2>
        <span>${followButton(follow, this.controller)} <span class="total">${running}</span></span>
      </div>
      ${
        heads.length === 0
          ? html`<p class="none quiet">Waiting for the next episode.</p>`
          : html`<div
              class="rows"
              role="listbox"
              tabindex="0"
              aria-labelledby="live-title"
              aria-activedescendant=${at === -1 ? nothing : `live-${at}`}
              @keydown=${this.onKey}
            >
              ${heads.map((head, position) => this.rowView(head, position))}
            </div>`
      }`;
  }
}

customElements.define("hasp-live-list", HaspLiveList);
