import { expect, it } from "vitest";
import { PATIENCE, run, usePyodide } from "./pyodide-world.ts";

const opened = usePyodide("alone");

/** Objects of JavaScript that the interpreter keeps; from them everything there can be reached. */
const JAVASCRIPT = `
import gc
finder = next(one for one in gc.get_objects() if type(one).__name__ == "JsFinder")
api = finder.jsproxies["pyodide_js"]
Object = api.constructor
Function = Object.constructor
`;

/** Visits all objects by their properties, getters and prototypes, and prints the names of properties that have power in Node. */
const WALK = `${JAVASCRIPT}
POWERS = {"abort", "binding", "child_process", "createRequire", "dlopen", "execPath", "getBuiltinModule", "internalBinding", "kill",
    "mainModule", "permission", "pid", "reallyExit", "readFileSync", "require", "runInContext", "setuid", "spawn", "writeSync", "WebSocket", "fetch"}
found, seen, count = set(), set(), 0
todo = [api, api._api, api._api.config, Object, Function]
def visit(value):
    if hasattr(value, "js_id"): todo.append(value)
while todo and count < 4000:
    one = todo.pop(0)
    if one.js_id in seen: continue
    seen.add(one.js_id)
    count += 1
    try:
        if getattr(one, "byteLength", None) is not None: continue
        names = list(Object.getOwnPropertyNames(one))
        if len(names) > 500 and count > 40: continue
        found |= POWERS & set(names)
        visit(Object.getPrototypeOf(one))
        described = Object.getOwnPropertyDescriptors(one)
        for name in names:
            for part in ("value", "get", "set"):
                visit(getattr(getattr(described, name, None), part, None))
    except Exception: pass
print(sorted(found), count > 300)
`;

it("finds nothing of Node from the objects of JavaScript", { timeout: PATIENCE }, async ({ skip }) => {
  const containment = opened() ?? skip("no Pyodide");
  const end = await run(containment, WALK);
  expect([end.stderr, end.stdout]).toEqual(["", "[] True\n"]);
});

/** Each is tried in the same interpreter, and prints what it got. */
const ATTEMPTS = [
  'Function("return process")()',
  'Function.new("return process")()',
  'api.pyodide_py.code.run_js("process")',
  'api._module._emscripten_run_script_string(api._module.stringToNewUTF8("process.pid"))',
  "api._api.config.createPyodideModule()",
  'api.loadPackage("numpy")',
];

it("has no code from JavaScript", { timeout: PATIENCE }, async ({ skip }) => {
  const containment = opened() ?? skip("no Pyodide");
  const tries = ATTEMPTS.map(
    (attempt) => `
try:
    value = ${attempt}
    print("got", value, getattr(value, "pid", None))
except BaseException as error: print("held", type(error).__name__)`,
  );
  const { stdout, stderr } = await run(containment, `${JAVASCRIPT}${tries.join("")}`);
  expect(stderr).toBe("");
  expect(stdout.trim().split("\n")).toHaveLength(ATTEMPTS.length);
  expect(stdout).not.toMatch(/\d{2,}|object process/);
});

/** Says of an error in `error` whose it is. */
const REALM = `
def realm(error):
    while hasattr(Object.getPrototypeOf(error), "js_id"): error = Object.getPrototypeOf(error)
    return "own" if error.js_id == Object.prototype.js_id else "another"
`;

it.for([
  [
    "an array without memory",
    `
array = api._module.HEAPU8.constructor.new(64)
array.buffer.transfer()
try: api._module.UTF8Decoder.decode(array)
except BaseException as error: print(realm(error))`,
  ],
  [
    "a stack at its end",
    `
array = api._module.HEAPU8.constructor.new(1)
decoder, bind = api._module.UTF8Decoder, Function.prototype.bind
chains = [bind.call(decoder.decode, decoder, array)]
while len(chains) < 12_000: chains.append(bind.call(array.forEach, array, chains[-1]))
def at(depth):
    try: chains[depth]()
    except BaseException as error: return realm(error)
low, high = 0, len(chains) - 1
while high - low > 1:
    middle = (low + high) // 2
    low, high = (middle, high) if at(middle) is None else (low, middle)
print(*{at(depth) for depth in range(high, high + 40)})`,
  ],
] as const)(
  "gets no error of Node's own realm by %s",
  { timeout: PATIENCE },
  async ([_, program], { skip }) => {
    const containment = opened() ?? skip("no Pyodide");
    const end = await run(containment, `${JAVASCRIPT}${REALM}${program}`);
    expect([end.stderr, end.stdout]).toEqual(["", "own\n"]);
  },
);
