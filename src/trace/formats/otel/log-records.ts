import type { Ledger } from "../ledger.ts";
import { asText } from "../records.ts";
import type { LogRecord } from "./otlp.ts";
import type { Span } from "./span.ts";

/** Events that tell what was said, or judge it. */
const GEN_AI =
  /^gen_ai\.(?:(?:system|user|assistant|tool)\.message|choice|content\.(?:prompt|completion)|client\.inference\.operation\.details|evaluation\.result)$/;

const DETAILS = "gen_ai.client.inference.operation.details";
const JUDGEMENT = "gen_ai.evaluation.result";

/** Programs whose log records tell what they did without its words, and where their sessions are. */
const PROGRAMS: readonly (readonly [prefix: string, name: string, sessions: string])[] = [
  ["claude_code.", "Claude Code", "its session transcripts (~/.claude/projects)"],
  ["codex.", "Codex", "its rollout files (~/.codex/sessions)"],
  ["gemini_cli.", "Gemini CLI", "its chats (~/.gemini/tmp)"],
  ["qwen-code.", "Qwen Code", "its chats (~/.qwen/tmp)"],
  ["copilot_chat.", "VS Code", "its traces with `captureContent`"],
];

/** Log records of a program that keeps its words elsewhere. */
export interface ProgramLogs {
  readonly name: string;
  readonly sessions: string;
  records: number;
}

/**
 * Adds the events of log records to the spans that they name, and makes spans of those whose spans are not there. Answers with the programs
 * whose records tell no words.
 */
export function joinLogs(spans: Span[], logs: readonly LogRecord[], ledger: Ledger): readonly ProgramLogs[] {
  if (logs.length === 0) return [];
  const known = indexed(spans);
  const programs = new Map<string, ProgramLogs>();
  for (const log of logs.toSorted((a, b) => a.time - b.time)) {
    const { event } = log;
    if (event === undefined || !GEN_AI.test(event)) {
      noteOther(event, programs, ledger);
      continue;
    }
    const told = spanFor(log, event, known);
    if (told === undefined && log.spanId === undefined && known.ofResponse.size > 0) {
      ledger.dropped("log records with GenAI events", "they name no span, and spans tell of the same chats");
      continue;
    }
    const span = told ?? spanOf(log);
    if (told === undefined) spans.push(span);
    // One with all details that names no span stands for itself.
    if (log.spanId !== undefined || event !== DETAILS) known.byId.set(idOfLog(log), span);
    span.events.push({ name: event, attributes: log.attributes });
    ledger.mapped("log records with GenAI events", "what was said in their spans");
  }
  return [...programs.values()];
}

interface Known {
  readonly byId: Map<string, Span>;
  readonly ofTrace: ReadonlyMap<string, Span>;
  readonly ofResponse: ReadonlyMap<unknown, Span>;
}

function indexed(spans: readonly Span[]): Known {
  return {
    byId: new Map(spans.map((span) => [`${span.traceId} ${span.spanId}`, span])),
    ofTrace: new Map(spans.map((span) => [span.traceId, span])),
    ofResponse: new Map(
      spans
        .filter(({ attributes }) => attributes[RESPONSE] !== undefined)
        .map((span) => [span.attributes[RESPONSE], span]),
    ),
  };
}

const RESPONSE = "gen_ai.response.id";
const idOfLog = ({ traceId, spanId }: LogRecord): string => `${traceId ?? ""} ${spanId ?? ""}`;

/** By its ids; a judgement may name the trace alone, and a program that loses the span has the id of the response. */
function spanFor(log: LogRecord, event: string, { byId, ofTrace, ofResponse }: Known): Span | undefined {
  const named = byId.get(idOfLog(log));
  if (named !== undefined) return named;
  if (event === JUDGEMENT) return ofTrace.get(log.traceId ?? "");
  return log.spanId === undefined ? ofResponse.get(log.attributes[RESPONSE]) : undefined;
}

function noteOther(event: string | undefined, programs: Map<string, ProgramLogs>, ledger: Ledger): void {
  const [prefix, name, sessions] = PROGRAMS.find(([start]) => event?.startsWith(start)) ?? [];
  if (prefix !== undefined && name !== undefined && sessions !== undefined) {
    const program = programs.get(prefix) ?? { name, sessions, records: 0 };
    program.records++;
    programs.set(prefix, program);
    ledger.dropped(`log records: ${event}`, "they tell nothing of what was said");
  } else if (event?.startsWith("gen_ai.")) ledger.unknown(`log records: ${event.slice(0, 80)}`);
  else ledger.dropped("log records without a GenAI event", "they tell nothing of what was said");
}

/** The span that a record tells of, as far as the record does. */
function spanOf({ traceId, spanId, time, attributes, resource }: LogRecord): Span {
  const own = Object.entries(attributes).filter(([key]) => /^(?:gen_ai|server|error)\./.test(key));
  return {
    traceId: traceId ?? "",
    spanId: spanId ?? "",
    parentId: undefined,
    name: asText(attributes["gen_ai.operation.name"]) ?? "chat",
    start: time,
    end: time,
    attributes: { "gen_ai.operation.name": "chat", ...Object.fromEntries(own) },
    events: [],
    resource,
    rest: { fromLogs: true },
  };
}
