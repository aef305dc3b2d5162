import { css } from "lit";

/** The rows of a step, its folded parts and the tree of its context. */
export const stepStyles = css`
  .step-bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 2px;
    padding: 6px 16px 4px 12px;
  }
  .step-count {
    margin-left: 8px;
    font-weight: 600;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .source-toggle {
    white-space: nowrap;
  }
  .speed {
    min-width: 32px;
    font-variant-numeric: tabular-nums;
  }
  .play-bar {
    height: 2px;
    margin-bottom: -2px;
    background: var(--vscode-focusBorder);
    transform-origin: left;
    animation: play calc(2s / var(--speed)) linear both;
  }
  @keyframes play {
    from {
      transform: scaleX(0);
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .play-bar {
      display: none;
    }
  }
  .spacer {
    flex: 1;
  }
  .step {
    flex: 1;
    min-height: 0;
    overflow: auto;
    padding: 0 16px 24px;
    container: step / inline-size;
  }
  .step-inner {
    max-width: 1120px;
  }
  .row {
    display: grid;
    grid-template-columns: 112px minmax(0, 1fr);
    gap: 12px;
    padding: 3px 0;
  }
  .row h2 {
    font-weight: normal;
    color: var(--vscode-descriptionForeground);
  }
  .observation {
    padding-top: 10px;
  }
  .action {
    overflow-wrap: anywhere;
  }
  .action-type {
    margin-right: 6px;
    font-family: var(--vscode-editor-font-family, monospace);
    font-weight: 600;
  }
  .removed,
  .added {
    border-radius: 2px;
    outline: 1px dashed var(--vscode-diffEditor-removedTextBorder, transparent);
  }
  .removed {
    background: var(--vscode-diffEditor-removedTextBackground);
  }
  .added {
    background: var(--vscode-diffEditor-insertedTextBackground);
    outline: 1px solid var(--vscode-diffEditor-insertedTextBorder, transparent);
  }
  .action.removed,
  .action.added {
    padding: 1px 3px;
    margin-left: -3px;
    box-decoration-break: clone;
  }
  .icon + .action.added {
    margin-left: 0;
  }
  .modified-label {
    margin-left: 6px;
  }
  .verdicts {
    display: flex;
    flex-wrap: wrap;
    gap: 0 16px;
  }
  .judged[open] {
    flex-basis: 100%;
    overflow-wrap: anywhere;
  }
  .by-tests {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .tests {
    padding: 2px 0 4px 18px;
  }
  .failing-test {
    margin: 2px 0;
  }
  .test-values {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 2px 10px;
    margin: 2px 0 4px;
  }
  .test-values dt {
    color: var(--vscode-descriptionForeground);
  }
  .can-be-forged {
    margin-left: 8px;
    white-space: nowrap;
  }
  /* What failed stands beside the program where both have room. */
  .program-and-tests {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 4px 20px;
  }
  .program-and-tests > .verdicts {
    align-content: start;
  }
  .both-verdicts {
    margin-bottom: 4px;
  }
  .diff {
    display: grid;
    grid-template-columns: minmax(max-content, 1fr);
    overflow-x: auto;
    padding: 4px 0;
    background: var(--vscode-editor-background);
    border: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
    font-family: var(--vscode-editor-font-family, monospace);
    font-size: 0.92em;
    tab-size: 4;
  }
  .diff-line {
    display: block;
    padding-right: 8px;
    white-space: pre;
    text-decoration: none;
    border-radius: 0;
    unicode-bidi: isolate;
    direction: ltr;
  }
  .diff-line code {
    font: inherit;
  }
  /* The theme's colours of a change leave no room for others. */
  .diff-line:is(.added, .removed) :is([class^="code-"], .diff-number) {
    color: inherit;
  }
  .diff-line .diff-number {
    display: inline-block;
    min-width: 4ch;
    padding: 0 0.5em 0 8px;
    text-align: right;
    color: var(--vscode-descriptionForeground);
    user-select: none;
  }
  .diff-line code::before {
    display: inline-block;
    width: 2ch;
    content: " " / "";
  }
  .diff-line.removed code::before {
    content: "−" / "removed: ";
  }
  .diff-line.added code::before {
    content: "+" / "added: ";
  }
  .diff-gap {
    padding: 1px 8px 1px calc(4ch + 0.5em + 8px);
    color: var(--vscode-descriptionForeground);
    font-family: var(--vscode-font-family);
  }
  .raw {
    margin-top: 2px;
    padding: 4px 8px;
    background: var(--vscode-textCodeBlock-background);
    border: 1px solid var(--vscode-contrastBorder, transparent);
  }
  .raw.program-block {
    background: var(--vscode-editor-background);
    border: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
  }
  .injected-text,
  .set-apart {
    border-left: 3px solid var(--vscode-textLink-foreground);
    background: var(--vscode-textBlockQuote-background);
    padding: 4px 10px;
  }
  .injected-text {
    margin-top: 8px;
  }
  .injected-by {
    color: var(--vscode-descriptionForeground);
  }
  .details {
    margin-top: 10px;
  }
  .more {
    border-top: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
  }
  .more:last-child {
    border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
  }
  .more > summary {
    padding: 4px 0;
  }
  .more > summary:hover {
    background: var(--vscode-list-hoverBackground);
  }
  .more-body {
    padding: 2px 0 10px 16px;
  }
  .message,
  .of-proposal + .of-proposal {
    margin-top: 8px;
  }
  .message-role,
  .proposal-number,
  .earlier > summary {
    color: var(--vscode-descriptionForeground);
  }
  .message-role {
    font-family: var(--vscode-editor-font-family, monospace);
  }
  .message > hasp-clamp,
  .said {
    display: block;
    border-left: 3px solid var(--vscode-panel-border, var(--vscode-contrastBorder, currentColor));
    padding: 0 10px;
  }
  .earlier > .message {
    margin-left: 16px;
  }
  .text-row + .text-row {
    margin-top: 8px;
  }
  .name {
    font-family: var(--vscode-editor-font-family, monospace);
  }
  .tree .tree {
    padding-left: 18px;
  }
  .leaf,
  .tree summary {
    padding: 1px 0;
  }
  .tree .leaf {
    display: grid;
    grid-template-columns: minmax(180px, max-content) minmax(0, max-content) minmax(max-content, 1fr);
    gap: 10px;
    padding-left: 18px;
  }
  .tree summary .name {
    display: inline-block;
    min-width: 180px;
    margin-right: 10px;
  }
  .tree .tree .leaf {
    grid-template-columns: minmax(24px, max-content) minmax(0, 1fr);
  }
  .tree .tree summary .name {
    min-width: 24px;
  }
  .tree .value {
    overflow-wrap: anywhere;
    color: inherit;
  }
  .tree .name {
    color: var(--vscode-debugTokenExpression-name, inherit);
  }
  .tree summary .changed-mark {
    margin-left: 10px;
  }
  .changed-mark {
    font-family: var(--vscode-font-family);
    white-space: nowrap;
  }
  .changed-mark .icon {
    font-size: 10px;
    width: 10px;
    height: 10px;
    vertical-align: 0;
  }
  @container step (min-width: 900px) {
    .program-and-tests:has(> .verdicts) {
      grid-template-columns: minmax(0, 3fr) minmax(280px, 2fr);
    }
  }
  @container step (max-width: 640px) {
    .row {
      grid-template-columns: 84px minmax(0, 1fr);
      gap: 8px;
    }
  }
`;
