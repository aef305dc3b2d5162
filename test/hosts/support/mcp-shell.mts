// A server of tools as people add them to an agent: one runs a command, one writes a file.
import { execSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "box", version: "1.0.0" });
const said = (text: string) => ({ content: [{ type: "text" as const, text }] });

server.registerTool(
  "run",
  { description: "Runs a command.", inputSchema: { command: z.string() } },
  ({ command }) => said(execSync(command, { encoding: "utf8" })),
);
server.registerTool(
  "put",
  { description: "Writes a file.", inputSchema: { path: z.string(), content: z.string() } },
  ({ path, content }) => {
    writeFileSync(path, content);
    return said(`Wrote ${path}.`);
  },
);

await server.connect(new StdioServerTransport());
