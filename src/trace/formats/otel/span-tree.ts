import type { Notes } from "./notes.ts";
import { type Span, textAt } from "./span.ts";
import { hasTalk } from "./span-extra.ts";
import { roleOf, type SpanRole, toolOf } from "./span-role.ts";

/** A span that tells of a step. */
export interface Item {
  readonly span: Span;
  readonly role: "chat" | "tool" | "lookup";
  /** Its place among the spans of the trace, which are in the order of time. */
  readonly index: number;
  /** The place of the chat around it. */
  readonly chat: number | undefined;
}

/** What one agent did: the spans below its own, but for those below an agent that it called. */
export interface Scope {
  /** `trace`: below no agent. `tool`: a tool that calls models itself. */
  readonly kind: "trace" | "agent" | "tool";
  readonly span: Span | undefined;
  readonly items: Item[];
  /** Spans that tell of no step. */
  readonly others: Span[];
  /** Agents that were called from here. */
  readonly children: Scope[];
  /** The tool by which it was called. */
  readonly via: Span | undefined;
}

export interface SpanTree {
  readonly root: Scope;
  /** Spans that name a parent which is not there. */
  readonly orphans: number;
  /** Spans that are their own ancestors. */
  readonly cycles: number;
}

const openScope = (kind: Scope["kind"], span?: Span, via?: Span): Scope => ({
  kind,
  span,
  via,
  items: [],
  others: [],
  children: [],
});

/** Where a span stands: its agent, and the nearest tool and chat above it that belong to this agent. */
interface Place {
  readonly scope: Scope;
  readonly tool: number | undefined;
  readonly chat: number | undefined;
}

/** The agents of a trace. `spans`: all of it, in the order of time. No depth of calls is too deep. */
export function spanTree(spans: readonly Span[], notes: Notes): SpanTree {
  const { parents, orphans, cycles } = parentsOf(spans);
  const roles = spans.map((span) => roleOf(span, notes));
  const order = topDown(parents);
  const around = enclosing(spans, { parents, roles, order });
  const root = openScope("trace");
  const places: Place[] = [];
  const inner = new Map<number, Scope>();
  /** The scope of a tool that calls models itself. */
  const within = (tool: number): Scope => {
    const known = inner.get(tool);
    if (known !== undefined) return known;
    const scope = openScope("tool", spans[tool], spans[tool]);
    (places[tool]?.scope ?? root).children.push(scope);
    inner.set(tool, scope);
    return scope;
  };
  for (const index of order) {
    const span = spans[index];
    const role = roles[index];
    if (span === undefined || role === undefined) continue;
    let above = places[parents[index] ?? -1] ?? { scope: root, tool: undefined, chat: undefined };
    if (role === "agent") {
      const own = openScope("agent", span, above.tool === undefined ? undefined : spans[above.tool]);
      above.scope.children.push(own);
      places[index] = { scope: own, tool: undefined, chat: undefined };
      continue;
    }
    if (above.tool !== undefined && around.callModels.has(above.tool))
      above = { scope: within(above.tool), tool: undefined, chat: undefined };
    const { scope, tool, chat } = above;
    const isDetail =
      role === "other" || around.repeated.has(index) || (role === "lookup" && tool !== undefined);
    if (isDetail) scope.others.push(span);
    else scope.items.push({ span, role, index, chat });
    if (role === "chat") places[index] = { scope, tool, chat: index };
    else places[index] = role === "tool" && !isDetail ? { scope, tool: index, chat: undefined } : above;
  }
  for (const scope of scopesOf(root)) scope.items.sort((a, b) => a.index - b.index);
  return { root, orphans, cycles };
}

/** All scopes of a trace, callers first. */
export function scopesOf(root: Scope): readonly Scope[] {
  const all = [root];
  for (let next = 0; next < all.length; next++)
    for (const child of all[next]?.children ?? []) all.push(child);
  return all;
}

