import { css } from "lit";

/** The signals of a step: a line for each family and slot, with bars on one zero line. */
export const signalStyles = css`
  .signal {
    display: grid;
    grid-template-columns: 148px 112px 40px 56px minmax(0, 1fr);
    gap: 0 10px;
  }
  .signals > li + li {
    margin-top: 6px;
  }
  .signal-name {
    white-space: nowrap;
  }
  .family .signal-name {
    font-weight: 600;
  }
  .slot .signal-name {
    padding-left: 14px;
    font-family: var(--vscode-editor-font-family, monospace);
    font-size: 0.92em;
    line-height: 19px;
  }
  .slot.idle,
  .signal .reason {
    color: var(--vscode-descriptionForeground);
  }
  .signal .reason {
    overflow-wrap: anywhere;
  }
  .details .number {
    font-variant-numeric: tabular-nums;
  }
  .signal .number {
    text-align: right;
    white-space: nowrap;
  }
  .signal-bar {
    --zero: 33.3%;
    position: relative;
    min-height: 19px;
    max-height: 19px;
  }
  /* Zero, a third of the way: penalties are small. The lines of all rows make one. */
  .signal-bar::after {
    content: "";
    position: absolute;
    inset: 0 auto 0 var(--zero);
    border-left: 1px solid var(--vscode-descriptionForeground);
  }
  .fill {
    position: absolute;
    top: 6px;
    height: 7px;
    left: var(--zero);
    width: calc(var(--length) * (100% - var(--zero)));
    min-width: 2px;
    border: 1px solid var(--vscode-progressBar-background, var(--vscode-textLink-foreground));
    background: var(--vscode-progressBar-background, var(--vscode-textLink-foreground));
  }
  .family .fill {
    top: 4px;
    height: 11px;
  }
  .fill.penalty {
    left: auto;
    right: calc(100% - var(--zero));
    max-width: var(--zero);
    border-color: var(--vscode-errorForeground);
    background: repeating-linear-gradient(135deg, var(--vscode-errorForeground) 0 1px, transparent 1px 4px);
  }
  .signal-sum {
    margin-top: 8px;
  }
  .signal-sum + .signal-sum,
  .signal-sum + p + .signal-sum {
    margin-top: 2px;
  }
  @container step (max-width: 640px) {
    .signal {
      grid-template-columns: 134px 84px 34px 56px minmax(0, 1fr);
      gap: 0 8px;
    }
  }
  @container step (max-width: 520px) {
    .signal {
      grid-template-columns: 136px minmax(48px, 112px) 34px 56px;
    }
    .signal .reason {
      grid-column: 1 / -1;
      padding-left: 14px;
    }
  }
`;
