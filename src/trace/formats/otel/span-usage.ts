import { parseJson } from "../../../model/read-json.ts";
import type { Usage } from "../../../model/usage.ts";
import { amountOf, sumOfAmounts, tokensOf } from "../counts.ts";
import type { Ledger } from "../ledger.ts";
import { isRecord, type JsonRecord } from "../records.ts";
import { NAMES } from "./attribute-names.ts";
import type { Span } from "./span.ts";

const MODALITIES = ["text", "image", "audio", "video"];

/** Tokens, dollars and time of a chat. What the provider took from its cache is part of the input. */
export function usageOf(span: Span, ledger: Ledger): Usage | undefined {
  const { start, end } = span;
  const attributes = withLangfuse(span.attributes);
  const sumOf = (side: "input" | "output"): number | undefined => {
    const parts = MODALITIES.map((kind) =>
      tokensOf(attributes, [`gen_ai.usage.${kind}.${side}_tokens`], ledger),
    );
    const given = parts.filter((part) => part !== undefined);
    return given.length === 0 ? undefined : sumOfAmounts(given);
  };
  const input = tokensOf(attributes, NAMES.inputTokens, ledger) ?? sumOf("input");
  const output = tokensOf(attributes, NAMES.outputTokens, ledger) ?? sumOf("output");
  const cached = tokensOf(attributes, NAMES.cachedTokens, ledger) ?? 0;
  const cost = amountOf(attributes, NAMES.cost, ledger);
  if (input === undefined && output === undefined && cost === undefined) return undefined;
  return {
    // Some exporters count what came from the cache apart.
    inputTokens: sumOfAmounts([input ?? 0, cached > (input ?? 0) ? cached : 0]),
    ...(cached === 0 ? {} : { cachedInputTokens: cached }),
    outputTokens: output ?? 0,
    ...(cost === undefined ? {} : { cost }),
    latencyMs: sumOfAmounts([Math.max(0, Math.round((end - start) / 1e6))]),
  };
}

/** Langfuse has its counts in one attribute, as JSON. */
function withLangfuse(attributes: JsonRecord): JsonRecord {
  const counts = objectIn(attributes["langfuse.observation.usage_details"]);
  const costs = objectIn(attributes["langfuse.observation.cost_details"]);
  if (counts === undefined && costs === undefined) return attributes;
  return {
    "gen_ai.usage.input_tokens": counts?.["input"],
    "gen_ai.usage.output_tokens": counts?.["output"],
    "gen_ai.usage.cost": costs?.["total"],
    ...attributes,
  };
}

function objectIn(value: unknown): JsonRecord | undefined {
  const read = typeof value === "string" ? parseJson(value) : value;
  return isRecord(read) ? read : undefined;
}
