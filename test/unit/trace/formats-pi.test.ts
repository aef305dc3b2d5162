import { expect, test } from "vitest";
import { readerOf } from "../../../src/trace/formats/formats.ts";
import { openLedger } from "../../../src/trace/formats/ledger.ts";
import { promptsOf } from "./formats-prompts.ts";
import { acted, importContent, lines, step } from "./formats-support.ts";

const AT = "2026-01-01T00:00:00.000Z";
const HEADER = { type: "session", version: 3, id: "s", timestamp: AT, cwd: "/repo" };
const entry = (type: string, id: string, parentId: string | null, more: object): object => ({
  type,
  id,
  parentId,
  timestamp: AT,
  ...more,
});
const message = (
  id: string,
  parent: string | null,
  role: string,
  content: unknown,
  more: object = {},
): object => entry("message", id, parent, { message: { role, content, timestamp: 1, ...more } });
const words = (text: string): object[] => [{ type: "text", text }];
const run = (id: string, name: string, args: object): object => ({
  type: "toolCall",
  id,
  name,
  arguments: args,
});
const USAGE = { input: 10, output: 5, cacheRead: 20, cacheWrite: 1, totalTokens: 36, cost: { total: 0.5 } };
const reply = (id: string, parent: string, content: object[], stopReason = "stop"): object =>
  message(id, parent, "assistant", content, {
    model: "m",
    provider: "p",
    api: "a",
    usage: USAGE,
    stopReason,
  });
const result = (
  id: string,
  parent: string,
  call: string,
  tool: string,
  text: string,
  isError = false,
): object => message(id, parent, "toolResult", words(text), { toolCallId: call, toolName: tool, isError });

const SYSTEM = message("e1", null, "system", "", {
  sections: { preamble: "You code.", gone: null, rules: "Be brief." },
  toolsAdded: [{ name: "bash", description: "runs", parameters: {}, constrainedSampling: {} }],
});
const TALK = [
  HEADER,
  entry("model_change", "e0", null, { provider: "p", modelId: "m" }),
  { ...SYSTEM, parentId: "e0" },
  message("e2", "e1", "user", words("Fix it.")),
  reply("e3", "e2", [
    { type: "thinking", thinking: "Hm.", thinkingSignature: "x" },
    { type: "text", text: "I look." },
    run("c1", "bash", { command: "npm test", timeout: 3 }),
    run("c2", "edit", { path: "/repo/a.ts", edits: [{ oldText: "x", newText: "y" }] }),
  ]),
  result("e4", "e3", "c2", "edit", "Replaced."),
  result("e5", "e4", "c1", "bash", "fail\n\nCommand exited with code 2", true),
];

test("Pi: calls are canonical, usage has what the cache gave, the end of a command its code", async () => {
  const { episodes, diagnostics, value } = await importContent(
    lines(...TALK, reply("e6", "e5", words("Done."))),
    "s.jsonl",
  );
  expect(diagnostics).toEqual([]);
  expect(value?.files[0]?.format).toBe("pi");
  const [episode] = episodes;
  expect(episode).toMatchObject({
    id: "s",
    source: "pi",
    question: "Fix it.",
    prelude: "You code.\n\nBe brief.",
    answer: "Done.",
    facts: { domain: "coding-agent", cwd: "/repo" },
    settings: { model: "m", agent: "pi" },
    cost: { inputTokens: 62, outputTokens: 10, cost: 1 },
  });
  expect(acted(episode)).toEqual([
    ["Bash", { command: "npm test", timeoutSeconds: 3 }],
    ["MultiEdit", { edits: [{ path: "a.ts", oldText: "x", newText: "y" }] }],
    ["FINAL", "Done."],
  ]);
  expect(step(episode, 0)).toMatchObject({
    result: { exitCode: 2, ok: false },
    extra: { entryId: "e3" },
    proposals: [
      {
        thought: "Hm.\n\nI look.",
        usage: { inputTokens: 31, cachedInputTokens: 20, outputTokens: 5, cost: 0.5 },
      },
    ],
  });
  expect(step(episode, 1)).toMatchObject({ result: { ok: true }, unanswered: [0], observation: "Replaced." });
});

