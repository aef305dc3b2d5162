import { css, unsafeCSS } from "lit";
import { ROW_HEIGHT } from "./list.ts";

/** Pixels: a row with the line of its hit. */
export const FOUND_ROW_HEIGHT = ROW_HEIGHT + 20;

/** Of the list while the contents of episodes are searched. */
export const searchStyles = css`
  .row.found {
    height: ${unsafeCSS(FOUND_ROW_HEIGHT)}px;
  }
  .hit {
    grid-column: 1 / -1;
    display: flex;
    gap: 8px;
    height: 18px;
    font-size: 0.92em;
    line-height: 18px;
  }
  .excerpt {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .where,
  .more {
    color: var(--vscode-descriptionForeground);
  }
  .more {
    font-variant-numeric: tabular-nums;
  }
  .hit mark {
    background: none;
    color: var(--vscode-list-highlightForeground);
    font-weight: 600;
  }
  .row.selected .hit :is(.where, .more) {
    color: inherit;
  }
  .rows:focus .row.selected .hit mark {
    color: var(--vscode-list-focusHighlightForeground, inherit);
  }
  .found.progress {
    align-items: baseline;
  }
`;
