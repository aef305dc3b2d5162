import { css } from "lit";

/** One column of readable width; bars beside their names, reasons below. Colours come from the theme alone. */
export const reviewStyles = css`
  main {
    max-width: 860px;
  }
  h2 {
    margin: 16px 0 6px;
  }
  .select {
    position: relative;
    display: inline-flex;
    align-items: center;
  }
  .select select {
    appearance: none;
    max-width: 100%;
    height: 24px;
    padding: 0 24px 0 6px;
    border: 1px solid var(--vscode-settings-dropdownBorder, var(--vscode-contrastBorder, transparent));
    border-radius: 2px;
    background: var(--vscode-settings-dropdownBackground, var(--vscode-dropdown-background));
    color: var(--vscode-settings-dropdownForeground, var(--vscode-dropdown-foreground));
    font: inherit;
  }
  .select .icon {
    position: absolute;
    right: 6px;
    pointer-events: none;
  }
  .decision {
    margin-top: 10px;
    font-size: 1.1em;
  }
  .decision .q {
    margin-left: 12px;
    font-variant-numeric: tabular-nums;
  }
  .badge {
    display: inline-block;
    margin-left: 8px;
    padding: 0 6px;
    border: 1px solid var(--vscode-editorWarning-foreground);
    border-radius: 3px;
    color: var(--vscode-foreground);
  }
  .scores li {
    display: grid;
    grid-template-columns: 88px minmax(24px, 240px) 32px 48px;
    gap: 0 8px;
    align-items: center;
    padding: 4px 0;
  }
  .scores .name {
    cursor: help;
  }
  .scores .why {
    grid-column: 1 / -1;
    padding: 2px 0 4px 96px;
  }
  @container (max-width: 480px) {
    .scores .why {
      padding-left: 0;
    }
  }
  .feedback {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .feedback .link {
    font-size: inherit;
    text-align: start;
    text-decoration: underline;
    overflow-wrap: anywhere;
  }
  .feedback .code {
    font-family: var(--vscode-editor-font-family, monospace);
    font-size: 0.92em;
  }
  .suggestions {
    display: grid;
    gap: 6px;
    padding-left: 18px;
    list-style: disc;
  }
  .evidence h2 .quiet {
    font-weight: normal;
    font-size: 0.9em;
  }
  .evidence h3 {
    margin: 8px 0 2px;
    font-size: 1em;
    font-weight: 600;
  }
  .evidence-lines {
    display: grid;
    gap: 2px;
  }
  .evidence-lines li {
    display: grid;
    grid-template-columns: 16px minmax(0, 1fr);
    gap: 6px;
    align-items: start;
    overflow-wrap: anywhere;
  }
  .edits {
    display: grid;
    gap: 8px;
    padding-left: 18px;
    list-style: disc;
  }
  .edit {
    margin: 4px 0 0;
    padding: 6px 8px;
    border: 1px solid var(--vscode-editorWidget-border, var(--vscode-contrastBorder, transparent));
    border-radius: 3px;
    font-family: var(--vscode-editor-font-family, monospace);
    font-size: 0.92em;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .edit .gone {
    color: var(--vscode-descriptionForeground);
  }
  .checks {
    display: grid;
    gap: 3px;
  }
  .notice h2 {
    margin-top: 10px;
  }
  .problems {
    padding: 4px 0 0 22px;
    list-style: disc;
  }
  .reply {
    margin: 6px 0 0;
    font-family: var(--vscode-editor-font-family, monospace);
    font-size: 0.92em;
    overflow-wrap: anywhere;
  }
  pre.reply {
    white-space: pre-wrap;
  }
`;
