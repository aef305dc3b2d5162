// First: the SDK uses zod while it loads, and a bundle with dynamic imports sets zod up only where a module of ours asks for it.
import "../model/zod.ts";
import process from "node:process";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { openAssistWorld } from "./assist-world.ts";
import { MOST_INPUT, readableMessages } from "./mcp-input.ts";
import { createMcpServer } from "./mcp-server.ts";

/**
 * Serves the tools on standard input and output until the client closes its end. Nothing else may be written to standard output.
 * `workerFile` is the CLI, which is also the file its workers start from.
 */
export async function serveMcp(root: string, workerFile: string): Promise<void> {
  const { world, close } = await openAssistWorld(root, workerFile);
  const messages = readableMessages(process.stdin, process.stdout);
  // Twice, since a message may wait for the one before it.
  const transport = new StdioServerTransport(messages, process.stdout, { maxBufferSize: 2 * MOST_INPUT });
  const server = createMcpServer(world);
  const onerror = (error: Error): void =>
    void process.stderr.write(`hasp mcp: ${JSON.stringify(error.message)}\n`);
  const ended = new Promise<void>((resolve) => {
    // The SDK's server has two plain slots for this, and no events.
    Object.assign(server.server, { onerror, onclose: resolve });
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  await server.connect(transport);
  await ended;
  await server.close();
  await close();
}
