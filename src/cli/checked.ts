import type { Checked } from "../model/diagnostic.ts";
import { formatDiagnostic } from "./format-diagnostic.ts";
import { CliError } from "./terminal.ts";

/** The value, or the end of the command with what was wrong: the last finding says why there is no value. */
export function need<T>({ value, diagnostics }: Checked<T>): T {
  if (value !== undefined) return value;
  const last = diagnostics.at(-1);
  throw new CliError(last?.message ?? "It cannot be read.", last?.next);
}

/** As `need`, with every error and its place, for input that people wrote or that has lines: they look for it there. */
export function needPlaced<T>(given: Checked<T>): T {
  const errors = given.diagnostics.filter(({ severity }) => severity === "error");
  // An error of the command line itself has no place.
  if (given.value !== undefined || errors.some(({ file }) => file === undefined)) return need(given);
  throw new CliError(errors.map(formatDiagnostic).join("\n"));
}
