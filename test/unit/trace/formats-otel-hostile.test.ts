import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openLedger } from "../../../src/trace/formats/ledger.ts";
import { isOtel } from "../../../src/trace/formats/otel/documents.ts";
import { otelReader } from "../../../src/trace/formats/otel/otel.ts";
import type { FormatResult } from "../../../src/trace/formats/format-reader.ts";
import {
  agent,
  answers,
  calls,
  chat,
  documentOf,
  says,
  spanJson,
  type TestSpan,
  tool,
  user,
} from "./formats-otel-support.ts";

function readAll(...values: readonly unknown[]): FormatResult {
  const reader = otelReader({ name: "x", ledger: openLedger() });
  values.forEach((value, line) => reader.read(value, line));
  return reader.end();
}

const words = fc.constantFrom("a", "b", "go on", "");
const message = fc.oneof(
  words.map(user),
  words.map(says),
  fc.tuple(fc.constantFrom("c1", "c2"), words).map(([id, text]) => answers(id, text)),
  fc.constantFrom("c1", "c2").map((id) => calls([id, "ls", {}])),
);
const talk = { read: fc.array(message, { maxLength: 6 }), said: fc.array(message, { maxLength: 2 }) };
const failed = fc.constantFrom<object>({}, { status: { code: 2, message: "no" } });

