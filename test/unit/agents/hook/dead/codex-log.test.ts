import { expect, it } from "vitest";
import { codexLog } from "../../../../../src/agents/hook/dead/codex-log.ts";
import { compareSession, type Installed } from "../../../../../src/agents/hook/dead/find-dead-hooks.ts";
import { journalReader } from "../../../../../src/agents/hook/dead/journal.ts";

const SESSION = "01a2-c0de";
const AT = Date.parse("2026-11-20T10:00:00.000Z");
const INSTALLED: Installed = { since: AT - 1, asks: () => true, untrusted: false };

const item = (fields: object) => ({ type: "event_msg", payload: { type: "item_completed", item: fields } });
const command = (id: string, more: object = {}) =>
  item({
    type: "CommandExecution",
    id,
    command: ["/bin/bash", "-lc", `echo ${id}`],
    source: "unified_exec_startup",
    status: "completed",
    exit_code: 0,
    ...more,
  });

const ROWS = [
  command("c1"),
  { type: "response_item", payload: { type: "function_call", call_id: "refused", name: "exec_command" } },
  command("exec-2", { source: "agent", exit_code: 1 }),
  command("person", { source: "user_shell" }),
  command("typed", { source: "unified_exec_interaction" }),
  command("declined", { status: "declined", exit_code: null }),
  item({ type: "FileChange", id: "exec-3", changes: { "/w/n.txt": { type: "add" } }, status: "completed" }),
  item({ type: "FileChange", id: "failed", changes: {}, status: "failed" }),
];

function logOf(meta: object = {}) {
  const reader = codexLog("file-name");
  const time = (seconds: number) => new Date(AT + 1000 * seconds).toISOString();
  const payload = { session_id: SESSION, cwd: "/w", timestamp: time(0), ...meta };
  const rows = [{ type: "session_meta", payload }, ...ROWS];
  for (const [i, row] of rows.entries())
    reader.add("r.jsonl", i, JSON.stringify({ timestamp: time(i), ...row }));
  return reader.log();
}

function journalOf(ids: readonly string[]) {
  const reader = journalReader();
  for (const toolUseId of ids)
    reader.addDecision(SESSION, {
      part: "hook_answer",
      t: 0,
      value: JSON.stringify({ event: "PreToolUse", toolUseId, verdict: "allow" }),
    });
  return reader.journal(AT - 1);
}

const told = (ids: readonly string[], installed = INSTALLED, meta = {}) =>
  compareSession(logOf(meta), journalOf(ids), installed).findings.map(({ code, call }) => [code, call]);

it("compares what ran, and nothing else, by the ids that hooks are given", () => {
  expect(logOf()).toMatchObject({ session: SESSION, cwd: "/w", startedAt: AT });
  expect(logOf().calls.map(({ tool, text }) => [tool, text])).toEqual([
    ["Bash", "echo c1"],
    ["Bash", "echo exec-2"],
    ["apply_patch", "/w/n.txt"],
  ]);
  expect(told(["c1", "exec-2", "exec-3"])).toEqual([]);
});

it.each(["c1", "exec-2", "exec-3"])("finds %s where the hook was not asked about it", (id) => {
  expect(told(["c1", "exec-2", "exec-3"].filter((one) => one !== id))).toEqual([["HASP852", id]]);
});

it("finds a session that asked about nothing, unless its record may have been deleted", () => {
  const silent = (installed: Installed, since: number | undefined) =>
    compareSession(logOf(), journalReader().journal(since), installed).findings.map(({ code }) => code);
  expect(silent(INSTALLED, AT - 1)).toEqual(["HASP855"]);
  expect(silent(INSTALLED, undefined)).toEqual([]);
  expect(silent(INSTALLED, AT + 1)).toEqual([]);
  expect(silent({ ...INSTALLED, untrusted: true }, undefined)).toEqual(["HASP855"]);
});

it("blames nobody where a part of the record cannot be read", () => {
  const reader = journalReader();
  for (const toolUseId of ["c1", "exec-3"])
    reader.addDecision(SESSION, {
      part: "hook_answer",
      value: JSON.stringify({ event: "PreToolUse", toolUseId }),
    });
  const findings = () => compareSession(logOf(), reader.journal(AT - 1), INSTALLED).findings;
  expect(findings()).toHaveLength(1);
  reader.addUnreadable();
  expect(findings()).toEqual([]);
});

it("takes no call of the session that it was forked from for one of its own", () => {
  expect(told(["exec-2", "exec-3"], INSTALLED, { forked_from_id: "before" })).toEqual([]);
});
