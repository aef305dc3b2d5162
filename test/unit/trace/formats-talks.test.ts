import * as fc from "fast-check";
import { expect, test } from "vitest";
import { episodeSchema } from "../../../src/model/episode.ts";
import { type AgentFormat, detectFormat, readerOf } from "../../../src/trace/formats/formats.ts";
import type { FormatResult } from "../../../src/trace/formats/format-reader.ts";
import { openLedger } from "../../../src/trace/formats/ledger.ts";

/** A talk as no format writes it: a question, then rounds of the agent, the last of them without a call. */
interface Talk {
  readonly question: string;
  readonly rounds: readonly Round[];
  readonly answer: string;
}
interface Round {
  readonly text: string;
  readonly calls: readonly {
    readonly name: string;
    readonly args: object;
    readonly result: string | undefined;
  }[];
  /** What the person says after it. */
  readonly more: string | undefined;
}

const said = fc.stringMatching(/^[a-z][a-z ?]{0,18}[a-z]$/);
const args = fc.dictionary(fc.constantFrom("x", "y", "z"), fc.oneof(fc.integer(), said), { minKeys: 2 });
const round: fc.Arbitrary<Round> = fc.record({
  text: fc.oneof(fc.constant(""), said),
  calls: fc.array(
    fc.record({ name: fc.constantFrom("frob", "zap"), args, result: fc.option(said, { nil: undefined }) }),
    { minLength: 1, maxLength: 3 },
  ),
  more: fc.option(said, { nil: undefined }),
});
const talk: fc.Arbitrary<Talk> = fc.record({
  question: said,
  rounds: fc.array(round, { maxLength: 4 }),
  answer: said,
});

const AT = "2026-01-01T00:00:00.000Z";
const idOf = (r: number, c: number): string => `call_${r}_${c}`;

/** How each format writes it: the values of its lines. */
const WRITERS: Partial<Record<AgentFormat, (talk: Talk) => object[]>> = {
  openai: ({ question, rounds, answer }) => [
    {
      messages: [
        { role: "user", content: question },
        ...rounds.flatMap(({ text, calls, more }, r) => [
          {
            role: "assistant",
            content: text,
            tool_calls: calls.map((one, c) => ({
              id: idOf(r, c),
              type: "function",
              function: { name: one.name, arguments: JSON.stringify(one.args) },
            })),
          },
          ...calls.flatMap((one, c) =>
            one.result === undefined ? [] : [{ role: "tool", tool_call_id: idOf(r, c), content: one.result }],
          ),
          ...(more === undefined ? [] : [{ role: "user", content: more }]),
        ]),
        { role: "assistant", content: answer },
      ],
    },
  ],
  anthropic: ({ question, rounds, answer }) => [
    {
      system: "s",
      messages: [
        { role: "user", content: question },
        ...rounds.flatMap(({ text, calls, more }, r) => [
          {
            role: "assistant",
            content: [
              ...(text === "" ? [] : [{ type: "text", text }]),
              ...calls.map((one, c) => ({
                type: "tool_use",
                id: idOf(r, c),
                name: one.name,
                input: one.args,
              })),
            ],
          },
          {
            role: "user",
            content: [
              ...calls.flatMap((one, c) =>
                one.result === undefined
                  ? []
                  : [
                      {
                        type: "tool_result",
                        tool_use_id: idOf(r, c),
                        content: [{ type: "text", text: one.result }],
                      },
                    ],
              ),
              ...(more === undefined ? [] : [{ type: "text", text: more }]),
            ],
          },
        ]),
        { role: "assistant", content: [{ type: "text", text: answer }] },
      ],
    },
  ],
  "openai-responses": ({ question, rounds, answer }) => [
    {
      id: "r",
      object: "response",
      input: [
        { role: "user", content: question },
        ...rounds.flatMap(({ text, calls, more }, r) => [
          ...(text === ""
            ? []
            : [{ type: "message", role: "assistant", content: [{ type: "output_text", text }] }]),
          ...calls.map((one, c) => ({
            type: "function_call",
            call_id: idOf(r, c),
            name: one.name,
            arguments: JSON.stringify(one.args),
          })),
          ...calls.flatMap((one, c) =>
            one.result === undefined
              ? []
              : [{ type: "function_call_output", call_id: idOf(r, c), output: one.result }],
          ),
          // Something has to stand between two rounds.
          { role: "user", content: more ?? "" },
        ]),
      ],
      output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: answer }] }],
    },
  ],
  pi: ({ question, rounds, answer }) => {
    const message = (role: string, content: unknown, more: object = {}): object => ({
      type: "message_end",
      message: { role, content, ...more },
    });
    return [
      { type: "session", id: "s", cwd: "/repo", timestamp: AT },
      message("user", question),
      ...rounds.flatMap(({ text, calls, more }, r) => [
        message("assistant", [
          ...(text === "" ? [] : [{ type: "text", text }]),
          ...calls.map((one, c) => ({
            type: "toolCall",
            id: idOf(r, c),
            name: one.name,
            arguments: one.args,
          })),
        ]),
        ...calls.flatMap((one, c) =>
          one.result === undefined
            ? []
            : [
                message("toolResult", [{ type: "text", text: one.result }], {
                  toolCallId: idOf(r, c),
                  toolName: one.name,
                }),
              ],
        ),
        ...(more === undefined ? [] : [message("user", more)]),
      ]),
      message("assistant", [{ type: "text", text: answer }], { stopReason: "stop" }),
    ];
  },
  gemini: ({ question, rounds, answer }) => [
    { sessionId: "s", projectHash: "h" },
    { id: "q", type: "user", content: [{ text: question }] },
    ...rounds.flatMap(({ text, calls, more }, r) => [
      {
        id: `g${r}`,
        type: "gemini",
        content: text,
        toolCalls: calls.map((one, c) => ({
          id: idOf(r, c),
          name: one.name,
          args: one.args,
          ...(one.result === undefined ? {} : { result: one.result, status: "success" }),
        })),
      },
      ...(more === undefined ? [] : [{ id: `m${r}`, type: "user", content: [{ text: more }] }]),
    ]),
    { id: "a", type: "gemini", content: answer },
  ],
  "vscode-chat": ({ question, rounds, answer }) => {
    // Each thing that the person says is a request of its own.
    const requests: { message: string; rounds: (Round & { r: number })[] }[] = [
      { message: question, rounds: [] },
    ];
    rounds.forEach((one, r) => {
      requests.at(-1)?.rounds.push({ ...one, r });
      if (one.more !== undefined) requests.push({ message: one.more, rounds: [] });
    });
    return [
      {
        responderUsername: "C",
        requests: requests.map(({ message, rounds: own }, at) => ({
          requestId: `q${at}`,
          message: { text: message },
          response: [],
          result: {
            metadata: {
              toolCallRounds: [
                ...own.map(({ text, calls, r }) => ({
                  response: text,
                  toolCalls: calls.map((one, c) => ({
                    id: idOf(r, c),
                    name: one.name,
                    arguments: JSON.stringify(one.args),
                  })),
                })),
                ...(at === requests.length - 1 ? [{ response: answer, toolCalls: [] }] : []),
              ],
              toolCallResults: Object.fromEntries(
                own.flatMap(({ calls, r }) =>
                  calls.flatMap((one, c) =>
                    one.result === undefined
                      ? []
                      : [[idOf(r, c), { content: [{ value: one.result }] }] as const],
                  ),
                ),
              ),
            },
          },
        })),
      },
    ];
  },
};
const FORMATS = Object.keys(WRITERS) as AgentFormat[];

