import type { Contract } from "./contract.ts";

/** Most characters of a text that arrives from a view. */
const MAX_TEXT = 100_000;
/** Most entries of a list that arrives from a view. */
const MAX_LIST = 1_000;
/** Most characters, as JSON, of a value that is kept for a view and handed back as it is. */
const MAX_KEPT = 100_000;

/**
 * Tells whether a value that arrived has the type `T`: undefined where it has, else the problem, which names the field. Views load no
 * schema library, and the extension loads none for these few types.
 */
export interface Check<T> {
  (value: unknown, field: string): string | undefined;
  /** Never set: it ties the check to its type. */
  readonly checks?: (value: T) => T;
}

/** A check of a field that may be absent. */
export interface OptionalCheck<T> {
  readonly ifPresent: Check<T>;
}

type FieldChecks<T> = {
  readonly [K in keyof T]-?: Partial<Pick<T, K>> extends Pick<T, K>
    ? OptionalCheck<NonNullable<T[K]>>
    : Check<T[K]>;
};

/** A check for each request that a side answers and each event that it hears: all of them, so that none is forgotten. */
export interface ArrivalChecks<Theirs extends Contract, Ours extends Contract> {
  readonly requests: { readonly [M in keyof Ours["requests"]]: Check<Ours["requests"][M]["params"]> };
  readonly events: { readonly [E in keyof Theirs["events"]]: Check<Theirs["events"][E]> };
}

/** A place in a list: of an episode, a step, a review. */
export const position: Check<number> = (value, field) =>
  Number.isSafeInteger(value) && Number(value) >= 0
    ? undefined
    : `${field} must be a whole number from 0 on.`;

export const flag: Check<boolean> = (value, field) =>
  typeof value === "boolean" ? undefined : `${field} must be true or false.`;

export const text: Check<string> = (value, field) => {
  if (typeof value !== "string") return `${field} must be a text.`;
  return value.length <= MAX_TEXT ? undefined : `${field} has more than ${MAX_TEXT} characters.`;
};

export const nothing: Check<null> = (value, field) =>
  value === null || value === undefined ? undefined : `${field} must be null.`;

/** Anything that JSON can hold, within bounds. */
export const kept: Check<unknown> = (value, field) => {
  try {
    const written = JSON.stringify(value) as string | undefined;
    if (written === undefined) return `${field} must be a value that JSON can hold.`;
    return written.length <= MAX_KEPT ? undefined : `${field} has more than ${MAX_KEPT} characters as JSON.`;
  } catch {
    return `${field} must be a value that JSON can hold.`;
  }
};

export function oneOf<const T extends string>(values: readonly T[]): Check<T> {
  return (value, field) =>
    values.some((one) => one === value) ? undefined : `${field} must be one of ${values.join(", ")}.`;
}

export function optional<T>(ifPresent: Check<T>): OptionalCheck<T> {
  return { ifPresent };
}

export function nullable<T>(check: Check<T>): Check<T | null> {
  return (value, field) => (value === null ? undefined : check(value, field));
}

/** A list of values that all pass the check. */
export function listOf<T>(check: Check<T>): Check<readonly T[]> {
  return (value, field) => {
    if (!Array.isArray(value)) return `${field} must be a list.`;
    if (value.length > MAX_LIST) return `${field} has more than ${MAX_LIST} entries.`;
    for (const [i, one] of value.entries()) {
      const problem = check(one, `${field}[${i}]`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

/** An object of exactly these fields, each its own: what it inherits does not count. */
export function object<T>(fields: FieldChecks<T>): Check<T> {
  const known = new Map<string, Check<never> | OptionalCheck<never>>(Object.entries(fields));
  return (value, field) => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return `${field} must be an object.`;
    const extra = Object.keys(value).find((name) => !known.has(name));
    if (extra !== undefined) return `${field} has the unknown field \`${extra.slice(0, 60)}\`.`;
    for (const [name, check] of known) {
      const own: unknown = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
      const isOptional = "ifPresent" in check;
      if (isOptional && own === undefined) continue;
      const problem = (isOptional ? check.ifPresent : check)(own, `\`${name}\``);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}
