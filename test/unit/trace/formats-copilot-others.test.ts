import { describe, expect, test } from "vitest";
import {
  ask,
  done,
  event,
  readLines,
  says,
  shell,
  start,
  starts,
  system,
  used,
  user,
} from "./copilot-lines.ts";
import { everyCommandIsAStep } from "./damaged-rows.ts";
import { acted, importContent, lines, step } from "./formats-support.ts";

const importLines = (...rows: object[]) => importContent(lines(...rows), "events.jsonl");

test("a Local session of VS Code tells usage after each message", async () => {
  const { episodes, diagnostics } = await importLines(
    event("session.start", {
      sessionId: "v",
      producer: "copilot-agent",
      vscodeVersion: "1.130",
      context: { cwd: "/repo" },
    }),
    event("user.message", { content: "Go.", attachments: [] }),
    event("assistant.turn_start", { turnId: "0" }),
    event("assistant.message", {
      messageId: "1",
      content: "",
      toolRequests: [
        ask("1", "run_in_terminal", '{"command":"make","explanation":"x","isBackground":false}'),
      ],
    }),
    event("assistant.usage", {
      model: "gpt-4o",
      inputTokens: 12,
      outputTokens: 3,
      totalTokens: 15,
      parentToolCallId: null,
    }),
    starts("1", "run_in_terminal", { command: "make", explanation: "x", isBackground: false }),
    done("1", "ok"),
    event("assistant.usage", { inputTokens: 20, outputTokens: 4 }),
    event("assistant.message", { messageId: "2", content: "Done.", toolRequests: [] }),
  );
  expect(diagnostics).toEqual([]);
  expect(episodes[0]).toMatchObject({
    settings: { agent: "vscode", agentVersion: "1.130" },
    cost: { inputTokens: 32, outputTokens: 7 },
  });
  expect(episodes[0]?.steps.map(({ proposals }) => proposals[0]?.usage)).toEqual([
    { inputTokens: 12, outputTokens: 3 },
    { inputTokens: 20, outputTokens: 4 },
  ]);
});

test("what `--output-format json` writes has its id in its last line; two sessions in a file are two episodes", async () => {
  const { episodes, value } = await importLines(
    event("session.tools_updated", { model: "gpt-5.5" }, { ephemeral: true }),
    user("Go."),
    says("r1", "Done."),
    { type: "result", timestamp: "2026-11-30T19:12:44.168Z", sessionId: "e7", exitCode: 0, usage: {} },
  );
  expect(episodes.map(({ id, question }) => [id, question])).toEqual([["e7", "Go."]]);
  expect(value?.files[0]?.unknown).toEqual([]);
  const two = await importLines(
    start(),
    user("A"),
    says("r1", "B"),
    start({ sessionId: "t" }),
    user("C"),
    says("r2", "D"),
  );
  expect(two.episodes.map(({ id, question }) => [id, question])).toEqual([
    ["s", "A"],
    ["t", "C"],
  ]);
});

describe("damaged sessions of Copilot", () => {
  test("unknown events, results without calls, wrong types and a cut line are named; the rest is imported", async () => {
    const { episodes, diagnostics, value } = await importContent(
      `${lines(
        start({ context: 5, selectedModel: 7 }),
        user("Go."),
        done("lost", "nobody asked"),
        event("future.event", {}),
        event("assistant.future", { content: "x" }),
        event("assistant.message", {
          content: 3,
          toolRequests: [7, { name: 5, arguments: 1 }],
          apiCallId: [],
          messageId: {},
        }),
        event("session.usage_record", { usage: { inputTokens: -3, outputTokens: "x", apiCallId: "r9" } }),
        event("subagent.started", { toolCallId: 5 }, { agentId: {} }),
        event("session.snapshot_rewind", { upToEventId: {}, eventIds: 3 }),
        event("session.shutdown", { agentMetrics: { main: 3 }, modelMetrics: [] }),
        { type: "user.message", data: "no object", id: "y" },
        says("r1", "", [ask("1", "bash", { command: "ls" })]),
        shell("1", "a", 0),
        says("r2", "Done."),
      )}\n{"type":"assistant.message","data":{"content":"cut`,
      "events.jsonl",
    );
    expect(diagnostics.map(({ code }) => code).sort()).toEqual([
      "HASP522",
      "HASP529",
      "HASP529",
      "HASP530",
      "HASP530",
      "HASP536",
    ]);
    expect(diagnostics.some(({ message }) => message.includes('"lost"'))).toBe(true);
    expect(value?.files[0]?.unknown.map(({ what }) => what)).toEqual([
      "events future.event",
      "events assistant.future",
    ]);
    expect(acted(episodes[0]).slice(-2)).toEqual([
      ["Bash", { command: "ls" }],
      ["FINAL", "Done."],
    ]);
    expect(episodes[0]?.prelude).toContain("nobody asked");
  });

  test("a large image is a mark", async () => {
    const data = "A".repeat(20_000_000);
    const { episodes } = await importLines(
      start(),
      event("session.binary_asset", { assetId: "sha256:1", type: "image", mimeType: "image/png", data }),
      user("Look.", {
        attachments: [
          { type: "file", mimeType: "image/png", assetId: "sha256:1" },
          { type: "file", path: "a.txt" },
        ],
      }),
      says("r1", "", [ask("1", "view", { path: "/repo/a.png" })]),
      done("1", "An image.", {
        result: {
          content: "An image.",
          binaryResultsForLlm: [{ type: "image", data, mimeType: "image/png" }],
        },
      }),
      says("r2", "I see."),
    );
    expect(episodes[0]).toMatchObject({ question: "Look.\n[image]" });
    expect(step(episodes[0], 0).observation).toBe("An image.\n\n[image]");
    expect(JSON.stringify(episodes).length).toBeLessThan(5_000);
  });

  test("property: whatever is missing, cut or of another type, nothing throws and every command is a step", () => {
    const sub = { agentId: "a" };
    const session = [
      start(),
      user("A"),
      system("S"),
      used("r1", 1, 1),
      says("r1", "x", [ask("1", "bash", { command: "cmd-one" }), ask("c", "task", { prompt: "p" })]),
      starts("1", "bash", { command: "cmd-one" }),
      event("subagent.started", { toolCallId: "c", agentName: "n" }, sub),
      user("p", {}, sub),
      says("r2", "", [ask("2", "bash", { command: "cmd-two" })], { parentToolCallId: "c" }, sub),
      shell("2", "y", 0, sub),
      done("c", "z"),
      shell("1", "y", 1),
      event("session.compaction_start", {}),
      event("session.compaction_complete", { success: true, summaryContent: "sum" }),
      user("B"),
      starts("3", "bash", { command: "cmd-three" }),
      event("session.snapshot_rewind", { upToEventId: "e-14" }),
      says("r3", "", [ask("1", "bash", { command: "cmd-four" })]),
      event("abort", {}),
    ];
    const commands = ["cmd-one", "cmd-two", "cmd-three", "cmd-four"];
    everyCommandIsAStep(session, { key: "data", commands }, (rows) => {
      return readLines(rows).map(({ episode }) => episode);
    });
  });
});
