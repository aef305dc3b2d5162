/**
 * What `src/model/zod.ts` is in the bundle of `hasp hook`: schemas are written down at the start as everywhere, but made, and zod loaded,
 * when the first of them checks something. Most calls of an agent need none.
 */
const makers = new WeakMap();
const isPlain = (value) =>
  Array.isArray(value) || (typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype);

/** What was written down, made; in lists and objects, each part of it. */
function made(value) {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return value;
  const make = makers.get(value);
  if (make !== undefined) return make();
  if (!isPlain(value)) return value;
  const copy = Array.isArray(value) ? [] : {};
  for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
    // A getter is how a schema names itself: it is asked later.
    const whole = "value" in property ? { ...property, value: made(property.value) } : property;
    Object.defineProperty(copy, key, whole);
  }
  return copy;
}

/** What uses a schema, and so needs it. Everything else only goes on writing. */
const USES = new Set(["parse", "safeParse", "_zod", "_def", "def", "~standard"]);

function later(make) {
  let done;
  const real = () => (done ??= { value: make() }).value;
  const written = new Proxy(() => undefined, {
    get(_target, key) {
      if (typeof key !== "symbol" && !USES.has(key)) return member(real, key);
      const value = real()[key];
      return typeof value === "function" ? value.bind(real()) : value;
    },
    ownKeys: () => Reflect.ownKeys(real()).filter((key) => Object.hasOwn(real(), key)),
    getOwnPropertyDescriptor(_target, key) {
      const property = Reflect.getOwnPropertyDescriptor(real(), key);
      return (
        property && {
          value: real()[key],
          enumerable: property.enumerable,
          configurable: true,
          writable: true,
        }
      );
    },
    has: (_target, key) => Reflect.has(real(), key),
  });
  makers.set(written, real);
  return written;
}

function member(owner, key) {
  const written = later(() => owner()[key]);
  const call = new Proxy(written, {
    apply: (_target, _self, args) => later(() => owner()[key](...args.map(made))),
  });
  makers.set(call, makers.get(written));
  return call;
}

function load() {
  return require("./hook-zod.cjs").z;
}

export const z = later(load);
