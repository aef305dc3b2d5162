import process from "node:process";
import { createInterface } from "node:readline/promises";
import { CliError } from "./terminal.ts";

/** Asks a person at a terminal; where there is none, only `--yes` says so. */
export async function confirm(question: string, yes: boolean | undefined): Promise<boolean> {
  if (yes === true) return true;
  if (!process.stdin.isTTY)
    throw new CliError("Nobody is there to ask.", "Add --yes where that is what you want.");
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const said = await asking.question(`${question} [y/N] `);
    return /^y(?:es)?$/i.test(said.trim());
  } finally {
    asking.close();
  }
}
