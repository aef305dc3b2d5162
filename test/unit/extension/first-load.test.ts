import path from "node:path";
import { build, type Metafile } from "esbuild";
import { expect, test } from "vitest";
import { textImports } from "../../../scripts/text-imports.mts";

const ROOT = path.resolve(import.meta.dirname, "../../..");

async function split(): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["src/extension/main.ts"],
    outdir: "dist",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    external: ["vscode"],
    plugins: [textImports()],
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  return metafile;
}

/** Sources that are read and run when VS Code activates the extension, without what is imported on first use. */
function atActivation({ outputs }: Metafile): Set<string> {
  const seen = new Set<string>();
  const sources = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const source of Object.keys(outputs[file]?.inputs ?? {})) sources.add(source);
    const next = (outputs[file]?.imports ?? []).filter(({ kind }) => kind === "import-statement");
    for (const { path: piece } of next) visit(piece);
  };
  visit("dist/main.js");
  return sources;
}

test("a window that runs no command loads what registers features, and nothing that reads, judges or asks", async () => {
  const sources = [...atActivation(await split())];
  expect(sources).toContain("src/extension/main.ts");
  const late =
    /node_modules|src\/(analysis|app|domains\/(?!web-search\/retrievers\/retriever)|evaluation|harness|jobs|review\/(?!metadata-file)|scoring|trace)\/|agents\/assist|src\/skill\/(read-skill|parse-)|src\/extension\/(questions|branch|debug|publish|new-skill|replay\/session)/;
  expect(sources.filter((source) => late.test(source))).toEqual([]);
});
