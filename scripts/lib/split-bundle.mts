import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { transform, type Plugin } from "esbuild";

/**
 * For a build that esbuild splits at `import()`, which it does for ES modules only: writes each piece as CommonJS, which VS Code
 * requires. What is imported on first use is then read and compiled on first use. Needs `write: false`. `folder`: where all
 * pieces but the entry are; it holds nothing else.
 */
export function writeAsCommonJs(folder: string): Plugin {
  return {
    name: "write-as-commonjs",
    setup(build) {
      build.onEnd(async ({ outputFiles = [] }) => {
        const { minify = false } = build.initialOptions;
        await mkdir(folder, { recursive: true });
        await Promise.all(outputFiles.map(({ path: file, text }) => writePiece(file, text, minify)));
        // Last, so that there is no moment without the pieces that an entry asks for.
        const current = new Set(outputFiles.map(({ path: file }) => file));
        const stale = (await readdir(folder)).map((name) => path.join(folder, name));
        await Promise.all(
          stale.filter((file) => !current.has(file)).map((file) => rm(file, { force: true })),
        );
      });
    },
  };
}

async function writePiece(file: string, text: string, minify: boolean): Promise<void> {
  if (path.extname(file) !== ".js") return writeFile(file, text);
  const { code } = await transform(text, {
    format: "cjs",
    platform: "node",
    target: "node22",
    minify,
    // `import()` of a file beside becomes `require`, as in a bundle of one file.
    supported: { "dynamic-import": false },
    legalComments: "inline",
  });
  await writeFile(file, code);
}
