import type { Json } from "../../model/step-context.ts";
import { PfMistake, cut } from "./fault.ts";

const MEMORY_DEPTH = 32;
const MEMORY_CHARS = 100_000;

export function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function locked(): never {
  throw new PfMistake("A PF keeps nothing between calls except in ctx.memory: this collection is read-only.");
}

/** The methods of a Map or Set would go round the freeze, so each one that has fields of its own refuses changes. */
function lockCollection(value: object): void {
  if (!(value instanceof Map || value instanceof Set) || Object.isFrozen(value)) return;
  for (const name of ["set", "add", "delete", "clear"]) Object.defineProperty(value, name, { value: locked });
}

/** Freezes a value and everything reachable from it by its own data properties. */
export function deepFreeze<T>(value: T, seen: Set<unknown> = new Set()): T {
  if (!isObject(value) || seen.has(value)) return value;
  seen.add(value);
  lockCollection(value);
  Object.freeze(value);
  for (const key of Reflect.ownKeys(value)) {
    deepFreeze(Reflect.getOwnPropertyDescriptor(value, key)?.value, seen);
  }
  return value;
}

/** For data fresh from JSON.parse: no cycles, no accessors, so no bookkeeping either. */
export function freezeJson<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const key in value) {
    const entry = value[key];
    if (typeof entry === "object") freezeJson(entry);
  }
  return Object.freeze(value);
}

function notJson(where: string, what: string): PfMistake {
  return new PfMistake(
    `${where} is ${what}: ctx.memory holds only JSON (null, booleans, finite numbers, strings, lists, objects).`,
  );
}

function checkScalar(value: unknown, where: string): void {
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number" && Number.isFinite(value)) return;
  throw notJson(
    where,
    typeof value === "number" || value === undefined ? String(value) : `a ${typeof value}`,
  );
}

function checkJson(value: unknown, where: string, depth: number): void {
  if (!isObject(value) || typeof value === "function") return checkScalar(value, where);
  if (depth > MEMORY_DEPTH)
    throw new PfMistake(`${cut(where, 60)} is nested more than ${MEMORY_DEPTH} deep.`);
  const proto: unknown = Object.getPrototypeOf(value);
  const isList = Array.isArray(value) && proto === Array.prototype;
  if (!isList && proto !== Object.prototype) throw notJson(where, "an object of a class");
  for (const key of Reflect.ownKeys(value)) {
    if (isList && key === "length") continue;
    const name = `${where}.${String(key)}`;
    const property = Reflect.getOwnPropertyDescriptor(value, key);
    if (typeof key === "symbol" || property === undefined || !("value" in property))
      throw notJson(name, "an accessor or a symbol");
    checkJson(property.value, name, depth + 1);
  }
}

/** A PF's memory as JSON text. Throws PfMistake with the path of what is not JSON. */
function memoryText(memory: unknown): string {
  checkJson(memory, "ctx.memory", 0);
  const text = JSON.stringify(memory);
  if (text.length > MEMORY_CHARS) {
    throw new PfMistake(`ctx.memory has ${text.length} characters as JSON; ${MEMORY_CHARS} are allowed.`);
  }
  return text;
}

/** `{}` as JSON.parse makes it: the memory of most PFs at most steps. */
function isEmpty(memory: unknown): boolean {
  return (
    isObject(memory) &&
    Object.getPrototypeOf(memory) === Object.prototype &&
    Reflect.ownKeys(memory).length === 0
  );
}

/** The memory of a PF for one call: it may change it, and a call that fails must leave no trace. */
export function memoryCopy(memory: Json): Json {
  return isEmpty(memory) ? {} : (JSON.parse(JSON.stringify(memory)) as Json);
}

/** What stays of a memory after a call: `before` itself where it is and was empty. Throws as memoryText does. */
export function keptMemory(before: Json, memory: Json): Json {
  if (isEmpty(memory) && isEmpty(before)) return before;
  return JSON.parse(memoryText(memory)) as Json;
}
