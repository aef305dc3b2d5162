import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

const SINGLE_FILE = "@jitl/quickjs-singlefile-cjs-release-sync";
const BINARY = /ca\((?:"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|`(?:[^`\\]|\\[^])*`)\)/;

type Instantiate = (given: Uint8Array, imports: object) => Promise<unknown>;
/** The types of Node have no WebAssembly. */
const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: { instantiate: Instantiate } };

/** The WebAssembly that the single file brings as a string. */
export async function quickJsBytes(): Promise<Uint8Array> {
  const { instantiate } = wasm;
  let bytes: Uint8Array | undefined;
  wasm.instantiate = (given, imports) => {
    bytes = given;
    return instantiate(given, imports);
  };
  try {
    const load = createRequire(import.meta.url)(`${SINGLE_FILE}/emscripten-module`) as () => Promise<unknown>;
    await load();
  } finally {
    wasm.instantiate = instantiate;
  }
  if (bytes === undefined) throw new Error(`${SINGLE_FILE} has another form than this script knows`);
  return bytes;
}

/** Leaves that string out of a bundle which is given the WebAssembly as a file: 800 kB that every process would read. */
export const withoutQuickJs: Plugin = {
  name: "without-quickjs",
  setup(plugin) {
    plugin.onLoad(
      { filter: /quickjs-singlefile-cjs-release-sync[\\/]dist[\\/]index\.m?js$/ },
      async (args) => {
        const text = await readFile(args.path, "utf8");
        const contents = text.replace(BINARY, 'ca("")');
        if (contents.length > text.length / 10)
          throw new Error(`${SINGLE_FILE} has another form than this script knows`);
        return { contents };
      },
    );
  },
};
