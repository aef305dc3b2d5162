import type { Diagnostic } from "../model/diagnostic.ts";
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
  const plural = (n: number, word: string): string => `${n} ${word}${n === 1 ? "" : "s"}`;
  return `${plural(count("error"), "error")}, ${plural(count("warning"), "warning")}`;
}
