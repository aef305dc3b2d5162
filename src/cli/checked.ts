import type { Checked } from "../model/diagnostic.ts";
import { formatPlace } from "./format-diagnostic.ts";
import { CliError } from "./terminal.ts";

/** The value, or the end of the command with what was wrong: the last finding says why there is no value. */
export function need<T>({ value, diagnostics }: Checked<T>): T {
  if (value !== undefined) return value;
  const last = diagnostics.at(-1);
  throw new CliError(last?.message ?? "It cannot be read.", last?.next);
}

/** As `need`, for a file that a person wrote or a command made: the message begins with the place in it. */
export function needAt<T>(checked: Checked<T>): T {
  const last = checked.diagnostics.at(-1);
  if (checked.value !== undefined || last === undefined) return need(checked);
  throw new CliError(`${formatPlace(last)}  ${last.code}  ${last.message}`, last.next);
}
