import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { agentHostCommand } from "../../../scripts/lib/agent-hosts.mts";
import { messagesApi } from "./messages-api.ts";
import type { Api, Call, Raw } from "./model-server.ts";
import { responsesApi } from "./responses-api.ts";

/** How one host is started for a test, and how its words are read. */
export interface RealHost {
  readonly name: "claude-code" | "codex";
  readonly api: Api;
  /** Documented variables: our model in the place of the vendor's, no telemetry, no updates. */
  readonly env: (home: string, port: string) => Record<string, string>;
  /** Writes its configuration, without hooks. */
  readonly prepare: (home: string, repo: string, port: string) => void;
  readonly command: (prompt: string) => string[];
  /** A call of its shell. */
  readonly shell: (command: string) => Call;
  /** A call that shows a file of the repository to the model. */
  readonly look: (file: string) => Call;
  /** A call that replaces a line of a file. */
  readonly edit: (file: string, before: string, after: string) => Call;
  /** Calls that have another agent do a task and wait for its end, one turn after the other. `request`: what the model was told last. */
  readonly delegate: (task: string) => Call;
  readonly awaited?: (request: Raw) => Call;
  /** Has it start a server of tools, written as its configuration wants it. Returns further arguments. */
  readonly addServer: (name: string, program: readonly string[], home: string) => string[];
  /** A call of a tool of such a server. */
  readonly serverTool: (server: string, tool: string, input: Raw) => Call;
  /** The conversation in a request to the model. */
  readonly conversation: (request: Raw) => readonly unknown[];
}

const claudeCode: RealHost = {
  name: "claude-code",
  api: messagesApi,
  env: (home, port) => ({
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
    ANTHROPIC_API_KEY: "dummy",
    CLAUDE_CONFIG_DIR: path.join(home, ".claude"),
    CLAUDE_CODE_TMPDIR: path.join(home, "tmp"),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
  }),
  prepare: () => undefined,
  command: (prompt) => [
    ...agentHostCommand("claude-code"),
    ..."--print --verbose --output-format stream-json --include-hook-events".split(" "),
    "--allowedTools=Bash,Read,Edit,Write,Skill,Monitor,Agent,mcp__box",
    prompt,
  ],
  shell: (command) => ({ name: "Bash", input: { command, description: "A step of the task" } }),
  look: (file) => ({ name: "Read", input: { file_path: file } }),
  edit: (file, before, after) => ({
    name: "Edit",
    input: { file_path: file, old_string: before, new_string: after },
  }),
  delegate: (prompt) => ({
    name: "Agent",
    input: { description: "A part", prompt, subagent_type: "general-purpose", run_in_background: false },
  }),
  addServer(name, [command, ...args], home) {
    const file = path.join(home, "servers.json");
    writeFileSync(file, JSON.stringify({ mcpServers: { [name]: { type: "stdio", command, args } } }));
    return ["--mcp-config", file];
  },
  serverTool: (server, tool, input) => ({ name: `mcp__${server}__${tool}`, input }),
  conversation: ({ messages }) => messages as unknown[],
};

const CODEX_CONFIG = (port: string) => `# A model that has apply_patch among its tools.
model = "gpt-5.5"
model_provider = "test"
check_for_update_on_startup = false

[model_providers.test]
name = "test"
base_url = "http://127.0.0.1:${port}/v1"
wire_api = "responses"
requires_openai_auth = false
stream_max_retries = 0
request_max_retries = 0

[analytics]
enabled = false

[otel]
exporter = "none"
`;

const codex: RealHost = {
  name: "codex",
  api: responsesApi,
  env: (home) => ({ CODEX_HOME: path.join(home, ".codex") }),
  prepare(home, _repo, port) {
    mkdirSync(path.join(home, ".codex"));
    writeFileSync(path.join(home, ".codex/config.toml"), CODEX_CONFIG(port));
  },
  command: (prompt) => [
    ...agentHostCommand("codex"),
    ..."exec --json --dangerously-bypass-approvals-and-sandbox --dangerously-bypass-hook-trust".split(" "),
    prompt,
  ],
  shell: (command) => ({ name: "exec_command", input: { cmd: command } }),
  look: (file) => ({ name: "exec_command", input: { cmd: `cat ${file}` } }),
  edit: (file, before, after) => ({
    name: "apply_patch",
    input: `*** Begin Patch\n*** Update File: ${file}\n@@\n-${before}\n+${after}\n*** End Patch`,
  }),
  delegate: (message) => ({ name: "spawn_agent", namespace: "multi_agent_v1", input: { message } }),
  awaited(request) {
    const [, id] = /agent_id[^a-f0-9]*([a-f0-9-]{36})/.exec(JSON.stringify(request)) ?? [];
    return { name: "wait_agent", namespace: "multi_agent_v1", input: { targets: [id] } };
  },
  addServer(name, [command, ...args], home) {
    const lines = [
      "",
      `[mcp_servers.${name}]`,
      `command = ${JSON.stringify(command)}`,
      `args = ${JSON.stringify(args)}`,
    ];
    appendFileSync(path.join(home, ".codex/config.toml"), `${lines.join("\n")}\n`);
    return [];
  },
  serverTool: (server, name, input) => ({ name, namespace: `mcp__${server}`, input }),
  conversation: ({ input }) => input as unknown[],
};

export const REAL_HOSTS = { "claude-code": claudeCode, codex };
