import type { Checked } from "../model/diagnostic.ts";
import { CliError } from "./terminal.ts";

/** The value, or the end of the command with what was wrong: the last finding says why there is no value. */
export function need<T>({ value, diagnostics }: Checked<T>): T {
  if (value !== undefined) return value;
  const last = diagnostics.at(-1);
  throw new CliError(last?.message ?? "It cannot be read.", last?.next);
}