/** The place of each span's parent; -1 without one. Of spans that are their own ancestors the earliest has none. */
function parentsOf(spans: readonly Span[]): { parents: number[]; orphans: number; cycles: number } {
  const byId = new Map<string, number>();
  spans.forEach(({ spanId }, index) => {
    if (spanId !== "" && !byId.has(spanId)) byId.set(spanId, index);
  });
  let orphans = 0;
  const parents = spans.map(({ parentId }) => {
    const parent = parentId === undefined ? -1 : byId.get(parentId);
    if (parent === undefined) orphans++;
    return parent ?? -1;
  });
  let cycles = 0;
  const walks = new Int32Array(spans.length);
  for (let start = 0; start < spans.length; start++) {
    let at = start;
    while (at !== -1 && walks[at] === 0) {
      walks[at] = start + 1;
      at = parents[at] ?? -1;
    }
    if (at === -1 || walks[at] !== start + 1) continue;
    let first = at;
    let size = 0;
    for (let next = at; size === 0 || next !== at; next = parents[next] ?? at) {
      first = Math.min(first, next);
      size++;
    }
    cycles += size;
    parents[first] = -1;
  }
  return { parents, orphans, cycles };
}

/** The places of all spans, parents first. */
function topDown(parents: readonly number[]): readonly number[] {
  const children = new Map<number, number[]>();
  parents.forEach((parent, index) => add(children, parent, index));
  const order = [...(children.get(-1) ?? [])];
  for (let next = 0; next < order.length; next++)
    for (const child of children.get(order[next] ?? -1) ?? []) order.push(child);
  return order;
}

function add(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

interface Roles {
  readonly parents: readonly number[];
  readonly roles: readonly SpanRole[];
  readonly order: readonly number[];
}

/**
 * Tools below which models are called with no agent between, and spans that repeat one around them or within them: a chat that a
 * framework and a client both tell, a tool that a host and a protocol both tell.
 */
function enclosing(
  spans: readonly Span[],
  { parents, roles, order }: Roles,
): { readonly callModels: ReadonlySet<number>; readonly repeated: ReadonlySet<number> } {
  const callModels = new Set<number>();
  const repeated = new Set<number>();
  /** By chat, the chats within it. */
  const chats = new Map<number, number[]>();
  const tools: (number | undefined)[] = [];
  const outerChats: (number | undefined)[] = [];
  for (const index of order) {
    const parent = parents[index] ?? -1;
    const role = roles[index];
    const tool = role === "agent" ? undefined : tools[parent];
    const chat = role === "agent" || role === "tool" ? undefined : outerChats[parent];
    tools[index] = tool;
    outerChats[index] = chat;
    if (role === "chat") {
      if (tool !== undefined) callModels.add(tool);
      if (chat === undefined) outerChats[index] = index;
      else add(chats, chat, index);
    } else if (role === "tool") {
      if (tool !== undefined && isSameCall(spans[tool], spans[index])) repeated.add(index);
      else tools[index] = index;
    }
  }
  for (const index of besideTheirTalk(spans, parents, roles)) repeated.add(index);
  for (const [outer, within] of chats) {
    const tells = (index: number): boolean => hasTalk(spans[index]);
    if (!tells(outer) || within.some(tells)) repeated.add(outer);
    else for (const index of within) repeated.add(index);
  }
  return { callModels, repeated };
}

/**
 * Chats that tell no words, beside one that tells those of the same response: a client library and an instrumentation of it both told the
 * call, and neither knew of the other.
 */
function besideTheirTalk(
  spans: readonly Span[],
  parents: readonly number[],
  roles: readonly SpanRole[],
): readonly number[] {
  const chats = spans.flatMap((span, index) => {
    const response = roles[index] === "chat" ? textAt(span, "gen_ai.response.id") : undefined;
    return response === undefined ? [] : [{ span, index, key: `${parents[index]}\n${response}` }];
  });
  const telling = Map.groupBy(
    chats.filter(({ span }) => hasTalk(span)),
    ({ key }) => key,
  );
  return chats.flatMap(({ span, index, key }) => {
    // Servers of tests give each response the same id.
    const isBeside = telling
      .get(key)
      ?.some((other) => span.start < other.span.end && other.span.start < span.end);
    return isBeside === true && !hasTalk(span) ? [index] : [];
  });
}

function isSameCall(outer: Span | undefined, inner: Span | undefined): boolean {
  if (outer === undefined || inner === undefined) return false;
  const [a, b] = [toolOf(outer, "tool"), toolOf(inner, "tool")];
  return a.id === undefined || b.id === undefined ? a.name === b.name : a.id === b.id;
}
