import { type CodingTool, CODING_TOOLS } from "./coding-tools.ts";

/** The input of a tool call: a JSON object. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** The keys of each canonical tool in the order in which an action's argument has them (coding-tools.ts). */
export const CANONICAL_KEYS: Readonly<Record<CodingTool, readonly string[]>> = {
  Bash: ["command", "description", "timeout", "background"],
  PowerShell: ["command", "description", "timeout", "background"],
  Read: ["path", "offset", "limit"],
  Write: ["path", "content"],
  Edit: ["path", "oldText", "newText", "all"],
  MultiEdit: ["edits"],
  Patch: ["patch"],
  Glob: ["pattern", "path"],
  Grep: ["pattern", "path", "glob"],
  List: ["path"],
  WebFetch: ["url", "prompt"],
  WebSearch: ["query"],
  Agent: ["prompt", "description", "agent"],
  RunTests: ["files"],
};

/** The type names a canonical tool. */
export function isCodingTool(type: string): type is CodingTool {
  return Object.hasOwn(CODING_TOOLS, type);
}

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
