import type { Usage } from "../model/usage.ts";

function plus(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
}

/** The sum. A cost that one side does not know makes the cost of both unknown; of latencies and cached tokens, what is known counts. */
export function addUsage(a: Usage, b: Usage): Usage {
  const cost = a.cost === undefined || b.cost === undefined ? undefined : a.cost + b.cost;
  const latencyMs = plus(a.latencyMs, b.latencyMs);
  const cachedInputTokens = plus(a.cachedInputTokens, b.cachedInputTokens);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
    outputTokens: a.outputTokens + b.outputTokens,
    ...(cost !== undefined && { cost }),
    ...(latencyMs !== undefined && { latencyMs }),
  };
}

export interface UsageMeter {
  add(usage: Usage | undefined): void;
  /** Undefined where nothing was ever used. */
  total(): Usage | undefined;
}

export function usageMeter(): UsageMeter {
  let sum: Usage | undefined;
  return {
    add(usage) {
      if (usage !== undefined) sum = sum === undefined ? usage : addUsage(sum, usage);
    },
    total: () => sum,
  };
}
