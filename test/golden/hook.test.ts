import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { foldLive } from "../../src/trace/live-fold.ts";
import { ROOT } from "../support/core.ts";

/** `hasp hook` as hosts start it: a process for each event, in a workspace with a skill of its own that was trusted. */
const place = mkdtempSync(path.join(tmpdir(), "hasp-hook-"));
const WORKSPACE = path.join(place, "workspace");
const HOOK = path.join(ROOT, "dist/hook.cjs");
const CLI = path.join(ROOT, "dist/hasp.cjs");
const env = {
  ...process.env,
  // These tests may themselves run below a Claude Code without a person.
  CLAUDE_CODE_ENTRYPOINT: "cli",
  XDG_CACHE_HOME: path.join(place, "cache"),
  XDG_CONFIG_HOME: path.join(place, "config"),
  XDG_STATE_HOME: path.join(place, "state"),
};

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function run(args: readonly string[], input: string): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: WORKSPACE, env });
    let [out, err] = ["", ""];
    child.stdout.on("data", (piece: Buffer) => (out += String(piece)));
    child.stderr.on("data", (piece: Buffer) => (err += String(piece)));
    child.on("close", (code) => resolve({ code, out, err }));
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

const hook = (event: object | string, ...args: string[]): Promise<Ended> =>
  run(
    [HOOK, "--host", "claude-code", "--budget-ms", "25000", ...args],
    typeof event === "string" ? event : JSON.stringify(event),
  );

const pre = (session: string, id: string, command: string) => ({
  session_id: session,
  cwd: WORKSPACE,
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command },
  tool_use_id: id,
});

const SKILL = `---
name: lease-only
description: A force push can lose work; use when pushing.
metadata:
  hasp:
    skill_id: lease_only
    title: Lease only
    version: 1
    priority: 0.9
    error_category: git
    applicable_modes: [coding-agent]
    system_summary: Force pushes only with a lease.
---
# Lease only
`;
const PF = `import { ProgramFunction, modifyAction, type ActionType, type Intervention, type StepContext } from "hasp";
export default class LeaseOnly extends ProgramFunction {
  override shouldActivate(_ctx: StepContext, type: ActionType, arg: string): boolean {
    return type === "Bash" && arg.includes("--lose");
  }
  override intervene(_ctx: StepContext, _type: ActionType, arg: string): Intervention {
    return modifyAction({ arg: arg.replace("--lose", "--keep"), reason: "Keeps work." });
  }
}
`;

beforeAll(async () => {
  const folder = path.join(WORKSPACE, "skills/coding-agent/lease-only");
  mkdirSync(folder, { recursive: true });
  mkdirSync(path.join(WORKSPACE, ".git"));
  writeFileSync(path.join(folder, "SKILL.md"), SKILL);
  writeFileSync(path.join(folder, "pf.ts"), PF);
  await run([CLI, "hook", "compile", WORKSPACE], "");
}, 120_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** A person's yes to what the workspace holds now. */
const trust = (): Promise<Ended> => run([CLI, "hook", "trust", "--yes"], "");

const changed = {
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "ask",
    permissionDecisionReason: "Keeps work. (Bash: git push --keep)",
    updatedInput: { command: "git push --keep" },
  },
};

function live(session: string): string[] {
  const file = path.join(WORKSPACE, `.hasp/runs/agent-sessions/live/${session}.jsonl`);
  return readFileSync(file, "utf8").trimEnd().split("\n");
}

function recorded(session: string) {
  const lines = live(session);
  expect(foldLive(lines, session).diagnostics).toEqual([]);
  return lines;
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.once("data", () => resolve());
    child.once("close", () => reject(new Error("the server ended")));
  });
}

