import { css, unsafeCSS } from "lit";

/** Pixels: two lines of text. */
export const ROW_HEIGHT = 44;

export const listStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    height: 100%;
    min-height: 0;
  }
  .title {
    display: flex;
    align-items: baseline;
    justify-content: space-between;
    padding: 8px 12px 4px;
  }
  .total {
    color: var(--vscode-descriptionForeground);
    font-variant-numeric: tabular-nums;
  }
  .filter {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 4px;
    padding: 0 12px 8px;
  }
  .words {
    display: flex;
    align-items: center;
    gap: 4px;
  }
  vscode-textfield {
    flex: 1;
    width: 0;
    min-width: 0;
  }
  .filter-button {
    position: relative;
    flex: none;
    width: 26px;
    height: 26px;
  }
  .filter-button[aria-expanded="true"] {
    background: var(--vscode-inputOption-activeBackground, var(--vscode-toolbar-hoverBackground));
    border-color: var(--vscode-inputOption-activeBorder, var(--vscode-contrastActiveBorder, transparent));
  }
  .badge {
    position: absolute;
    right: -2px;
    bottom: -2px;
    min-width: 14px;
    padding: 0 3px;
    border: 1px solid var(--vscode-contrastBorder, transparent);
    border-radius: 8px;
    background: var(--vscode-badge-background);
    color: var(--vscode-badge-foreground);
    font-size: 10px;
    line-height: 14px;
    text-align: center;
  }
  .pattern-skill {
    justify-self: start;
  }
  .filtered-out {
    display: flex;
    flex-wrap: wrap;
    gap: 0 8px;
    padding: 4px 12px;
    border-top: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
    color: var(--vscode-descriptionForeground);
  }
  .selects {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 4px;
  }
  .selects > * {
    min-width: 0;
  }
  .select {
    display: block;
    position: relative;
  }
  .select select {
    width: 100%;
    height: 26px;
    padding: 0 22px 0 4px;
    appearance: none;
    border: 1px solid var(--vscode-settings-dropdownBorder, var(--vscode-dropdown-border));
    border-radius: 4px;
    background: var(--vscode-settings-dropdownBackground, var(--vscode-dropdown-background));
    color: var(--vscode-settings-dropdownForeground, var(--vscode-dropdown-foreground));
    font: inherit;
    text-overflow: ellipsis;
  }
  .select select:focus-visible {
    outline: 1px solid var(--vscode-focusBorder);
    outline-offset: -1px;
  }
  .select .icon {
    position: absolute;
    top: 5px;
    right: 4px;
    pointer-events: none;
  }
  .wide {
    grid-column: 1 / -1;
  }
  .progress span {
    overflow-wrap: anywhere;
  }
  .chips {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
  }
  .chip {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    max-width: 100%;
    padding: 0 4px 0 8px;
    border: 1px solid var(--vscode-contrastBorder, var(--vscode-widget-border, var(--vscode-panel-border)));
    border-radius: 9px;
    background: var(--vscode-button-secondaryBackground);
    color: var(--vscode-button-secondaryForeground);
    overflow-wrap: anywhere;
    cursor: pointer;
  }
  .chip:hover {
    background: var(--vscode-button-secondaryHoverBackground);
  }
  .chip .icon {
    font-size: 12px;
    width: 12px;
    height: 12px;
  }
  .progress {
    display: flex;
    justify-content: space-between;
    gap: 8px;
    color: var(--vscode-descriptionForeground);
    font-variant-numeric: tabular-nums;
  }
  .rows {
    flex: 1;
    min-height: 0;
  }
  /* The selected row shows the focus. */
  .rows[aria-activedescendant]:focus-visible {
    outline: none !important;
  }
  .row {
    display: grid;
    grid-template-columns: 92px minmax(0, 1fr) minmax(0, max-content) auto;
    column-gap: 8px;
    align-items: center;
    width: 100%;
    height: ${unsafeCSS(ROW_HEIGHT)}px;
    padding: 3px 12px;
    cursor: pointer;
  }
  .row:hover {
    background: var(--vscode-list-hoverBackground);
    outline: 1px dashed var(--vscode-contrastActiveBorder, transparent);
    outline-offset: -1px;
  }
  /* A bar beside the colour: some themes have one colour for what is hovered and what is selected. */
  .row.selected {
    box-shadow: inset 3px 0 0 var(--vscode-focusBorder);
    background: var(--vscode-list-inactiveSelectionBackground);
    color: var(--vscode-list-inactiveSelectionForeground, inherit);
    outline: 1px dotted var(--vscode-contrastActiveBorder, transparent);
    outline-offset: -1px;
  }
  .rows:focus .row.selected {
    background: var(--vscode-list-activeSelectionBackground);
    color: var(--vscode-list-activeSelectionForeground);
    outline: 1px solid var(--vscode-contrastActiveBorder, var(--vscode-list-focusOutline, transparent));
  }
  .rows:focus .row.selected > * {
    color: inherit;
  }
  .headword {
    display: flex;
    gap: 8px;
    grid-column: 1 / -1;
    min-width: 0;
  }
  .number {
    flex: none;
    color: var(--vscode-descriptionForeground);
    font-variant-numeric: tabular-nums;
  }
  .row.selected .number,
  .row.selected .sample {
    color: inherit;
  }
  .sample {
    margin-right: 6px;
  }
  .question {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    unicode-bidi: isolate;
    text-align: left;
  }
  .outcome,
  .length {
    font-size: 0.92em;
  }
  .noted {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    font-size: 0.92em;
  }
  .length {
    min-width: 6ch;
    text-align: right;
    color: var(--vscode-descriptionForeground);
    font-variant-numeric: tabular-nums;
  }
  .row.selected > .length {
    color: inherit;
  }
  /* One bar a step; the last one stands taller, in the colour of the outcome. */
  .strip {
    position: relative;
    height: 10px;
    width: calc(var(--steps) * 5px);
    max-width: 100%;
    background: repeating-linear-gradient(
        to right,
        var(--vscode-descriptionForeground) 0 3px,
        transparent 3px 5px
      )
      left bottom / 100% 5px no-repeat;
  }
  .none {
    padding: 12px;
  }
  .rows:empty {
    display: none;
  }
`;
