/** `--yes=<hash>` as `--yes-to <hash>`: an option takes no value in one command line and one in the next. What follows `--` is another's. */
export function yesToContent(words: readonly string[]): readonly string[] {
  const end = words.indexOf("--");
  const ours = end < 0 ? words : words.slice(0, end);
  return [
    ...ours.flatMap((word) => (word.startsWith("--yes=") ? ["--yes-to", word.slice("--yes=".length)] : word)),
    ...(end < 0 ? [] : words.slice(end)),
  ];
}
