import { css } from "lit";

/** Columns, the drawer that replaces them under 900 px, bars, failures and empty states. */
export const layoutStyles = css`
  h1 .code {
    font-weight: normal;
  }
  :host {
    position: relative;
    overflow: hidden;
    background: var(--vscode-editor-background);
  }
  .app {
    display: flex;
    flex-direction: column;
    height: 100%;
  }
  .without-help {
    --hasp-help-hint: none;
  }
  .top-bar {
    display: flex;
    align-items: center;
    gap: 8px;
    height: 30px;
    padding: 0 8px 0 12px;
    border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
  }
  .run-title {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    color: var(--vscode-descriptionForeground);
  }
  .drawer-button {
    display: none;
  }
  .columns {
    position: relative;
    display: flex;
    flex: 1;
    min-height: 0;
  }
  .drawer {
    display: flex;
    flex-direction: column;
    flex: none;
    width: clamp(280px, 24vw, 400px);
    background: var(--vscode-sideBar-background);
    border-right: 1px solid var(--vscode-sideBar-border, var(--vscode-contrastBorder, transparent));
  }
  .drawer > hasp-episode-list {
    flex: 1;
  }
  .main {
    display: flex;
    flex-direction: column;
    flex: 1;
    min-width: 0;
    min-height: 0;
    container: main / inline-size;
  }
  .loading,
  .empty {
    padding: 16px 20px;
  }
  .loading {
    color: var(--vscode-descriptionForeground);
  }
  .empty {
    display: grid;
    gap: 8px;
    justify-items: start;
    max-width: 64ch;
  }
  .empty h1 {
    font-size: 1.2em;
  }
  .bar {
    padding: 4px 12px;
    border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
    background: var(--vscode-editorWidget-background);
  }
  .bar .icon {
    margin-right: 6px;
  }
  .diagnostics {
    max-height: 30vh;
    overflow: auto;
    padding: 4px 0;
  }
  .diagnostics li {
    display: grid;
    grid-template-columns: 16px 9ch minmax(0, 1fr) auto;
    gap: 6px;
    padding: 1px 0;
    overflow-wrap: anywhere;
  }
  .diagnostics .place {
    text-align: right;
    font-variant-numeric: tabular-nums;
    color: var(--vscode-descriptionForeground);
  }
  .failure {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-start;
    gap: 8px;
    margin: 8px 12px;
    padding: 8px 10px;
    border: 1px solid var(--vscode-inputValidation-errorBorder, var(--vscode-contrastBorder, transparent));
    background: var(--vscode-inputValidation-errorBackground);
    color: var(--vscode-inputValidation-errorForeground, inherit);
  }
  .failure > .icon {
    margin-top: 2px;
  }
  .failure-words {
    flex: 1 1 240px;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .failure .what {
    font-weight: 600;
  }
  .buttons {
    display: flex;
    gap: 6px;
  }
  @media (max-width: 899.9px) {
    .drawer-button {
      display: inline-flex;
      align-items: center;
      gap: 4px;
      padding: 0 6px 0 4px;
    }
    .drawer {
      display: none;
      position: absolute;
      inset: 0 auto 0 0;
      z-index: 2;
      width: min(360px, 90%);
      box-shadow: 4px 0 8px var(--vscode-widget-shadow, transparent);
    }
    .drawer.open {
      display: flex;
    }
  }
`;
