import { counted } from "../model/counted.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Outcome } from "../model/episode.ts";
import { printableLine } from "../model/printable.ts";

/** `pf.ts:12:5`, 1-based. An option of the command line stands for itself, and what concerns no file has no place. */
function placeWords({ file, range }: Pick<Diagnostic, "file" | "range">): string | undefined {
  if (file === undefined || file.startsWith("--")) return file;
  return `${file}:${range.start.line + 1}:${range.start.character + 1}`;
}

/** `skills/x/pf.ts:12:5  error  HASP210  message` and, indented, what to do next. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { severity, code, message, next } = diagnostic;
  const place = placeWords(diagnostic);
  const hint = next === undefined ? "" : `\n    → ${printableLine(next)}`;
  // Names and ids within a message come from files.
  const told = [...(place === undefined ? [] : [place]), severity, code, message].join("  ");
  return `${printableLine(told)}${hint}`;
}

/** `3 errors, 1 warning`; hints and information are not counted. */
export function countDiagnostics(list: readonly Diagnostic[]): string {
  const count = (severity: string): number => list.filter((d) => d.severity === severity).length;
  return `${counted(count("error"), "error")}, ${counted(count("warning"), "warning")}`;
}

/** `12 episodes: 7 correct, 4 wrong, 1 halted`; those that nobody judged where there are any. */
export function countOutcomes(episodes: number, outcomes: Readonly<Record<Outcome, number>>): string {
  const { correct, wrong, halted, unjudged, abandoned } = outcomes;
  const judged = `${correct} correct, ${wrong} wrong, ${halted} halted`;
  return `${counted(episodes, "episode")}: ${judged}${unjudged > 0 ? `, ${unjudged} unjudged` : ""}${abandoned > 0 ? `, ${abandoned} abandoned` : ""}`;
}
