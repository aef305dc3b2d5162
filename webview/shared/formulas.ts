import { css, html, LitElement } from "lit";
import type { FormulaText } from "../formulas/parts.ts";
import { formulaSigns } from "./formula-signs.ts";

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

/** The script of this view. A page lets in what has its nonce. */
const OWN_SCRIPT = document.currentScript;

let loading: Promise<void> | undefined;

/** Loads the script that draws, which lies beside that of the view; an exported page carries it where it has formulas. */
function loadDrawing(): Promise<void> {
  loading ??= new Promise((resolve) => {
    if (!(OWN_SCRIPT instanceof HTMLScriptElement) || OWN_SCRIPT.src === "") return resolve();
    const script = document.createElement("script");
    script.nonce = OWN_SCRIPT.nonce;
    script.src = new URL("formulas.js", OWN_SCRIPT.src).href;
    // Without it the source is shown, as before.
    for (const ended of ["load", "error"]) script.addEventListener(ended, () => resolve());
    document.head.append(script);
  });
  return loading;
}

/** The selection within a shadow root, which the one of the document does not tell; only Chromium has it. */
function selectedIn(root: Node & { getSelection?(): Selection | null }): Range | undefined {
  const selection = root.getSelection?.() ?? null;
  return selection === null || selection.rangeCount === 0 ? undefined : selection.getRangeAt(0);
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
    this.addEventListener("copy", (event) => this.copy(event));
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** A browser would add line breaks for the parts of a formula. */
  private copy(event: ClipboardEvent): void {
    const range = selectedIn(this.getRootNode());
    if (range === undefined || !this.contains(range.commonAncestorContainer)) return;
    const copied = range.cloneContents();
    for (const drawn of copied.querySelectorAll(".formula-drawn")) drawn.remove();
    event.clipboardData?.setData("text/plain", copied.textContent ?? "");
    event.preventDefault();
  }

  protected override firstUpdated(): void {
    if (globalThis.haspDrawFormulas === undefined) void loadDrawing().then(() => this.requestUpdate());
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
