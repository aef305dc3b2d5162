import { spawn } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { ROOT } from "./core.ts";
import { envOf, type HostilePlace } from "./hostile-place.ts";
import type { Ended } from "./cli.ts";

/** Commands that read the standard input of a process of their own. */
export const PROCESS_COMMANDS: readonly string[] = ["mcp"];

const CLI = path.join(ROOT, "dist/hasp.cjs");
const HOOK = path.join(ROOT, "dist/hook.cjs");

/** Its input ends once it has answered so many lines: a server drops what is under way then. */
function run(place: HostilePlace, args: readonly string[], input: string, answers = 0): Promise<Ended> {
  const cache = { NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] };
  const child = spawn(process.execPath, args, { cwd: place.clone, env: { ...cache, ...envOf(place) } });
  let [out, err] = ["", ""];
  const end = (): unknown => out.split("\n").length > answers && child.stdin.end();
  child.stdout.on("data", (piece: Buffer) => {
    out += String(piece);
    end();
  });
  child.stderr.on("data", (piece: Buffer) => (err += String(piece)));
  child.stdin.write(input);
  end();
  return new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal, out, err })));
}

const RUN = ".hasp/runs/first-look";
const TOOLS: readonly (readonly [name: string, input: object])[] = [
  ["hasp_list_skills", {}],
  ["hasp_validate_skill", { skill: "repeated_query" }],
  ["hasp_validate_skill", { skill: "evil" }],
  ["hasp_backtest_skill", { skill: "evil" }],
  ["hasp_explain_step", { skill: "repeated_query", run: RUN, episode: "1", step: 1 }],
  ["hasp_explain_step", { skill: "evil", run: ".hasp/runs/outside", episode: "1", step: 1 }],
];

export const MCP_ANSWERS = TOOLS.length + 1;

/** An assistant connects and calls each tool, which makes `MCP_ANSWERS` lines. */
export function askMcp(place: HostilePlace): Promise<Ended> {
  const message = (id: number, method: string, params: object): string =>
    `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
  const client = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  };
  const calls = TOOLS.map(([name, input], i) => message(i + 2, "tools/call", { name, arguments: input }));
  return run(place, [CLI, "mcp"], [message(1, "initialize", client), ...calls].join(""), MCP_ANSWERS);
}

/** A coding agent begins a session, calls a tool and stops, in turn. */
export async function askHook(place: HostilePlace, host: string): Promise<readonly Ended[]> {
  const common = { session_id: "s", sessionId: "s", cwd: place.clone, timestamp: 1 };
  const call = { tool_name: "Bash", tool_input: { command: "rm -rf ~/" }, tool_use_id: "1" };
  const ended: Ended[] = [];
  for (const event of [
    { ...common, hook_event_name: "SessionStart", source: "startup" },
    { ...common, hook_event_name: "PreToolUse", ...call },
    { ...common, hook_event_name: "Stop" },
  ])
    ended.push(await run(place, [HOOK, "--host", host, "--no-resident"], JSON.stringify(event)));
  return ended;
}
