import type { Usage } from "../../model/usage.ts";
import type { Ledger } from "./ledger.ts";
import { asCount, type JsonRecord } from "./records.ts";

/** The first of the keys that holds a number of tokens. One that holds anything else is noted and left out; a fraction is rounded. */
export function tokensOf(record: JsonRecord, keys: readonly string[], ledger: Ledger): number | undefined {
  return firstOf(record, keys, (key, given) => {
    const value = amount(given);
    const tokens = value === undefined ? undefined : Math.round(value);
    if (tokens === undefined || tokens !== value) ledger.wrongNumber(key, given, tokens);
    return tokens;
  });
}

/** The first of the keys that holds an amount of 0 or more, as of dollars or milliseconds. One that holds anything else is noted. */
export function amountOf(record: JsonRecord, keys: readonly string[], ledger: Ledger): number | undefined {
  return firstOf(record, keys, (key, given) => {
    const value = amount(given);
    if (value === undefined) ledger.wrongNumber(key, given, undefined);
    return value;
  });
}

/** The number, where an episode can hold it: past `MAX_SAFE_INTEGER` it could not be read again. */
function amount(given: unknown): number | undefined {
  const value = asCount(given);
  return value !== undefined && value <= Number.MAX_SAFE_INTEGER ? value : undefined;
}

function firstOf(
  record: JsonRecord,
  keys: readonly string[],
  read: (key: string, given: unknown) => number | undefined,
): number | undefined {
  for (const key of keys) {
    const given = record[key];
    const value = given === undefined || given === null ? undefined : read(key, given);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** A sum that an episode can hold. */
export function sumOfAmounts(amounts: readonly number[]): number {
  return Math.min(
    Number.MAX_SAFE_INTEGER,
    amounts.reduce((sum, value) => sum + value, 0),
  );
}

/** Of all replies together; undefined where there is none. */
export function sumOfUsages(all: readonly Usage[]): Usage | undefined {
  if (all.length === 0) return undefined;
  const costs = all.flatMap(({ cost }) => (cost === undefined ? [] : [cost]));
  const cached = all.flatMap(({ cachedInputTokens: one }) => (one === undefined ? [] : [one]));
  return {
    inputTokens: sumOfAmounts(all.map(({ inputTokens }) => inputTokens)),
    outputTokens: sumOfAmounts(all.map(({ outputTokens }) => outputTokens)),
    ...(cached.length === 0 ? {} : { cachedInputTokens: sumOfAmounts(cached) }),
    ...(costs.length === 0 ? {} : { cost: sumOfAmounts(costs) }),
  };
}

/** An exit code, or undefined for what is none. */
export function exitCodeOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;
}
