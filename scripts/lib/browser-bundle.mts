import { build, type BuildOptions } from "esbuild";
import { leanTemplates } from "./lean-templates.mts";
import { ROOT } from "./paths.mts";

/** How every script of a webview is bundled. */
export const BROWSER: BuildOptions = {
  bundle: true,
  minify: true,
  platform: "browser",
  format: "iife",
  target: "chrome128",
  tsconfig: "webview/tsconfig.json",
  plugins: [leanTemplates()],
};

/** A script or a stylesheet of a webview as it ships, from its source; `entry` is relative to the repository, which is `root`. */
export async function browserBundle(entry: string, root = ROOT): Promise<Uint8Array> {
  const { outputFiles } = await build({
    ...BROWSER,
    absWorkingDir: root,
    entryPoints: [entry],
    legalComments: "inline",
    write: false,
    logLevel: "silent",
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error(`esbuild gave no output for ${entry}`);
  return output.contents;
}
