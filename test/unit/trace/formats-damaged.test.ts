import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AgentFormat, detectFormat, readerOf } from "../../../src/trace/formats/formats.ts";
import { readJsonDocument } from "../../../src/trace/formats/json-document.ts";
import { openLedger } from "../../../src/trace/formats/ledger.ts";
import { CHAT, call, INSPECT, OTEL, TRAJ } from "./formats-fixtures.ts";
import { ATIF, importContent } from "./formats-support.ts";

describe("damaged files", () => {
  const whole: [string, unknown, string][] = [
    ["atif", ATIF, "x.json"],
    ["swe-agent", { ...TRAJ, history: [...TRAJ.history] }, "x.traj"],
    ["inspect", INSPECT, "x.json"],
    ["openai", CHAT, "x.json"],
    ["otel", OTEL[1], "x.json"],
  ];
  test.each(whole)(
    "%s: a document that breaks off gives what stands before the break, and the line of it",
    async (format, value, name) => {
      const text = JSON.stringify(value, undefined, 2);
      const {
        episodes,
        diagnostics,
        value: run,
      } = await importContent(text.slice(0, Math.floor(text.length * 0.97)), name);
      expect(run?.files[0]?.format).toBe(format);
      expect(episodes).toHaveLength(1);
      const [found] = diagnostics.filter(({ code }) => code === "HASP536");
      expect(found?.range.start.line).toBeGreaterThan(text.split("\n").length * 0.8);
    },
  );

  test("JSON lines: a bad line is named, the others are imported", async () => {
    const good = JSON.stringify(CHAT);
    const lines = [
      good,
      '{"messages": 3}',
      "not json",
      good.replace("Rain at noon", "Rain at ten"),
      good.slice(0, 300),
    ];
    const { episodes, diagnostics } = await importContent(lines.join("\n"), "x.jsonl");
    expect(episodes.map(({ stopReason }) => stopReason)).toEqual(["final", "final", "interrupted"]);
    expect(diagnostics.map(({ code, range }) => [code, range.start.line])).toEqual([
      ["HASP530", 1],
      ["HASP530", 2],
      ["HASP536", 4],
    ]);
  });

  test("nesting of 100,000 levels is refused and harms nothing", async () => {
    const deep = `{"messages":[{"role":"assistant","content":"x","extra":${"[".repeat(100_000)}${"]".repeat(100_000)}}]}`;
    const { episodes, diagnostics } = await importContent(`${JSON.stringify(CHAT)}\n${deep}`, "x.jsonl");
    expect([episodes.length, diagnostics.map(({ code }) => code)]).toEqual([1, ["HASP530"]]);
  });
});

test("hostile texts come through unchanged: markup, ANSI, bidi, lone surrogates, 20 MB", async () => {
  const hostile = "<script>alert(1)</script>\u001b[2J\u202e\ud800 javascript:x";
  const big = "x".repeat(20 * 1024 * 1024);
  const messages = [
    { role: "user", content: hostile },
    { role: "assistant", tool_calls: [call("1", hostile, JSON.stringify({ [hostile]: 1, __proto__x: 2 }))] },
    { role: "tool", tool_call_id: "1", content: big },
    { role: "assistant", content: hostile },
  ];
  const { episodes, diagnostics } = await importContent(JSON.stringify({ messages }));
  expect(diagnostics).toEqual([]);
  const [episode] = episodes;
  expect(episode?.question).toBe(hostile);
  expect(episode?.answer).toBe(hostile);
  expect(episode?.steps[0]?.observation.length).toBe(big.length);
  expect(episode?.steps[0]?.executed.type).toBe(hostile);
});

const FORMATS: AgentFormat[] = [
  "atif",
  "swe-agent",
  "mini-swe-agent",
  "otel",
  "inspect",
  "anthropic",
  "openai",
  "openai-responses",
  "claude-code",
  "copilot",
  "vscode-chat",
  "codex",
  "pi",
  "gemini",
  "opencode",
  "cline",
  "goose",
  "cursor",
];

test("property: no JSON value makes a reader throw", () => {
  const keys = fc.constantFrom(
    "messages",
    "role",
    "content",
    "history",
    "trajectory",
    "action",
    "steps",
    "source",
    "eval",
    "samples",
    "resourceSpans",
    "scopeSpans",
    "spans",
    "traceId",
    "spanId",
    "schema_version",
    "tool_calls",
    "message",
    "type",
    "attributes",
    "events",
    "observation",
    "results",
    "extra",
    "hasp",
    "data",
    "payload",
    "toolRequests",
    "toolCallId",
    "arguments",
    "output",
    "call_id",
    "name",
    "info",
    "sessionId",
    "isSidechain",
    "request",
    "response",
    "requests",
    "conversation",
    "value",
    "kind",
    "k",
    "v",
    "i",
    "id",
    "parentId",
    "parts",
    "toolCalls",
    "toolCallRounds",
    "metadata",
    "toolSpecificData",
    "$set",
    "$rewindTo",
    "input",
    "custom_id",
    "choices",
    "info",
  );
  const leaf = fc.oneof(
    fc.string(),
    fc.constantFrom("ATIF-v1.7", "assistant", "agent", "tool", "user", "chat"),
    fc.constantFrom(
      "response_item",
      "event_msg",
      "function_call",
      "assistant.message",
      "tool.execution_start",
      "tool_use",
      "tool_result",
      "message_delta",
      "response.completed",
      "toolInvocationSerialized",
      "gemini",
      "compaction",
      "session",
    ),
    fc.constantFrom(0, 1, 2, 3),
    fc.integer(),
    fc.constant(null),
    fc.boolean(),
  );
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 6 },
      leaf,
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(keys, tie("tree"), { maxKeys: 5 }),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      detectFormat(value);
      for (const format of FORMATS) {
        const reader = readerOf(format, { name: "x", ledger: openLedger() });
        reader.read(value, 0);
        reader.end();
      }
    }),
    { numRuns: 500 },
  );
});

test("property: JSON is read as it is, and any beginning of it without a throw", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (text, cut) => {
      expect(readJsonDocument(`${text} x`).value).toEqual(JSON.parse(text));
      expect(readJsonDocument(`[${text},NaN]`)).toEqual({ value: [JSON.parse(text), null], notNumbers: 1 });
      const part = text.slice(0, cut % (text.length + 1));
      expect(typeof readJsonDocument(part).notNumbers).toBe("number");
    }),
  );
  expect(readJsonDocument("[1 2]")).toMatchObject({ value: [1], broken: { at: 3 } });
  expect(readJsonDocument('{"a":1,}')).toMatchObject({ value: { a: 1 }, broken: { at: 7 } });
});
