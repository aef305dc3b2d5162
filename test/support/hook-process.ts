import { spawn, type ChildProcess } from "node:child_process";
import {
  existsSync,
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
import { hasp, type Ended } from "./cli.ts";
import { ROOT } from "./core.ts";
import { withMounts, type Mounts } from "./mounts.ts";

const HOOK = path.join(ROOT, "dist/hook.cjs");
const CLI = path.join(ROOT, "dist/hasp.cjs");
/** Marks every process that a test starts, so that those left behind are found. */
const MARK = "HASP_TEST_MARK";

export type { Ended };

/** A repository, a user with folders of their own, and `hasp hook` as a host starts it there. */
export interface HookScene {
  readonly base: string;
  readonly workspace: string;
  readonly env: Record<string, string | undefined>;
  /** Joins names to the workspace. */
  at(...names: string[]): string;
  /** Without input, its standard input stays open. */
  start(
    args: readonly string[],
    input: string | Buffer | undefined,
  ): { readonly child: ChildProcess; readonly ended: Promise<Ended> };
  /** A string or a buffer goes to the hook as it is. */
  hook(event: object | string, ...args: readonly string[]): Promise<Ended>;
  /** The same where some disks are full or can only be read. */
  hookWith(mounts: Mounts, event: object): Promise<Ended>;
  /** A command, in this process. */
  hasp(...args: readonly string[]): Promise<Ended>;
  /** Pids of all that this scene started and that still runs. */
  running(): number[];
  /** Folders of the user's that hold sessions which the workspace could not. */
  userSessions(): string[];
  close(): void;
}

export function openScene(name: string): HookScene {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), `hasp-${name}-`)));
  const workspace = path.join(base, "clone");
  mkdirSync(path.join(workspace, ".git"), { recursive: true });
  mkdirSync(path.join(base, "home"));
  const env = {
    PATH: process.env["PATH"],
    HOME: path.join(base, "home"),
    XDG_CACHE_HOME: path.join(base, "cache"),
    XDG_CONFIG_HOME: path.join(base, "config"),
    XDG_STATE_HOME: path.join(base, "state"),
    [MARK]: base,
  };
  const start = ([file = "", ...args]: readonly string[], input: string | Buffer | undefined) => {
    // A command is compiled once for all tests (vitest.config.mts); a hook keeps its own cache, which tests look at.
    const compiled = args[0] === CLI ? { NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] } : {};
    const child = spawn(file, args, { cwd: workspace, env: { ...compiled, ...scene.env } });
    let [out, err] = ["", ""];
    child.stdout.on("data", (piece: Buffer) => (out += String(piece)));
    child.stderr.on("data", (piece: Buffer) => (err += String(piece)));
    child.stdin.on("error", () => undefined);
    if (input !== undefined) child.stdin.end(input);
    const ended = new Promise<Ended>((resolve) => {
      child.on("close", (code, signal) => resolve({ code, signal, out, err }));
    });
    return { child, ended };
  };
  const scene: HookScene = {
    base,
    workspace,
    env,
    at: (...names) => path.join(workspace, ...names),
    start: (args, input) => start([process.execPath, ...args], input),
    hook(event, ...args) {
      const text = typeof event === "string" || Buffer.isBuffer(event) ? event : JSON.stringify(event);
      return scene.start([HOOK, "--host", "claude-code", "--no-resident", ...args], text).ended;
    },
    hookWith(mounts, event) {
      const command = [
        ...withMounts(mounts),
        process.execPath,
        HOOK,
        "--host",
        "claude-code",
        "--no-resident",
      ];
      return start(command, JSON.stringify(event)).ended;
    },
    hasp: (...args) => hasp(args, { cwd: workspace, env: scene.env }),
    running: () => pidsWith(`${MARK}=${base}`),
    userSessions() {
      const folder = path.join(base, "state/hasp/workspaces");
      const names = existsSync(folder) ? readdirSync(folder) : [];
      return names.map((key) => path.join(folder, key, ".hasp/runs/agent-sessions"));
    },
    close: () => rmSync(base, { recursive: true, force: true }),
  };
  return scene;
}

function pidsWith(mark: string): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      return readFileSync(`/proc/${name}/environ`, "utf8").split("\0").includes(mark) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** A call that every shipped library refuses. */
export const DELETE_HOME = "rm -rf ~/";

export function preEvent(scene: HookScene, session: string, id: string, command = DELETE_HOME) {
  return {
    session_id: session,
    cwd: scene.workspace,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: id,
  };
}

/** What the host is told of a call: `deny`, `ask`, … or nothing. */
export function decisionOf({ out }: Ended): string | undefined {
  const { hookSpecificOutput: said } = JSON.parse(out) as {
    hookSpecificOutput?: { permissionDecision?: string };
  };
  return said?.permissionDecision;
}

/** Writes a skill for coding agents into the workspace. */
export function writeSkill(scene: HookScene, name: string, pf: string): void {
  const folder = scene.at("skills/coding-agent", name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "SKILL.md"), skillMd(name));
  writeFileSync(path.join(folder, "pf.ts"), pf);
}

const skillMd = (name: string): string => `---
name: ${name}
description: A skill of this repository; use it for tests.
metadata:
  hasp:
    skill_id: ${name.replaceAll("-", "_")}
    title: ${name}
    version: 1
    priority: 0.99
    error_category: test
    applicable_modes: [coding-agent]
    system_summary: A skill of this repository.
---
# ${name}
`;
