import { css } from "lit";

/** Tables and bars in two columns where they fit. Colours come from the theme alone. */
export const trainingStyles = css`
  main {
    max-width: 1040px;
  }
  h2 {
    margin: 18px 0 6px;
  }
  h2.card {
    padding-top: 14px;
    border-top: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
    font-size: 1.1em;
  }
  .facts {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 12px;
    margin-top: 8px;
  }
  .badge {
    padding: 0 6px;
    border: 1px solid var(--vscode-editorWidget-border, var(--vscode-contrastBorder, transparent));
    border-radius: 3px;
    color: var(--vscode-foreground);
  }
  .notes {
    display: grid;
    gap: 2px;
    margin-top: 6px;
    color: var(--vscode-descriptionForeground);
  }
  .findings {
    display: grid;
    gap: 4px;
    margin-top: 10px;
  }
  .findings li {
    display: grid;
    grid-template-columns: 18px minmax(0, 1fr);
    overflow-wrap: anywhere;
  }
  .findings .icon {
    margin-top: 2px;
  }
  details {
    margin-top: 6px;
  }
  .columns {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr));
    gap: 0 40px;
    align-items: start;
  }
  .scroll {
    overflow-x: auto;
  }
  table {
    border-collapse: separate;
    border-spacing: 0;
    width: 100%;
  }
  th {
    font-weight: normal;
    text-align: start;
  }
  th,
  td {
    padding: 3px 10px 3px 0;
    vertical-align: top;
  }
  th:last-child,
  td:last-child {
    padding-right: 4px;
  }
  thead th {
    color: var(--vscode-descriptionForeground);
    white-space: nowrap;
  }
  .figures tbody :is(th, td) {
    border-top: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
  }
  .figures tbody tr:hover {
    background: var(--vscode-list-hoverBackground);
  }
  .figures tr.current th {
    font-weight: 600;
  }
  .figures tbody th {
    overflow-wrap: anywhere;
  }
  .number {
    white-space: nowrap;
  }
  .link {
    text-align: start;
    overflow-wrap: anywhere;
    font-weight: inherit;
  }
  .place .link {
    max-width: 108px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .files tbody th {
    white-space: nowrap;
  }
  /* The names stay in sight while the numbers scroll. */
  .skills th:first-child {
    position: sticky;
    left: 0;
    background: var(--vscode-editor-background);
    background-clip: padding-box;
  }
  .skills tbody th {
    min-width: 140px;
    max-width: 220px;
  }
  .sort {
    border: none;
    padding: 0;
    background: none;
    cursor: pointer;
    white-space: nowrap;
  }
  .sort:hover {
    color: var(--vscode-foreground);
    text-decoration: underline;
  }
  .sort .icon {
    width: 11px;
    font-size: 11px;
  }
  .icon.hidden {
    visibility: hidden;
  }
  .bars :is(th, td) {
    vertical-align: middle;
  }
  .bars th {
    width: 1%;
    white-space: nowrap;
  }
  .bars td.number {
    width: 1%;
  }
  .bars .name {
    cursor: help;
  }
  .bar {
    position: relative;
  }
  .signed .filled {
    position: absolute;
  }
  .signed::after {
    content: "";
    position: absolute;
    inset: 0 auto 0 50%;
    border-left: 1px solid var(--vscode-foreground);
  }
  .filled.negative {
    background: repeating-linear-gradient(135deg, var(--vscode-errorForeground) 0 3px, transparent 3px 5px);
  }
  .samples {
    display: grid;
    gap: 10px;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .samples li {
    padding-top: 8px;
    border-top: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
  }
  .row-head {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 12px;
    align-items: baseline;
  }
  .row-head .number {
    margin-left: auto;
  }
  dl {
    display: grid;
    grid-template-columns: 76px minmax(0, 1fr);
    gap: 4px 8px;
    margin-top: 4px;
  }
  dt {
    color: var(--vscode-descriptionForeground);
  }
  dd.text {
    font-family: var(--vscode-editor-font-family, monospace);
    font-size: 0.92em;
    overflow-wrap: anywhere;
  }
  @container (max-width: 640px) {
    .about {
      display: none;
    }
    .skills tbody th {
      max-width: 150px;
    }
  }
  @container (max-width: 480px) {
    dl {
      grid-template-columns: minmax(0, 1fr);
      gap: 0;
    }
    dt {
      margin-top: 4px;
    }
  }
  dl.totals {
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 4px 16px;
    margin-top: 12px;
    font-variant-numeric: tabular-nums;
  }
  .totals dt {
    margin-top: 0;
  }
  .by-file tbody td {
    white-space: nowrap;
  }
  .source {
    overflow-wrap: anywhere;
  }
  .findings .row-head {
    justify-content: flex-start;
  }
  .places,
  .branches {
    display: grid;
    gap: 4px;
    margin: 4px 0;
    overflow-wrap: anywhere;
  }
  .branches li {
    display: grid;
    grid-template-columns: 18px minmax(0, 1fr);
  }
  .findings .places li {
    display: block;
  }
  .kinds th:first-child {
    width: 40%;
  }
  .by-file th:first-child {
    min-width: 200px;
  }
  .command {
    overflow-wrap: anywhere;
    user-select: all;
  }
  .empty {
    margin-top: 10px;
    max-width: 64ch;
  }
  .notice .next {
    margin-top: 4px;
  }
`;
