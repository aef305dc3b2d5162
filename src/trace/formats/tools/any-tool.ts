import { CLAUDE_CODE_TOOLS } from "./claude-code.ts";
import { CODEX_TOOLS } from "./codex.ts";
import { COPILOT_TOOLS } from "./copilot.ts";
import { OTHER_TOOLS } from "./other-hosts.ts";
import type { ToolShape, ToolTable } from "./tool-shape.ts";
import { VSCODE_TOOLS } from "./vscode.ts";

/** Tables in which a name is looked up that the host's own table lacks, in this order. */
const TABLES: readonly ToolTable[] = [
  CLAUDE_CODE_TOOLS,
  VSCODE_TOOLS,
  COPILOT_TOOLS,
  CODEX_TOOLS,
  OTHER_TOOLS,
];

/** `run_in_terminal`, `runInTerminal` and `Run-In-Terminal` are one name. */
const folded = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

const byFolded = new Map<ToolTable, ReadonlyMap<string, ToolShape>>();

function foldedTools(table: ToolTable): ReadonlyMap<string, ToolShape> {
  const known = byFolded.get(table);
  if (known !== undefined) return known;
  const tools = new Map(Object.entries(table.tools).map(([name, shape]) => [folded(name), shape]));
  byFolded.set(table, tools);
  return tools;
}

/** The host's own tool of this name, in any case and spelling. */
export function ownTool(table: ToolTable, name: string): ToolShape | undefined {
  return Object.hasOwn(table.tools, name) ? table.tools[name] : foldedTools(table).get(folded(name));
}

/**
 * The tools that this name may mean, the likeliest first: the host's own, then those of the other hosts. Names and their spelling wander
 * between hosts and their versions, and a guard that goes by one spelling is off for the others.
 */
export function* toolsNamed(table: ToolTable, name: string): Generator<ToolShape> {
  const own = ownTool(table, name);
  if (own !== undefined) yield own;
  const plain = folded(name);
  for (const other of TABLES) {
    const tool = other === table ? undefined : foldedTools(other).get(plain);
    if (tool !== undefined) yield tool;
  }
}
