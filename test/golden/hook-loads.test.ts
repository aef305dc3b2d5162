import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openScene, preEvent, type HookScene } from "../support/hook-process.ts";

let scene: HookScene;
beforeEach(() => {
  scene = openScene("loads");
});
afterEach(() => scene.close());

/** The parts of HASP that each process of the scene loads. */
function tracing(): () => string[] {
  const [tracer, list] = [path.join(scene.base, "tracer.cjs"), path.join(scene.base, "loaded.txt")];
  writeFileSync(
    tracer,
    `const fs = require("node:fs"), path = require("node:path"), Module = require("node:module");
const load = Module._load;
Module._load = function (name, ...rest) {
  if (/hook[-\\w]*\\.cjs$/.test(name)) fs.appendFileSync(${JSON.stringify(list)}, path.basename(name) + "\\n");
  return load.call(this, name, ...rest);
};
`,
  );
  writeFileSync(list, "");
  scene.env["NODE_OPTIONS"] = `--require ${tracer}`;
  return () => readFileSync(list, "utf8").split("\n").filter(Boolean);
}

it("a call that no skill minds loads no schemas and no readers, in a new repository either", async () => {
  const loaded = tracing();
  for (const id of ["1", "2"]) expect((await scene.hook(preEvent(scene, "s", id, "ls"))).out).toBe("{}\n");
  expect(loaded().filter((name) => name === "hook-session.cjs")).toHaveLength(2);
  expect(new Set(loaded())).toEqual(new Set(["hook.cjs", "hook-session.cjs", "hook-create-run.cjs"]));
}, 60_000);
