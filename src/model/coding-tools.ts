import { FINAL } from "./action-types.ts";

/**
 * The canonical tools of a coding agent. An action's type is one of these names, or the host's own name for a tool that has none here
 * (`mcp__github__create_issue`), and its argument is the input as JSON with the keys below; a host's other keys stay as they are.
 * Each host's names are mapped by its own table (trace/formats/, agents/hook/).
 */
export const CODING_TOOLS = {
  /** `{ command }`, and perhaps `description`, `timeout` (ms), `background`. */
  Bash: "Bash",
  PowerShell: "PowerShell",
  /** `{ path, offset?, limit? }`. */
  Read: "Read",
  /** `{ path, content }`: the whole file. */
  Write: "Write",
  /** `{ path, oldText, newText, all? }`. An empty `oldText` makes a new file; a record that does not tell the replaced text has none. */
  Edit: "Edit",
  /** `{ edits: [{ path, oldText, newText, all? }] }`. */
  MultiEdit: "MultiEdit",
  /** `{ patch }`: the `*** Begin Patch` form, or a unified diff. */
  Patch: "Patch",
  /** `{ pattern, path? }`. */
  Glob: "Glob",
  /** `{ pattern, path?, glob? }`. */
  Grep: "Grep",
  /** `{ path }`. */
  List: "List",
  /** `{ url, prompt? }`. */
  WebFetch: "WebFetch",
  /** `{ query }`. */
  WebSearch: "WebSearch",
  /** `{ prompt, description?, agent? }`: a sub-agent. */
  Agent: "Agent",
  /** `{}`: the host's own way to run tests, `{ files? }`. */
  RunTests: "RunTests",
} as const;
export type CodingTool = keyof typeof CODING_TOOLS;

/** The keys of each tool's input in the order in which an action's argument has them, the first of them required. */
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

/**
 * An action that a PF can put in place of a call: nothing runs, and the agent reads the argument. A hook can change the input of a call and
 * never its tool, so a PF that wants another tool refuses the call and names it.
 */
export const REFUSE = "REFUSE";

/** The agent wants to stop; the argument is what it says to the person. */
export const CODING_FINAL = FINAL;

/** The canonical tools, then the refusal that only a PF can put in a call's place, then the wish to stop. */
export const CODING_ACTIONS: readonly string[] = [...Object.keys(CODING_TOOLS), REFUSE, CODING_FINAL];
