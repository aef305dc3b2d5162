import { asName, asRecord, asText, isRecord, recordsOf, without } from "./records.ts";
import type { Exchange } from "./responses-calls.ts";

/** A call that a later one may repeat and go on from. */
interface Open {
  readonly id: string;
  /** Its items and those of its answer, as texts to compare. */
  readonly said: readonly string[];
}

/** Conversations that are open at once, as an agent and its sub-agents are; of more, the one that waits longest is done. */
const MOST_OPEN = 32;

/**
 * Calls whose input repeats all that was said before, as clients send it that keep no conversation at the server: each names the call that
 * it goes on from, and its input holds what is new. `repeated`: how many do.
 */
export function withoutHistories(exchanges: readonly Exchange[]): {
  readonly exchanges: readonly Exchange[];
  readonly repeated: number;
} {
  const open: Open[] = [];
  let repeated = 0;
  const own = exchanges.map((one, at) => {
    if (one.previous !== undefined || one.body["custom_id"] !== undefined || one.input.length === 0)
      return one;
    const id = one.id ?? `call-${at + 1}`;
    const input = spokenIn(one.input);
    const before = longest(open, input, id);
    if (one.output.length > 0) {
      open.push({ id, said: [...input, ...spokenIn(one.output)].map(({ key }) => key) });
      if (open.length > MOST_OPEN) open.shift();
    }
    if (before === undefined) return one;
    repeated++;
    const last = input[before.said.length - 1];
    return { ...one, previous: before.id, input: one.input.slice((last?.at ?? -1) + 1) };
  });
  return { exchanges: own, repeated };
}

/** The calls without those whose response, by its id and what it says, was given before. */
export function withoutDoubles(exchanges: readonly Exchange[]): {
  readonly kept: readonly Exchange[];
  readonly doubled: number;
} {
  const given = new Map<string, string>();
  const kept = exchanges.filter(({ id, output }) => {
    if (id === undefined || output.length === 0) return true;
    const said = JSON.stringify(output);
    const isDouble = given.get(id) === said;
    given.set(id, said);
    return !isDouble;
  });
  return { kept, doubled: exchanges.length - kept.length };
}

/** Of the calls whose items and answer are the beginning of an input the one with the most, the later of two. */
function longest(open: readonly Open[], input: readonly Spoken[], id: string): Open | undefined {
  let best: Open | undefined;
  for (const one of open) {
    const isBeginning =
      one.id !== id && one.said.length < input.length && one.said.every((key, at) => key === input[at]?.key);
    if (isBeginning && one.said.length >= (best?.said.length ?? 1)) best = one;
  }
  return best;
}

/** An item, and its place among all. */
interface Spoken {
  readonly key: string;
  readonly at: number;
}

/** Thoughts are left out: many clients do not send them back. */
const spokenIn = (items: readonly unknown[]): readonly Spoken[] =>
  items.flatMap((item, at) => (asRecord(item)["type"] === "reasoning" ? [] : [{ key: keyOf(item), at }]));

/** Equal for an item as the model gave it and as it is sent back: servers number items, clients write texts in one block or as they are. */
function keyOf(item: unknown): string {
  if (!isRecord(item)) return JSON.stringify(item);
  const type = asName(item["type"]);
  const role = asText(item["role"]);
  if (role !== undefined) return `${role}\n${wordsIn(item["content"])}`;
  const call = asText(item["call_id"]);
  if (call !== undefined) return `${type}\n${call}\n${JSON.stringify(item["output"] ?? null)}`;
  return JSON.stringify(without(item, ["id", "status"]));
}

const wordsIn = (content: unknown): string =>
  asText(content) ??
  recordsOf(content)
    .map((part) => asText(part["text"]) ?? asText(part["refusal"]) ?? JSON.stringify(part))
    .join("\n");
