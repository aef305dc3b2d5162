import type { Checked } from "../model/diagnostic.ts";
import type { Usage } from "../model/usage.ts";
import type { Endpoint } from "./endpoint.ts";
import { OPENAI_ORIGIN } from "./keys.ts";

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

/**
 * OpenAI's list prices, standard tier, without discounts for cached input or batches. Only what is certain stands here;
 * a model that is missing has no known cost. SPEC §4 for gpt-4o.
 */
const OPENAI_PRICES: Readonly<Record<string, Price>> = {
  "gpt-4o": { input: 2.5, output: 10 },
  "gpt-4o-2024-11-20": { input: 2.5, output: 10 },
  "gpt-4o-2024-08-06": { input: 2.5, output: 10 },
  "gpt-4o-mini": { input: 0.15, output: 0.6 },
  "gpt-4o-mini-2024-07-18": { input: 0.15, output: 0.6 },
  "gpt-4.1": { input: 2, output: 8 },
  "gpt-4.1-2025-04-14": { input: 2, output: 8 },
  "gpt-4.1-mini": { input: 0.4, output: 1.6 },
  "gpt-4.1-mini-2025-04-14": { input: 0.4, output: 1.6 },
};

/** The list price, known only for OpenAI's own endpoint: elsewhere the same name may cost anything. */
export function listPrice(endpoint: Endpoint): Price | undefined {
  if (endpoint.origin !== OPENAI_ORIGIN) return undefined;
  return Object.hasOwn(OPENAI_PRICES, endpoint.model) ? OPENAI_PRICES[endpoint.model] : undefined;
}

/** US dollars for these tokens. */
export function costOf(price: Price, usage: Pick<Usage, "inputTokens" | "outputTokens">): number {
  return (usage.inputTokens * price.input + usage.outputTokens * price.output) / 1_000_000;
}

/** Reads `2.50/10`: dollars per million tokens, in and out. Code HASP604. */
export function parsePrice(text: string): Checked<Price> {
  const [, input, output] = /^\s*\$?(\d+(?:\.\d+)?)\s*\/\s*\$?(\d+(?:\.\d+)?)\s*$/.exec(text) ?? [];
  if (input !== undefined && output !== undefined) {
    return { value: { input: Number(input), output: Number(output) }, diagnostics: [] };
  }
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: text.length } };
  const message = `${JSON.stringify(text.slice(0, 40))} is no price.`;
  const next =
    "Write dollars for a million tokens, in and out: `2.50/10`, or `0/0` for a model that costs nothing.";
  return { value: undefined, diagnostics: [{ code: "HASP604", severity: "error", message, next, range }] };
}
