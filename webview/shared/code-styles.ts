import { css } from "lit";

/**
 * Programs. Each shadow root that shows them needs these rules. A theme tells a page no colours of its syntax: those of its debugger's
 * values and of its symbols are the nearest, and themes of high contrast have few.
 */
export const codeStyles = css`
  .code-keyword {
    color: var(--vscode-debugTokenExpression-name, inherit);
  }
  .code-constant {
    color: var(--vscode-debugTokenExpression-boolean, inherit);
  }
  .code-string {
    color: var(--vscode-debugTokenExpression-string, inherit);
  }
  .code-number {
    color: var(--vscode-debugTokenExpression-number, inherit);
  }
  .code-comment {
    color: var(--vscode-descriptionForeground, inherit);
    font-style: italic;
  }
  .code-name {
    color: var(--vscode-symbolIcon-functionForeground, inherit);
    font-weight: 600;
  }
  /* What an answer hides from a reader. */
  .unseen {
    unicode-bidi: isolate;
  }
  .unseen:not([data-name=""])::before {
    content: attr(data-name);
    margin: 0 1px;
    padding: 0 3px;
    border: 1px solid var(--vscode-editorWarning-foreground);
    border-radius: 3px;
    font-size: 0.85em;
    color: var(--vscode-editorWarning-foreground);
  }
  .unseen-source {
    /* Not hidden: a selection leaves out what is. */
    font-size: 0;
  }
  .program hasp-code {
    display: grid;
    grid-template-columns: max-content max-content;
    /* The width of its lines, not of its place: what is wider is known to the pixel. */
    width: max-content;
    tab-size: 4;
    white-space: pre;
    overflow-wrap: normal;
  }
  .program.closed hasp-code {
    max-height: calc(var(--lines) * 1lh);
    overflow: visible clip;
  }
  .line-numbers {
    position: sticky;
    left: 0;
    padding-right: 1.2em;
    text-align: right;
    color: var(--vscode-descriptionForeground);
    background: var(--vscode-editor-background);
  }
  .line-numbers::before {
    content: attr(data-numbers) / "";
  }
  .fenced {
    display: block;
    margin: 2px 0;
    padding: 2px 8px;
    font-family: var(--vscode-editor-font-family, monospace);
    font-size: 0.92em;
    font-weight: normal;
    tab-size: 4;
    background: var(--vscode-editor-background);
    border: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
  }
`;
