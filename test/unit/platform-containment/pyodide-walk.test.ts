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

it.for([
  'Function("return process")()',
  'Function.new("return process")()',
  'api.pyodide_py.code.run_js("process")',
  'api._module._emscripten_run_script_string(api._module.stringToNewUTF8("process.pid"))',
  "api._api.config.createPyodideModule()",
  'api.loadPackage("numpy")',
])("has no code from %s", { timeout: PATIENCE }, async (attempt, { skip }) => {
  const containment = opened() ?? skip("no Pyodide");
  const end = await run(
    containment,
    `${JAVASCRIPT}\nvalue = ${attempt}\nprint(value, getattr(value, "pid", None))`,
  );
  expect(end.stdout).not.toMatch(/\d{2,}|object process/);
});
