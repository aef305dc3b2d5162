import { css } from "lit";

/** What the harness decided: a line for each part, with its votes, skills and questions to the teacher. */
export const decisionStyles = css`
  .decision {
    display: grid;
    grid-template-columns: 150px minmax(0, 1fr);
    gap: 0 12px;
    padding: 4px 0;
  }
  .decision + .decision {
    border-top: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
  }
  .decision-part {
    color: var(--vscode-descriptionForeground);
  }
  .decision-part .by {
    display: block;
  }
  .decision-body {
    overflow-wrap: anywhere;
  }
  .decision-value {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 0 8px;
  }
  .skill-ids .code {
    margin-right: 6px;
  }
  .skill-line {
    display: grid;
    grid-template-columns: minmax(140px, 240px) minmax(0, 1fr);
    gap: 0 12px;
    padding: 1px 0;
  }
  .skill-line > .code {
    line-height: 19px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .left-out ul {
    padding-left: 18px;
  }
  .left-out > summary,
  .decision .teacher summary {
    color: var(--vscode-descriptionForeground);
  }
  .teacher > :not(summary) {
    padding-left: 18px;
  }
  .injected-text + .injected-text {
    margin-top: 4px;
  }
  .reminded .injected-text:first-child {
    margin-top: 0;
  }
  .setting {
    max-width: 24ch;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  @container step (max-width: 640px) {
    .decision,
    .skill-line {
      grid-template-columns: minmax(0, 1fr);
    }
    .decision-part .by {
      display: inline;
    }
    .skill-line > div,
    .skill-line > span {
      padding-left: 12px;
    }
  }
`;
