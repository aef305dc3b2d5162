import { css } from "lit";

/** The question above, the strip of steps below it. */
export const timelineStyles = css`
  .episode-header {
    padding: 8px 16px 6px;
  }
  .headline {
    display: flex;
    align-items: flex-start;
    gap: 24px;
  }
  .headline h1 {
    flex: 1;
    min-width: 0;
    font-size: 1.08em;
    overflow-wrap: anywhere;
    unicode-bidi: isolate;
  }
  .figures {
    display: flex;
    flex: none;
    gap: 14px;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .figures > :not(.outcome) {
    color: var(--vscode-descriptionForeground);
  }
  .samples {
    display: inline-flex;
    align-items: center;
    gap: 2px;
  }
  .answers {
    display: flex;
    flex-wrap: wrap;
    gap: 0 20px;
    margin-top: 2px;
  }
  /* A label stays with what it names. */
  .answers > div {
    display: flex;
    gap: 8px;
    min-width: 0;
  }
  .answers dt,
  .facts dt {
    color: var(--vscode-descriptionForeground);
  }
  .answers dd {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .patterns,
  .patterns ul {
    display: flex;
    flex-wrap: wrap;
    gap: 0 14px;
  }
  .patterns {
    gap: 0 8px;
    align-items: baseline;
    min-height: 22px;
    margin-top: 2px;
  }
  .first-bad {
    border-color: var(--vscode-button-border, var(--vscode-contrastBorder, transparent));
    background: var(--vscode-button-secondaryBackground);
    color: var(--vscode-button-secondaryForeground);
    white-space: nowrap;
    padding: 0 6px 0 4px;
  }
  .first-bad:hover:enabled {
    background: var(--vscode-button-secondaryHoverBackground);
  }
  .pattern {
    white-space: nowrap;
  }
  .new-skill {
    margin-left: 2px;
    vertical-align: middle;
  }
  .lineage {
    display: flex;
    flex-wrap: wrap;
    gap: 0 20px;
    margin-top: 2px;
  }
  .lineage > .lineage-links {
    flex-basis: 100%;
    padding-left: 18px;
  }
  .lineage-links li {
    overflow-wrap: anywhere;
  }
  .lineage-links .link {
    text-align: start;
  }
  .about {
    margin-top: 2px;
  }
  .about summary {
    width: fit-content;
    color: var(--vscode-descriptionForeground);
  }
  .facts {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 2px 14px;
    padding: 4px 0 4px 16px;
    max-height: 30vh;
    overflow: auto;
    overflow-wrap: anywhere;
  }
  .timeline {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-start;
    gap: 0 8px;
    position: relative;
    padding: 4px 164px 0 16px;
    border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
  }
  .row-names {
    flex: none;
    font-size: 0.92em;
  }
  .row-names span {
    display: block;
    height: 18px;
    line-height: 18px;
  }
  .row-names span:first-child {
    height: 22px;
    line-height: 22px;
  }
  .cells {
    display: flex;
    flex: 0 1 auto;
    min-width: 0;
    max-width: calc(100% - 90px);
    overflow-x: auto;
    scrollbar-width: thin;
  }
  .cell-group {
    display: flex;
    flex: none;
    content-visibility: auto;
    contain-intrinsic-height: auto 40px;
  }
  .cell {
    flex: none;
    width: 40px;
    padding: 0 0 3px;
    border: none;
    border-bottom: 2px solid transparent;
    background: none;
    color: var(--vscode-foreground);
    cursor: pointer;
  }
  .cell:hover {
    background: var(--vscode-list-hoverBackground);
    outline: 1px dashed var(--vscode-contrastActiveBorder, transparent);
    outline-offset: -1px;
  }
  .cell[aria-selected="true"] {
    background: var(--vscode-list-inactiveSelectionBackground);
    border-bottom-color: var(--vscode-panelTitle-activeBorder, var(--vscode-focusBorder));
    outline: 1px solid var(--vscode-contrastActiveBorder, transparent);
    outline-offset: -1px;
  }
  .letter {
    display: flex;
    align-items: center;
    justify-content: center;
    gap: 1px;
    height: 22px;
    font-family: var(--vscode-editor-font-family, monospace);
    font-weight: 600;
  }
  .letter .icon {
    font-size: 12px;
    width: 12px;
    height: 12px;
  }
  .timeline .failure {
    width: 100%;
    margin: 4px 0 8px;
  }
  .marks {
    display: flex;
    align-items: center;
    justify-content: center;
    height: 18px;
  }
  .marks .icon {
    font-size: 12px;
    width: 12px;
    height: 12px;
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 0 14px;
    flex: 1;
    justify-content: flex-end;
    line-height: 22px;
    font-size: 0.92em;
    color: var(--vscode-descriptionForeground);
  }
  .legend > span {
    white-space: nowrap;
  }
  .legend .icon {
    font-size: 12px;
    width: 12px;
    height: 12px;
    vertical-align: -1px;
  }
  .mode-switch {
    position: absolute;
    top: 4px;
    right: 16px;
    display: flex;
  }
  .mode-switch > button {
    height: 22px;
    padding: 0 10px;
    border: 1px solid
      var(
        --vscode-radio-inactiveBorder,
        var(--vscode-contrastBorder, var(--vscode-panel-border, transparent))
      );
    background: var(--vscode-radio-inactiveBackground, transparent);
    color: var(--vscode-radio-inactiveForeground, inherit);
    cursor: pointer;
  }
  .mode-switch > button:first-child {
    border-radius: 3px 0 0 3px;
    border-right-width: 0;
  }
  .mode-switch > button:last-child {
    border-radius: 0 3px 3px 0;
    border-left-width: 0;
  }
  .mode-switch > button:hover {
    background: var(--vscode-radio-inactiveHoverBackground, var(--vscode-toolbar-hoverBackground));
  }
  .mode-switch > button[aria-checked="true"] {
    border: 1px solid
      var(--vscode-contrastActiveBorder, var(--vscode-radio-activeBorder, var(--vscode-focusBorder)));
    background: var(--vscode-radio-activeBackground, var(--vscode-inputOption-activeBackground));
    color: var(--vscode-radio-activeForeground, var(--vscode-inputOption-activeForeground));
    font-weight: 600;
  }
  .swatch {
    display: inline-block;
    width: 16px;
    height: 10px;
    border: 1px solid var(--vscode-disabledForeground, var(--vscode-descriptionForeground));
    vertical-align: -1px;
  }
  @container main (max-width: 640px) {
    .headline {
      flex-direction: column;
      align-items: stretch;
      gap: 2px;
    }
    .legend {
      flex: none;
      width: 100%;
      justify-content: flex-start;
    }
  }
`;
