import { EXIT } from "./terminal.ts";

/** What stands under the options of every command: an example, and what its exit codes mean. */
export function helpText(...examples: readonly string[]): string {
  return helpTextWithCodes("fine", "findings", ...examples);
}

/** The same under a command whose exit codes 0 and 1 mean something else. */
export function helpTextWithCodes(fine: string, findings: string, ...examples: readonly string[]): string {
  const title = examples.length === 1 ? "Example:" : "Examples:";
  return [
    "",
    title,
    ...examples.map((example) => `  $ ${example}`),
    "",
    `Exit codes: ${EXIT.fine} ${fine}, ${EXIT.findings} ${findings}, ${EXIT.failed} usage or I/O`,
  ].join("\n");
}

/** Of a key there is only one way in: other users of a machine see command lines, and a shell keeps them. */
const KEYS = [
  "",
  "Keys come from environment variables, each for one server. No option takes one:",
  "  OPENAI_API_KEY          https://api.openai.com",
  "  HASP_KEY_<HOST>_<PORT>  another server, e.g. HASP_KEY_LLM_EXAMPLE_ORG_443",
  "  SERPAPI_API_KEY         SerpAPI",
].join("\n");

/** The same under a command that asks models or search engines: which variables hold the keys, too. */
export function helpTextWithKeys(...examples: readonly string[]): string {
  return `${KEYS}\n${helpText(...examples)}`;
}
