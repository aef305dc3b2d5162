/**
 * Replaces `src/model/zod.ts` in the bundle of `hasp hook`. It records how each schema is built; the first check of a value loads zod and
 * builds the schemas that it needs. Most calls of an agent need none.
 */
/** Key of the recorded step behind a proxy. */
const STEP = Symbol("step");
const isPlain = (value) =>
  Array.isArray(value) || (typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype);

/** Builds a recorded value; of lists and objects, each part. */
function built(value) {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return value;
  const step = value[STEP];
  if (step !== undefined) return resultOf(step);
  if (!isPlain(value)) return value;
  const copy = Array.isArray(value) ? [] : {};
  for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
    // A getter is how a schema names itself: it is asked later.
    const whole = "value" in property ? { ...property, value: built(property.value) } : property;
    Object.defineProperty(copy, key, whole);
  }
  return copy;
}

/** Properties that use a schema, and so build it. All others record a further step. */
const USES = new Set(["parse", "safeParse", "_zod", "_def", "def", "~standard"]);

/** Runs a recorded step, once. */
function resultOf(step) {
  step.done ??= { value: run(step) };
  return step.done.value;
}

function run({ owner, key, args }) {
  if (owner === undefined) return require("./hook-zod.cjs").z;
  const member = resultOf(owner)[key];
  return args === undefined ? member : member.apply(resultOf(owner), args.map(built));
}

// A hook records hundreds of steps at its start: all share these functions, and each is one object behind one proxy.
const HANDLER = {
  get(step, key) {
    if (key === STEP) return step;
    if (typeof key !== "symbol" && !USES.has(key)) return record(step, key);
    const value = resultOf(step)[key];
    return typeof value === "function" ? value.bind(resultOf(step)) : value;
  },
  apply: ({ owner, key }, _self, args) => record(owner, key, args),
  ownKeys: (step) => Reflect.ownKeys(resultOf(step)).filter((key) => Object.hasOwn(resultOf(step), key)),
  getOwnPropertyDescriptor(step, key) {
    const property = Reflect.getOwnPropertyDescriptor(resultOf(step), key);
    return (
      property && {
        value: resultOf(step)[key],
        enumerable: property.enumerable,
        configurable: true,
        writable: true,
      }
    );
  },
  has: (step, key) => Reflect.has(resultOf(step), key),
};

/** Records `owner[key]`, or `owner[key](...args)`; without an owner, zod itself. */
function record(owner, key, args) {
  const step = () => undefined;
  step.owner = owner;
  step.key = key;
  step.args = args;
  return new Proxy(step, HANDLER);
}

export const z = record();
