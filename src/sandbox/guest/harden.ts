import { deepFreeze, isObject } from "./data.ts";
import { PfMistake, WrongAnswer } from "./fault.ts";
import { keepOverridable } from "./overridable.ts";

/** All that PF code finds as a global. No clock, no chance, no way to make code from text. */
const GLOBALS = new Set(
  `globalThis undefined NaN Infinity Object Array String Number Boolean Symbol BigInt Math JSON RegExp Map Set WeakMap
  WeakSet Promise Proxy Reflect Iterator Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError
  URIError parseInt parseFloat isNaN isFinite encodeURI encodeURIComponent decodeURI decodeURIComponent`.split(
    /\s+/,
  ),
);

function noCodeFromText(): never {
  throw new PfMistake("A PF cannot make code from text.");
}

/** One value of each kind whose prototype has no global name. */
function nameless(): object[] {
  const generator = function* (): Generator<undefined> {};
  const asyncFunction = async (): Promise<void> => {};
  const asyncGenerator = async function* (): AsyncGenerator<undefined> {};
  const iterators = [
    [].values(),
    new Map().values(),
    new Set().values(),
    ""[Symbol.iterator](),
    "".matchAll(/a/g),
  ];
  const wrapped = Iterator.from({ next: () => ({ done: true, value: undefined }) });
  const helper = Iterator.prototype.map.call([].values(), (x) => x);
  return [
    generator,
    generator(),
    asyncFunction,
    asyncGenerator,
    asyncGenerator(),
    ...iterators,
    wrapped,
    helper,
  ];
}

/** An error of QuickJS itself. Its class has no global name either. */
function stackOverflow(): unknown {
  const recurse = (): number => 1 + recurse();
  try {
    return recurse();
  } catch (error) {
    return error;
  }
}

/** Every prototype above a value, so that hidden intrinsics are reached too. */
function withPrototypes(value: unknown, into: Set<object>): void {
  if ((typeof value !== "object" && typeof value !== "function") || value === null || into.has(value)) return;
  into.add(value);
  withPrototypes(Object.getPrototypeOf(value), into);
  for (const key of Reflect.ownKeys(value)) {
    const property = Reflect.getOwnPropertyDescriptor(value, key);
    for (const part of [property?.value, property?.get, property?.set]) withPrototypes(part, into);
  }
}

function removeGenerators(samples: readonly object[]): void {
  for (const sample of [noCodeFromText, ...samples]) {
    const proto: unknown = Object.getPrototypeOf(sample);
    if (typeof sample === "function" && isObject(proto)) {
      Object.defineProperty(proto, "constructor", { value: noCodeFromText });
    }
  }
}

/** A PF that catches one of these has its class. */
const GUEST_ERRORS = [PfMistake, WrongAnswer];

/** Takes away what PFs must not have, then freezes every intrinsic, the guest's own classes and the global object. `keep`: further globals. */
export function harden(keep: readonly string[]): void {
  const samples = nameless();
  removeGenerators(samples);
  keepOverridable();
  Reflect.deleteProperty(Math, "random");
  for (const key of Reflect.ownKeys(globalThis)) {
    if (typeof key === "string" && !GLOBALS.has(key) && !keep.includes(key))
      Reflect.deleteProperty(globalThis, key);
  }
  const reachable = new Set<object>();
  for (const sample of [...samples, ...GUEST_ERRORS, stackOverflow()]) withPrototypes(sample, reachable);
  withPrototypes(globalThis, reachable);
  for (const value of reachable) Object.freeze(value);
  deepFreeze(noCodeFromText);
}
