import { css } from "lit";

/** The list of runs beside the charts, or above them where the view is narrow. */
export const dashboardStyles = css`
  :host {
    position: relative;
    overflow: hidden;
  }
  main {
    height: 100%;
    box-sizing: border-box;
    overflow: auto;
  }
  .switch {
    display: inline-flex;
    border: 1px solid
      var(--vscode-radio-inactiveBorder, var(--vscode-settings-dropdownBorder, var(--vscode-contrastBorder)));
    border-radius: 3px;
  }
  .switch button {
    padding: 2px 9px;
    border: none;
    background: none;
    cursor: pointer;
  }
  .switch [aria-checked="true"] {
    background: var(--vscode-radio-activeBackground);
    color: var(--vscode-radio-activeForeground);
    outline: 1px solid var(--vscode-radio-activeBorder, transparent);
    outline-offset: -1px;
  }
  .check {
    display: inline-flex;
    align-items: center;
    gap: 5px;
    cursor: pointer;
  }
  input[type="checkbox"] {
    margin: 0;
    accent-color: var(--vscode-checkbox-selectBackground, var(--vscode-focusBorder));
  }
  .panes {
    display: grid;
    grid-template-columns: 236px minmax(0, 1fr);
    gap: 4px 20px;
    align-items: start;
    margin-top: 12px;
  }
  h2 {
    margin: 0 0 6px;
  }
  .runs {
    max-height: calc(100cqh - 90px);
    overflow: auto;
  }
  .runs label {
    display: grid;
    grid-template-columns: 15px 34px minmax(0, 1fr);
    gap: 0 6px;
    align-items: center;
    padding: 3px 2px;
    cursor: pointer;
  }
  .runs label:hover {
    background: var(--vscode-list-hoverBackground);
  }
  .runs .name,
  .runs .words {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .runs .words {
    grid-column: 3;
    font-size: 0.92em;
  }
  .swatch {
    display: block;
    width: 34px;
    height: 8px;
  }
  .readout {
    margin-bottom: 10px;
    overflow-x: auto;
  }
  table {
    border-collapse: collapse;
    width: 100%;
  }
  th {
    font-weight: normal;
    text-align: start;
  }
  th,
  td {
    padding: 2px 0 2px 12px;
    white-space: nowrap;
  }
  th:first-child {
    max-width: 190px;
    padding-left: 0;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  thead th {
    color: var(--vscode-descriptionForeground);
  }
  tbody :is(th, td) {
    border-top: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
  }
  th .swatch {
    display: inline-block;
    margin-right: 6px;
    vertical-align: 1px;
  }
  .troubles {
    display: grid;
    gap: 3px;
    margin: 0 0 10px;
  }
  .troubles li {
    display: grid;
    grid-template-columns: 20px minmax(0, 1fr);
    overflow-wrap: anywhere;
  }
  .troubles .icon {
    margin-top: 2px;
  }
  .empty {
    max-width: 64ch;
    margin-top: 14px;
  }
  .empty p {
    margin-bottom: 12px;
  }
  @container (max-width: 760px) {
    .panes {
      grid-template-columns: minmax(0, 1fr);
    }
    .runs {
      max-height: 150px;
    }
  }
`;

/** The charts, with the rules of uPlot that they need; its own stylesheet cannot reach into a shadow root. */
export const curvesStyles = css`
  :host {
    display: block;
    min-width: 0;
  }
  .charts {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 320px), 1fr));
    gap: 12px 18px;
  }
  figure {
    min-width: 0;
    margin: 0;
  }
  figcaption {
    width: fit-content;
    font-weight: 600;
    cursor: help;
  }
  .plot {
    height: 210px;
    overflow: hidden;
  }
  .uplot,
  .u-wrap {
    position: relative;
    user-select: none;
  }
  .u-over,
  .u-under,
  .u-axis {
    position: absolute;
  }
  .u-over {
    cursor: crosshair;
  }
  .u-under {
    overflow: hidden;
  }
  canvas {
    display: block;
    position: relative;
    width: 100%;
    height: 100%;
  }
  .u-select {
    position: absolute;
    /* A border would show where nothing is selected. */
    box-shadow: inset 0 0 0 1px var(--vscode-contrastActiveBorder, transparent);
    background: var(--vscode-editor-selectionBackground);
    opacity: 0.5;
    pointer-events: none;
  }
  .u-cursor-x,
  .u-cursor-y {
    position: absolute;
    left: 0;
    top: 0;
    pointer-events: none;
  }
  .u-cursor-x {
    height: 100%;
    border-right: 1px solid var(--vscode-descriptionForeground);
  }
  .u-off {
    display: none;
  }
`;
