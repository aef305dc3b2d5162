import { CANONICAL_KEYS, isCodingTool } from "../model/coding-tools.ts";

/** The input of a tool call: a JSON object. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** The input with the canonical keys of `type` first, in their order, then the others as given. */
export function orderedInput(type: string, input: ToolInput): ToolInput {
  if (!isCodingTool(type)) return input;
  const first = CANONICAL_KEYS[type].filter((key) => Object.hasOwn(input, key));
  const rest = Object.keys(input).filter((key) => !first.includes(key));
  return Object.fromEntries([...first, ...rest].map((key) => [key, input[key]]));
}

/** The argument of an action: the input as JSON, its keys in the fixed order. */
export function argOfInput(type: string, input: ToolInput): string {
  return JSON.stringify(orderedInput(type, input));
}
