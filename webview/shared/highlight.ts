import { css } from "lit";

/** Hits of the find bar. Each shadow root that shows texts of the episode needs them; themes of high contrast have lines for colours. */
export const highlightStyles = css`
  ::highlight(hasp-find) {
    background-color: var(--vscode-editor-findMatchHighlightBackground, transparent);
    text-decoration: underline 1px var(--vscode-editor-findMatchHighlightBorder, transparent);
  }
  ::highlight(hasp-find-current) {
    background-color: var(--vscode-editor-findMatchBackground, transparent);
    text-decoration: underline 3px var(--vscode-editor-findMatchBorder, transparent);
  }
`;
