import { describe, expect, test } from "vitest";
import { importContent, lines } from "./formats-support.ts";
import {
  agent,
  calls,
  chat,
  importSpans,
  outline,
  reported,
  says,
  steps,
  tool,
  user,
} from "./formats-otel-support.ts";

describe("VS Code", () => {
  test("messages that lost their words: the question is what was typed", async () => {
    const typed = { "copilot_chat.user_request": "Fix the test" };
    const empty = [{ role: "user", parts: [] }];
    const { episodes } = await importSpans(
      agent({ id: "a", at: 0, for: 9, agent: "GitHub Copilot Chat", attributes: typed }),
      chat({ id: "b", parent: "a", at: 1, read: empty, said: [calls(["1", "read_file", {}])] }),
      tool({ id: "c", parent: "b", at: 2, tool: "read_file", callId: "1", result: "x" }),
      chat({ id: "d", parent: "a", at: 3, read: empty, said: [says("Fixed")] }),
    );
    expect(outline({ episodes })).toEqual([["Fix the test", ["read_file", "FINAL"]]]);
    const event = {
      name: "user_message",
      attributes: [{ key: "content", value: { stringValue: "Fix the test" } }],
    };
    const told = await importSpans(
      agent({ id: "a", at: 0, for: 9, agent: "x", events: [event] }),
      chat({ id: "b", parent: "a", at: 1, read: empty, said: [says("Fixed")] }),
    );
    expect(outline(told)).toEqual([["Fix the test", ["FINAL"]]]);
    const parts = JSON.stringify([{ type: "input_text", text: "Fix the test" }]);
    const alone = await importSpans(
      chat({
        id: "b",
        at: 1,
        read: empty,
        said: [says("Fixed")],
        attributes: { "copilot_chat.user_request": parts },
      }),
    );
    expect(outline(alone)).toEqual([["Fix the test", ["FINAL"]]]);
  });

  test("items of the Responses API as its messages, and the thought beside them", async () => {
    const read = [
      { type: "message", role: "user", content: [{ type: "input_text", text: "List" }] },
      { type: "function_call", call_id: "c1", id: "fc_1", name: "ls", arguments: '{"in":"/"}' },
      { type: "function_call_output", call_id: "c1", output: "a b" },
    ];
    const { episodes } = await importSpans(
      agent({ id: "a", at: 0, for: 9, agent: "x" }),
      chat({ id: "b", parent: "a", at: 1, read: read.slice(0, 1), said: [calls(["c1", "ls", { in: "/" }])] }),
      chat({
        id: "c",
        parent: "a",
        at: 3,
        read,
        said: [says("Done")],
        attributes: { "copilot_chat.reasoning_content": "All listed." },
      }),
    );
    expect(episodes[0]?.question).toBe("List");
    expect(steps(episodes[0])).toEqual([
      ["ls", "/", "a b"],
      ["FINAL", "Done", ""],
    ]);
    expect(episodes[0]?.steps[1]?.proposals[0]?.thought).toBe("All listed.");
  });

  test("its file exporter: spans, records and metrics, one a line", async () => {
    const span = {
      resource: { attributes: { "service.name": "copilot-chat" } },
      instrumentationScope: { name: "copilot-chat" },
      traceId: "5b8efff798038103d269b633813fc60c",
      spanId: "eee19b7ec3c1b174",
      name: "chat m",
      startTime: [1_790_000_000, 1],
      endTime: [1_790_000_001, 1],
      status: { code: 1 },
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": JSON.stringify([user("Hi?")]),
        "gen_ai.output.messages": JSON.stringify([says("Ho.")]),
      },
      events: [],
    };
    const record = {
      hrTime: [1_790_000_000, 1],
      body: "copilot_chat.session.start",
      attributes: { "event.name": "copilot_chat.session.start" },
      resource: {},
    };
    const imported = await importContent(
      lines(record, span, { resource: {}, scopeMetrics: [{}] }),
      "x.jsonl",
    );
    expect(outline(imported)).toEqual([["Hi?", ["FINAL"]]]);
    expect(reported(imported, "dropped")).toEqual([
      "log records: copilot_chat.session.start ×1",
      "metrics ×1",
    ]);
    expect(imported.diagnostics).toMatchObject([{ severity: "information" }]);
  });
});
