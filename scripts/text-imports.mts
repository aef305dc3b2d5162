import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { build, type Plugin } from "esbuild";
import type { VitestPluginContext } from "vitest/node";
import { browserBundle } from "./lib/browser-bundle.mts";

/**
 * Imports that end up as strings: `./lib/hasp.d.ts?text` is the file's text, `./guest/guest.ts?guest` is the file bundled
 * into one script for QuickJS, and exports its `hash`, `../../skills?tree` is a folder as JSON, path → text, `../../webview/export/main.ts?browser`
 * is a script or stylesheet of a webview as it ships, and `./font.ttf?base64` is what it says.
 * The same rules serve esbuild (the product) and Vite (the unit tests).
 */
const ROOT = path.resolve(import.meta.dirname, "..");
const KINDS = ["text", "guest", "tree", "browser", "base64"];
const SUFFIX = new RegExp(`\\?(${KINDS.join("|")})$`);

async function tree(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files
      .toSorted()
      .map(async (file) => [
        path.relative(folder, file).replaceAll(path.sep, "/"),
        await readFile(file, "utf8"),
      ]),
  );
  return JSON.stringify(Object.fromEntries(texts));
}

async function bundleGuest(file: string): Promise<string> {
  const result = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "hasp",
    platform: "neutral",
    target: "es2023",
  });
  const output = result.outputFiles[0];
  if (output === undefined) throw new Error(`esbuild gave no output for ${file}`);
  return output.text;
}

/** A module whose default export is the text. */
async function moduleOf(file: string, kind: string): Promise<string> {
  const exported = (text: string): string => `export default ${JSON.stringify(text)};`;
  if (kind === "text") return exported(await readFile(file, "utf8"));
  if (kind === "tree") return exported(await tree(file));
  if (kind === "base64") return exported(await readFile(file, "base64"));
  if (kind === "browser") return exported(Buffer.from(await browserBundle(file)).toString("utf8"));
  const script = await bundleGuest(file);
  const hash = createHash("sha256").update(script).digest("base64");
  return `${exported(script)}\nexport const hash = ${JSON.stringify(hash)};`;
}

export function textImports(): Plugin {
  return {
    name: "text-imports",
    setup(plugin) {
      plugin.onResolve({ filter: SUFFIX }, (args) => ({
        path: path.resolve(args.resolveDir, args.path.replace(SUFFIX, "")),
        namespace: SUFFIX.exec(args.path)?.[1] ?? "text",
      }));
      for (const kind of KINDS) {
        plugin.onLoad({ filter: /.*/, namespace: kind }, async (args) => ({
          contents: await moduleOf(args.path, kind),
          loader: "js",
          watchFiles: [args.path],
        }));
      }
    },
  };
}

/** The same for Vite, which vitest runs on. */
export function viteTextImports(): {
  name: string;
  enforce: "pre";
  resolveId(source: string, importer: string | undefined): string | undefined;
  load(id: string): Promise<string | undefined>;
  configureVitest(context: VitestPluginContext): void;
} {
  return {
    name: "text-imports",
    enforce: "pre",
    // vitest keeps transformed modules by the text of the one file named, which says nothing of what is bundled into it.
    configureVitest({ defineCacheKeyGenerator }) {
      defineCacheKeyGenerator(({ id }) => (SUFFIX.test(id) ? false : undefined));
    },
    // A folder is no module that Vite would find by itself.
    resolveId(source, importer) {
      if (!source.endsWith("?tree") || importer === undefined) return undefined;
      // Vite names an importer by its path on disk or by its address below the root.
      const from = importer.startsWith(ROOT) ? importer : path.join(ROOT, importer);
      // A module that vitest kept names the folder by its address below the root, too.
      if (source.startsWith("/") && !source.startsWith(ROOT)) return path.join(ROOT, source);
      return path.resolve(path.dirname(from), source);
    },
    async load(id) {
      const kind = SUFFIX.exec(id)?.[1];
      if (kind === undefined) return undefined;
      return moduleOf(id.replace(SUFFIX, ""), kind);
    },
  };
}
