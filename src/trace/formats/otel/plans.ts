import { hasTalk } from "./span-extra.ts";
import type { Span } from "./span.ts";
import type { Item, Scope } from "./span-tree.ts";
import { type ChatLink, isAfter, linkOf, Links, threadsOf } from "./threads.ts";

/** Spans that become one conversation. */
export interface Plan {
  readonly traceId: string;
  readonly items: Item[];
  /** Spans of it that tell of no step. */
  readonly others: Span[];
  /** The spans of its agents, those around the others first. */
  readonly agents: readonly Span[];
  /** No span of an agent is around it. */
  readonly loose: boolean;
  /** Who called it: undefined for what nobody called. */
  readonly caller: { readonly plan: Plan; readonly via: Span | undefined } | undefined;
}

interface Task {
  /** Spans of agents that only hold the others. */
  readonly around: readonly Scope[];
  /** One agent, or several that hand one conversation on. */
  readonly group: readonly Scope[];
  readonly caller: Plan["caller"];
}

/** The conversations of a trace, callers first. */
export function plansOf(traceId: string, root: Scope): readonly Plan[] {
  const plans: Plan[] = [];
  const tasks: Task[] = [{ around: [], group: [root], caller: undefined }];
  for (let next = 0; next < tasks.length; next++) {
    const task = tasks[next];
    for (const each of task === undefined ? [] : (divided(task) ?? planned(task, traceId, plans)))
      tasks.push(each);
  }
  return plans;
}

/** Agents whose spans only hold other agents' taken off, so far as each holds one. */
function unwrapped(scope: Scope): { readonly around: readonly Scope[]; readonly inner: Scope } {
  const around: Scope[] = [];
  let inner = scope;
  for (;;) {
    const [only, ...more] = inner.children;
    if (inner.items.length > 0 || only === undefined || more.length > 0 || only.via !== undefined)
      return { around, inner };
    around.push(inner);
    inner = only;
  }
}

/** The tasks of agents below a span that holds several and says nothing itself; undefined for any other. */
function divided({ around, group, caller }: Task): readonly Task[] | undefined {
  const [first, ...more] = group;
  if (first === undefined || more.length > 0) return undefined;
  const { around: wrappers, inner } = unwrapped(first);
  if (inner.items.length > 0 || inner.children.length < 2) return undefined;
  const groups = successions(inner.children, inner.kind === "agent");
  // An agent that tells its own words called the others, unless they are one conversation that goes on below it.
  if (groups.length > 1 && inner.span !== undefined && hasTalk(inner.span)) return undefined;
  return groups.map((each, nth) => ({
    around: nth === 0 ? [...around, ...wrappers, inner] : [],
    group: each,
    caller,
  }));
}

/** Agents side by side, each with those after it that go on with its conversation. `contained`: one span is around all of them. */
function successions(agents: readonly Scope[], contained: boolean): readonly (readonly Scope[])[] {
  const groups: { scopes: Scope[]; end: number; last: ChatLink | undefined }[] = [];
  const links = new Links<(typeof groups)[number]>();
  const inOrder = agents.toSorted((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0));
  for (const scope of inOrder) {
    const chats = unwrapped(scope).inner.items.filter(({ role }) => role === "chat");
    const first = chats[0] === undefined ? undefined : linkOf(chats[0].span);
    const last = chats.length > 1 && chats.at(-1) !== undefined ? linkOf((chats.at(-1) as Item).span) : first;
    const before = groups.at(-1);
    const isNext = before !== undefined && scope.span !== undefined && isAfter(scope.span, before.end);
    const goesOn =
      isNext && first !== undefined && links.find(first.messages) === before && !asksAnew(first, before.last);
    const isUntold = isNext && contained && !isTold(first) && !isTold(before.last);
    const group = goesOn || isUntold ? before : { scopes: [], end: 0, last: undefined };
    if (group !== before) groups.push(group);
    group.scopes.push(scope);
    group.end = Math.max(group.end, scope.span?.end ?? 0);
    group.last = last;
    if (last !== undefined) links.add(group, last);
  }
  return groups.map(({ scopes }) => scopes);
}

const isTold = (link: ChatLink | undefined): boolean =>
  link !== undefined && (link.messages.length > 0 || link.said !== undefined);

/** The user speaks after the last word of the agent before. */
function asksAnew({ messages }: ChatLink, before: ChatLink | undefined): boolean {
  return messages.at(-1)?.role === "user" && (before?.said?.calls.length ?? 0) === 0;
}

/** Adds the conversations of the task's agents; answers with those that were called from there. */
function planned({ around, group, caller }: Task, traceId: string, plans: Plan[]): readonly Task[] {
  const inners = group.map(unwrapped);
  const scopes = [...around, ...inners.flatMap((each) => [...each.around, each.inner])];
  const agents = scopes.flatMap(({ kind, span }) => (kind === "agent" && span !== undefined ? [span] : []));
  const loose = agents.length === 0;
  const items = inners.flatMap(({ inner }) => itemsOf(inner));
  const [first, ...beside] = items.length === 0 ? [[]] : threadsOf(items, loose);
  const about = { traceId, agents, loose };
  const others = scopes.flatMap((scope) => scope.others);
  const main: Plan = { ...about, items: [...(first ?? [])], others, caller };
  plans.push(main);
  // Below no agent they are conversations of their own.
  for (const thread of beside)
    plans.push({
      ...about,
      items: [...thread],
      others: [],
      caller: loose ? caller : { plan: main, via: undefined },
    });
  return inners.flatMap(({ inner }) =>
    inner.children.map((child) => {
      const isPeer = inner.kind === "trace" && child.via === undefined;
      return { around: [], group: [child], caller: isPeer ? undefined : { plan: main, via: child.via } };
    }),
  );
}

/** The steps of an agent; where no chat of it is there, what its own span tells is one. */
function itemsOf({ items, span, kind }: Scope): readonly Item[] {
  if (kind !== "agent" || span === undefined || items.some(({ role }) => role === "chat") || !hasTalk(span))
    return items;
  return [...items, { span, role: "chat", index: Number.MAX_SAFE_INTEGER, chat: undefined }];
}

/**
 * Conversations of several traces as one, where a client writes a trace for each request: the request answers calls that the trace
 * before left open.
 */
export function joinedTraces(plans: readonly Plan[]): readonly Plan[] {
  const links = new Links<{ plan: Plan; last: ChatLink }>();
  return plans.filter((plan) => {
    const chats = plan.items.filter(({ role }) => role === "chat");
    const [first] = chats;
    if (!plan.loose || plan.caller !== undefined || first === undefined) return true;
    const begin = linkOf(first.span);
    const end = chats.length === 1 ? begin : linkOf((chats.at(-1) ?? first).span);
    const before = links.find(begin.messages);
    const isNext = before !== undefined && before.plan.traceId !== plan.traceId && isOpen(before.last);
    const owner = isNext && begin.messages.at(-1)?.role !== "user" ? before : { plan, last: end };
    owner.last = end;
    links.add(owner, end);
    if (owner.plan === plan) return true;
    for (const item of plan.items) owner.plan.items.push(item);
    for (const other of plan.others) owner.plan.others.push(other);
    return false;
  });
}

const isOpen = ({ said }: ChatLink): boolean => (said?.calls.length ?? 0) > 0;
