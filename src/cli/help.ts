import { EXIT } from "./terminal.ts";

/** What stands under the options of every command: an example, and what its exit codes mean. */
export function helpText(...examples: readonly string[]): string {
  const title = examples.length === 1 ? "Example:" : "Examples:";
  return [
    "",
    title,
    ...examples.map((example) => `  $ ${example}`),
    "",
    `Exit codes: ${EXIT.fine} fine, ${EXIT.findings} findings, ${EXIT.failed} usage or I/O`,
  ].join("\n");
}
