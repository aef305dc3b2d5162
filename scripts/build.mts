/** `npm run build`: everything that ships, into dist/, and the in-host test suite into dist-test/. `--watch` rebuilds. */
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { context, type BuildOptions, type Plugin } from "esbuild";
import { execa } from "execa";
import { builtinsOnce } from "./lib/builtins.mts";
import { BROWSER } from "./lib/browser-bundle.mts";
import { openaiChat } from "./lib/openai-chat.mts";
import { quickJsBytes, withoutQuickJs } from "./lib/quickjs-file.mts";
import { writeAsCommonJs } from "./lib/split-bundle.mts";
import "./lib/text-modules.mts";
import { textImports } from "./text-imports.mts";

const root = path.resolve(import.meta.dirname, "..");
const watch = process.argv.includes("--watch");

/** zod's messages in sixty languages, of which nothing here asks for another than English: half of zod, read at every start. */
const englishOnly: Plugin = {
  name: "english-only",
  setup(plugin) {
    plugin.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/][\w-]+\.js$/ }, ({ path: file }) => {
      const name = path.basename(file, ".js");
      return name === "en" || name === "index" ? undefined : { contents: "export default () => ({});" };
    });
  },
};

/** A process that answers one event has no time for zod (lib/lazy-zod.js). */
const lazyZod: Plugin = {
  name: "lazy-zod",
  setup(plugin) {
    plugin.onLoad({ filter: /src[\\/]model[\\/]zod\.ts$/ }, async ({ path: file }) => ({
      contents: await readFile(path.join(root, "scripts/lib/lazy-zod.js"), "utf8"),
      resolveDir: path.dirname(file),
    }));
    plugin.onResolve({ filter: /^\.\/hook-zod\.cjs$/ }, ({ path: file }) => ({ path: file, external: true }));
  },
};

/** What an event loads, and what only some do, each a file of its own in dist/. */
const HOOK_FILES = [
  ["src/cli/hook-main.ts", "hook"],
  ["src/cli/hook-session.ts", "hook-session"],
  ["src/platform/hook-worker.ts", "hook-worker"],
  ["src/platform/worker-pf-host.ts", "hook-pf-host"],
  ["src/model/zod.ts", "hook-zod"],
  ["src/agents/hook/rebuild.ts", "hook-rebuild"],
  ["src/trace/create-run.ts", "hook-create-run"],
  ["src/trace/episode-file.ts", "hook-episode-file"],
  ["src/trace/live-fold.ts", "hook-live-fold"],
  ["src/trace/library-store.ts", "hook-library-store"],
] as const;

/** Runs of questions alone load it; a hook makes none. */
const RETRIEVERS = "src/domains/web-search/open-environment.ts";

/** Modules that are imported where they are needed: esbuild would keep them in the file, and slow down all that they share with it. */
const seldom: Plugin = {
  name: "seldom",
  setup(plugin) {
    plugin.onResolve({ filter: /\.ts$/ }, ({ kind, path: named, resolveDir }) => {
      const source = path.relative(root, path.resolve(resolveDir, named)).replaceAll(path.sep, "/");
      if (source === RETRIEVERS) return { path: source, namespace: "left-out" };
      const name = HOOK_FILES.find(([file]) => file === source)?.[1];
      return kind === "dynamic-import" && name !== undefined
        ? { path: `./${name}.cjs`, external: true }
        : undefined;
    });
    plugin.onLoad({ filter: /./, namespace: "left-out" }, () => ({
      contents: "export const openEnvironment = undefined;",
    }));
  },
};

const shared: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  minify: !watch,
  sourcemap: watch ? "inline" : false,
  legalComments: "linked",
  // Its main file loads its parts by names that a bundle does not have.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  logLevel: "warning",
  plugins: [textImports(), englishOnly, openaiChat],
};

const node: BuildOptions = { ...shared, platform: "node", format: "cjs", target: "node22" };
const browser: BuildOptions = { ...shared, ...BROWSER, minify: !watch };

