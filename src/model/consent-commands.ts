/** Commands of `hasp` that keep a person's yes. No job, hook or setting may run one: a program would say yes in the person's place. */
export const CONSENT_COMMANDS = [
  ["hook", "trust"],
  ["links", "allow"],
  ["job", "target", "allow"],
  ["mcp", "trust"],
] as const;

/** The command of consent among arguments of `hasp`; undefined where they name none. */
export function consentIn(args: readonly string[]): string | undefined {
  const words = args.filter((word) => !word.startsWith("-"));
  const found = CONSENT_COMMANDS.find((command) =>
    words.some((_, start) => command.every((word, i) => words[start + i] === word)),
  );
  return found?.join(" ");
}

/** The same of a line for a shell, whose quotes and escapes do not hide it. */
export const consentInLine = (line: string): string | undefined =>
  consentIn(line.replaceAll(/["'\\]/g, "").split(/[^\w./-]+/));
