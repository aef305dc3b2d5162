import { css } from "lit";

/** Notes, their form, and the one-line bars above an episode. */
export const noteStyles = css`
  .notes {
    display: grid;
    gap: 2px;
  }
  .note-line {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr) auto 22px;
    gap: 10px;
    align-items: start;
  }
  .note-line > .icon-button {
    grid-column: 4;
  }
  .note-line > .quiet {
    grid-column: 3;
  }
  .episode-header .notes {
    margin-top: 4px;
  }
  .note-form {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: 6px 10px;
    padding: 6px 16px;
    border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
    background: var(--vscode-editorWidget-background);
  }
  .note-form label {
    display: grid;
    gap: 2px;
  }
  .note-form .wide {
    flex: 1 1 200px;
  }
  .note-form input {
    width: 100%;
    padding: 3px 6px;
    border: 1px solid var(--vscode-settings-textInputBorder, var(--vscode-contrastBorder, transparent));
    border-radius: 2px;
    background: var(--vscode-settings-textInputBackground);
    color: var(--vscode-settings-textInputForeground);
    font: inherit;
  }
  .note-form input::placeholder {
    color: var(--vscode-input-placeholderForeground);
  }
  .text-button {
    padding: 3px 10px;
    border: 1px solid var(--vscode-button-border, transparent);
    border-radius: 2px;
    background: var(--vscode-button-background);
    color: var(--vscode-button-foreground);
    cursor: pointer;
  }
  /* Below the step: what it tells of stays where it is. */
  .step ~ .bar {
    border-top: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
    border-bottom: none;
  }
  .undo,
  .what-if {
    display: flex;
    align-items: center;
    gap: 8px;
  }
  .undo .icon-button,
  .what-if .icon-button {
    margin-left: auto;
  }
`;
