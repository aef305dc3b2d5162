import { css } from "lit";

/** Over the top right corner of the episode, as VS Code's own find widget is over its editor. */
export const findStyles = css`
  .main {
    position: relative;
  }
  .find-bar {
    position: absolute;
    top: 0;
    right: 16px;
    z-index: 2;
    display: flex;
    align-items: center;
    gap: 4px;
    max-width: calc(100% - 32px);
    padding: 4px 6px;
    border: 1px solid var(--vscode-editorWidget-border, var(--vscode-contrastBorder, transparent));
    border-top: none;
    border-radius: 0 0 4px 4px;
    background: var(--vscode-editorWidget-background);
    color: var(--vscode-editorWidget-foreground);
    box-shadow: 0 2px 8px var(--vscode-widget-shadow, transparent);
  }
  .find-field {
    display: flex;
    align-items: center;
    flex: 0 1 240px;
    min-width: 100px;
    height: 26px;
    border: 1px solid var(--vscode-input-border, var(--vscode-contrastBorder, transparent));
    border-radius: 2px;
    background: var(--vscode-input-background, var(--vscode-settings-textInputBackground));
    color: var(--vscode-input-foreground, inherit);
  }
  .find-field:focus-within {
    border-color: var(--vscode-focusBorder);
  }
  .find-field.nothing-found {
    border-color: var(--vscode-inputValidation-errorBorder, var(--vscode-errorForeground));
  }
  .find-field input {
    flex: 1;
    min-width: 0;
    padding: 2px 6px;
    border: none;
    background: none;
    color: inherit;
    font: inherit;
  }
  .find-field input:focus-visible {
    outline: none !important;
  }
  .find-field input::placeholder {
    color: var(--vscode-input-placeholderForeground);
  }
  .find-field .icon-button[aria-pressed="true"] {
    border-color: var(--vscode-inputOption-activeBorder, var(--vscode-focusBorder));
    background: var(--vscode-inputOption-activeBackground, transparent);
    color: var(--vscode-inputOption-activeForeground, inherit);
  }
  .find-count {
    min-width: 15ch;
    padding-left: 4px;
    white-space: nowrap;
    font-variant-numeric: tabular-nums;
  }
`;
