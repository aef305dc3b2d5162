import type { FormulaText } from "../formulas/parts.ts";
import "./code.ts";
import type { CodeText } from "./code.ts";
import { codeStyles } from "./code-styles.ts";
import { formulaStyles } from "./formulas.ts";
import { highlightStyles } from "./highlight.ts";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";

/** What is laid out of a closed text: enough for any clamp, little enough to stay fast. */
const CLOSED_CHARACTERS = 6_000;

/** Pixels, less than a line: a formula in the last line may reach below it. */
const FORMULA_BEYOND = 10;

/** What one press lays out: a browser that gets a text of megabytes at once stands still. */
const SLICE_CHARACTERS = 50_000;

/** The start of a text, without half of a character at its end. */
function startOf(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  const isHalf = length < text.length && last >= 0xd800 && last < 0xdc00;
  return text.slice(0, isHalf ? length - 1 : length);
}

/** Without an empty one after the last line break. */
function lineCount(text: string): number {
  let count = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

const inWords = (n: number): string => n.toLocaleString("en");

const waiting = new Set<HaspClamp>();

/** All that were drawn together are looked at together: one after the other, each look would lay out the whole page again. */
function measureSoon(clamp: HaspClamp): void {
  if (waiting.size === 0) queueMicrotask(measureAll);
  waiting.add(clamp);
}

function measureAll(): void {
  const found = [...waiting].map((clamp) => [clamp, clamp.isCut(), clamp.isWide()] as const);
  waiting.clear();
  for (const [clamp, isCut, isWide] of found) {
    if (isCut !== undefined) clamp.overflows = isCut;
    clamp.scrolls = isWide;
  }
}

/**
 * `<hasp-clamp .text=… lines="8">`: text as text, cut after some lines, with a button that opens it, a long one slice by
 * slice. A new text starts closed. Line breaks are kept; the direction follows the text itself.
 */
export class HaspClamp extends LitElement {
  static override properties = {
    text: { attribute: false },
    lines: { type: Number },
    what: { type: String },
    compact: { type: Boolean, reflect: true },
    opened: { attribute: false },
    formulas: { attribute: false },
    code: { attribute: false },
    copied: { state: true },
    shown: { state: true },
    overflows: { state: true },
    scrolls: { state: true },
  };
  declare text: string;
  declare lines: number;
  /** Names the text to a screen reader: "Show all 9,000 characters of the observation". */
  declare what: string;
  /** The button stands beside the text and counts its lines: "12 lines". */
  declare compact: boolean;
  /** Characters that a new text is opened to, as `hasp-fold` said of it before; 0: closed. */
  declare opened: number;
  /** How formulas in the text are read, which are then drawn; false: the text is shown as it is. */
  declare formulas: FormulaText | false;
  /** How programs in the text are read, which are then coloured; false: the text is shown as it is. A program's lines do not wrap. */
  declare code: CodeText | false;
  /** The program shown is on the clipboard. */
  declare private copied: boolean;
  /** Characters that a person asked for; 0: closed. */
  declare private shown: number;
  /** There is more text than is shown. */
  declare overflows: boolean;
  /** A formula in it is wider than its line, which is scrolled to read it. */
  declare scrolls: boolean;
  private observer: ResizeObserver | undefined;
  /** Of the text as it is laid out; 0 before it was, and where not all of it is. */
  private laidOutLines = 0;

  static override styles = [
    highlightStyles,
    formulaStyles,
    codeStyles,
    css`
      :host {
        display: block;
        min-width: 0;
      }
      .text {
        display: block;
        white-space: pre-wrap;
        overflow-wrap: anywhere;
        unicode-bidi: isolate;
      }
      .closed {
        display: -webkit-box;
        -webkit-box-orient: vertical;
        overflow: hidden;
      }
      /* A formula or a line of code that no line can hold. */
      .with-formulas,
      .program {
        overflow: auto hidden;
      }
      .program {
        display: block;
      }
      button {
        border: none;
        padding: 0;
        margin-top: 2px;
        background: none;
        font: inherit;
        color: var(--vscode-textLink-foreground);
        cursor: pointer;
      }
      :host([compact]) {
        display: flex;
        align-items: flex-end;
        gap: 12px;
      }
      :host([compact]) .text {
        flex: 1;
        min-width: 0;
      }
      :host([compact]) .buttons {
        flex: none;
        display: flex;
        gap: 8px;
        white-space: nowrap;
      }
      button + button {
        margin-left: 8px;
      }
      :host([compact]) button {
        margin-left: 0;
      }
      .program ~ .buttons {
        font-family: var(--vscode-font-family);
        font-size: var(--vscode-font-size, 13px);
      }
      button:hover {
        color: var(--vscode-textLink-activeForeground);
        text-decoration: underline;
      }
      /* Among words, on their line as far as it fits. */
      :host(.within-line) {
        display: inline-grid;
        grid-template-columns: minmax(0, auto);
        max-width: 100%;
      }
      .text:focus-visible,
      button:focus-visible {
        outline: 1px solid var(--vscode-focusBorder);
        outline-offset: 1px;
      }
    `,
  ];

  constructor() {
    super();
    this.text = "";
    this.lines = 6;
    this.what = "this text";
    this.compact = false;
    this.opened = 0;
    this.formulas = false;
    this.code = false;
    this.copied = false;
    this.shown = 0;
    this.overflows = false;
    this.scrolls = false;
    // Formulas and programs are drawn after the text that holds them: its height changes.
    this.addEventListener("hasp-drawn", () => measureSoon(this));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.observer = new ResizeObserver(() => measureSoon(this));
    this.observer.observe(this);
  }

  override disconnectedCallback(): void {
    this.observer?.disconnect();
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("text")) return;
    this.shown = Math.min(this.opened, this.text.length);
    this.copied = false;
  }

  protected override updated(): void {
    measureSoon(this);
  }

  /** Holds the text as far as it is laid out. */
  textElement(): Element | null {
    return this.renderRoot.querySelector(".text");
  }

  /** Whether there is more text than is shown; undefined where a person opened it. Lays out the page. */
  isCut(): boolean | undefined {
    const text = this.textElement();
    if (text === null || this.shown > 0) return undefined;
    if (this.code === "program") {
      this.laidOutLines = lineCount(this.text);
      return this.text.length > CLOSED_CHARACTERS || this.laidOutLines > this.lines;
    }
    const isPlain = this.formulas === false && this.code === false;
    // Lines of formulas and code are of any height, so that their number is not known.
    const isWhole = this.text.length <= CLOSED_CHARACTERS && isPlain;
    this.laidOutLines = isWhole ? Math.round((text.scrollHeight / text.clientHeight) * this.lines) : 0;
    const beyond = isPlain ? 1 : FORMULA_BEYOND;
    return this.text.length > CLOSED_CHARACTERS || text.scrollHeight > text.clientHeight + beyond;
  }

  /** Whether a formula or a line of a program is wider than its place. Lays out the page. */
  isWide(): boolean {
    const text = this.textElement();
    if (text === null) return false;
    if (this.code === "program") return text.scrollWidth > text.clientWidth;
    return this.formulas !== false && text.scrollWidth > text.clientWidth + 1;
  }

  /** Opens as much as it takes to show the text up to this character; nothing where it is in sight already. */
  reveal(end: number): void {
    const isInSight = this.shown > 0 ? end <= this.shown : this.isCut() === false;
    if (!isInSight)
      this.open(Math.min(this.text.length, Math.ceil(end / SLICE_CHARACTERS) * SLICE_CHARACTERS));
  }

  private open(characters: number): void {
    this.shown = characters;
    this.dispatchEvent(new CustomEvent("hasp-fold", { detail: characters, bubbles: true, composed: true }));
  }

  private button(label: string, press: () => void, short = label): unknown {
    return html`<button
      type="button"
      aria-expanded=${this.shown > 0}
      aria-label="${label} of ${this.what}"
      @click=${press}
    >
      ${this.compact ? short : label}
    </button>`;
  }

  private buttons(): unknown {
    const { length } = this.text;
    const more = (): void => this.open(Math.min(length, this.shown + SLICE_CHARACTERS));
    const next =
      length <= SLICE_CHARACTERS
        ? `Show all ${inWords(length)} characters`
        : `Show ${inWords(Math.min(SLICE_CHARACTERS, length - this.shown))} more of ${inWords(length)} characters`;
    const lines =
      this.shown === 0 && this.laidOutLines > 0 ? `${inWords(this.laidOutLines)} lines` : undefined;
    const hasLines = this.compact || (this.code === "program" && length <= SLICE_CHARACTERS);
    const all = lines === undefined ? next : `Show all ${lines}`;
    return html`<div class="buttons">
      ${this.shown < length && (this.overflows || this.shown > 0) ? this.button(hasLines ? all : next, more, lines ?? next) : nothing}
      ${this.shown > 0 ? this.button("Show less", () => this.open(0)) : nothing} ${this.copyButton()}
    </div>`;
  }

  private copyButton(): unknown {
    if (this.code !== "program") return nothing;
    const copy = async (): Promise<void> => {
      await navigator.clipboard.writeText(this.text);
      this.copied = true;
    };
    return html`<button type="button" class="copy" aria-label="Copy ${this.what}" @click=${copy}>
      ${this.copied ? "Copied" : "Copy"}
    </button>`;
  }

  private textView(shown: string): unknown {
    if (this.code !== false) return html`<hasp-code .text=${shown} .kind=${this.code}></hasp-code>`;
    if (this.formulas === false) return shown;
    return html`<hasp-formulas .text=${shown} .kind=${this.formulas}></hasp-formulas>`;
  }

  protected override render(): unknown {
    const open = this.shown > 0;
    const shown = startOf(this.text, open ? this.shown : CLOSED_CHARACTERS);
    const isProgram = this.code === "program";
    const look = isProgram ? "program" : this.formulas === false ? "" : "with-formulas";
    const style = open ? "" : isProgram ? `--lines: ${this.lines}` : `-webkit-line-clamp: ${this.lines}`;
    // A span, in which the formatter puts no white space: it would be that of the text.
    return html`<span
        class="text ${open ? "" : "closed"} ${look}"
        dir=${isProgram ? "ltr" : "auto"}
        style=${style}
        role=${this.scrolls ? "group" : nothing}
        aria-label=${this.scrolls ? this.what : nothing}
        tabindex=${this.scrolls ? 0 : nothing}
        >${this.textView(shown)}</span
      >
      ${this.overflows || open || isProgram ? this.buttons() : nothing}`;
  }
}

customElements.define("hasp-clamp", HaspClamp);

/** A formula has at least one of these signs. */
const FORMULA_SIGN = /[\\$^_]/;

/**
 * A short text; where its formulas are drawn, a wide one scrolls in its place. A text without a formula stays part of the text around it, so
 * that a selection goes through both. `what` names the text to a screen reader.
 */
export function shortTextView(text: string, formulas: FormulaText | false, what: string): unknown {
  if (formulas === false || !FORMULA_SIGN.test(text)) return text;
  return html`<hasp-clamp
    class="within-line"
    .text=${text}
    .formulas=${formulas}
    lines="12"
    what=${what}
  ></hasp-clamp>`;
}
