/**
 * A text as Markdown that shows it as it is, with its line breaks, and wraps at its blanks: VS Code's own escape makes these
 * unbreakable. Every sign is escaped, so that nothing becomes a link, an image, a heading or HTML.
 */
export function markdownText(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim().replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`))
    .join("  \n");
}
