import type { Episode } from "../model/episode.ts";
import type { StepContext } from "../model/step-context.ts";

/** Where else in the episode a text stands: the question, the observation of the step before, the step's own thought. */
type Source = "question" | "observation" | "thought";

/** How a value of a step context came from the step before: a new one, a text of the episode, or a longer list. */
type Change =
  | { readonly is: unknown }
  | { readonly as: Source }
  | { readonly adds: readonly unknown[] }
  | { readonly addsAs: Source };

/** The values of one step context that differ from the context before; all of them at the first step. */
export type ContextChange = Readonly<Record<string, Change>>;

type Sources = Readonly<Record<Source, string>>;

function sourcesAt({ question, steps }: Episode, t: number): Sources {
  return {
    question,
    observation: steps[t - 1]?.observation ?? "",
    thought: steps[t]?.proposals[0]?.thought ?? "",
  };
}

/** The sources win over one another in this order, so that packing is the same every time. */
const SOURCES: readonly Source[] = ["question", "observation", "thought"];

function sourceOf(value: unknown, sources: Sources): Source | undefined {
  return SOURCES.find((name) => sources[name] === value);
}

function same(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b));
}

function startsWith(list: readonly unknown[], start: readonly unknown[]): boolean {
  return start.length <= list.length && start.every((entry, i) => same(entry, list[i]));
}

function grown(before: unknown, after: unknown, sources: Sources): Change | undefined {
  if (!Array.isArray(before) || !Array.isArray(after) || !startsWith(after, before)) return undefined;
  const adds: unknown[] = after.slice(before.length);
  const source = adds.length === 1 ? sourceOf(adds[0], sources) : undefined;
  return source === undefined ? { adds } : { addsAs: source };
}

function changeOf(before: unknown, after: unknown, sources: Sources): Change | undefined {
  const list = grown(before, after, sources);
  if (list !== undefined) return "adds" in list && list.adds.length === 0 ? undefined : list;
  if (same(before, after)) return undefined;
  const source = sourceOf(after, sources);
  return source === undefined ? { is: after } : { as: source };
}

/**
 * The contexts of all steps of an episode in the room that their changes take. Whole, they grow with the square of the
 * steps, since each holds all texts read so far.
 */
export function packContexts(episode: Episode, contexts: readonly StepContext[]): ContextChange[] {
  return contexts.map((context, t) => {
    const before: Partial<StepContext> = contexts[t - 1] ?? {};
    const sources = sourcesAt(episode, t);
    const changes = Object.entries(context).flatMap(([key, value]) => {
      const change = changeOf(before[key as keyof StepContext], value, sources);
      return change === undefined ? [] : [[key, change] as const];
    });
    return Object.fromEntries(changes);
  });
}

function applied(before: unknown, change: Change, sources: Sources): unknown {
  if ("is" in change) return Array.isArray(change.is) ? [...(change.is as unknown[])] : change.is;
  if ("as" in change) return sources[change.as];
  // The list was made here, step by step, so it can grow in place.
  const list = before as unknown[];
  list.push(...("adds" in change ? change.adds : [sources[change.addsAs]]));
  return list;
}

/**
 * The context of step `t` (0-based) out of what `packContexts` made of the episode, and the keys that differ from the
 * step before (none at the first). Undefined where there is no such step.
 */
export function unpackContext(
  episode: Episode,
  packed: readonly ContextChange[],
  t: number,
): { context: StepContext; changed: readonly string[] } | undefined {
  const last = packed[t];
  if (last === undefined) return undefined;
  const context: Record<string, unknown> = {};
  for (const [at, changes] of packed.slice(0, t + 1).entries()) {
    const sources = sourcesAt(episode, at);
    for (const [key, change] of Object.entries(changes))
      context[key] = applied(context[key], change, sources);
  }
  return { context: context as unknown as StepContext, changed: t === 0 ? [] : Object.keys(last) };
}