/** A trace of any spans whose parents are any of them, themselves, or nobody. */
const trace = fc
  .array(
    fc.record({
      kind: fc.constantFrom("chat", "chat", "tool", "agent", "other", "lookup"),
      parent: fc.integer({ min: -2, max: 12 }),
      at: fc.nat({ max: 20 }),
      long: fc.integer({ min: 1, max: 9 }),
      callId: fc.constantFrom("c1", "c2", undefined),
      result: words,
      told: fc.boolean(),
      trace: fc.constantFrom("t1", "t1", "t2"),
      failed,
      ...talk,
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((spans) =>
    spans.map(
      (
        { kind, parent, at, long, callId, result, told, trace: of, failed: more, read, said },
        n,
      ): TestSpan => {
        const above = parent < 0 ? {} : { parent: `s${parent}` };
        const base = { id: `s${n}`, trace: of, at, for: long, more, ...above };
        const id = callId === undefined ? {} : { callId };
        if (kind === "chat") return chat({ ...base, ...(told && { read, said }) });
        if (kind === "tool") return tool({ ...base, tool: "ls", result, ...id });
        if (kind === "agent") return agent({ ...base, agent: "x" });
        if (kind === "lookup") return { ...base, attributes: { "gen_ai.operation.name": "search_memory" } };
        return { ...base, attributes: {} };
      },
    ),
  );

describe("whatever a file holds", () => {
  test("property: every chat and every call is found again, and nothing throws", () => {
    fc.assert(
      fc.property(trace, (spans) => {
        const { episodes, problems } = readAll(documentOf(...spans));
        const told = JSON.stringify(episodes);
        const isStep = ({ attributes }: TestSpan): boolean =>
          ["chat", "execute_tool", "search_memory"].includes(String(attributes["gen_ai.operation.name"]));
        const lost = spans.filter((span) => isStep(span) && !told.includes(`"spanId":"${span.id}"`));
        expect(lost).toEqual([]);
        for (const { episode, prompts } of episodes) {
          expect(prompts?.length).toBe(episode.steps.length);
          const known = new Set(episodes.map((each) => each.episode.id));
          if (episode.origin !== undefined) expect(known).toContain(episode.origin.episode);
        }
        expect(new Set(episodes.map(({ episode }) => episode.id)).size).toBe(episodes.length);
        expect(problems.every(({ message: text }) => text !== "")).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test("property: damage of any kind throws nothing", () => {
    const anything = fc.anything({ maxDepth: 4 });
    const keys = fc.constantFrom(
      "gen_ai.input.messages",
      "gen_ai.output.messages",
      "gen_ai.system_instructions",
      "gen_ai.tool.definitions",
      "gen_ai.usage.input_tokens",
      "gen_ai.response.finish_reasons",
      "ai.prompt",
      "ai.prompt.messages",
      "ai.response.toolCalls",
      "ai.prompt.tools",
      "llm.input_messages.0.message.content",
      "llm.input_messages.0.message.tool_calls",
      "llm.output_messages.__proto__.message.content",
      "llm.tools.0",
      "gen_ai.prompt.0",
      "gen_ai.prompt.0.content",
      "input.value",
      "copilot_chat.user_request",
    );
    const operation = fc.constantFrom("chat", "execute_tool", "invoke_agent", "retrieval");
    const span = fc.record({
      traceId: fc.oneof(fc.constant("t"), anything),
      spanId: fc.oneof(fc.constantFrom("s", "r"), anything),
      parentSpanId: fc.oneof(fc.constantFrom("s", "r"), anything),
      name: anything,
      startTimeUnixNano: anything,
      events: fc.oneof(
        anything,
        fc.array(fc.record({ name: fc.constant("gen_ai.choice"), attributes: anything })),
      ),
      attributes: fc
        .tuple(operation, fc.dictionary(keys, anything, { noNullPrototype: true }))
        .map(([name, given]) => ({ ...given, "gen_ai.operation.name": name })),
      status: anything,
    });
    fc.assert(
      fc.property(fc.array(span, { maxLength: 4 }), anything, (spans, other) => {
        readAll({ resourceSpans: [{ resource: other, scopeSpans: [{ spans }] }] }, other);
        readAll(
          spans,
          { batches: [{ scopeSpans: other }] },
          { data: spans },
          { resourceLogs: [{ scopeLogs: spans }] },
        );
        isOtel(other);
      }),
      { numRuns: 500 },
    );
  });

  test.each<[string, (count: number) => TestSpan[]]>([
    [
      "a chat each",
      (count) =>
        range(count).map((n) => chat({ id: `s${n}`, at: n, read: [user(`q${n}`)], said: [says("a")] })),
    ],
    [
      "spans that are their own ancestors",
      (count) =>
        range(count).map((n) =>
          chat({ id: `s${n}`, parent: `s${(n + 1) % count}`, at: n, read: [user("q")] }),
        ),
    ],
    [
      "agents within agents",
      (count) =>
        range(count).map((n) =>
          agent({ id: `s${n}`, ...(n > 0 && { parent: `s${n - 1}` }), at: n, agent: "x" }),
        ),
    ],
    [
      "agents that call agents",
      (count) =>
        range(count / 2).flatMap((n) => [
          chat({ id: `c${n}`, ...(n > 0 && { parent: `a${n - 1}` }), at: 2 * n, read: [user(`q${n}`)] }),
          agent({ id: `a${n}`, ...(n > 0 && { parent: `a${n - 1}` }), at: 2 * n + 1, agent: "x" }),
        ]),
    ],
    [
      "calls of one reply",
      (count) => [
        chat({ id: "c", at: 0, said: [calls(...range(count).map((n) => [`c${n}`, "ls", {}] as const))] }),
        ...range(count).map((n) =>
          tool({ id: `s${n}`, at: n + 1, tool: "ls", callId: `c${n}`, result: "x" }),
        ),
      ],
    ],
    [
      "calls without ids",
      (count) => [
        chat({
          id: "c",
          at: 0,
          said: [{ role: "assistant", parts: range(count).map(() => ({ type: "tool_call", name: "ls" })) }],
        }),
        ...range(count).map((n) => tool({ id: `s${n}`, at: n + 1, tool: "ls", result: "x" })),
      ],
    ],
    [
      "agents below one call",
      (count) => [
        tool({ id: "t", at: 0, for: count, tool: "task" }),
        ...range(count / 2).flatMap((n) => [
          agent({ id: `a${n}`, parent: "t", at: n, agent: "x" }),
          chat({ id: `c${n}`, parent: `a${n}`, at: n, read: [user(`q${n}`)] }),
        ]),
      ],
    ],
    [
      "turns of one conversation",
      (count) =>
        range(count).map((n) =>
          chat({
            id: `s${n}`,
            at: n,
            read: [user("go on")],
            said: [says("a")],
            attributes: { "session.id": "s" },
          }),
        ),
    ],
  ])("4,000 spans take time in proportion: %s", (_, spans) => {
    const timeOf = (count: number): number => {
      const value = { resourceSpans: [{ scopeSpans: [{ spans: spans(count).map(spanJson) }] }] };
      const start = performance.now();
      readAll(value);
      return performance.now() - start;
    };
    timeOf(500);
    const small = timeOf(500);
    // Quadratic work would take 64 times as long.
    expect(timeOf(4000)).toBeLessThan(Math.max(24 * small, 2000));
  });
});

const range = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
