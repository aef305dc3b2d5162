import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { CallToolResult, ServerNotification, ServerRequest } from "@modelcontextprotocol/sdk/types.js";
import { ASSIST_TOOLS, failureText, type AssistTool } from "../agents/assist/tools.ts";
import type { AssistCall, AssistWorld } from "../agents/assist/world.ts";
import { openLanes } from "../model/lanes.ts";
import { printable } from "../model/printable.ts";
import { version } from "../../package.json";

const INSTRUCTIONS =
  "HASP skills are a SKILL.md, a typed Program Function (pf.ts) and cases.yaml. Write one, then: validate until there is no error, backtest on recorded runs, explain the steps that surprise you, and repeat. Paths are from the root of the workspace.";
/** More arrays and members than any call of ours has. */
const MOST_ELEMENTS = 1_000;
/** A client draws progress for a person: nobody sees more. In milliseconds. */
const PROGRESS_EVERY_MS = 100;
/** A call that reads many runs waits for its turn: two sandboxes at once would only slow each other down. */
const AT_ONCE = 2;

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** How a call reports: only where the client asked for progress, and not more often than it can be seen. */
function callOf({ signal, _meta, sendNotification }: Extra): AssistCall {
  const progressToken = _meta?.progressToken;
  let last = Number.NEGATIVE_INFINITY;
  let most = -1;
  return {
    signal,
    onProgress(done, total, what) {
      const now = performance.now();
      if (progressToken === undefined || done <= most || (now - last < PROGRESS_EVERY_MS && done < total))
        return;
      [last, most] = [now, done];
      const params = { progressToken, progress: done, total, message: printable(what) };
      // The client may be gone, and then the call ends by its signal.
      sendNotification({ method: "notifications/progress", params }).catch(() => undefined);
    },
  };
}

function failed(error: unknown): CallToolResult {
  const text =
    failureText(error) ?? `The tool failed: ${error instanceof Error ? error.message : String(error)}`;
  return { content: [{ type: "text", text: printable(text).slice(0, 4_000) }], isError: true };
}

/** The tools over MCP: each answers with a text and the same as structured content. */
export function createMcpServer(world: AssistWorld): McpServer {
  const server = new McpServer(
    { name: "hasp", title: "HASP Studio", version },
    { instructions: INSTRUCTIONS, maxToolInputElements: MOST_ELEMENTS },
  );
  const inTurn = openLanes(AT_ONCE);
  const answer = async (tool: AssistTool, input: unknown, extra: Extra): Promise<CallToolResult> => {
    try {
      const { text, data } = await inTurn(extra.signal, () => tool.run(world, input, callOf(extra)));
      return { content: [{ type: "text", text }], structuredContent: data };
    } catch (error) {
      return failed(error);
    }
  };
  for (const tool of ASSIST_TOOLS) {
    const { name, title, description, input } = tool;
    const annotations = {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    };
    server.registerTool(
      name,
      { title, description, inputSchema: input, annotations },
      (given: unknown, extra: Extra) => answer(tool, given, extra),
    );
  }
  return server;
}
