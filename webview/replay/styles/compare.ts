import { css } from "lit";

/** Two episodes or two runs side by side. */
export const compareStyles = css`
  .compare {
    display: flex;
    flex-direction: column;
    flex: 1;
    min-height: 0;
  }
  .compare-bar {
    display: flex;
    justify-content: space-between;
    align-items: center;
    padding: 8px 16px;
    border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
  }
  .compare-body {
    display: grid;
    gap: 10px;
    align-content: start;
    justify-items: start;
    flex: 1;
    min-height: 0;
    overflow: auto;
    padding: 10px 16px 24px;
  }
  .choices {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
  .choice {
    display: flex;
    gap: 10px;
    padding: 3px 10px;
    border: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
    border-radius: 3px;
    background: none;
    cursor: pointer;
  }
  .choice:hover {
    background: var(--vscode-list-hoverBackground);
  }
  .choice[aria-pressed="true"] {
    border-color: var(--vscode-focusBorder);
    background: var(--vscode-list-inactiveSelectionBackground);
    color: var(--vscode-list-inactiveSelectionForeground, inherit);
  }
  .choice[aria-pressed="true"] .quiet {
    color: inherit;
  }
  table {
    border-collapse: collapse;
  }
  th {
    font-weight: normal;
    text-align: left;
  }
  .figures-table th[scope="row"] {
    color: var(--vscode-descriptionForeground);
  }
  .figures-table td,
  .figures-table th {
    padding: 1px 24px 1px 0;
    vertical-align: top;
    overflow-wrap: anywhere;
  }
  .figures-table thead th,
  .aligned thead th {
    font-weight: 600;
  }
  .numbers td {
    text-align: right;
    font-variant-numeric: tabular-nums;
  }
  /* What is in sight of thousands of rows is drawn, so they scroll by themselves, in what the figures leave of the height. */
  .compare-body:has(.pairs) {
    display: flex;
    flex-direction: column;
    align-items: start;
  }
  .pairs {
    display: flex;
    flex-direction: column;
    flex: 1 0 300px;
    min-height: 300px;
    width: 100%;
  }
  .pair-head {
    overflow-y: hidden;
    scrollbar-gutter: stable;
  }
  .pair-rows {
    flex: 1 1 0;
    min-height: 0;
    scrollbar-gutter: stable;
  }
  .pair {
    display: grid;
    grid-template-columns: 130px minmax(0, 1fr) 20% 20%;
    column-gap: 12px;
    width: 100%;
    padding: 5px 0;
    border-top: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
    overflow-wrap: anywhere;
  }
  .pair.head {
    font-weight: 600;
  }
  .aligned {
    width: 100%;
    table-layout: fixed;
  }
  .aligned th:first-child {
    width: 112px;
  }
  .aligned td,
  .aligned th {
    padding: 5px 12px 5px 0;
    border-top: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
    vertical-align: top;
    overflow-wrap: anywhere;
  }
  .aligned .parting td {
    border-top: 2px solid var(--vscode-gitDecoration-modifiedResourceForeground);
    font-weight: 600;
  }
  .verdict-cell {
    white-space: nowrap;
  }
  .verdict-filter {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
    font-variant-numeric: tabular-nums;
  }
`;
