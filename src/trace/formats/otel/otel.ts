import {
  type FormatProblem,
  type FormatReader,
  type FormatResult,
  NOTHING,
  type ReaderOptions,
  refuse,
  warning,
} from "../format-reader.ts";
import { isTempoSearch, readDocument } from "./documents.ts";
import { episodesOf } from "./episodes.ts";
import { joinLogs, type ProgramLogs } from "./log-records.ts";
import { type Notes, openNotes } from "./notes.ts";
import type { Telemetry } from "./otlp.ts";
import { logsWith } from "./shared-logs.ts";
import { joinedTraces, type Plan, plansOf } from "./plans.ts";
import type { Span } from "./span.ts";
import { spanTree } from "./span-tree.ts";

/** Spans of GenAI conventions, in any encoding of OpenTelemetry, whichever documents the spans of a trace stand in. */
export function otelReader(options: ReaderOptions): FormatReader {
  const telemetry: Telemetry = { spans: [], logs: [], metrics: 0, unreadable: 0 };
  /** Traces whose last spans may be missing. */
  const broken = new Set<string>();
  function read(value: unknown, line: number, isCut = false): FormatResult {
    if (isTempoSearch(value)) {
      const next = "Get each trace by its id (`/api/v2/traces/<id>`), and import what that answers.";
      return refuse(line, "this is the answer to a search of Tempo: it names traces and has no spans.", next);
    }
    const before = telemetry.unreadable;
    if (!readDocument(value, telemetry))
      return refuse(
        line,
        "this is nothing of OpenTelemetry's: no `resourceSpans`, no `resourceLogs`, no span.",
        "Export traces as OTLP JSON.",
      );
    const last = isCut ? telemetry.spans.at(-1) : undefined;
    if (last !== undefined) broken.add(last.traceId);
    const unreadable = telemetry.unreadable - before;
    const next = "Check the exporter: a span has `traceId` and `spanId`.";
    const problems =
      unreadable === 0 ? [] : [warning(line, `${unreadable} entries are no spans and were left out.`, next)];
    return problems.length === 0 ? NOTHING : { episodes: [], problems };
  }
  return { read, end: () => finished(telemetry, broken, options) };
}

interface Counts {
  /** Traces without a chat or tool, and the id of the first. */
  readonly empty: string[];
  orphans: number;
  cycles: number;
  withoutTrace: number;
  repeated: number;
}

function finished(
  telemetry: Telemetry,
  broken: ReadonlySet<string>,
  { name, ledger, logs: shared }: ReaderOptions,
): FormatResult {
  const notes = openNotes(ledger);
  const counts: Counts = { empty: [], orphans: 0, cycles: 0, withoutTrace: 0, repeated: 0 };
  const { spans, metrics } = telemetry;
  const logs = logsWith(spans, telemetry.logs, shared, ledger);
  const programs = joinLogs(spans, logs, ledger);
  ledger.dropped("metrics", "they count, and tell of no step", metrics);
  const plans: Plan[] = [];
  for (const [id, trace] of tracesOf(spans, name, counts)) {
    const inOrder = trace.toSorted((a, b) => a.start - b.start || b.end - a.end);
    const { root, orphans, cycles } = spanTree(inOrder, notes);
    counts.orphans += orphans;
    counts.cycles += cycles;
    const made = plansOf(id, root).filter(({ items, others }) => items.length + others.length > 0);
    if (made.every(({ items }) => items.length === 0)) counts.empty.push(id);
    else for (const plan of made) plans.push(plan);
  }
  const { episodes, silent } = episodesOf(joinedTraces(plans), broken, notes);
  ledger.dropped("spans", "they were given twice", counts.repeated);
  const problems = [
    ...problemsOf(counts, notes, silent),
    ...programs.map((each) => wordless(each, episodes.length)),
  ];
  return episodes.length + problems.length === 0 ? NOTHING : { episodes, problems };
}

