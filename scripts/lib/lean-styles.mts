import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/** The text of a `css` template; where another stands within, the text up to it, which is as well. */
const STYLES = /\bcss ?`([^`]*)`/g;

/** The layout of styles means nothing to CSS; minifiers of JavaScript leave templates as they are. */
function lean(styles: string): string {
  return (
    styles
      .replaceAll(/\/\*[^]*?\*\//g, "")
      .replaceAll(/\s*\n\s*/g, "\n")
      // Spaces within a line stay, but for these: `${a} ${b}` are two values.
      .replaceAll(/\n?([{};])\n/g, "$1")
      .replaceAll(/ ?([{,])[ \n]?/g, "$1")
      .replaceAll(/([{};][\w-]+): /g, "$1:")
      .replaceAll(";}", "}")
      .trim()
  );
}

/** Takes the layout of the source out of the styles of web components. */
export function leanStyles(): Plugin {
  return {
    name: "lean-styles",
    setup(build) {
      build.onLoad({ filter: /[\\/](?:webview|@vscode-elements)[\\/].*\.[jt]s$/ }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        const contents = text.replaceAll(STYLES, (_, styles: string) => `css\`${lean(styles)}\``);
        return { contents, loader: path.endsWith(".ts") ? "ts" : "js" };
      });
    },
  };
}
