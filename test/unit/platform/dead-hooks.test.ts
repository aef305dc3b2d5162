import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { deadHookCheck, type DeadHookReport } from "../../../src/platform/dead-hooks.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { inSurroundings } from "../../../src/platform/surroundings.ts";
import { claudeTranscript, OUR_COMMAND, type MadeSession } from "../../support/claude-transcript.ts";

const ID = "0a0a0a0a-1111-2222-3333-44444444444";
const WEEKS = 30 * 86_400;

interface Scene {
  readonly home: string;
  readonly root: string;
  /** Writes the transcript of a session that began in `cwd`. */
  readonly log: (cwd: string, made: Pick<MadeSession, "session" | "calls"> & Partial<MadeSession>) => string;
  readonly check: (root?: string) => Promise<DeadHookReport>;
}

function scene(): Scene {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), "hasp-dead-hooks-")));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const [home, root] = [path.join(base, "home"), path.join(base, "my work")];
  for (const folder of [root, `${root}-other`, `${root}/sub`])
    mkdirSync(path.join(folder), { recursive: true });
  for (const folder of [root, `${root}-other`]) mkdirSync(path.join(folder, ".git"));
  const checking = deadHookCheck(nodeFiles());
  return {
    home,
    root,
    log(cwd, made) {
      const folder = path.join(home, ".claude", "projects", cwd.replaceAll(/[^A-Za-z0-9]/g, "-"));
      const main = path.join(folder, `${made.session}.jsonl`);
      for (const [agent, lines] of claudeTranscript({ cwd, ...made })) {
        const file =
          agent === "" ? main : path.join(folder, made.session, "subagents", `agent-${agent}.jsonl`);
        mkdirSync(path.dirname(file), { recursive: true });
        // The last line is being written.
        writeFileSync(file, `${lines.join("\n")}\n{"type":"assis`);
      }
      return main;
    },
    check: (at = root) => inSurroundings({ cwd: at, env: { HOME: home } }, () => checking.check(at)),
  };
}

const bare = (id: string, agent?: string) => ({ id, command: "ls", ...(agent !== undefined && { agent }) });
const asked = (id: string) => ({ id, command: "ls", pre: "answered" as const });

it("looks at the sessions that began in the workspace, subagents and subfolders too", async () => {
  const { root, log, check } = scene();
  log(root, { session: `${ID}1`, calls: [asked("a1"), bare("a2"), bare("a3", "x"), asked("a4")] });
  log(`${root}/sub`, { session: `${ID}2`, calls: [bare("b1"), asked("b2")] });
  log(`${root}-other`, { session: `${ID}3`, calls: [bare("c1"), asked("c2")] });
  const { sessions, notLookedAt } = await check();
  expect(notLookedAt).toBe(0);
  const found = sessions.flatMap(({ findings }) => findings.map(({ code, call }) => `${code} ${call}`));
  expect(found.toSorted()).toEqual(["HASP852 a2", "HASP852 a3", "HASP852 b1"]);
});

it("says how many sessions are too old or too many, and tells a call of two copies once", async () => {
  const { root, log, check } = scene();
  utimesSync(log(root, { session: `${ID}0`, calls: [bare("a"), asked("b")] }), WEEKS, WEEKS);
  expect(await check()).toEqual({ sessions: [], notLookedAt: 1 });
  for (let i = 0; i < 25; i++)
    log(root, { session: `0a0a0a0a-1111-2222-3333-4444444444${10 + i}`, calls: [bare("a"), asked("b")] });
  const { sessions, notLookedAt } = await check();
  expect([sessions.length, notLookedAt]).toEqual([20, 6]);
  expect(sessions.flatMap(({ findings }) => findings)).toHaveLength(1);
});

it("reads a log anew once it has changed, and a record that came meanwhile", async () => {
  const { root, log, check } = scene();
  const calls = [asked("a1"), bare("a2"), asked("a3")];
  log(root, { session: `${ID}1`, calls });
  expect((await check()).sessions[0]).toMatchObject({ ran: 3, findings: [{ call: "a2" }] });
  log(root, { session: `${ID}1`, calls: [...calls, bare("a4"), asked("a5")] });
  expect((await check()).sessions[0]?.findings).toMatchObject([{ call: "a2" }, { call: "a4" }]);
  const live = path.join(root, ".hasp/runs/agent-sessions/live");
  mkdirSync(live, { recursive: true });
  const value = JSON.stringify({ event: "PreToolUse", toolUseId: "a2", verdict: "allow" });
  const line = JSON.stringify({ event: "decided", decision: { part: "hook_answer", t: 1, value } });
  writeFileSync(path.join(live, `${ID}1.jsonl`), `${line}\n`);
  expect((await check()).sessions[0]?.findings).toMatchObject([{ call: "a4" }]);
});

it("compares nothing where our own record is no file", async () => {
  const { root, log, check } = scene();
  mkdirSync(path.join(root, ".hasp/runs/agent-sessions/live", `${ID}1.jsonl`), { recursive: true });
  execFileSync("mkfifo", [path.join(root, ".hasp/runs/agent-sessions/run.json")]);
  expect(await check()).toEqual({ sessions: [], notLookedAt: 0 });
  log(root, { session: `${ID}1`, calls: [asked("a1"), bare("a2"), asked("a3")] });
  await expect(check()).rejects.toThrow(/no plain file/);
});

it("knows since when the hooks of a session are installed, and what their matcher takes", async () => {
  const { root, home, log, check } = scene();
  const startedAt = Date.now();
  log(root, { session: `${ID}1`, calls: [bare("a1")], start: false, startedAt });
  const findings = async () =>
    (await check()).sessions.flatMap((session) => session.findings.map(({ code }) => code));
  expect(await findings()).toEqual([]);
  const settings = path.join(root, ".claude/settings.local.json");
  const [command = "", ...args] = `${OUR_COMMAND} PreToolUse`.split(" ");
  function install(matcher: string, more: object = {}): void {
    mkdirSync(path.dirname(settings), { recursive: true });
    const hooks = { PreToolUse: [{ matcher, hooks: [{ type: "command", command, args, timeout: 10 }] }] };
    writeFileSync(settings, JSON.stringify({ ...more, hooks }));
    const before = startedAt / 1000 - 60;
    utimesSync(settings, before, before);
  }
  install("*");
  expect(await findings()).toEqual(["HASP855"]);
  install("Edit|Write");
  expect(await findings()).toEqual([]);
  install("*", { disableAllHooks: true });
  expect(await findings()).toEqual([]);
  install("*");
  utimesSync(settings, startedAt / 1000 + 60, startedAt / 1000 + 60);
  expect(await findings()).toEqual([]);
  const backup = `${settings}.hasp-backup-${new Date(startedAt - 60_000).toISOString().replaceAll(/[:.]/g, "-")}`;
  writeFileSync(backup, "{}");
  expect(await findings()).toEqual(["HASP855"]);
  rmSync(home, { recursive: true });
  expect(await check()).toEqual({ sessions: [], notLookedAt: 0 });
});
