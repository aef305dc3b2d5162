import { describe, expect, test } from "vitest";
import { counted, importSession, use, writeSession } from "./claude-session.ts";
import { step } from "./formats-support.ts";

describe("hooks", () => {
  const success = { type: "hook_success", hookName: "h", exitCode: 0, stdout: "{}", durationMs: 3 };

  test("what a hook answered stands at the step of its call, or at the step that it is about", async () => {
    const session = writeSession();
    const about = (hookEvent: string, stdout: string, toolUseID?: string): string =>
      session.attachment({ ...success, hookEvent, stdout, ...(toolUseID !== undefined && { toolUseID }) });
    about("SessionStart", "start");
    session.person("Go.");
    about("UserPromptSubmit", "prompt");
    session.agent([use("a"), use("b")]);
    about("PreToolUse", "before b", "b");
    session.result("a", "A");
    session.result("b", "B");
    about("PostToolUse", "after a", "a");
    session.agent("Done.", { stop_reason: "end_turn" });
    about("Stop", "stop");
    const imported = await importSession(session);
    const hooks = imported.episodes[0]?.steps.map(({ extra }) =>
      (extra?.["hooks"] as { stdout: string }[] | undefined)?.map(({ stdout }) => stdout),
    );
    expect(hooks).toEqual([["start", "prompt", "after a"], ["before b"], ["stop"]]);
    expect(counted(imported, "kept", "hooks' answers")).toBe(5);
    expect(imported.value?.files[0]?.unknown).toEqual([]);
  });

  test("every kind of answer is kept", async () => {
    const kinds =
      "hook_success hook_non_blocking_error hook_blocking_error hook_cancelled hook_additional_context hook_permission_decision async_hook_response".split(
        " ",
      );
    const session = writeSession();
    session.person("Go.");
    session.agent([use("a")]);
    for (const type of kinds)
      session.attachment({ type, hookEvent: "PostToolUse", toolUseID: "a", content: type });
    const { episodes } = await importSession(session);
    const hooks = step(episodes[0], 0).extra?.["hooks"] as { type: string }[];
    expect(hooks.map(({ type }) => type)).toEqual(kinds);
  });

  test("a hook that spoke when the agent stopped is kept; a summary that says nothing is not", async () => {
    const session = writeSession();
    session.person("Go.");
    session.agent("Done.", { stop_reason: "end_turn" });
    const quiet = {
      type: "system",
      subtype: "stop_hook_summary",
      hookCount: 1,
      hookErrors: [],
      stopReason: "",
    };
    session.add(quiet);
    session.add({ ...quiet, hookErrors: ["the tests fail"], preventedContinuation: true });
    const imported = await importSession(session);
    expect(step(imported.episodes[0], 0).extra?.["hooks"]).toEqual([
      {
        type: "stop_hook_summary",
        hookEvent: "Stop",
        hookErrors: ["the tests fail"],
        preventedContinuation: true,
      },
    ]);
    expect(counted(imported, "dropped", "lines of type system, stop_hook_summary")).toBe(1);
  });
});
