import { css } from "lit";

/** What every part of the view shares: text, tones, icons, links and buttons. Colours come from the theme alone. */
export const baseStyles = css`
  :host {
    font-family: var(--vscode-font-family);
    font-size: var(--vscode-font-size, 13px);
    line-height: 1.45;
    color: var(--vscode-foreground);
  }
  * {
    box-sizing: border-box;
  }
  p,
  h1,
  h2,
  h3,
  ul,
  dl,
  dd {
    margin: 0;
    padding: 0;
  }
  ul {
    list-style: none;
  }
  h1,
  h2,
  h3 {
    font-size: inherit;
    font-weight: 600;
  }
  .icon {
    display: inline-block;
    font: normal 14px/1 codicon;
    width: 14px;
    height: 14px;
    vertical-align: -2px;
    text-align: center;
  }
  /* The font draws its triangles at half the size of its other signs. */
  .icon[data-icon="triangle-up"] {
    transform: scale(1.5);
  }
  .code {
    font-family: var(--vscode-editor-font-family, monospace);
    font-size: 0.92em;
  }
  .quiet {
    color: var(--vscode-descriptionForeground);
    font-weight: normal;
  }
  .good {
    color: var(--vscode-testing-iconPassed);
  }
  .bad {
    color: var(--vscode-errorForeground);
  }
  .warn {
    color: var(--vscode-editorWarning-foreground);
  }
  .changed {
    color: var(--vscode-gitDecoration-modifiedResourceForeground);
  }
  .injected {
    color: var(--vscode-textLink-foreground);
  }
  button {
    font: inherit;
    color: inherit;
  }
  .link {
    border: none;
    padding: 0;
    background: none;
    color: var(--vscode-textLink-foreground);
    cursor: pointer;
  }
  .link:hover {
    color: var(--vscode-textLink-activeForeground);
    text-decoration: underline;
  }
  .icon-button,
  .plain-button {
    border: 1px solid transparent;
    border-radius: 5px;
    background: none;
    color: var(--vscode-icon-foreground, inherit);
    cursor: pointer;
    height: 22px;
    padding: 0 3px;
    line-height: 1;
  }
  .icon-button {
    width: 22px;
  }
  .icon-button .icon,
  .plain-button .icon {
    font-size: 16px;
    width: 16px;
    height: 16px;
    vertical-align: -3px;
    margin-left: -1px;
  }
  .icon-button:hover:enabled,
  .plain-button:hover:enabled {
    background: var(--vscode-toolbar-hoverBackground);
    outline: 1px dashed var(--vscode-contrastActiveBorder, transparent);
    outline-offset: -1px;
  }
  .icon-button:disabled {
    opacity: 0.4;
    cursor: default;
  }
  :focus-visible {
    outline: 1px solid var(--vscode-focusBorder) !important;
    outline-offset: -1px;
  }
  summary {
    cursor: pointer;
    list-style: none;
  }
  /* The chevrons of VS Code's own trees. */
  summary::before {
    content: "\\eab6";
    display: inline-block;
    width: 16px;
    margin-right: 2px;
    font: normal 16px/1 codicon;
    vertical-align: -3px;
  }
  details[open] > summary::before {
    content: "\\eab4";
  }
  .for-readers {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .diverged {
    background-image: repeating-linear-gradient(
      135deg,
      transparent 0 3px,
      var(--vscode-disabledForeground, var(--vscode-descriptionForeground)) 3px 4px
    );
  }
  ::selection {
    background: var(--vscode-editor-selectionBackground);
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      transition: none !important;
      animation: none !important;
    }
  }
`;
