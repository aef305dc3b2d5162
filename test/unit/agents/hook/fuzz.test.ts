import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HOOK_HOSTS } from "../../../../src/agents/hook/event.ts";
import { hookBench } from "../../../support/hook.ts";

const NAMES = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "UserPromptSubmit",
  "Stop",
  "SubagentStop",
  "SessionStart",
  "SessionEnd",
  "preToolUse",
  "agentStop",
  "Nonsense",
];
const TOOLS = [
  "Bash",
  "Edit",
  "Write",
  "run_in_terminal",
  "apply_patch",
  "bash",
  "FINAL",
  "REFUSE",
  "mcp__x__y",
  "__proto__",
  "",
];

const junk = fc.oneof(
  fc.constantFrom(null, true, 0, -1, "", "\ud800", "{", "[]", "a\u0000b", [], {}, [[]], "x".repeat(50_000)),
  fc.string({ unit: "binary" }),
  fc.jsonValue(),
);
const input = fc.oneof(
  fc.record({
    command: fc.oneof(
      fc.constantFrom("ls", "git push --force", "rm -rf a", "sed -i x", "\udfff --force"),
      junk,
    ),
  }),
  fc.record({ file_path: junk, old_string: junk, new_string: junk }),
  junk,
);
const or = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 8, arbitrary: value }, { weight: 1, arbitrary: junk });

const keys = {
  session_id: or(fc.constant("s")),
  sessionId: or(fc.constant("s")),
  cwd: or(fc.constant("/repo/project")),
  hook_event_name: or(fc.constantFrom(...NAMES)),
  hookEventName: or(fc.constantFrom(...NAMES)),
  tool_name: or(fc.constantFrom(...TOOLS)),
  toolName: or(fc.constantFrom(...TOOLS)),
  tool_use_id: or(fc.constantFrom("1", "2", "3")),
  tool_input: input,
  toolArgs: fc.oneof(
    input,
    input.map((value) => JSON.stringify(value)),
  ),
  tool_response: junk,
  toolResult: junk,
  prompt: or(fc.string()),
  last_assistant_message: junk,
  stop_hook_active: or(fc.boolean()),
  timestamp: junk,
  agent_id: fc.constantFrom("a", 5),
  turn_id: junk,
};
const event = fc.record(keys, { requiredKeys: [] });
const sane = fc
  .record({
    hook_event_name: fc.constantFrom(...NAMES.slice(0, 7)),
    tool_name: fc.constantFrom("Bash", "Edit"),
    tool_input: input,
    tool_use_id: fc.constantFrom("1", "2", "3", "4"),
    stop_hook_active: fc.boolean(),
    prompt: fc.constantFrom("a", "b"),
  })
  .map((fields) => ({ ...fields, session_id: "s", cwd: "/repo/project" }));
const sent = fc.record({ raw: fc.oneof(event, sane, sane), host: fc.constantFrom(...HOOK_HOSTS) });

describe("Whatever hosts send", () => {
  it("there is one valid answer, and what is recorded is an episode that is judged again as it was", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sent, { maxLength: 12 }), async (events) => {
        const bench = hookBench();
        await Promise.all(
          events.map(async ({ raw, host }) => {
            const output = await bench.send(raw, host);
            if (output !== undefined) expect(JSON.parse(JSON.stringify(output))).toEqual(output);
          }),
        );
        for (const id of bench.sessions.live.keys()) {
          const { episode, problems } = bench.episode(id);
          expect(problems).toEqual([]);
          const judged = await bench.judged(id);
          expect(judged.map(({ events: seen, executed }) => ({ seen, executed }))).toEqual(
            episode.steps.map(({ events: seen, executed }) => ({ seen, executed })),
          );
        }
      }),
      { numRuns: 120 },
    );
  }, 60_000);

  it("nothing of it throws, not even what is no JSON", async () => {
    const bench = hookBench();
    for (const text of [
      "",
      "{",
      "null",
      "[]",
      "5",
      '"a"',
      "{}",
      '{"hook_event_name":"PreToolUse"}',
      "[".repeat(100_000),
    ])
      expect(await bench.send(text)).toEqual({});
  });

  const big = (tool_name: string, tool_input: object) => ({
    session_id: "s",
    cwd: "/repo/project",
    hook_event_name: "PreToolUse",
    tool_name,
    tool_input,
    tool_use_id: "1",
  });

  it("a file of 5 MB is recorded short, and judged by its path", async () => {
    const bench = hookBench();
    const raw = big("Write", { file_path: "/repo/project/a.txt", content: "x".repeat(5_000_000) });
    expect(await bench.send(raw)).toEqual({});
    const answer = { ...raw, hook_event_name: "PostToolUse", tool_response: "y".repeat(5_000_000) };
    expect(await bench.send(answer)).toMatchObject({
      hookSpecificOutput: { additionalContext: "Edits so far: 0." },
    });
    const [step] = bench.episode("s").episode.steps;
    expect(step?.executed.arg.length).toBeLessThan(10_000);
    expect(JSON.parse(step?.executed.arg ?? "")).toMatchObject({ path: "a.txt" });
    expect(step?.observation.length).toBeLessThan(25_000);
    expect(JSON.stringify([...bench.sessions.states.values()]).length).toBeLessThan(60_000);
  });

  it("an edit of 5 MB passes, and no PF is asked: a part of it says something else", async () => {
    const bench = hookBench();
    const edit = { file_path: "/repo/project/a.txt", old_string: "a", new_string: "x".repeat(5_000_000) };
    expect(await bench.send(big("Edit", edit))).toEqual({});
    const [step] = bench.episode("s").episode.steps;
    expect(step?.events.map(({ status }) => status)).toEqual(["skipped", "skipped", "skipped"]);
  });

  it("a command is judged, however much stands beside it", async () => {
    const bench = hookBench();
    const description = "x".repeat(5_000_000);
    expect(await bench.send(big("Bash", { command: "rm -rf src", description }))).toMatchObject({
      hookSpecificOutput: { permissionDecision: "deny" },
    });
    const junk = `"junk":${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const nested = JSON.stringify({ ...big("Bash", { command: "rm -rf src" }), tool_use_id: "2" }).replace(
      '"tool_input":{',
      `${junk},"tool_input":{${junk},`,
    );
    expect(await bench.send(nested)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
    const forced = { ...big("Bash", { command: "git push --force", description }), tool_use_id: "3" };
    expect(await bench.send(forced)).toMatchObject({
      hookSpecificOutput: {
        permissionDecision: "deny",
        permissionDecisionReason: expect.stringContaining("git push --force-with-lease") as unknown,
      },
    });
  });
});
