import { css } from "lit";

/** A page that fills its tab: head with buttons, notices, figures, bars. Colours come from the theme alone. */
export const pageStyles = css`
  :host {
    overflow: auto;
    background: var(--vscode-editor-background);
    container-type: inline-size;
  }
  main {
    padding: 12px 20px 24px;
  }
  header {
    display: flex;
    flex-wrap: wrap;
    gap: 6px 12px;
    align-items: center;
  }
  h1 {
    font-size: 1.25em;
    overflow-wrap: anywhere;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
    align-items: center;
  }
  header .buttons {
    margin-left: auto;
  }
  .number {
    text-align: right;
    font-variant-numeric: tabular-nums;
  }
  .bar {
    height: 10px;
    border: 1px solid var(--vscode-contrastBorder, transparent);
    border-radius: 2px;
    background: var(--vscode-scrollbarSlider-background, var(--vscode-textBlockQuote-background));
    overflow: hidden;
  }
  .filled {
    height: 100%;
    background: var(--vscode-progressBar-background, var(--vscode-textLink-foreground));
  }
  .notice {
    margin: 12px 0;
    padding: 8px 12px 12px;
    border: 1px solid var(--vscode-editorWidget-border, var(--vscode-contrastBorder, transparent));
    border-radius: 4px;
    background: var(--vscode-editorWidget-background);
  }
  .notice .buttons {
    margin-top: 10px;
  }
`;
