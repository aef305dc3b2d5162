import { css, html, type TemplateResult } from "lit";
import { icon } from "./icon.ts";

/** Keys as shown, and their effect in a few words. */
export interface ShownKeys {
  readonly shown: readonly string[];
  readonly does: string;
}

/** The keys of a view. The panel covers a corner, takes no focus, and leaves with `?` or Escape. `more`: beside the title. */
export function keysPanel(keys: readonly ShownKeys[], more: unknown, close: () => void): TemplateResult {
  return html`<aside class="keys" role="region" aria-label="Keys">
    <div class="keys-title">
      <h2>Keys</h2>
      ${more}
      <button type="button" class="icon-button" title="Close (Esc)" aria-label="Close keys" @click=${close}>
        ${icon("close")}
      </button>
    </div>
    <dl>
      ${keys.map(
        ({ shown, does }) =>
          html`<dt>${shown.map((key) => html`<kbd>${key}</kbd>`)}</dt>
            <dd>${does}</dd>`,
      )}
    </dl>
  </aside>`;
}

export const keysStyles = css`
  .keys {
    position: absolute;
    right: 12px;
    top: 36px;
    z-index: 3;
    width: min(420px, calc(100% - 24px));
    max-height: calc(100% - 48px);
    overflow: auto;
    padding: 8px 12px 12px;
    border: 1px solid var(--vscode-editorWidget-border, var(--vscode-contrastBorder, transparent));
    border-radius: 4px;
    background: var(--vscode-editorWidget-background);
    color: var(--vscode-editorWidget-foreground);
    box-shadow: 0 2px 8px var(--vscode-widget-shadow, transparent);
  }
  .keys-title {
    display: flex;
    justify-content: space-between;
    align-items: center;
    margin-bottom: 4px;
  }
  .keys dl {
    display: grid;
    grid-template-columns: 84px 1fr;
    gap: 5px 12px;
    align-items: center;
  }
  .keys dt {
    display: flex;
    gap: 3px;
  }
  kbd {
    min-width: 20px;
    padding: 1px 5px;
    border: 1px solid var(--vscode-keybindingLabel-border, var(--vscode-contrastBorder, transparent));
    border-bottom-color: var(
      --vscode-keybindingLabel-bottomBorder,
      var(--vscode-contrastBorder, transparent)
    );
    border-radius: 3px;
    background: var(--vscode-keybindingLabel-background);
    color: var(--vscode-keybindingLabel-foreground);
    font: inherit;
    font-size: 11px;
    text-align: center;
  }
`;
