import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openScene, preEvent, type HookScene } from "../support/hook-process.ts";

let scene: HookScene;
beforeEach(() => {
  scene = openScene("loads");
});
afterEach(() => scene.close());

/** Traces each process of the scene, in order: loaded parts of HASP, opened files, and `answer` when it writes its answer. */
function tracing(): () => string[] {
  const [tracer, list] = [path.join(scene.base, "tracer.cjs"), path.join(scene.base, "done.txt")];
  writeFileSync(
    tracer,
    `const fs = require("node:fs"), path = require("node:path"), Module = require("node:module");
const { openSync, writeSync } = fs;
const out = openSync(${JSON.stringify(list)}, "a");
const note = (name) => writeSync(out, name + "\\n");
const load = Module._load;
Module._load = function (name, ...rest) {
  if (/hook[-\\w]*\\.cjs$/.test(name)) note(path.basename(name));
  return load.call(this, name, ...rest);
};
fs.openSync = (file, ...rest) => (note(path.basename(String(file))), openSync(file, ...rest));
const { write } = process.stdout;
process.stdout.write = function (...args) { note("answer"); return write.apply(this, args); };
`,
  );
  writeFileSync(list, "");
  scene.env["NODE_OPTIONS"] = `--require ${tracer}`;
  return () => readFileSync(list, "utf8").split("\n").filter(Boolean);
}

it("a call that no skill minds loads no schemas and no readers, in a new repository either", async () => {
  const done = tracing();
  for (const id of ["1", "2"]) expect((await scene.hook(preEvent(scene, "s", id, "ls"))).out).toBe("{}\n");
  const loaded = done().filter((name) => /^hook.*\.cjs$/.test(name));
  expect(loaded.filter((name) => name === "hook-session.cjs")).toHaveLength(2);
  expect(new Set(loaded)).toEqual(new Set(["hook.cjs", "hook-session.cjs", "hook-create-run.cjs"]));
}, 60_000);

it.each([
  ["refused", "rm -rf ~/"],
  ["let through", "ls"],
])(
  "a call is %s before anything of it is recorded",
  async (_how, command) => {
    const done = tracing();
    await scene.hook(preEvent(scene, "s", "1", command));
    const recorded = done().findIndex((name) =>
      /^(?:\.gitignore|episodes\.jsonl|s\.jsonl|s\.state\.json\.)/.test(name),
    );
    expect(done()).toContain("s.jsonl");
    expect(done().indexOf("answer")).toBeGreaterThan(0);
    expect(recorded).toBeGreaterThan(done().indexOf("answer"));
  },
  60_000,
);