describe("hasp hook", () => {
  it("leaves out what nobody said yes to, and says so once in a session", async () => {
    const first = await hook(pre("untrusted", "1", "git push --lose"));
    expect(JSON.parse(first.out)).toEqual({
      systemMessage:
        "HASP: this workspace has 1 skill of its own (lease_only) that do not act until you say yes: hasp hook trust",
    });
    expect(await hook(pre("untrusted", "2", "git push --lose"))).toEqual({ code: 0, out: "{}\n", err: "" });
  }, 120_000);

  it("answers through the whole command as by itself", async () => {
    await trust();
    const args = [CLI, "hook", "--host", "claude-code", "--budget-ms", "25000"];
    const { code, out, err } = await run(args, JSON.stringify(pre("cli", "1", "git push --lose")));
    expect({ code, err, out: JSON.parse(out) as unknown }).toEqual({ code: 0, err: "", out: changed });
  }, 120_000);

  it("answers two processes of one session at once, and records one after the other", async () => {
    const answers = await Promise.all(
      ["1", "2", "3", "1"].map((id) => hook(pre("both", id, "git push --lose"))),
    );
    for (const { code, out } of answers) {
      expect(code).toBe(0);
      expect(JSON.parse(out)).toEqual(changed);
    }
    const steps = recorded("both").filter((line) => line.startsWith('{"event":"proposed"'));
    expect(steps).toHaveLength(3);
  }, 120_000);

  it("answers what is no event at all, with exit code 0", async () => {
    for (const text of ["", "nonsense", "[]", "\ud800", JSON.stringify({ hook_event_name: "PreToolUse" })]) {
      const { code, out } = await hook(text);
      expect({ code, out }).toEqual({ code: 0, out: "{}\n" });
    }
    const unnamed = await run([HOOK], "{}");
    expect(unnamed).toMatchObject({ code: 0, out: "{}\n" });
  }, 120_000);

  it("is open when its time is up", async () => {
    const child = spawn(process.execPath, [HOOK, "--host", "claude-code", "--budget-ms", "300"], {
      cwd: WORKSPACE,
      env,
    });
    let out = "";
    child.stdout.on("data", (piece: Buffer) => (out += String(piece)));
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect({ code, out }).toEqual({ code: 0, out: "{}\n" });
  }, 120_000);

  it("asks the resident process where there is one, and goes on with the same session without it", async () => {
    const server = spawn(process.execPath, [CLI, "serve", "--hooks", "--json"], { cwd: WORKSPACE, env });
    const ended = new Promise((resolve) => server.once("close", resolve));
    try {
      await ready(server);
      expect(JSON.parse((await hook(pre("resident", "1", "git push --lose"))).out)).toEqual(changed);
    } finally {
      server.kill("SIGINT");
      await ended;
    }
    expect(JSON.parse((await hook(pre("resident", "2", "git push --lose"))).out)).toEqual(changed);
    expect(recorded("resident").filter((line) => line.startsWith('{"event":"proposed"'))).toHaveLength(2);
  }, 120_000);

  it("leaves out what hasp.yaml disables, once somebody said yes to that", async () => {
    const said = async (id: string, command: string): Promise<unknown> =>
      JSON.parse((await hook(pre("switched", id, command))).out);
    const forced = {
      hookSpecificOutput: { updatedInput: { command: expect.stringContaining("lease") as unknown } },
    };
    expect(await said("1", "git push --lose")).toEqual(changed);
    expect(await said("2", "git push --force")).toMatchObject(forced);
    writeFileSync(path.join(WORKSPACE, "hasp.yaml"), "disabled_skills: [lease_only, force_push]\n");
    await run([CLI, "hook", "compile", WORKSPACE], "");
    // A repository cannot switch a guard off by itself.
    expect(await said("3", "git push --force")).toMatchObject(forced);
    await trust();
    expect(await said("4", "git push --lose")).toEqual({});
    expect(await said("5", "git push --force")).toEqual({});
    writeFileSync(path.join(WORKSPACE, "hasp.yaml"), "disabled_skills: []\n");
    await trust();
    expect(await said("6", "git push --lose")).toEqual(changed);
  }, 120_000);
});
