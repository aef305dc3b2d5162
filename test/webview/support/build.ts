import { readFile } from "node:fs/promises";
import { build } from "esbuild";
import { leanTemplates } from "../../../scripts/lib/lean-templates.mts";

const ROOT = new URL("../../../", import.meta.url);

/** Path in the site → content. */
export type Site = ReadonlyMap<string, Uint8Array>;

async function bundle(entry: string): Promise<Uint8Array> {
  const result = await build({
    absWorkingDir: new URL(".", ROOT).pathname,
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    target: "chrome128",
    tsconfig: "webview/tsconfig.json",
    logLevel: "silent",
    plugins: [leanTemplates()],
  });
  const output = result.outputFiles[0];
  if (output === undefined) throw new Error(`esbuild gave no output for ${entry}`);
  return output.contents;
}

/** The fixture page and all it needs, built from the sources, at the places where the product's build puts them. */
export async function buildSite(): Promise<Site> {
  const file = (path: string): Promise<Uint8Array> => readFile(new URL(path, ROOT));
  return new Map([
    ["/webview/fixture/index.html", await file("webview/fixture/index.html")],
    ["/webview/fixture/themes.css", await file("webview/fixture/themes.css")],
    ["/webview/fixture/page.css", await file("webview/fixture/page.css")],
    ["/dist/webview/codicon.ttf", await file("node_modules/@vscode/codicons/dist/codicon.ttf")],
    ["/dist/webview/fixture.js", await bundle("webview/fixture/main.ts")],
  ]);
}

/** The script that VS Code loads, to weigh it and to look for what must not be in it. */
export async function buildReplay(): Promise<string> {
  return new TextDecoder().decode(await bundle("webview/replay/main.ts"));
}
