import { readFile } from "node:fs/promises";
import { browserBundle } from "../../../scripts/lib/browser-bundle.mts";

const ROOT = new URL("../../../", import.meta.url);

/** Path in the site → content. */
export type Site = ReadonlyMap<string, Uint8Array>;

/** The fixture pages and all it needs, built from the sources, at the places where the product's build puts them. */
export async function buildSite(): Promise<Site> {
  const file = (path: string): Promise<Uint8Array> => readFile(new URL(path, ROOT));
  return new Map([
    ["/webview/fixture/index.html", await file("webview/fixture/index.html")],
    ["/webview/fixture/review.html", await file("webview/fixture/review.html")],
    ["/webview/fixture/training.html", await file("webview/fixture/training.html")],
    ["/webview/fixture/dashboard.html", await file("webview/fixture/dashboard.html")],
    ["/webview/fixture/themes.css", await file("webview/fixture/themes.css")],
    ["/webview/fixture/page.css", await file("webview/fixture/page.css")],
    ["/dist/webview/codicon.ttf", await file("node_modules/@vscode/codicons/dist/codicon.ttf")],
    ["/dist/webview/formulas.js", await browserBundle("webview/formulas/main.ts")],
    ["/dist/webview/python.js", await browserBundle("webview/python/main.ts")],
    ["/dist/webview/fixture.js", await browserBundle("webview/fixture/main.ts")],
    ["/dist/webview/review-fixture.js", await browserBundle("webview/fixture/review.ts")],
    ["/dist/webview/training-fixture.js", await browserBundle("webview/fixture/training.ts")],
    ["/dist/webview/dashboard-fixture.js", await browserBundle("webview/fixture/dashboard.ts")],
  ]);
}

/** The script that VS Code loads, to weigh it and to look for what must not be in it. */
export async function buildReplay(): Promise<string> {
  return new TextDecoder().decode(await browserBundle("webview/replay/main.ts"));
}
