import { execFileSync, spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { agentHostCommand, ALONE, type SessionHostName } from "../../scripts/lib/agent-hosts.mts";
import type { Episode } from "../../src/model/episode.ts";
import { ROOT } from "../support/core.ts";
import { geminiApi } from "./support/gemini-api.ts";
import { messagesApi } from "./support/messages-api.ts";
import { type Api, startModel, turns } from "./support/model-server.ts";

const PORT = "8433";

/** An agent whose sessions are imported, and how it is started for a test. */
interface SessionHost {
  readonly name: SessionHostName;
  readonly api: Api;
  readonly env: (home: string) => Record<string, string>;
  readonly prepare: (home: string) => void;
  readonly args: readonly string[];
  readonly shell: string;
  readonly write: (
    file: string,
    content: string,
  ) => { readonly name: string; readonly input: Record<string, string> };
  /** Tokens that the model of the test says the first turn took. */
  readonly usage: object;
}

const PI: SessionHost = {
  name: "pi",
  api: messagesApi,
  env: (home) => ({ PI_CODING_AGENT_DIR: path.join(home, ".pi"), PI_OFFLINE: "1", PI_TELEMETRY: "0" }),
  prepare(home) {
    mkdirSync(path.join(home, ".pi"));
    const provider = {
      baseUrl: `http://127.0.0.1:${PORT}`,
      api: "anthropic-messages",
      apiKey: "dummy",
      models: [{ id: "m" }],
    };
    writeFileSync(path.join(home, ".pi/models.json"), JSON.stringify({ providers: { test: provider } }));
  },
  args: ["--print", "--provider", "test", "--model", "m", "--approve"],
  shell: "bash",
  write: (file, content) => ({ name: "write", input: { path: file, content } }),
  usage: { inputTokens: 100, outputTokens: 10 },
};

const GEMINI: SessionHost = {
  name: "gemini",
  api: geminiApi,
  env: () => ({
    GEMINI_API_KEY: "dummy",
    GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${PORT}`,
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  }),
  prepare(home) {
    mkdirSync(path.join(home, ".gemini"));
    const settings = {
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
    };
    writeFileSync(path.join(home, ".gemini/settings.json"), JSON.stringify(settings));
  },
  args: ["--yolo", "--model", "gemini-2.5-pro", "--prompt"],
  shell: "run_shell_command",
  write: (file, content) => ({ name: "write_file", input: { file_path: file, content } }),
  usage: { inputTokens: 100, cachedInputTokens: 50, outputTokens: 7 },
};

function started(
  file: string,
  args: readonly string[],
  where: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<string> {
  const child = spawn(file, args, { ...where, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (piece: Buffer) => (said += String(piece)));
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), 90_000);
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(said);
      else reject(new Error(`The agent ended with ${String(code)}:\n${said}`));
    });
  });
}

const sessionsBelow = (home: string): string[] =>
  readdirSync(home, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => path.join(home, name));

test.each([PI, GEMINI])("$name: its session is imported with every step, result and token", async (host) => {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), `hasp-session-${host.name}-`)));
  const [home, repo] = [path.join(base, "home"), path.join(base, "repo")];
  for (const folder of [home, repo]) mkdirSync(folder);
  host.prepare(home);
  const env = { PATH: process.env["PATH"], LANG: "C.UTF-8", HOME: home, ...host.env(home) };
  const model = await startModel(
    host.api,
    turns(
      {
        calls: [
          { name: host.shell, input: { command: "echo seen; exit 3", description: "A step" } },
          host.write("a.txt", "one\n"),
        ],
      },
      { say: "All done." },
    ),
  );
  try {
    const inside = path.join(import.meta.dirname, "support/inside.mts");
    const [file, ...args] = [...ALONE, process.execPath, inside, model.socket, PORT];
    await started(file, [...args, ...agentHostCommand(host.name), ...host.args, "Write a.txt"], {
      cwd: repo,
      env,
    });
    const run = path.join(base, "run");
    const said = execFileSync(
      process.execPath,
      [path.join(ROOT, "dist/hasp.cjs"), "import", ...sessionsBelow(home), "-o", run],
      { encoding: "utf8" },
    );
    expect(said).not.toMatch(/unknown|HASP/);
    const lines = readFileSync(path.join(run, "episodes.jsonl"), "utf8").trimEnd().split("\n");
    const [episode, ...more] = lines.map((line) => JSON.parse(line) as Episode);
    expect(more).toEqual([]);
    expect(episode).toMatchObject({ question: "Write a.txt", answer: "All done.", facts: { cwd: repo } });
    expect(episode?.steps.map(({ executed }) => executed.type)).toEqual(["Bash", "Write", "FINAL"]);
    const [shell, write] = episode?.steps ?? [];
    expect(shell).toMatchObject({ result: { exitCode: 3, ok: false }, proposals: [{ usage: host.usage }] });
    expect(shell?.observation).toContain("seen");
    expect(write).toMatchObject({
      executed: { arg: '{"path":"a.txt","content":"one\\n"}' },
      result: { ok: true },
    });
    // The proposal refers to the prompt that the model read.
    expect(shell?.proposals[0]?.messages).toBeDefined();
    expect(readFileSync(path.join(run, "messages.jsonl"), "utf8")).toContain("Write a.txt");
  } finally {
    await model.close();
    rmSync(base, { recursive: true, force: true });
  }
});
