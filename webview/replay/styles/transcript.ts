import { css } from "lit";

/** All steps of an episode below each other. */
export const transcriptStyles = css`
  :host {
    display: flex;
    flex: 1;
    min-height: 0;
  }
  .scroller {
    flex: 1;
    min-width: 0;
    overflow-y: auto;
    padding-bottom: 16px;
  }
  .entry {
    display: grid;
    grid-template-columns: 44px minmax(0, 1fr);
    gap: 0 12px;
    padding: 8px 16px 8px 9px;
    border-left: 3px solid transparent;
    border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
  }
  .entry.current {
    border-left-color: var(--vscode-panelTitle-activeBorder, var(--vscode-focusBorder));
    background: var(--vscode-list-inactiveSelectionBackground);
    outline: 1px solid var(--vscode-contrastActiveBorder, transparent);
    outline-offset: -1px;
  }
  .current .line-name,
  .current .quiet {
    color: var(--vscode-list-inactiveSelectionForeground, var(--vscode-foreground));
  }
  .number {
    align-self: start;
    justify-self: end;
    font-weight: 600;
    font-variant-numeric: tabular-nums;
  }
  .entry-lines {
    display: grid;
    gap: 3px;
    max-width: 1120px;
    min-width: 0;
  }
  .line {
    display: grid;
    grid-template-columns: 100px minmax(0, 1fr);
    gap: 12px;
  }
  .line-name {
    color: var(--vscode-descriptionForeground);
    overflow-wrap: anywhere;
  }
  .line-name .action-type {
    margin: 0;
    color: var(--vscode-foreground);
  }
  .line-name .action-type.bad {
    color: var(--vscode-errorForeground);
  }
  .line-body {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .action-line .role {
    margin-left: 8px;
  }
  .injected-line hasp-clamp {
    border-left: 3px solid var(--vscode-textLink-foreground);
    background: var(--vscode-textBlockQuote-background);
    padding: 2px 10px;
  }
  .note-labels {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 14px;
  }
  .note-labels li {
    overflow-wrap: anywhere;
  }
  @media (max-width: 899.9px) {
    .entry {
      grid-template-columns: 32px minmax(0, 1fr);
      gap: 0 8px;
    }
    .line {
      grid-template-columns: 96px minmax(0, 1fr);
      gap: 8px;
    }
  }
`;
