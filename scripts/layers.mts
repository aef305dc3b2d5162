/**
 * `npm run layers`: proof that the pure rooms need nothing but the language. Each is bundled for a neutral platform, where
 * an import of a Node module fails to resolve. Three packages touch Node's modules inside and are replaced by stubs (DESIGN.md, "The house").
 */
import { readdir } from "node:fs/promises";
import path from "node:path";
import { build, type Plugin } from "esbuild";
import { textImports } from "./text-imports.mts";

const root = path.resolve(import.meta.dirname, "..");
const TOUCH_NODE = new Set(["platform", "cli", "extension"]);
const STUBBED = /^(typescript|gray-matter|@jitl\/quickjs-singlefile-cjs-release-sync)$/;

const stubs: Plugin = {
  name: "stubs",
  setup(plugin) {
    plugin.onResolve({ filter: STUBBED }, (args) => ({ path: args.path, namespace: "stub" }));
    plugin.onLoad({ filter: /.*/, namespace: "stub" }, () => ({
      contents: "module.exports = {};",
      loader: "js",
    }));
  },
};

async function pureFiles(): Promise<string[]> {
  const entries = await readdir(path.join(root, "src"), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.name.endsWith(".d.ts"))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter(
      (file) =>
        !TOUCH_NODE.has(file.split(path.sep)[1] ?? "") && !file.includes(`${path.sep}guest${path.sep}`),
    );
}

const files = await pureFiles();
await build({
  absWorkingDir: root,
  entryPoints: files,
  bundle: true,
  write: false,
  outdir: "dist",
  platform: "neutral",
  mainFields: ["module", "main"],
  conditions: ["import", "default"],
  format: "esm",
  logLevel: "error",
  plugins: [stubs, textImports()],
});
console.log(`layers: ${files.length} files of the pure rooms bundle for a neutral platform`);
