/** Lines of a failed command that its record keeps. */
const KEPT = 20;
/** Characters of each. */
const LONGEST = 500;
/** Characters of an unfinished line that are held: more cannot be shown. */
const HELD = 10_000;

/** The end of an output that arrives in pieces. */
export interface LastLines {
  add(text: string): void;
  /** The last lines that are not empty, at most 20, each of at most 500 characters. */
  list(): readonly string[];
}

export function lastLines(): LastLines {
  let lines: string[] = [];
  let open = "";
  const clean = (line: string): string => line.slice(line.lastIndexOf("\r") + 1).trimEnd();
  const kept = (more: readonly string[]): string[] =>
    [...lines, ...more.map(clean).filter((line) => line.trim() !== "")].slice(-KEPT);
  return {
    add(text) {
      const parts = (open + text.replaceAll("\r\n", "\n")).split("\n");
      open = (parts.pop() ?? "").slice(-HELD);
      lines = kept(parts.slice(-KEPT * 5));
    },
    list: () => kept([open]).map((line) => line.slice(0, LONGEST)),
  };
}