/** The spans of each trace, in the order in which the traces begin. */
function tracesOf(
  spans: readonly Span[],
  name: string,
  counts: Counts,
): readonly (readonly [string, readonly Span[]])[] {
  const named = withTraces(spans, name, counts);
  const traces = new Map<string, Map<string, Span>>();
  for (const span of named) {
    const trace = traces.get(span.traceId) ?? new Map<string, Span>();
    traces.set(span.traceId, trace);
    // A span without an id is itself alone.
    const id = span.spanId === "" ? `\n${trace.size}` : span.spanId;
    const known = trace.get(id);
    if (known !== undefined) counts.repeated++;
    if (known === undefined || sizeOf(known) < sizeOf(span)) trace.set(id, span);
  }
  const listed = Array.from(traces, ([id, trace]) => [id, [...trace.values()]] as const);
  const begin = (trace: readonly Span[]): number =>
    trace.reduce((least, { start }) => Math.min(least, start), Infinity);
  return listed
    .map(([id, trace]) => ({ id, trace, start: begin(trace) }))
    .toSorted((a, b) => a.start - b.start)
    .map(({ id, trace }) => [id, trace] as const);
}

const sizeOf = ({ attributes, events }: Span): number => Object.keys(attributes).length + events.length;

/** Spans that name no trace are of that of the spans around them, else of one of their own. */
function withTraces(spans: readonly Span[], name: string, counts: Counts): readonly Span[] {
  if (spans.every(({ traceId }) => traceId !== "")) return spans;
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const found = new Map<Span, string>();
  let made = 0;
  return spans.map((span) => {
    if (span.traceId !== "") return span;
    counts.withoutTrace++;
    const path: Span[] = [];
    const seen = new Set<Span>();
    let at: Span | undefined = span;
    while (at !== undefined && at.traceId === "" && !found.has(at) && !seen.has(at)) {
      path.push(at);
      seen.add(at);
      at = at.parentId === undefined ? undefined : byId.get(at.parentId);
    }
    const known = at === undefined ? undefined : at.traceId || found.get(at);
    const traceId = known ?? (made++ === 0 ? name : `${name}-${made}`);
    for (const each of path) found.set(each, traceId);
    return { ...span, traceId };
  });
}

const times = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** What a person should know of the traces as a whole. */
function problemsOf(
  counts: Counts,
  { cut, ledger: _ledger }: Notes,
  silent: number,
): readonly FormatProblem[] {
  const problems: FormatProblem[] = [];
  const say = (message: string, next: string, severity: FormatProblem["severity"] = "warning"): void => {
    problems.push({ line: 0, severity, message, next });
  };
  const [first] = counts.empty;
  if (first !== undefined) {
    const which = counts.empty.length === 1 ? `the trace ${first} has` : `${counts.empty.length} traces have`;
    say(`${which} no chat and no tool span of the GenAI conventions.`, "Their spans were left out.");
  }
  if (cut.size > 0) {
    const named = Array.from(cut, ([attribute, count]) => `\`${attribute}\` ×${count}`).join(", ");
    const message = `attributes are cut off: ${named}. The words before the cut are imported; such requests are no prompts.`;
    say(
      message,
      "Raise OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT, or the limit of the program that wrote them.",
    );
  }
  if (silent > 0) {
    const message = `${times(silent, "chat span")} ${silent === 1 ? "tells" : "tell"} nothing of what the model said.`;
    say(
      message,
      "Let the program record contents (OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT, `captureContent`), or import the files of its log records and of its spans together.",
    );
  }
  if (counts.cycles > 0)
    say(
      `${times(counts.cycles, "span")} are their own ancestors; the earliest of them begins their trace.`,
      "Check what wrote the ids of their parents.",
    );
  if (counts.withoutTrace > 0)
    say(
      `${times(counts.withoutTrace, "span")} name no trace; their parents tell which of them belong together.`,
      "Check the exporter: a span has a `traceId`.",
    );
  if (counts.orphans > 0)
    say(
      `${times(counts.orphans, "span")} name a parent that is not in the file, and are read as the first of their trace.`,
      "Nothing to do where another program began the trace; else get the rest of it.",
      "information",
    );
  return problems;
}

function wordless({ name, sessions, records }: ProgramLogs, episodes: number): FormatProblem {
  const message = `${times(records, "log record")} of ${name} tell what it did and nothing of its words.`;
  const severity = episodes === 0 ? "error" : "information";
  return { line: 0, severity, message, next: `Import ${sessions}.` };
}
