import { EXIT } from "./terminal.ts";

/** What `--help` prints under the options. */
export interface Help {
  readonly examples: readonly string[];
  /** The meanings of the exit codes 0 and 1, where they are not "fine" and "findings". */
  readonly codes?: readonly [fine: string, findings: string];
  /** A section before the examples. */
  readonly section?: readonly string[];
}

/** The text under the options of a command: its section, its examples, and the meanings of its exit codes. */
export function helpOf({ examples, codes = ["fine", "findings"], section = [] }: Help): string {
  return [
    ...(section.length === 0 ? [] : ["", ...section]),
    "",
    examples.length === 1 ? "Example:" : "Examples:",
    ...examples.map((example) => `  $ ${example}`),
    "",
    `Exit codes: ${EXIT.fine} ${codes[0]}, ${EXIT.findings} ${codes[1]}, ${EXIT.failed} usage or I/O`,
  ].join("\n");
}

export const helpText = (...examples: readonly string[]): string => helpOf({ examples });

/** For commands that ask models or search engines. Keys have no option: others see command lines, and a shell keeps them. */
export const KEYS: readonly string[] = [
  "Keys come from environment variables, each for one server. No option takes one:",
  "  OPENAI_API_KEY          https://api.openai.com",
  "  HASP_KEY_<HOST>_<PORT>  another server, e.g. HASP_KEY_LLM_EXAMPLE_ORG_443",
  "  SERPAPI_API_KEY         SerpAPI",
  "A server of this machine needs none, as in http://127.0.0.1:11434/v1#qwen3:8b (Ollama's port;",
  "LM Studio has 1234, llama.cpp 8080, vLLM 8000). Its /v1/models names its models.",
];
