import { createRequire } from "node:module";
import type { Plugin } from "esbuild";

const load = createRequire(import.meta.url);
const NAMESPACE = "builtin";

/** A built-in module as one ES module of the bundle, whose unused names go away. */
function moduleText(name: string): string {
  const names = Object.keys(load(name) as object).filter(
    (key) => /^[a-z_]\w*$/i.test(key) && key !== "default",
  );
  const exports = names.map((key) => `const _${key} = /* @__PURE__ */ (() => builtin.${key})();`);
  const list = names.map((key) => `_${key} as ${key}`).join(", ");
  return `const builtin = require(${JSON.stringify(name)});\n${exports.join("\n")}\nexport { builtin as default, ${list} };`;
}

/**
 * Loads each built-in module of Node once for a bundle. By itself esbuild copies all its names for each file that imports it: milliseconds
 * of a process that lives for one event.
 */
export const builtinsOnce: Plugin = {
  name: "builtins-once",
  setup(plugin) {
    plugin.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === "import-statement" ? { path, namespace: NAMESPACE, sideEffects: false } : undefined,
    );
    plugin.onLoad({ filter: /./, namespace: NAMESPACE }, ({ path }) => ({ contents: moduleText(path) }));
  },
};
