import { expect, test } from "vitest";
import { importContent, lines } from "./formats-support.ts";
import { chat, documentOf, outline, reported, says, spanJson, steps, user } from "./formats-otel-support.ts";

const TRACE = "5b8efff798038103d269b633813fc60c";
const SPAN = "eee19b7ec3c1b174";
const base64 = (hex: string): string => Buffer.from(hex, "hex").toString("base64");
const ONE = chat({ id: SPAN, trace: TRACE, at: 10, read: [user("Capital of Peru?")], said: [says("Lima")] });
const WHOLE = documentOf(ONE) as { resourceSpans: object[] };
const flatAttributes = { ...ONE.attributes };
for (const key of ["gen_ai.input.messages", "gen_ai.output.messages"])
  flatAttributes[key] = JSON.stringify(flatAttributes[key]);

/** The document with every key in snake case and its ids as Base64, as Python's MessageToDict writes it. */
function snakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCase);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      /^(?:trace|span)Id$/.test(key) ? base64(inner as string) : snakeCase(inner),
    ]),
  );
}

const protobuf = {
  resourceSpans: [
    { scopeSpans: [{ spans: [{ ...spanJson(ONE), traceId: base64(TRACE), spanId: base64(SPAN) }] }] },
  ],
};
const pythonConsole = {
  name: "chat m",
  context: { trace_id: `0x${TRACE}`, span_id: `0x${SPAN}`, trace_state: "[]" },
  kind: "SpanKind.CLIENT",
  parent_id: null,
  start_time: "2026-11-20T10:00:00.000001Z",
  end_time: "2026-11-20T10:00:01.000000Z",
  status: { status_code: "UNSET" },
  attributes: flatAttributes,
  events: [],
  resource: { attributes: { "service.name": "x" } },
};
const javaScript = {
  traceId: TRACE,
  spanId: SPAN,
  name: "chat m",
  startTime: [1_790_000_000, 5],
  endTime: [1_790_000_001, 5],
  attributes: flatAttributes,
  events: [],
};
const go = {
  Name: "chat m",
  SpanContext: { TraceID: TRACE, SpanID: SPAN, TraceFlags: "01" },
  Parent: { TraceID: "0".repeat(32), SpanID: "0".repeat(16) },
  StartTime: "2026-11-20T10:00:00.123456789+01:00",
  EndTime: "2026-11-20T10:00:01+01:00",
  Attributes: Object.entries(flatAttributes).map(([Key, Value]) => ({
    Key,
    Value: { Type: "STRING", Value },
  })),
  Events: null,
  Status: { Code: "Unset", Description: "" },
};
const jaeger = {
  data: [
    {
      traceID: TRACE,
      spans: [
        {
          traceID: TRACE,
          spanID: SPAN,
          operationName: "chat m",
          references: [],
          startTime: 1_790_000_000_000_000,
          duration: 1_000_000,
          tags: Object.entries(flatAttributes).map(([key, value]) => ({ key, type: "string", value })),
          logs: [],
          processID: "p1",
        },
      ],
      processes: { p1: { serviceName: "bot", tags: [] } },
    },
  ],
};

test.each<[string, unknown]>([
  ["OTLP JSON", WHOLE],
  ["protobuf's own JSON", protobuf],
  ["snake case", snakeCase(WHOLE)],
  ["Tempo's API", { batches: protobuf.resourceSpans }],
  ["Tempo's API, version 2", { trace: { resourceSpans: protobuf.resourceSpans }, status: "COMPLETE" }],
  [
    "instrumentationLibrarySpans",
    { batches: [{ instrumentationLibrarySpans: [{ spans: [spanJson(ONE)] }] }] },
  ],
  ["Python's console", pythonConsole],
  ["a span of JavaScript's SDK", javaScript],
  ["a list of spans", [javaScript]],
  ["Phoenix's API", { data: [{ ...pythonConsole, id: "x", span_kind: "LLM" }], next_cursor: null }],
  ["Jaeger", jaeger],
  ["Go's console", go],
  ["one resource of Java's logging exporter", { resource: {}, scopeSpans: [{ spans: [spanJson(ONE)] }] }],
  ["Zipkin", [{ traceId: TRACE, id: SPAN, name: "chat m", timestamp: 1, duration: 5, tags: flatAttributes }]],
])("a chat as %s", async (_, value) => {
  const { episodes, diagnostics } = await importContent(JSON.stringify(value));
  expect(diagnostics).toEqual([]);
  expect(episodes).toMatchObject([{ id: TRACE, question: "Capital of Peru?", answer: "Lima" }]);
  expect(steps(episodes[0])).toEqual([["FINAL", "Lima", ""]]);
});

