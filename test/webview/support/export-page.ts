import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { domainOf } from "../../../src/domains/registry.ts";
import { exportHtml, type EpisodeToExport, type HtmlExport } from "../../../src/trace/export-html.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");

async function bundle(entry: string): Promise<string> {
  const result = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    target: "chrome128",
    tsconfig: "webview/tsconfig.json",
    logLevel: "silent",
  });
  const output = result.outputFiles[0];
  if (output === undefined) throw new Error(`esbuild gave no output for ${entry}`);
  return output.text;
}

/** Writes pages as `hasp export --to html` does, from the sources. */
export async function pageWriter(): Promise<
  (episodes: readonly EpisodeToExport[], more?: Partial<HtmlExport>) => string
> {
  const [script, style] = await Promise.all([
    bundle("webview/export/main.ts"),
    bundle("webview/export/page.css"),
  ]);
  const font = await readFile(path.join(ROOT, "node_modules/@vscode/codicons/dist/codicon.ttf"), "base64");
  return (episodes, more = {}) => {
    const { value, diagnostics } = exportHtml({
      bundle: { script, style, font },
      title: "Exported run",
      episodes,
      rulesOf: ({ facts }) => domainOf(facts.domain)?.contextRules,
      sha256: (text) => createHash("sha256").update(text, "utf8").digest("base64"),
      ...more,
    });
    if (value === undefined) throw new Error(diagnostics[0]?.message);
    return value;
  };
}
