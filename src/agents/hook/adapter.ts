import { inputProblem } from "../../trace/formats/tools/input-problem.ts";
import { canonicalCall, hostInput } from "../../trace/formats/tools/tool-table.ts";
import type { ToolTable } from "../../trace/formats/tools/tool-shape.ts";
import { CODING_FINAL, REFUSE } from "../../model/coding-tools.ts";
import type { HostAdapter } from "./host.ts";

/** Names that an action has for itself: a tool that is called so has another. */
const OURS: ReadonlySet<string> = new Set([CODING_FINAL, REFUSE]);

/** What an adapter knows of its host's tools, from the table that importers use as well. */
export function toolsOf(table: ToolTable): Pick<HostAdapter, "canonical" | "hostInput" | "checkInput"> {
  return {
    canonical({ name, input }, cwd) {
      const call = canonicalCall(table, name, input, cwd);
      return OURS.has(call.type) ? { ...call, type: "other" } : call;
    },
    hostInput: ({ name, input: original }, input, cwd) => hostInput(table, name, input, original, cwd),
    checkInput: (toolName, input) => inputProblem(table, toolName, input),
  };
}