test("Pi: the prompts are whole up to a compaction; what follows is a transcript's", async () => {
  const after = [
    entry("compaction", "e6", "e5", { summary: "Was fixed.", firstKeptEntryId: "e5", tokensBefore: 9 }),
    reply("e7", "e6", words("Done.")),
  ];
  const text = lines(...TALK, ...after);
  const prompts = await promptsOf(text);
  expect(prompts[0]).toEqual([
    {
      role: "system",
      content:
        'You code.\n\nBe brief.\n\n<tools>\n{"name":"bash","description":"runs","parameters":{}}\n</tools>',
    },
    { role: "user", content: "Fix it." },
  ]);
  expect(prompts[2]?.at(-1)?.role).toBe("user");
  expect(prompts[2]?.at(-1)?.content).toContain("<summary>\nWas fixed.\n</summary>");
  const { episodes } = await importContent(text);
  expect(episodes[0]?.steps.map(({ proposals }) => proposals[0]?.fromTranscript)).toEqual([
    undefined,
    undefined,
    true,
  ]);
});

test("Pi: a branch that was left is an episode that says where it left, and so is a branch of it", async () => {
  const { episodes, value } = await importContent(
    lines(
      ...TALK,
      message("a1", "e5", "user", words("Wrong way.")),
      reply("a2", "a1", [run("c3", "bash", { command: "rm a" })], "toolUse"),
      result("a3", "a2", "c3", "bash", "gone"),
      reply("a4", "a3", words("Oops."), "aborted"),
      reply("b1", "a2", words("No result.")),
      message("q1", "a3", "user", words("Never answered")),
      message("q2", "e5", "user", words("Never answered either")),
      entry("branch_summary", "s1", "e5", { fromId: "a4", summary: "Tried rm." }),
      message("d1", "s1", "user", words("Right way.")),
      reply("d2", "d1", [], "error"),
      reply("d3", "d2", words("Done.")),
      entry("label", "l1", "d3", { targetId: "d3", label: "x" }),
    ),
  );
  expect(
    episodes.map(({ id, outcome, origin, question, steps }) => [id, outcome, origin, question, steps.length]),
  ).toEqual([
    ["s", "unjudged", undefined, "Fix it.", 3],
    ["s~branch-1", "abandoned", { as: "branch", episode: "s~branch-3", t: 0 }, "Fix it.", 1],
    ["s~branch-2", "abandoned", { as: "branch", episode: "s~branch-3", t: 0 }, "Fix it.", 1],
    ["s~branch-3", "abandoned", { as: "branch", episode: "s", t: 1 }, "Wrong way.", 1],
  ]);
  expect(step(episodes[0], 1).observation).toContain("Tried rm.");
  expect(step(episodes[0], 2)).toMatchObject({
    prompts: ["Right way."],
    executed: { type: "FINAL", arg: "Done." },
  });
  expect(episodes[0]?.steps.map(({ extra }) => extra?.["entryId"])).toEqual(["e3", undefined, "d3"]);
  const dropped = value?.files[0]?.dropped.map(({ what, times }) => [what, times]);
  expect(dropped).toContainEqual(["abandoned branches without a step", 1]);
  expect(dropped).toContainEqual(["replies that failed before they said anything", 1]);
  expect(value?.files[0]).toMatchObject({ abandoned: 3, abandonedSteps: 3 });
});

