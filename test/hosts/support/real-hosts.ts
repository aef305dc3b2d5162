import { mkdirSync, writeFileSync } from "node:fs";
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
    "--allowedTools=Bash,Read,Edit,Write,Skill,Monitor,Agent",
    prompt,
  ],
  shell: (command) => ({ name: "Bash", input: { command, description: "A step of the task" } }),
  look: (file) => ({ name: "Read", input: { file_path: file } }),
  edit: (file, before, after) => ({
    name: "Edit",
    input: { file_path: file, old_string: before, new_string: after },
  }),
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
  conversation: ({ input }) => input as unknown[],
};

export const REAL_HOSTS = { "claude-code": claudeCode, codex };
