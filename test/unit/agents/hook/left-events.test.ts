import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hookBench, type Bench } from "../../../support/hook.ts";

const base = { session_id: "s", cwd: "/repo/project" };
const call = (name: string, id: string, command: string, extra: object = {}) => ({
  ...base,
  hook_event_name: name,
  tool_name: "Bash",
  tool_input: { command },
  tool_use_id: id,
  ...extra,
});
const edit = (name: string, id: string, extra: object = {}) => ({
  ...base,
  hook_event_name: name,
  tool_name: "Edit",
  tool_input: { file_path: "/repo/project/a.txt", old_string: "a", new_string: "b" },
  tool_use_id: id,
  ...extra,
});
const stop = { ...base, hook_event_name: "Stop", stop_hook_active: false, last_assistant_message: "Done." };
const held = { decision: "block", reason: "No test has run since the last edit." };

/** Sends while another process is at work on the session. */
async function meanwhile(bench: Bench, ...events: readonly object[]): Promise<unknown[]> {
  bench.sessions.busy = true;
  try {
    const answers: unknown[] = [];
    for (const event of events) answers.push(await bench.send(event));
    return answers;
  } finally {
    bench.sessions.busy = false;
  }
}

const commands = (bench: Bench): unknown[] =>
  bench.episode("s").episode.steps.map(({ proposals }) => proposals.at(-1)?.action.arg);

async function expectJudgedAsRecorded(bench: Bench): Promise<void> {
  const { episode, problems } = bench.episode("s");
  expect(problems).toEqual([]);
  const judged = await bench.judged("s");
  expect(judged.map(({ events, executed }) => ({ events, executed }))).toEqual(
    episode.steps.map(({ events, executed }) => ({ events, executed })),
  );
}

describe("An event that comes while another process is at work on its session", () => {
  it("is judged all the same, and recorded by whoever holds the session next", async () => {
    const bench = hookBench();
    await bench.send(call("PreToolUse", "1", "ls"));
    const [answer] = await meanwhile(bench, call("PreToolUse", "2", "rm -rf src"));
    expect(answer).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
    expect(commands(bench)).toEqual(['{"command":"ls"}']);
    await bench.send(call("PreToolUse", "3", "pwd"));
    expect(commands(bench)).toEqual(['{"command":"ls"}', '{"command":"rm -rf src"}', '{"command":"pwd"}']);
    expect(bench.sessions.left.get("s")).toEqual([]);
    await expectJudgedAsRecorded(bench);
  });

  it("is recorded once where it comes twice, with one answer", async () => {
    const bench = hookBench();
    const push = call("PreToolUse", "1", "git push --force");
    const [first, second] = await meanwhile(bench, push, push);
    expect(second).toEqual(first);
    expect(await bench.send(push)).toEqual(first);
    expect(bench.episode("s").episode.steps).toHaveLength(1);
  });

  it("keeps what the agent was to read with a later answer", async () => {
    const bench = hookBench();
    await meanwhile(bench, edit("PreToolUse", "1"));
    const [after] = await meanwhile(bench, edit("PostToolUse", "1", { tool_response: "ok" }));
    expect(after).toEqual({});
    expect(await bench.send({ ...base, hook_event_name: "UserPromptSubmit", prompt: "go on" })).toMatchObject(
      {
        hookSpecificOutput: { additionalContext: "Edits so far: 0." },
      },
    );
  });

  it("is recorded with the answer that went out, where its session would have given another", async () => {
    const bench = hookBench();
    // Nobody knows of the edit while the agent wants to stop.
    bench.sessions.busy = true;
    await bench.send(edit("PreToolUse", "1"));
    expect(await bench.send(stop)).toEqual({});
    bench.sessions.busy = false;
    expect(await bench.send(stop)).toEqual(held);
    const { episode } = bench.episode("s");
    const unasked = (episode.decisions ?? []).filter(({ part }) => part === "hook_unasked");
    expect(unasked.map(({ t, reason }) => [t, reason])).toEqual([
      [
        1,
        "Answered while another event of this session was being recorded, and judged without it. The answer was allow.",
      ],
    ]);
    await expectJudgedAsRecorded(bench);
  });

  it("keeps nobody else's from being recorded, whatever is in it", async () => {
    const bench = hookBench();
    await bench.send(call("PreToolUse", "1", "ls"));
    await meanwhile(bench, call("PreToolUse", "2", "pwd"));
    const [good] = bench.sessions.left.get("s") ?? [];
    if (good === undefined) throw new Error("Nothing was left.");
    const bad = ["", "{", "[]", "{}", JSON.stringify({ session_id: "other", hook_event_name: "Stop" })];
    bench.sessions.left.set("s", [...bad.map((text) => ({ ...good, text })), good]);
    await bench.send(call("PreToolUse", "3", "id"));
    expect(commands(bench)).toEqual(['{"command":"ls"}', '{"command":"pwd"}', '{"command":"id"}']);
    expect(bench.sessions.left.get("s")).toEqual([]);
  });

  it("changes no answer, and every order of them is judged again as it was", async () => {
    const events = fc.constantFrom(
      call("PreToolUse", "1", "ls"),
      call("PreToolUse", "2", "git push --force"),
      call("PostToolUse", "2", "git push --force-with-lease", { tool_response: "ok" }),
      call("PreToolUse", "3", "npm test"),
      call("PostToolUse", "3", "npm test", { tool_response: "ok" }),
      edit("PreToolUse", "4"),
      edit("PostToolUse", "4", { tool_response: "ok" }),
      { ...base, hook_event_name: "UserPromptSubmit", prompt: "go on" },
      stop,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(events, fc.boolean()), { maxLength: 14 }), async (sent) => {
        const bench = hookBench();
        for (const [event, isBusy] of sent) await (isBusy ? meanwhile(bench, event) : bench.send(event));
        await bench.send(call("PreToolUse", "last", "id"));
        expect(bench.sessions.left.get("s") ?? []).toEqual([]);
        await expectJudgedAsRecorded(bench);
      }),
      { numRuns: 150 },
    );
  }, 60_000);
});
