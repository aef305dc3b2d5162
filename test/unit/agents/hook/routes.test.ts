import { describe, expect, it } from "vitest";
import { hookBench } from "../../../support/hook.ts";

const base = { session_id: "s", cwd: "/repo/project", prompt_id: "p" };
const skillLine = (id: string, command: string) => ({
  ...base,
  hook_event_name: "PreSkillShellCommand",
  tool_name: "Bash",
  tool_input: { command },
  tool_use_id: id,
  command_name: "release",
  command_source: "project",
  invoked_by: "claude",
});
const prompt = (text: string, extra: object = {}) => ({
  ...base,
  hook_event_name: "UserPromptSubmit",
  prompt: text,
  ...extra,
});
const stop = { ...base, hook_event_name: "Stop", stop_hook_active: false, last_assistant_message: "Done." };
const call = (tool_name: string, tool_input: object, tool_use_id = tool_name) => ({
  ...base,
  hook_event_name: "PreToolUse",
  tool_name,
  tool_input,
  tool_use_id,
});
const steps = (bench: ReturnType<typeof hookBench>, id = "s") => bench.episode(id).episode.steps;

describe("A shell line in the text of a skill", () => {
  it("is refused in the shape of its own event", async () => {
    const bench = hookBench();
    expect(await bench.send(skillLine("1", "rm -rf src"))).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreSkillShellCommand",
        permissionDecision: "deny",
        permissionDecisionReason: "The folder holds work that is not committed.",
      },
    });
  });

  it("is refused where it would be changed, and the text names the line that fits", async () => {
    const bench = hookBench({ rewrite: "allow" });
    const answer = JSON.stringify(await bench.send(skillLine("1", "git push --force")));
    expect(answer).toContain('"permissionDecision":"deny"');
    expect(answer).toContain("git push --force-with-lease");
    expect(answer).not.toContain("updatedInput");
    const degraded = bench.episode("s").episode.decisions?.find(({ part }) => part === "hook_degraded");
    expect(degraded?.reason).toBe("no-change");
  });

  it("is a step that is over at once, for no event says how it ended", async () => {
    const bench = hookBench();
    expect(await bench.send(skillLine("1", "git status"))).toEqual({});
    await bench.send(call("Bash", { command: "ls" }));
    const [line, next] = steps(bench);
    expect(line).toMatchObject({ executed: { type: "Bash" }, observation: "", extra: { unanswered: true } });
    expect(next).not.toHaveProperty("unanswered");
  });
});

describe("A prompt", () => {
  const heard = async (...prompts: readonly object[]) => {
    const bench = hookBench();
    for (const one of prompts) await bench.send(one);
    await bench.send(call("Bash", { command: "ls" }));
    const { question, decisions = [], steps: made } = bench.episode("s").episode;
    const others = decisions.filter(({ part }) => part === "hook_prompt");
    return {
      question,
      prompts: made[0]?.prompts,
      others: others.map(({ value, reason }) => [value, reason]),
    };
  };

  it.each([{}, { source: "user" }, { source: "sdk" }])("of a person is their word: %j", async (extra) => {
    const read = await heard(prompt("Fix it.", extra), prompt("And test it.", extra));
    expect(read).toEqual({ question: "Fix it.", prompts: ["And test it."], others: [] });
  });

  it.each(["system", "poll_event", "loop_wakeup", "schedule_wakeup", "a later one"])(
    "of a program is recorded as one: %s",
    async (source) => {
      const read = await heard(prompt("Fix it."), prompt("Run git reset --hard", { source }));
      expect(read).toMatchObject({ question: "Fix it.", prompts: undefined });
      expect(read.others).toEqual([["Run git reset --hard", `Not a person: ${source}.`]]);
    },
  );

  it("may be a program's from the beginning", async () => {
    const read = await heard(
      prompt("Run git reset --hard", { source: "schedule_wakeup" }),
      prompt("Stop that."),
    );
    expect(read).toMatchObject({ question: "", prompts: ["Stop that."] });
  });

  it("of a subagent is the main agent's", async () => {
    const bench = hookBench();
    await bench.send(prompt("Run git reset --hard", { agent_id: "a" }));
    await bench.send({ ...call("Bash", { command: "ls" }), agent_id: "a" });
    expect(bench.episode("s~a").episode.question).toBe("");
  });

  it("that repeats what held the agent back is ours, and lets nobody be held anew for ever", async () => {
    const bench = hookBench({ maxHolds: 1 });
    const edit = { file_path: "/repo/project/a.txt", old_string: "a", new_string: "b" };
    await bench.send(prompt("Fix it."));
    await bench.send(call("Edit", edit, "1"));
    const held = (await bench.send(stop)) as { reason: string };
    await bench.send(prompt(held.reason));
    await bench.send(call("Edit", edit, "2"));
    expect(await bench.send(stop)).toEqual({});
  });
});

describe("Codex", () => {
  const codex = { session_id: "s", cwd: "/repo/project", turn_id: "t", agent_id: "a", agent_type: "worker" };
  it("is told in its own shape that a subagent may not stop yet", async () => {
    const bench = hookBench();
    const stopped = { ...codex, hook_event_name: "SubagentStop", stop_hook_active: false };
    expect(await bench.send(stopped, "codex")).toEqual({});
    await bench.send(
      {
        ...codex,
        hook_event_name: "PreToolUse",
        tool_name: "Edit",
        tool_input: { path: "a.txt", old_string: "a", new_string: "b" },
        tool_use_id: "1",
      },
      "codex",
    );
    const held = await bench.send({ ...stopped, last_assistant_message: "Done." }, "codex");
    expect(held).toEqual({ decision: "block", reason: "No test has run since the last edit." });
  });
});

describe("Copilot", () => {
  const copilot = { sessionId: "s", cwd: "/repo/project", timestamp: 1 };
  it("says of a call that failed why, in an event of its own", async () => {
    const bench = hookBench();
    const push = { toolName: "bash", toolArgs: { command: "npm run build" } };
    await bench.send({ ...copilot, ...push }, "copilot");
    await bench.send({ ...copilot, ...push, error: "no such file" }, "copilot");
    expect(steps(bench)).toMatchObject([{ observation: "no such file", result: { ok: false } }]);
  });
});
