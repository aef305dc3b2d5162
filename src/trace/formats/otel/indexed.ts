import { isRecord, type JsonRecord } from "../records.ts";

/** Levels of names that are taken apart; what is below them stays one name. */
const MAX_LEVELS = 12;

/**
 * Attributes that are one a field, as an object: of `llm.input_messages.0.message.role` and its like, all below `prefix`. Undefined where
 * there is none.
 */
export function nestedAt(attributes: JsonRecord, prefix: string): JsonRecord | undefined {
  const start = `${prefix}.`;
  let root: Record<string, unknown> | undefined;
  for (const [key, value] of Object.entries(attributes)) {
    if (!key.startsWith(start)) continue;
    root ??= emptyObject();
    const names = key.slice(start.length).split(".");
    const path = names.slice(0, Math.min(names.length, MAX_LEVELS) - 1);
    const parent = path.reduce<Record<string, unknown> | undefined>(childOf, root);
    if (parent !== undefined) parent[names.slice(path.length).join(".")] = value;
  }
  return root;
}

// A name may be `__proto__`.
const emptyObject = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>;

/** The object of this name; undefined where a value stands in its place. */
function childOf(
  parent: Record<string, unknown> | undefined,
  name: string,
): Record<string, unknown> | undefined {
  if (parent === undefined) return undefined;
  const child = parent[name] ?? (parent[name] = emptyObject());
  return isRecord(child) ? child : undefined;
}

/** Entries whose names are numbers, in the order of these; of a list, its entries. */
export function indexedEntries(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? Object.values(value) : [];
}
