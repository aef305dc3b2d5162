import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

const RESOURCE = /node_modules[\\/]openai[\\/]resources[\\/].+\.m?js$/;
const NEEDED = /resources[\\/](?:chat[\\/]|(?:chat|index|shared)\.m?js$)/;
const CLASS = /^export class (\w+)/gm;

/**
 * Leaves the parts of the openai package's client empty that serve other than chat completions: nothing here asks for them
 * (src/llm/openai-try.ts), and they are most of the package.
 */
export const openaiChat: Plugin = {
  name: "openai-chat",
  setup(plugin) {
    plugin.onLoad({ filter: RESOURCE }, async ({ path: file }) => {
      if (NEEDED.test(file)) return undefined;
      const classes = [...(await readFile(file, "utf8")).matchAll(CLASS)].map(([, name]) => name);
      if (classes.length === 0) return undefined;
      return { contents: classes.map((name) => `export class ${name} {}`).join("\n") };
    });
  },
};