function read(format: AgentFormat, values: readonly unknown[]): FormatResult {
  const reader = readerOf(format, { name: "x", ledger: openLedger() });
  const results = [...values.map((value, line) => reader.read(value, line)), reader.end()];
  return {
    episodes: results.flatMap(({ episodes }) => episodes),
    problems: results.flatMap(({ problems }) => problems),
  };
}

test.each(FORMATS)("property: %s, every call comes out as a step with its own result, in order", (format) => {
  fc.assert(
    fc.property(talk, (given) => {
      const values = WRITERS[format]?.(given) ?? [];
      expect(values.map((value) => detectFormat(value)).find((found) => found !== undefined)).toBe(format);
      const { episodes, problems } = read(format, values);
      expect(problems).toEqual([]);
      expect(episodes).toHaveLength(1);
      const steps = episodes[0]?.episode.steps ?? [];
      expect(episodes[0]?.episode.question).toBe(given.question);
      expect(steps.at(-1)?.executed).toEqual({ type: "FINAL", arg: given.answer });
      const calls = given.rounds.flatMap((one) => one.calls);
      const made = steps.slice(0, -1);
      expect(made.map(({ executed }) => [executed.type, JSON.parse(executed.arg)])).toEqual(
        calls.map(({ name, args: input }) => [name, input]),
      );
      made.forEach(({ observation }, at) => {
        if (calls[at]?.result !== undefined) expect(observation).toContain(calls[at].result);
      });
      const texts = given.rounds.map(({ text }) => text).filter((text) => text !== "");
      expect(steps.map(({ proposals }) => proposals[0]?.thought).filter((text) => text !== "")).toEqual(
        texts,
      );
    }),
    { numRuns: 100 },
  );
});

/** The value with one thing in it replaced, left out or doubled. */
function damaged(value: unknown, at: number, by: unknown): unknown {
  let left = at;
  const visit = (given: unknown): unknown => {
    if (left-- === 0) return by;
    if (Array.isArray(given)) return given.map(visit);
    if (typeof given !== "object" || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([key, inner]) => [key, visit(inner)]));
  };
  return visit(value);
}

test.each(FORMATS)(
  "property: %s, wrong types anywhere harm nothing, and what comes out is an episode",
  (format) => {
    const wrong = fc.oneof(
      fc.constant(undefined),
      fc.constant(null),
      fc.integer(),
      fc.string(),
      fc.constant([]),
      fc.constant({}),
      fc.constant([[{}]]),
      fc.boolean(),
    );
    fc.assert(
      fc.property(
        talk,
        fc.array(fc.tuple(fc.nat(120), wrong), { minLength: 1, maxLength: 3 }),
        (given, damages) => {
          const whole: unknown = WRITERS[format]?.(given) ?? [];
          const values = damages.reduce((value, [at, by]) => damaged(value, at, by), whole);
          for (const reader of FORMATS)
            for (const { episode } of read(reader, Array.isArray(values) ? values : [values]).episodes)
              expect(episodeSchema.safeParse(episode).error).toBeUndefined();
        },
      ),
      { numRuns: 100 },
    );
  },
);
