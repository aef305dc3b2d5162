import { asName, asRecord, asText, type JsonRecord } from "../records.ts";

/** A stretch of a sample's events: a solver, a tool, an agent, a scorer. */
interface Span {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly parent: string | undefined;
  /** Its place among the events. */
  readonly at: number;
}

/** An agent that another one called. */
export interface SubAgent {
  /** Of its span. */
  readonly id: string;
  readonly name: string;
  /** The span of the agent that called it; undefined: the sample's own. */
  readonly parent: string | undefined;
  /** The call of the tool that it stands for, where the events tell it. */
  readonly callId: string | undefined;
}

/** Whose event it is. `main`: of the sample's own agent; `other`: of a scorer, or of a tool that asks a model. */
export type Owner = { readonly kind: "main" | "other" } | { readonly kind: "agent"; readonly id: string };

export interface Spans {
  readonly agents: readonly SubAgent[];
  ownerOf(event: JsonRecord): Owner;
}

/** Spans that are followed upwards. A sample has some ten. */
const MOST_UP = 200;
const CALLERS = new Set(["agent", "tool", "handoff", "subtask"]);

/** Who did what in a sample, by the spans of its events. */
export function spansOf(events: readonly JsonRecord[]): Spans {
  const spans = new Map<string, Span>();
  events.forEach((event, at) => {
    const id = asText(event["id"]);
    if (event["event"] !== "span_begin" || id === undefined || spans.has(id)) return;
    const { type, name, parent_id: parent } = event;
    spans.set(id, { id, type: asName(type), name: asName(name), parent: asText(parent), at });
  });

  function upFrom(id: string | undefined): readonly Span[] {
    const path: Span[] = [];
    for (let span = spans.get(id ?? ""); span !== undefined && path.length < MOST_UP;) {
      path.push(span);
      span = spans.get(span.parent ?? "");
    }
    return path;
  }
  function ownerIn(path: readonly Span[]): Owner {
    if (path.some(({ type }) => type === "scorers" || type === "scorer")) return { kind: "other" };
    const inner = path.findIndex(({ type }) => type === "agent" || type === "tool");
    const span = path[inner];
    if (span === undefined) return { kind: "main" };
    if (span.type === "tool") return { kind: "other" };
    const isCalled = path.slice(inner + 1).some(({ type }) => CALLERS.has(type));
    return isCalled ? { kind: "agent", id: span.id } : { kind: "main" };
  }
  function agentOf(span: Span): SubAgent | undefined {
    const path = upFrom(span.id);
    const own = ownerIn(path);
    if (own.kind !== "agent") return undefined;
    const above = path.slice(1);
    const callers = above.filter(({ type }) => type !== "tool" && type !== "handoff");
    const caller = ownerIn(callers);
    const tool = above.find(({ type }) => type === "tool")?.name;
    return {
      id: span.id,
      name: span.name,
      parent: caller.kind === "agent" ? caller.id : undefined,
      callId: callIdOf(events, span, tool),
    };
  }
  const owners = new Map<string, Owner>();
  function ownerOf({ span_id: given }: JsonRecord): Owner {
    const id = asText(given) ?? "";
    const owner = owners.get(id) ?? ownerIn(upFrom(id));
    owners.set(id, owner);
    return owner;
  }
  return {
    agents: [...spans.values()].filter(({ type }) => type === "agent").flatMap((span) => agentOf(span) ?? []),
    ownerOf,
  };
}

/** Events before an agent's beginning among which its call is looked for. */
const NEAR = 50;

/** The call that an agent's span stands for: the tool event names the span, or stands before it under the tool's name. */
function callIdOf(
  events: readonly JsonRecord[],
  { id, at }: Span,
  tool: string | undefined,
): string | undefined {
  const near = events.slice(Math.max(0, at - NEAR), at).filter(({ event }) => event === "tool");
  const named = near.find((event) => event["agent_span_id"] === id);
  const last = near.findLast((event) => tool !== undefined && event["function"] === tool);
  return asText(asRecord(named ?? last)["id"]);
}
