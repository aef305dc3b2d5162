import type { Usage } from "../../src/model/usage.ts";

/** `1 step`, `1,204 steps`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

/** Size of a text as UTF-8: `812 B`, `12.4 kB`, `3.1 MB`. */
export function bytes(n: number): string {
  if (n < 1_000) return `${n} B`;
  return n < 1_000_000 ? `${(n / 1_000).toFixed(1)} kB` : `${(n / 1_000_000).toFixed(1)} MB`;
}

/** US dollars, with as many digits as say something: `$0.0042`, `$1.20`. */
export function dollars(cost: number): string {
  return `$${cost.toFixed(cost > 0 && cost < 0.01 ? 4 : cost < 1 ? 3 : 2)}`;
}

export function usageWords(usage: Usage): string {
  const parts = [`${count(usage.inputTokens, "token")} in`, `${count(usage.outputTokens, "token")} out`];
  parts.push(usage.cost === undefined ? "cost unknown" : dollars(usage.cost));
  if (usage.latencyMs !== undefined) parts.push(`${Math.round(usage.latencyMs).toLocaleString("en")} ms`);
  return parts.join(" · ");
}

/** A value as a person reads it in code, cut to `limit` characters. */
export function literal(value: unknown, limit = 160): string {
  const text = value === undefined ? "undefined" : JSON.stringify(value);
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

/** The last part of a path, with `/` or `\`. */
export function baseName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}

/** `SEARCH Helen Walton`. (model's formatAction would bring zod into the page.) */
export function actionWords(action: { readonly type: string; readonly arg: string }): string {
  return action.arg === "" ? action.type : `${action.type} ${action.arg}`;
}

const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** `5 minutes ago`, for a title that has the exact time. Both are milliseconds since 1970. */
export function timeAgo(when: number, now: number): string {
  const seconds = Math.max(0, (now - when) / 1000);
  const unit = UNITS.find(([, size]) => seconds >= size);
  return unit === undefined ? "just now" : `${count(Math.floor(seconds / unit[1]), unit[0])} ago`;
}
