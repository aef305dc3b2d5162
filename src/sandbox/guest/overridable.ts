import { isObject } from "./data.ts";

/**
 * A read-only property that objects inherit cannot be assigned to on them either: with a frozen `Error.prototype`, `error.message = "…"` fails
 * where the error had no message of its own. An accessor in its place makes that assignment what it is for an ordinary prototype.
 */
function makeOverridable(holder: object, key: PropertyKey): void {
  const property = Reflect.getOwnPropertyDescriptor(holder, key);
  if (property?.configurable !== true || !("value" in property)) return;
  const inherited: unknown = property.value;
  Reflect.defineProperty(holder, key, {
    get: () => inherited,
    set(this: unknown, value: unknown): void {
      const change = isObject(this) && Object.hasOwn(this, key) ? { value } : own(value);
      if (this === holder || !isObject(this) || !Reflect.defineProperty(this, key, change))
        throw new TypeError(`'${String(key)}' is read-only`);
    },
  });
}

const own = (value: unknown): PropertyDescriptor => ({
  value,
  writable: true,
  enumerable: true,
  configurable: true,
});

function errorPrototypes(): object[] {
  return Object.getOwnPropertyNames(globalThis).flatMap((name) => {
    const value: unknown = Reflect.get(globalThis, name);
    const prototype: unknown = typeof value === "function" ? value.prototype : undefined;
    return prototype === Error.prototype || prototype instanceof Error ? [prototype] : [];
  });
}

/**
 * Lets PFs assign what ordinary code assigns on its own objects, errors, lists and functions, before the prototypes are frozen. Not more than
 * that: an accessor is slower than a method.
 */
export function keepOverridable(): void {
  for (const key of Reflect.ownKeys(Object.prototype)) makeOverridable(Object.prototype, key);
  for (const prototype of errorPrototypes())
    for (const key of ["constructor", "name", "message", "toString"]) makeOverridable(prototype, key);
  for (const prototype of [Array.prototype, Function.prototype])
    for (const key of ["toString", "toLocaleString"]) makeOverridable(prototype, key);
}
