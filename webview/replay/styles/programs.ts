import { css } from "lit";

/** The cards of Program Functions. */
export const programStyles = css`
  .programs {
    margin-top: 8px;
    padding-top: 6px;
    border-top: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
    border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
    padding-bottom: 8px;
  }
  .programs > h2 {
    font-weight: normal;
    color: var(--vscode-descriptionForeground);
  }
  .judgement {
    margin-top: 4px;
  }
  .judgement h3 .quiet {
    margin-left: 8px;
  }
  .judgement + .judgement {
    margin-top: 12px;
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
    grid-template-columns: 112px minmax(140px, 240px) minmax(0, 1fr) auto;
    gap: 0 12px;
    padding: 4px 8px;
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
    font-family: var(--vscode-editor-font-family, monospace);
    font-size: 0.92em;
    line-height: 19px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .pf-body {
    min-width: 0;
    overflow-wrap: anywhere;
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
  .operands {
    color: var(--vscode-descriptionForeground);
  }
  .operands {
    display: flex;
    flex-wrap: wrap;
    gap: 0 18px;
  }
  .operand .value {
    color: var(--vscode-descriptionForeground);
  }
  .deciding {
    color: var(--vscode-foreground);
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
  @media (max-width: 899.9px) {
    .pf {
      grid-template-columns: 100px minmax(0, 1fr) auto;
    }
    .pf-body {
      grid-column: 2 / -1;
      grid-row: 2;
    }
  }
`;