test("log records hold the words of spans, in another encoding of the ids", async () => {
  const span = chat({ id: SPAN, trace: TRACE, at: 10 });
  const event = (eventName: string, body: object): object => ({
    traceId: base64(TRACE),
    spanId: base64(SPAN),
    eventName,
    timeUnixNano: "10000000000",
    body: { kvlistValue: { values: Object.entries(body).map(([key, value]) => ({ key, value })) } },
    attributes: [],
  });
  const logs = {
    resourceLogs: [
      {
        scopeLogs: [
          {
            logRecords: [
              event("gen_ai.user.message", { content: { stringValue: "Capital of Peru?" } }),
              event("gen_ai.choice", {
                finish_reason: { stringValue: "stop" },
                message: { kvlistValue: { values: [{ key: "content", value: { stringValue: "Lima" } }] } },
              }),
              event("app.ready", {}),
            ],
          },
        ],
      },
    ],
  };
  for (const content of [
    lines(documentOf(span), logs),
    lines(logs, documentOf(span)),
    JSON.stringify(logs),
  ]) {
    const imported = await importContent(content, "traces.jsonl");
    expect(imported.diagnostics).toEqual([]);
    expect(outline(imported)).toEqual([["Capital of Peru?", ["FINAL"]]]);
    expect(reported(imported, "dropped")).toEqual(["log records without a GenAI event ×1"]);
  }
});

test("records of details without a span are chats; beside spans of the same chats they are left out", async () => {
  const record = {
    body: null,
    trace_id: "0x00000000000000000000000000000000",
    span_id: "0x0000000000000000",
    observed_timestamp: "2026-11-20T10:00:01.000000Z",
    event_name: "gen_ai.client.inference.operation.details",
    resource: { attributes: {} },
    attributes: { "gen_ai.input.messages": [user("Hi?")], "gen_ai.output.messages": [says("Ho.")] },
  };
  expect(outline(await importContent(JSON.stringify(record)))).toEqual([["Hi?", ["FINAL"]]]);
  const span = { ...ONE, attributes: { ...ONE.attributes, "gen_ai.response.id": "r1" } };
  const both = await importContent(lines(documentOf(span), record));
  expect(outline(both)).toEqual([["Capital of Peru?", ["FINAL"]]]);
  expect(reported(both, "dropped")).toEqual(["log records with GenAI events ×1"]);
});

test("what is recognised and not read says what to do instead", async () => {
  const search = { traces: [{ traceID: "2f3e", rootTraceName: "chat", spanSets: [] }], metrics: {} };
  const claude = {
    body: "claude_code.user_prompt",
    hrTime: [1, 2],
    attributes: { "event.name": "claude_code.user_prompt", prompt_length: 3 },
    resource: { attributes: {} },
  };
  const cases: [object, string][] = [
    [search, "Get each trace by its id (`/api/v2/traces/<id>`), and import what that answers."],
    [claude, "Import its session transcripts (~/.claude/projects)."],
  ];
  for (const [value, next] of cases) {
    const { episodes, diagnostics } = await importContent(JSON.stringify(value));
    expect(episodes).toEqual([]);
    expect(diagnostics[0]).toMatchObject({ severity: "error", next });
  }
  const metrics = await importContent(lines({ resource: {}, scopeMetrics: [{}, {}] }, documentOf(ONE)));
  expect(outline(metrics)).toHaveLength(1);
  expect(reported(metrics, "dropped")).toEqual(["metrics ×2"]);
});
