import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { HelpPlace } from "../../src/model/help-page.ts";
import { isTerm, TERMS, type TermWord } from "../../src/model/terms.ts";

/** Milliseconds that the pointer rests before the tooltip shows, as in VS Code. */
const HOVER_DELAY = 500;
/** Pixels between the word and its tooltip, and between the tooltip and the edge of the page. */
const GAP = 4;

/** A place of the help was asked for: a `hasp-help` event, which leaves all shadow roots. */
export type HelpEvent = CustomEvent<HelpPlace>;

/**
 * `<hasp-term .word=${"applied"} .label=${…}>`: a word with its meaning in a tooltip, by pointer and by keyboard. A press asks for
 * its page of the help. The tooltip is a popover, so that nothing clips it and nothing moves.
 */
export class HaspTerm extends LitElement {
  static override properties = { word: { attribute: false }, label: { attribute: false } };
  declare word: TermWord;
  /** Shown in place of the word itself. */
  declare label: string;
  private timer: ReturnType<typeof setTimeout> | undefined;

  static override styles = css`
    :host {
      display: inline-block;
    }
    button {
      border: none;
      padding: 0;
      background: none;
      font: inherit;
      color: inherit;
      cursor: help;
      text-align: inherit;
    }
    button:hover,
    button:focus-visible {
      text-decoration: underline dotted;
      text-underline-offset: 3px;
    }
    button:focus-visible {
      outline: 1px solid var(--vscode-focusBorder);
      outline-offset: 1px;
    }
    .tip {
      position: fixed;
      inset: auto;
      margin: 0;
      box-sizing: border-box;
      max-width: min(360px, calc(100vw - 8px));
      padding: 4px 8px;
      border: 1px solid var(--vscode-editorHoverWidget-border, var(--vscode-contrastBorder, transparent));
      border-radius: 3px;
      background: var(--vscode-editorHoverWidget-background);
      color: var(--vscode-editorHoverWidget-foreground, var(--vscode-foreground));
      font-family: var(--vscode-font-family);
      font-size: var(--vscode-font-size, 13px);
      font-weight: normal;
      line-height: 1.45;
      white-space: normal;
      box-shadow: 0 2px 8px var(--vscode-widget-shadow, transparent);
    }
    /* An exported page has no help to open. */
    .more {
      display: var(--hasp-help-hint, inline);
      color: var(--vscode-descriptionForeground);
    }
  `;

  constructor() {
    super();
    this.word = "fired";
    this.label = "";
  }

  override disconnectedCallback(): void {
    clearTimeout(this.timer);
    super.disconnectedCallback();
  }

  private tip(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(".tip");
  }

  /** Below the word, or above it where the page ends; never beyond an edge. */
  private readonly show = (): void => {
    const [tip, button] = [this.tip(), this.renderRoot.querySelector("button")];
    if (tip === null || button === null || !this.isConnected) return;
    tip.showPopover();
    const [at, size] = [button.getBoundingClientRect(), tip.getBoundingClientRect()];
    const fits = at.bottom + GAP + size.height <= window.innerHeight;
    tip.style.top = `${fits ? at.bottom + GAP : Math.max(GAP, at.top - GAP - size.height)}px`;
    tip.style.left = `${Math.max(GAP, Math.min(at.left, window.innerWidth - size.width - GAP))}px`;
  };

  private readonly hide = (): void => {
    clearTimeout(this.timer);
    if (this.tip()?.matches(":popover-open") === true) this.tip()?.hidePopover();
  };

  private readonly onEnter = (): void => {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.show, HOVER_DELAY);
  };

  private readonly onFocus = (event: FocusEvent): void => {
    if (event.target instanceof Element && event.target.matches(":focus-visible")) this.show();
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.key === "Enter" || event.key === " ") event.stopPropagation();
    if (event.key !== "Escape" || this.tip()?.matches(":popover-open") !== true) return;
    event.stopPropagation();
    this.hide();
  };

  private readonly openPage = (): void => {
    this.hide();
    const detail: HelpEvent["detail"] = TERMS[this.word].help;
    this.dispatchEvent(new CustomEvent("hasp-help", { bubbles: true, composed: true, detail }));
  };

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("word") && this.hasUpdated) this.hide();
  }

  protected override render(): unknown {
    const { word, label } = this;
    return html`<button
        type="button"
        aria-describedby="tip"
        @click=${this.openPage}
        @pointerenter=${this.onEnter}
        @pointerleave=${this.hide}
        @focus=${this.onFocus}
        @blur=${this.hide}
        @keydown=${this.onKey}
      >
        ${label === "" ? word : label}
      </button>
      <div id="tip" class="tip" role="tooltip" popover="manual">
        ${TERMS[word].sentence} <span class="more">Press for help.</span>
      </div>`;
  }
}

customElements.define("hasp-term", HaspTerm);

/** A word with its meaning in a tooltip and a way to its page; `label` stands in its place. */
export function term(word: TermWord, label = ""): TemplateResult {
  return html`<hasp-term .word=${word} .label=${label}></hasp-term>`;
}

/** The same for a word that comes from data; as plain text where it has no meaning of ours. */
export function termIfKnown(word: string): unknown {
  return isTerm(word) ? term(word) : html`<bdi>${word}</bdi>`;
}

/** The sentence of a word, for the `title` of a row or an option, which cannot hold a button. */
export function termSentence(word: string): string | typeof nothing {
  return isTerm(word) ? TERMS[word].sentence : nothing;
}
