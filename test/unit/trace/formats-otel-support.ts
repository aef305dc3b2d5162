import type { Episode } from "../../../src/model/episode.ts";
import { attribute } from "./formats-fixtures.ts";
import { type Imported, importContent } from "./formats-support.ts";

/** A span of OTLP JSON. `at`: seconds since 1970. */
export interface TestSpan {
  readonly id: string;
  readonly parent?: string | undefined;
  readonly trace?: string;
  readonly name?: string;
  readonly at: number;
  /** In seconds; 1 without it. */
  readonly for?: number;
  readonly attributes: Record<string, unknown>;
  readonly events?: readonly object[];
  readonly more?: object;
}

export const spanJson = (span: TestSpan): object => ({
  traceId: span.trace ?? "t1",
  spanId: span.id,
  ...(span.parent === undefined ? {} : { parentSpanId: span.parent }),
  name: span.name ?? span.id,
  startTimeUnixNano: `${span.at}000000000`,
  endTimeUnixNano: `${span.at + (span.for ?? 1)}000000000`,
  attributes: Object.entries(span.attributes).map(([key, value]) => attribute(key, value)),
  ...(span.events === undefined ? {} : { events: span.events }),
  ...span.more,
});

export const documentOf = (...spans: readonly TestSpan[]): object => ({
  resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans: spans.map(spanJson) }] }],
});

export const user = (text: string): object => ({ role: "user", parts: [{ type: "text", content: text }] });
export const says = (text: string): object => ({
  role: "assistant",
  parts: [{ type: "text", content: text }],
  finish_reason: "stop",
});
export const calls = (...given: readonly (readonly [id: string, name: string, args: object])[]): object => ({
  role: "assistant",
  parts: given.map(([id, name, args]) => ({ type: "tool_call", id, name, arguments: args })),
  finish_reason: "tool_call",
});
export const answers = (id: string, text: string): object => ({
  role: "tool",
  parts: [{ type: "tool_call_response", id, response: text }],
});

type Chat = Pick<TestSpan, "id" | "at"> &
  Partial<TestSpan> & { readonly read?: readonly object[]; readonly said?: readonly object[] };

export const chat = ({ read, said, attributes, ...span }: Chat): TestSpan => ({
  ...span,
  attributes: {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "m",
    ...(read === undefined ? {} : { "gen_ai.input.messages": read }),
    ...(said === undefined ? {} : { "gen_ai.output.messages": said }),
    ...attributes,
  },
});

type Tool = Pick<TestSpan, "id" | "at"> &
  Partial<TestSpan> & { readonly tool: string; readonly callId?: string; readonly result?: string };

export const tool = ({ tool: name, callId, result, attributes, ...span }: Tool): TestSpan => ({
  ...span,
  attributes: {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    ...(callId === undefined ? {} : { "gen_ai.tool.call.id": callId }),
    ...(result === undefined ? {} : { "gen_ai.tool.call.result": result }),
    ...attributes,
  },
});

export const agent = ({
  agent: name,
  attributes,
  ...span
}: Pick<TestSpan, "id" | "at"> & Partial<TestSpan> & { readonly agent: string }): TestSpan => ({
  ...span,
  attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name, ...attributes },
});

/** Imports spans as one document. */
export const importSpans = (...spans: readonly TestSpan[]): Promise<Imported> =>
  importContent(JSON.stringify(documentOf(...spans)));

/** The steps of an episode in short: type, argument, observation. */
export const steps = (episode: Episode | undefined): [string, string, string][] =>
  (episode?.steps ?? []).map(({ executed, observation }) => [executed.type, executed.arg, observation]);

/** The episodes in short: what was asked, and what was done. */
export const outline = ({ episodes }: Pick<Imported, "episodes">): [string, string[]][] =>
  episodes.map((episode) => [episode.question, episode.steps.map(({ executed }) => executed.type)]);

/** Lines of the report on a file. */
export const reported = (imported: Imported, column: "mapped" | "kept" | "dropped" | "unknown"): string[] =>
  (imported.value?.files[0]?.[column] ?? []).map(({ what, times }) => `${what} ×${times}`);
