import { counted } from "../model/counted.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Outcome } from "../model/episode.ts";
import { printableLine } from "../model/printable.ts";

/** `skills/x/pf.ts:12:5  error  HASP210  message` and, indented, what to do next. Line and column are 1-based. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { file, range, severity, code, message, next } = diagnostic;
  const place = `${file ?? "(no file)"}:${range.start.line + 1}:${range.start.character + 1}`;
  const hint = next === undefined ? "" : `\n    → ${printableLine(next)}`;
  // Names and ids within a message come from files.
  return `${printableLine(`${place}  ${severity}  ${code}  ${message}`)}${hint}`;
}

/** `3 errors, 1 warning`; hints and information are not counted. */
export function countDiagnostics(list: readonly Diagnostic[]): string {
  const count = (severity: string): number => list.filter((d) => d.severity === severity).length;
  return `${counted(count("error"), "error")}, ${counted(count("warning"), "warning")}`;
}

/** `12 episodes: 7 correct, 4 wrong, 1 halted`; those that nobody judged where there are any. */
export function countOutcomes(episodes: number, outcomes: Readonly<Record<Outcome, number>>): string {
  const { correct, wrong, halted, unjudged } = outcomes;
  const judged = `${correct} correct, ${wrong} wrong, ${halted} halted`;
  return `${episodes} episodes: ${judged}${unjudged > 0 ? `, ${unjudged} unjudged` : ""}`;
}
