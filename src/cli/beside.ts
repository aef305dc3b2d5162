import { existsSync } from "node:fs";
import path from "node:path";
import { CliError } from "./terminal.ts";

/** Why a command stops that needs more of the build than the one file of the CLI. */
export function missingBeside(name: string): CliError {
  return new CliError(
    `${name} is missing beside hasp.cjs.`,
    "This command needs the whole dist folder of HASP Studio: copy it, or build again.",
  );
}

/** The path of a file of the build; throws where hasp.cjs was copied alone. */
export function besideCli(name: string): string {
  const file = path.join(__dirname, name);
  if (!existsSync(file)) throw missingBeside(name);
  return file;
}
