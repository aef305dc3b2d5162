import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { programLines } from "../shared/code-pieces.ts";
import { count } from "../shared/format.ts";
import { loadBeside } from "../shared/script-beside.ts";
import { diffRows, type DiffRow } from "./line-diff.ts";

/** Rows of a diff that is closed. */
const CLOSED_ROWS = 60;

/** `<hasp-code-diff .draft=… .revision=…>`: what was changed in a program, line by line. It has no shadow root: its styles are those of the page. */
export class HaspCodeDiff extends LitElement {
  static override properties = {
    draft: { attribute: false },
    revision: { attribute: false },
    isOpen: { state: true },
  };
  declare draft: string;
  declare revision: string;
  declare private isOpen: boolean;
  private rows: readonly DiffRow[] | undefined;
  private lines: { readonly before: readonly unknown[]; readonly after: readonly unknown[] } = {
    before: [],
    after: [],
  };

  constructor() {
    super();
    this.draft = "";
    this.revision = "";
    this.isOpen = false;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("draft") && !changed.has("revision")) return;
    this.rows = diffRows(this.draft, this.revision);
    this.isOpen = false;
    this.colour();
  }

  private colour(): void {
    if (this.rows !== undefined)
      this.lines = { before: programLines(this.draft), after: programLines(this.revision) };
  }

  protected override firstUpdated(): void {
    if (globalThis.haspPythonTokens !== undefined) return;
    void loadBeside("python.js").then(() => {
      this.colour();
      this.requestUpdate();
    });
  }

  private rowView(row: DiffRow): TemplateResult {
    if (row.is === "gap") return html`<span class="diff-gap">${count(row.lines, "line")} the same</span>`;
    const { is, line } = row;
    const number = html`<span class="diff-number">${line + 1}</span>`;
    const text = this.lines[is === "removed" ? "before" : "after"][line];
    if (is === "removed") return html`<del class="diff-line removed">${number}<code>${text}</code></del>`;
    if (is === "added") return html`<ins class="diff-line added">${number}<code>${text}</code></ins>`;
    return html`<span class="diff-line">${number}<code>${text}</code></span>`;
  }

  protected override render(): unknown {
    if (this.rows === undefined)
      return html`<span class="quiet">The two programs are too long to be compared line by line.</span>`;
    const shown = this.isOpen ? this.rows : this.rows.slice(0, CLOSED_ROWS);
    const more = this.rows.length - shown.length;
    return html`<div class="diff" role="group" aria-label="What was changed in the program" tabindex="0">
        ${shown.map((row) => this.rowView(row))}
      </div>
      ${more === 0 ? nothing : html`<button type="button" class="link" @click=${() => (this.isOpen = true)}>Show ${count(more, "line")} more</button>`}`;
  }
}

customElements.define("hasp-code-diff", HaspCodeDiff);
