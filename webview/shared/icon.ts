import { html, type TemplateResult } from "lit";

/**
 * Glyphs of the codicon font. The font's own stylesheet cannot reach into a shadow root, so the code points stand here;
 * a test compares them with `@vscode/codicons`.
 */
export const GLYPHS = {
  add: "\uea60",
  "arrow-down": "\uea9a",
  "arrow-left": "\uea9b",
  "arrow-right": "\uea9c",
  "arrow-swap": "\uebcb",
  "arrow-up": "\ueaa1",
  bookmark: "\ueaa5",
  bug: "\ueaaf",
  "case-sensitive": "\ueab1",
  check: "\ueab2",
  checklist: "\ueab3",
  "chevron-down": "\ueab4",
  "chevron-left": "\ueab5",
  "chevron-right": "\ueab6",
  "circle-filled": "\uea71",
  "circle-large-outline": "\uebb5",
  "circle-slash": "\ueabd",
  close: "\uea76",
  code: "\ueac4",
  "compare-changes": "\ueafd",
  dash: "\ueacc",
  "debug-pause": "\uead1",
  "debug-stop": "\uead7",
  discard: "\ueae2",
  edit: "\uea73",
  ellipsis: "\uea7c",
  error: "\uea87",
  filter: "\ueaf1",
  flame: "\ueaf2",
  "git-branch": "\uec6f",
  history: "\uea82",
  info: "\uea74",
  keyboard: "\uea65",
  link: "\ueb15",
  "list-unordered": "\ueb17",
  pass: "\ueba4",
  "play-circle": "\ueba6",
  play: "\ueb2c",
  question: "\ueb32",
  robot: "\uec20",
  tag: "\uea66",
  trash: "\uea81",
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
