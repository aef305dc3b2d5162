import { editList } from "./forms.ts";
import type { ToolTable } from "./tool-shape.ts";

const PATH = { type: "string", required: true, path: true } as const;
const COMMAND = {
  command: { type: "string", required: true },
  // In seconds, and canonical timeouts are in milliseconds.
  timeout: { as: "timeoutSeconds", type: "number" },
} as const;

/** Tools of Pi 1.6.0 (dist/core/tools); earlier versions wrote one edit as `path`, `oldText`, `newText`. */
export const PI_TOOLS: ToolTable = {
  host: "pi",
  absolutePaths: false,
  tools: {
    bash: { tool: "Bash", keys: COMMAND },
    powershell: { tool: "PowerShell", keys: COMMAND },
    read: { tool: "Read", keys: { path: PATH, offset: { type: "number" }, limit: { type: "number" } } },
    write: { tool: "Write", keys: { path: PATH, content: { type: "string", required: true } } },
    edit: {
      tool: "MultiEdit",
      keys: { edits: { type: "objects", path: true } },
      sent: { path: { type: "string", required: true }, edits: { type: "objects", required: true } },
      form: editList("edits", { oldText: "oldText", newText: "newText" }, "path"),
    },
    grep: {
      tool: "Grep",
      keys: {
        pattern: { type: "string", required: true },
        path: { type: "string", path: true },
        glob: { type: "string" },
      },
    },
    find: {
      tool: "Glob",
      keys: { pattern: { type: "string", required: true }, path: { type: "string", path: true } },
    },
    ls: { tool: "List", keys: { path: { type: "string", path: true } } },
  },
};
