import { createInterface } from "node:readline/promises";
import { CliError, type Terminal } from "./terminal.ts";

/** Asks a person at a terminal; where there is none, only `--yes` says so. */
export async function confirm(
  { context: { streams } }: Pick<Terminal, "context">,
  question: string,
  yes: boolean | undefined,
): Promise<boolean> {
  if (yes === true) return true;
  if (streams.stdin.isTTY !== true)
    throw new CliError("Nobody is there to ask.", "Add --yes where that is what you want.");
  const asking = createInterface({ input: streams.stdin, output: streams.stderr });
  try {
    const said = await asking.question(`${question} [y/N] `);
    return /^y(?:es)?$/i.test(said.trim());
  } finally {
    asking.close();
  }
}
