import { css } from "lit";

/** The cards of Program Functions. */
export const programStyles = css`
  .programs,
  .interventions {
    margin-top: 8px;
    padding: 6px 0;
    border-top: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
  }
  .interventions {
    border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
    padding-bottom: 4px;
  }
  .programs > h2,
  .interventions > h2 {
    font-weight: normal;
    color: var(--vscode-descriptionForeground);
  }
  .verdict {
    min-height: 24px;
    padding: 2px 0;
  }
  .note {
    margin: 4px 0;
    padding: 4px 10px;
    background: var(--vscode-textBlockQuote-background);
    border: 1px solid var(--vscode-contrastBorder, transparent);
  }
  .pf {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr) max-content;
    gap: 0 12px;
    padding: 3px 8px;
    margin: 0 -8px;
    border-bottom: 1px solid transparent;
  }
  .pf:hover {
    background: var(--vscode-list-hoverBackground);
  }
  .pf-status {
    white-space: nowrap;
  }
  .pf-skill {
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .pf-name {
    font-family: var(--vscode-editor-font-family, monospace);
    font-size: 0.92em;
    line-height: 19px;
  }
  .card-of {
    margin-left: 8px;
    font-size: 0.92em;
  }
  /* The reason has the whole width below, until it fits beside the rest with 420 px at the least. */
  .pf-body {
    grid-column: 1 / -1;
    grid-row: 2;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  @container step (min-width: 880px) {
    .pf {
      grid-template-columns: 100px minmax(140px, 220px) minmax(420px, 1fr) max-content;
    }
    .pf-body {
      grid-column: auto;
      grid-row: auto;
    }
    .pf-name,
    .card-of {
      display: block;
      margin: 0;
      overflow: hidden;
      text-overflow: ellipsis;
    }
  }
  .pf .source {
    align-self: start;
    font-family: var(--vscode-editor-font-family, monospace);
    font-size: 0.92em;
    line-height: 19px;
    white-space: nowrap;
  }
  .pf-links {
    display: flex;
    gap: 12px;
    align-items: start;
    white-space: nowrap;
  }
  .sentence,
  .card-more > summary {
    color: var(--vscode-descriptionForeground);
  }
  .card-more > summary {
    width: fit-content;
  }
  .card-more > :not(summary) {
    margin-left: 18px;
  }
  .expression {
    font-family: var(--vscode-editor-font-family, monospace);
    font-size: 0.92em;
    color: var(--vscode-debugTokenExpression-name, inherit);
  }
  .truth {
    display: inline-block;
    min-width: 4.5em;
    font-size: 0.92em;
    color: var(--vscode-descriptionForeground);
    white-space: nowrap;
  }
  .inline-value {
    margin: 0 4px;
    padding: 0 4px;
    border: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
    border-radius: 3px;
    box-decoration-break: clone;
    color: var(--vscode-debugTokenExpression-value, inherit);
  }
  .token-string {
    color: var(--vscode-debugTokenExpression-string, inherit);
  }
  .token-number {
    color: var(--vscode-debugTokenExpression-number, inherit);
  }
  .token-boolean {
    color: var(--vscode-debugTokenExpression-boolean, inherit);
  }
  .change {
    padding: 2px 0;
  }
  .change .arrow {
    margin: 0 6px;
    color: var(--vscode-descriptionForeground);
  }
  .change .action.removed,
  .change .action.added {
    margin-left: 0;
  }
  .set-apart {
    margin: 3px 0;
  }
  .programs .failure,
  .more-body .failure {
    margin: 4px 0;
  }
  .skipped {
    padding-top: 4px;
  }
  /* An answer that comes at once leaves no flicker. */
  .pending {
    animation: appear 0.1s 0.2s both;
  }
  @keyframes appear {
    from {
      opacity: 0;
    }
  }
  .teacher summary {
    color: var(--vscode-descriptionForeground);
  }
`;