const products: BuildOptions[] = [
  // What a command needs is loaded with its first use, so that opening a window costs less.
  {
    ...node,
    entryPoints: [{ in: "src/extension/main.ts", out: "extension" }],
    outdir: "dist",
    chunkNames: "extension/[name]-[hash]",
    format: "esm",
    splitting: true,
    write: false,
    external: ["vscode"],
    plugins: [textImports(), englishOnly, openaiChat, writeAsCommonJs(path.join(root, "dist/extension"))],
  },
  {
    ...node,
    entryPoints: ["src/cli/main.ts"],
    outfile: "dist/hasp.cjs",
    banner: { js: "#!/usr/bin/env node" },
  },
  // The MCP server with its SDK, which only `hasp mcp` loads.
  { ...node, entryPoints: ["src/cli/mcp-main.ts"], outfile: "dist/mcp.cjs" },
  // One process for each event of an agent: the first file asks the resident one, the second judges where there is none.
  ...HOOK_FILES.map(([source, name]): BuildOptions => ({
    ...node,
    entryPoints: [source],
    outfile: `dist/${name}.cjs`,
    // The first file is small, and turns the cache on for the others.
    plugins: [
      textImports(),
      englishOnly,
      withoutQuickJs,
      seldom,
      builtinsOnce,
      ...(name === "hook-zod" ? [] : [lazyZod]),
    ],
  })),
  { ...browser, entryPoints: ["webview/replay/main.ts"], outfile: "dist/webview/replay.js" },
  { ...browser, entryPoints: ["webview/review/main.ts"], outfile: "dist/webview/review.js" },
  { ...browser, entryPoints: ["webview/training/main.ts"], outfile: "dist/webview/training.js" },
  { ...browser, entryPoints: ["webview/dashboard/main.ts"], outfile: "dist/webview/dashboard.js" },
  // Views load it with their first formula; exported pages carry it where they have some.
  {
    ...browser,
    entryPoints: ["webview/formulas/main.ts"],
    outfile: "dist/webview/formulas.js",
    legalComments: "inline",
  },
  // The colouring of Python programs; a view loads it when it shows its first program.
  {
    ...browser,
    entryPoints: ["webview/python/main.ts"],
    outfile: "dist/webview/python.js",
    legalComments: "inline",
  },
  // What `hasp export --to html` puts into a page.
  {
    ...browser,
    entryPoints: ["webview/export/main.ts"],
    outfile: "dist/webview/export.js",
    legalComments: "inline",
  },
  { ...browser, entryPoints: ["webview/export/page.css"], outfile: "dist/webview/export.css" },
  {
    ...node,
    entryPoints: ["test/host/index.ts"],
    outfile: "dist-test/host/index.js",
    external: ["vscode", "mocha"],
    minify: false,
    sourcemap: "inline",
  },
  // The command line as a function, for tests; it takes itself for the file that ships, from which its workers start.
  {
    ...node,
    entryPoints: ["test/support/cli-bundle.ts"],
    outfile: "dist-test/cli.cjs",
    define: {
      __filename: JSON.stringify(path.join(root, "dist/hasp.cjs")),
      __dirname: JSON.stringify(path.join(root, "dist")),
    },
    minify: false,
  },
];

async function copyIcons(): Promise<void> {
  const to = path.join(root, "dist/webview");
  await mkdir(to, { recursive: true });
  await copyFile(
    path.join(root, "node_modules/@vscode/codicons/dist/codicon.ttf"),
    path.join(to, "codicon.ttf"),
  );
}

/** What package.json's `yamlValidation` points at. */
async function writeSchemas(): Promise<void> {
  await mkdir(path.join(root, "dist"), { recursive: true });
  // Not at the top: they import texts.
  const { configSchema } = await import("../src/evaluation/config-schema.ts");
  const { casesSchema } = await import("../src/skill/cases-schema.ts");
  const schemas = { hasp: configSchema(), cases: casesSchema() };
  for (const [name, schema] of Object.entries(schemas))
    await writeFile(path.join(root, `dist/${name}.schema.json`), `${JSON.stringify(schema, null, 2)}\n`);
}

/** What `dist/hook-session.cjs` runs PFs in. */
async function writeQuickJs(): Promise<void> {
  await mkdir(path.join(root, "dist"), { recursive: true });
  await writeFile(path.join(root, "dist/quickjs.wasm"), await quickJsBytes());
}

/** The skills of coding agents, compiled, with an image of their sandbox: no call of an agent waits for that. */
async function shipSkills(): Promise<void> {
  const dist = path.join(root, "dist");
  // The image holds the language of the process that makes it.
  const env = { LC_ALL: "C" };
  await execa(process.execPath, [path.join(dist, "hasp.cjs"), "hook", "ship", dist], {
    stderr: "inherit",
    env,
  });
}

const started = performance.now();
const contexts = await Promise.all(products.map((options) => context(options)));
await Promise.all([copyIcons(), writeSchemas(), writeQuickJs(), ...contexts.map((c) => c.rebuild())]);
await shipSkills();
console.log(`built dist/ in ${Math.round(performance.now() - started)} ms`);
if (watch) {
  await Promise.all(contexts.map((c) => c.watch()));
  console.log("watching for changes");
} else {
  await Promise.all(contexts.map((c) => c.dispose()));
}
