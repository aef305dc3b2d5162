import { html, type TemplateResult } from "lit";

/**
 * Glyphs of the codicon font. The font's own stylesheet cannot reach into a shadow root, so the code points stand here;
 * a test compares them with `@vscode/codicons`.
 */
export const GLYPHS = {
  "arrow-swap": "\uebcb",
  "chevron-left": "\ueab5",
  "chevron-right": "\ueab6",
  "circle-filled": "\uea71",
  "circle-large-outline": "\uebb5",
  "circle-slash": "\ueabd",
  close: "\uea76",
  dash: "\ueacc",
  "debug-stop": "\uead7",
  error: "\uea87",
  info: "\uea74",
  keyboard: "\uea65",
  "list-unordered": "\ueb17",
  pass: "\ueba4",
  question: "\ueb32",
  "triangle-left": "\ueb6f",
  "triangle-right": "\ueb70",
  "triangle-up": "\ueb71",
  warning: "\uea6c",
} as const;

export type IconName = keyof typeof GLYPHS;

/** An icon beside a word that says the same; hidden from screen readers for that reason. */
export function icon(name: IconName, tone = ""): TemplateResult {
  return html`<span class="icon ${tone}" data-icon=${name} aria-hidden="true">${GLYPHS[name]}</span>`;
}
