import { css, html, LitElement, nothing, type PropertyValues } from "lit";

/** What is laid out of a closed text: enough for any clamp, little enough to stay fast. */
const CLOSED_CHARACTERS = 6_000;

/**
 * `<hasp-clamp .text=… lines="8">`: text as text, cut after some lines, with a button that opens it.
 * A new text starts closed. Line breaks are kept; the direction follows the text itself.
 */
export class HaspClamp extends LitElement {
  static override properties = {
    text: { attribute: false },
    lines: { type: Number },
    what: { type: String },
    open: { state: true },
    overflows: { state: true },
  };
  declare text: string;
  declare lines: number;
  /** Names the text to a screen reader: "Show all 9,000 characters of the observation". */
  declare what: string;
  declare private open: boolean;
  declare private overflows: boolean;
  private observer: ResizeObserver | undefined;

  static override styles = css`
    :host {
      display: block;
      min-width: 0;
    }
    .text {
      white-space: pre-wrap;
      overflow-wrap: anywhere;
      unicode-bidi: isolate;
    }
    .closed {
      display: -webkit-box;
      -webkit-box-orient: vertical;
      overflow: hidden;
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
    button:hover {
      color: var(--vscode-textLink-activeForeground);
      text-decoration: underline;
    }
    button:focus-visible {
      outline: 1px solid var(--vscode-focusBorder);
      outline-offset: 1px;
    }
  `;

  constructor() {
    super();
    this.text = "";
    this.lines = 6;
    this.what = "this text";
    this.open = false;
    this.overflows = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.observer = new ResizeObserver(() => this.measure());
    this.observer.observe(this);
  }

  override disconnectedCallback(): void {
    this.observer?.disconnect();
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("text")) this.open = false;
  }

  protected override updated(): void {
    this.measure();
  }

  private measure(): void {
    const text = this.renderRoot.querySelector(".text");
    if (text === null || this.open) return;
    this.overflows = this.text.length > CLOSED_CHARACTERS || text.scrollHeight > text.clientHeight + 1;
  }

  protected override render(): unknown {
    const text = this.open ? this.text : this.text.slice(0, CLOSED_CHARACTERS);
    const toggle = (): void => {
      this.open = !this.open;
    };
    const label = this.open ? "Show less" : `Show all ${this.text.length.toLocaleString("en")} characters`;
    return html`<div
        class=${this.open ? "text" : "text closed"}
        dir="auto"
        style=${this.open ? "" : `-webkit-line-clamp: ${this.lines}`}
        .textContent=${text}
      ></div>
      ${
        this.overflows
          ? html`<button
              type="button"
              aria-expanded=${this.open}
              aria-label="${label} of ${this.what}"
              @click=${toggle}
            >
              ${label}
            </button>`
          : nothing
      }`;
  }
}

customElements.define("hasp-clamp", HaspClamp);
