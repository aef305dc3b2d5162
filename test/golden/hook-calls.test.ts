import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { DeadHookReport } from "../../src/platform/dead-hooks.ts";
import { claudeTranscript, type MadeCall } from "../support/claude-transcript.ts";
import { openScene, type HookScene } from "../support/hook-process.ts";

// `hasp hook status` reads what a host wrote of a session, beside what its hooks recorded of it.

const SESSION = "0a0a0a0a-1111-2222-3333-444444444444";
let scene: HookScene;
beforeEach(() => {
  scene = openScene("hook-calls");
});
afterEach(() => scene.close());

/** The host shows these calls to the real hook. */
async function ask(...calls: readonly MadeCall[]): Promise<void> {
  for (const { id, command } of calls)
    await scene.hook(
      {
        session_id: SESSION,
        prompt_id: "p",
        cwd: scene.workspace,
        hook_event_name: "PreToolUse",
        tool_name: "Bash",
        tool_input: { command },
        tool_use_id: id,
      },
      "--host",
      "claude-code",
    );
}

function log(calls: readonly MadeCall[]): void {
  const folder = path.join(
    scene.base,
    "home/.claude/projects",
    scene.workspace.replaceAll(/[^A-Za-z0-9]/g, "-"),
  );
  mkdirSync(folder, { recursive: true });
  const made = { session: SESSION, cwd: scene.workspace, calls, start: false };
  const lines = claudeTranscript(made).get("") ?? [];
  writeFileSync(path.join(folder, `${SESSION}.jsonl`), `${lines.join("\n")}\n`);
}

const first: MadeCall = { id: "c1", command: "ls" };
const hidden: MadeCall = { id: "c2", command: "rm -rf \u001b[2J\u001b]0;x\u0007build" };
const refused: MadeCall = { id: "c3", command: "git reset --hard" };
const last: MadeCall = { id: "c4", command: "pwd" };

async function status(): Promise<{ code: number | null; out: string; calls: DeadHookReport }> {
  const { code, out } = await scene.hasp("hook", "status", "--host", "claude-code");
  const { out: json } = await scene.hasp("hook", "status", "--host", "claude-code", "--json");
  return { code, out, calls: (JSON.parse(json) as { calls: DeadHookReport }).calls };
}

it("is content where the host asked about each call", async () => {
  await ask(first, refused, last);
  log([first, { ...refused, end: "refused" }, last]);
  const { code, out, calls } = await status();
  expect(out).toContain("Claude Code's own log: 2 calls ran in 1 session, HASP judged 2\n");
  expect(calls.sessions).toMatchObject([{ session: SESSION, ran: 2, judged: 2, findings: [] }]);
  expect(code).toBe(0);
});

it("names a call that it was not asked about, and one that ran although it was refused", async () => {
  await ask(first, refused, last);
  log([first, hidden, refused, last]);
  const { code, out, calls } = await status();
  expect(calls.sessions[0]?.findings).toMatchObject([
    { code: "HASP854", call: "c3", step: { episode: SESSION, t: 1 } },
    { code: "HASP852", call: "c2" },
  ]);
  expect(out).toMatch(
    /\.jsonl:4:1 {2}warning {2}HASP852 {2}Claude Code ran this call and did not ask HASP: `rm -rf /,
  );
  expect(out).toContain("4 calls ran in 1 session, HASP judged 3\n");
  expect(out).not.toMatch(/(?!\n)\p{Cc}/u);
  expect(code).toBe(1);
});
