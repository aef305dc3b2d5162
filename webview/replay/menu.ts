import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { icon, type IconName } from "../shared/icon.ts";
import { baseStyles } from "./styles/base.ts";

export interface MenuItem {
  readonly label: string;
  readonly icon: IconName;
  /** The key that does the same anywhere in the view. */
  readonly key: string;
  /** First of a group: a line is drawn above it. */
  readonly begins?: boolean;
  readonly run: () => void;
}

const MOVES: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => (at >= last ? 0 : at + 1),
  ArrowUp: (at, last) => (at <= 0 ? last : at - 1),
  Home: () => 0,
  End: (_at, last) => last,
};

/** `<hasp-menu .items label="Actions">`: a button that opens a menu, by mouse and by the keys a menu has. */
export class HaspMenu extends LitElement {
  static override properties = {
    items: { attribute: false },
    label: { type: String },
    open: { state: true },
  };
  static override styles = [
    baseStyles,
    css`
      :host {
        position: relative;
        display: inline-block;
      }
      .menu {
        position: absolute;
        right: 0;
        top: 24px;
        z-index: 3;
        min-width: 260px;
        padding: 4px;
        border: 1px solid var(--vscode-editorWidget-border, var(--vscode-contrastBorder, transparent));
        border-radius: 4px;
        background: var(--vscode-editorWidget-background);
        color: var(--vscode-editorWidget-foreground);
        box-shadow: 0 2px 8px var(--vscode-widget-shadow, transparent);
      }
      .item {
        display: grid;
        grid-template-columns: 18px 1fr auto;
        gap: 6px;
        align-items: center;
        width: 100%;
        padding: 3px 8px;
        border: none;
        border-radius: 3px;
        background: none;
        text-align: left;
        white-space: nowrap;
        cursor: pointer;
      }
      .item:hover,
      .item:focus {
        background: var(--vscode-list-hoverBackground);
      }
      .begins {
        margin-top: 5px;
        box-shadow: 0 -3px 0 -2px var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
      }
      .key {
        color: var(--vscode-descriptionForeground);
      }
    `,
  ];
  declare items: readonly MenuItem[];
  declare label: string;
  declare private open: boolean;

  constructor() {
    super();
    this.items = [];
    this.label = "Actions";
    this.open = false;
  }

  /** Opens the menu with the focus on its first item, or closes it. */
  toggle(): void {
    this.open = !this.open;
    if (this.open) void this.updateComplete.then(() => this.entries()[0]?.focus());
  }

  private entries(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>("[role=menuitem]")];
  }

  private close(): void {
    this.open = false;
    this.renderRoot.querySelector<HTMLElement>(".plain-button")?.focus();
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (!this.open) return;
    const entries = this.entries();
    const at = entries.findIndex((entry) => entry === this.shadowRoot?.activeElement);
    const to = MOVES[event.key]?.(at, entries.length - 1);
    if (to !== undefined) entries[to]?.focus();
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
  };

  private readonly onFocusOut = (event: FocusEvent): void => {
    const to = event.relatedTarget;
    if (!(to instanceof Node) || !this.renderRoot.contains(to)) this.open = false;
  };

  private itemView(item: MenuItem): TemplateResult {
    const press = (): void => {
      this.close();
      item.run();
    };
    return html`<button
      type="button"
      role="menuitem"
      tabindex="-1"
      class=${item.begins === true ? "item begins" : "item"}
      aria-keyshortcuts=${item.key}
      @click=${press}
    >
      ${icon(item.icon)}<span>${item.label}</span><span class="key" aria-hidden="true">${item.key}</span>
    </button>`;
  }

  protected override render(): unknown {
    return html`<div @keydown=${this.onKey} @focusout=${this.onFocusOut}>
      <button
        type="button"
        class="plain-button"
        title="${this.label} (m)"
        aria-haspopup="menu"
        aria-expanded=${this.open}
        @click=${() => this.toggle()}
      >
        ${icon("ellipsis")} ${this.label}
      </button>
      ${
        this.open
          ? html`<div class="menu" role="menu" aria-label=${this.label}>
              ${this.items.map((item) => this.itemView(item))}
            </div>`
          : nothing
      }
    </div>`;
  }
}

customElements.define("hasp-menu", HaspMenu);
