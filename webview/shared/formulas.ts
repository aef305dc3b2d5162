import { css, html, LitElement } from "lit";
import type { FormulaText } from "../formulas/parts.ts";
import { copyExactly } from "./copy-exactly.ts";
import { formulaSigns } from "./formula-signs.ts";
import { loadBeside } from "./script-beside.ts";

/** A formula as it is written, and as MathML in pieces that follow each other. */
export interface DrawnFormula {
  readonly source: string;
  readonly pieces: readonly Element[];
}

/** A text in its order: what stays text, and its formulas. */
export type DrawFormulas = (text: string, kind: FormulaText) => readonly (string | DrawnFormula)[];

declare global {
  /** Set by the script of `webview/formulas/main.ts`. */
  var haspDrawFormulas: DrawFormulas | undefined;
}

/**
 * `<hasp-formulas .text=… .kind=${"text"}>`: a text with its formulas drawn. It has no shadow root, so that a selection goes
 * through it; the find bar, and a copy from within one text, get the source of each formula, which is in the page without being
 * seen. A selection over several texts reaches through shadow roots, which no range can clone: the browser copies it, and may add
 * line breaks at formulas.
 */
export class HaspFormulas extends LitElement {
  static override properties = { text: { attribute: false }, kind: { attribute: false } };
  declare text: string;
  declare kind: FormulaText;

  constructor() {
    super();
    this.text = "";
    this.kind = "text";
    this.addEventListener("copy", (event) => copyExactly(this, event, ".formula-drawn"));
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override firstUpdated(): void {
    // Without the script that draws, which an exported page has where it has formulas, their source is shown.
    if (globalThis.haspDrawFormulas === undefined)
      void loadBeside("formulas.js").then(() => this.requestUpdate());
  }

  protected override updated(): void {
    this.dispatchEvent(new CustomEvent("hasp-drawn", { bubbles: true, composed: true }));
  }

  private partView(part: string | DrawnFormula): unknown {
    if (typeof part === "string") return part;
    return html`<span class="formula"
      ><span class="formula-source" aria-hidden="true">${part.source}</span
      ><span class="formula-drawn">${part.pieces}</span></span
    >`;
  }

  protected override render(): unknown {
    const parts = globalThis.haspDrawFormulas?.(this.text, this.kind) ?? [this.text];
    return parts.map((part) => this.partView(part));
  }
}

customElements.define("hasp-formulas", HaspFormulas);

/** Each shadow root that shows formulas needs them. */
export const formulaStyles = css`
  ${formulaSigns}
  /* No line ends between a formula's source and its first piece: a piece wider than the line would leave an empty one. */
  .formula {
    white-space: nowrap;
  }
  /* Pieces of a formula follow each other from the left, also in a text from the right. */
  .formula-drawn {
    user-select: none;
    direction: ltr;
    unicode-bidi: isolate;
    white-space: normal;
  }
  .formula math {
    font-family: "Cambria Math", "STIX Two Math", "Latin Modern Math", math;
    font-size: 1.1em;
    line-height: normal;
    /* Of a number or text that breaks, a browser shows the first line alone. */
    white-space: nowrap;
  }
  .formula .tml-right {
    text-align: right;
  }
  .formula .tml-left {
    text-align: left;
  }
  .formula-source {
    /* Not hidden: a selection leaves out what is. */
    font-size: 0;
  }
`;