test("Pi: commands of the person, extensions, unknown entries and roles are shown or named", async () => {
  const { episodes, value, diagnostics } = await importContent(
    lines(
      ...TALK,
      message("b1", "e5", "bashExecution", undefined, {
        command: "ls",
        output: "a",
        exitCode: 1,
        cancelled: false,
      }),
      message("b2", "b1", "bashExecution", undefined, {
        command: "secret",
        output: "s",
        excludeFromContext: true,
      }),
      entry("custom_message", "b3", "b2", { customType: "x", content: "Injected.", display: true }),
      entry("custom", "b4", "b3", { customType: "x", data: {} }),
      entry("hologram", "b5", "b4", {}),
      message("b6", "b5", "oracle", "?"),
      reply("b7", "b6", [
        { type: "image", data: "iVBORw0K".repeat(9_999), mimeType: "image/png" },
        ...words("Done."),
      ]),
    ),
  );
  expect(step(episodes[0], 1).observation).toContain(
    "Ran `ls`\n```\na\n```\n\nCommand exited with code 1\n\nInjected.",
  );
  expect(JSON.stringify(episodes)).not.toMatch(/secret|iVBORw0K/);
  expect(episodes[0]?.answer).toBe("[image]\nDone.");
  expect(value?.files[0]?.unknown.map(({ what }) => what)).toEqual([
    "entries hologram",
    "messages of role oracle",
  ]);
  expect(diagnostics.map(({ code }) => code)).toEqual(["HASP522"]);
});

test("Pi: two sessions in one file, the first version without ids, and what --mode json prints", async () => {
  const old = [
    { ...HEADER, id: "old", version: 1 },
    message("x", null, "user", "Hi"),
    reply("y", "x", words("Ho.")),
  ].map((line) => {
    const { id: _id, parentId: _parent, ...rest } = line as Record<string, unknown>;
    return rest["type"] === "session" ? line : rest;
  });
  const events = [
    { ...HEADER, id: "json" },
    { type: "agent_start" },
    { type: "message_end", message: { role: "user", content: "Go" } },
    { type: "message_update", assistantMessageEvent: { type: "text_delta", delta: "x" } },
    {
      type: "message_end",
      message: { role: "assistant", content: words("Gone."), usage: USAGE, stopReason: "stop" },
    },
    { type: "agent_end", messages: [] },
  ];
  const { episodes } = await importContent(lines(...old, ...events));
  expect(episodes.map(({ id, question, answer }) => [id, question, answer])).toEqual([
    ["old", "Hi", "Ho."],
    ["json", "Go", "Gone."],
  ]);
});

test("Pi: a parent that is not there, a circle, a result without its call and a cut line are named or kept", async () => {
  const { episodes, diagnostics } = await importContent(
    `${lines(
      HEADER,
      message("a", "b", "user", "Round"),
      reply("b", "a", words("and round")),
      message("c", "nowhere", "user", "Lost"),
      result("d", "c", "none", "bash", "stray"),
      reply("e", "d", words("Found.")),
    )}\n${lines(reply("f", "e", words("Cut"))).slice(0, 90)}`,
  );
  expect(episodes.map(({ id, origin, steps }) => [id, origin, steps.length])).toEqual([
    ["s", undefined, 1],
    ["s~branch-1", { as: "branch", episode: "s" }, 1],
  ]);
  expect(episodes[0]).toMatchObject({ question: "Lost", prelude: "stray" });
  expect(diagnostics.some(({ message: text }) => text.includes("2 entries name parents"))).toBe(true);
  expect(diagnostics.map(({ code }) => code)).toContain("HASP536");
});

test("Pi: 50,000 entries that all leave the same place take no time", async () => {
  const many = Array.from({ length: 50_000 }, (_, n) =>
    reply(`n${n}`, n % 2 === 0 ? "e5" : `n${n - 1}`, words(`${n}`)),
  );
  const reader = readerOf("pi", { name: "s", ledger: openLedger() });
  [...TALK, ...many].forEach((line, at) => reader.read(line, at));
  const start = performance.now();
  expect(reader.end().episodes).toHaveLength(25_000);
  expect(performance.now() - start).toBeLessThan(5_000);
});
