import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/** The text of a `css` template; where another stands within, the text up to it, which is as well. */
const STYLES = /\bcss ?`([^`]*)`/g;

/** The layout of styles means nothing to CSS. */
function leanStyles(styles: string): string {
  return (
    styles
      .replaceAll(/\/\*[^]*?\*\//g, "")
      // Spaces within a line stay, but for these: `${a} ${b}` are two values.
      .replaceAll(/\n?([{};])\n/g, "$1")
      .replaceAll(/ ?([{,])[ \n]?/g, "$1")
      .replaceAll(/([{};][\w-]+): /g, "$1:")
      .replaceAll(";}", "}")
      .trim()
  );
}

/** Lines begin in the first column: to code, HTML and CSS alike the indent of a line is no more than its break. */
const unindented = (text: string): string => text.replaceAll(/\s*\n\s*/g, "\n");

/** Takes the layout of the source out of the templates of web components, which minifiers of JavaScript leave as they are. */
export function leanTemplates(): Plugin {
  return {
    name: "lean-templates",
    setup(build) {
      build.onLoad({ filter: /[\\/](?:webview|@vscode-elements)[\\/].*\.[jt]s$/ }, async ({ path }) => {
        const text = unindented(await readFile(path, "utf8"));
        const contents = text.replaceAll(STYLES, (_, styles: string) => `css\`${leanStyles(styles)}\``);
        return { contents, loader: path.endsWith(".ts") ? "ts" : "js" };
      });
    },
  };
}
