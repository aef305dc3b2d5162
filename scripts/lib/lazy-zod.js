/**
 * What `src/model/zod.ts` is in the bundle of `hasp hook`: schemas are written down at the start as everywhere, but made, and zod loaded,
 * when the first of them checks something. Most calls of an agent need none.
 */
/** Names, within the proxies, what was written down. */
const WRITTEN = Symbol("written");
const isPlain = (value) =>
  Array.isArray(value) || (typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype);

/** What was written down, made; in lists and objects, each part of it. */
function made(value) {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return value;
  const written = value[WRITTEN];
  if (written !== undefined) return real(written);
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

/** Makes what was written down, once. */
function real(written) {
  written.done ??= { value: make(written) };
  return written.done.value;
}

function make({ owner, key, args }) {
  if (owner === undefined) return require("./hook-zod.cjs").z;
  const member = real(owner)[key];
  return args === undefined ? member : member.apply(real(owner), args.map(made));
}

// Hundreds of steps are written down as a hook starts: all share these functions, and each is one object behind one proxy.
const HANDLER = {
  get(written, key) {
    if (key === WRITTEN) return written;
    if (typeof key !== "symbol" && !USES.has(key)) return later(written, key);
    const value = real(written)[key];
    return typeof value === "function" ? value.bind(real(written)) : value;
  },
  apply: ({ owner, key }, _self, args) => later(owner, key, args),
  ownKeys: (written) => Reflect.ownKeys(real(written)).filter((key) => Object.hasOwn(real(written), key)),
  getOwnPropertyDescriptor(written, key) {
    const property = Reflect.getOwnPropertyDescriptor(real(written), key);
    return (
      property && {
        value: real(written)[key],
        enumerable: property.enumerable,
        configurable: true,
        writable: true,
      }
    );
  },
  has: (written, key) => Reflect.has(real(written), key),
};

/** Writes down `owner[key]`, or `owner[key](...args)`; without an owner, zod itself. */
function later(owner, key, args) {
  const written = () => undefined;
  written.owner = owner;
  written.key = key;
  written.args = args;
  return new Proxy(written, HANDLER);
}

export const z = later();
