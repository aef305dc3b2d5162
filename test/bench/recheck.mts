import { readFile } from "node:fs/promises";
import ts from "typescript";
import { startCompiler } from "../../src/platform/worker-compiler.ts";
import { PF_COMPILER_OPTIONS } from "../../src/skill/compiler-options.ts";
import haspTypes from "../../src/skill/lib/hasp.d.ts?text";
import haspLib from "../../src/skill/lib/lib.hasp.d.ts?text";
import { compare, type BenchRow } from "./measure.mts";

const ROUNDS = 60;
const WARM_UP = 20;

/** A LanguageService and nothing else: the same types, in this thread, without HASP's rules. */
function bareService(): (source: string) => void {
  let source = "";
  let version = 0;
  const texts = new Map([
    ["/hasp.d.ts", haspTypes],
    ["/lib.d.ts", haspLib],
  ]);
  const service = ts.createLanguageService({
    getCompilationSettings: () => ts.convertCompilerOptionsFromJson(PF_COMPILER_OPTIONS, "/").options,
    getScriptFileNames: () => ["/lib.d.ts", "/hasp.d.ts", "/pf.ts"],
    getScriptVersion: (name) => (name === "/pf.ts" ? String(version) : "1"),
    getScriptSnapshot: (name) => ts.ScriptSnapshot.fromString(texts.get(name) ?? source),
    getCurrentDirectory: () => "/",
    getDefaultLibFileName: () => "/lib.d.ts",
    fileExists: (name) => texts.has(name) || name === "/pf.ts",
    readFile: (name) => texts.get(name) ?? source,
    resolveModuleNameLiterals: (names) =>
      names.map(() => ({ resolvedModule: { resolvedFileName: "/hasp.d.ts", extension: ts.Extension.Dts } })),
  });
  return (text) => {
    source = text;
    version++;
    service.getSyntacticDiagnostics("/pf.ts");
    service.getSemanticDiagnostics("/pf.ts");
  };
}

/** A keystroke inside the class, different in every round. */
function typed(source: string, round: number): string {
  return source.replace(/\}\s*$/, `  private note${round}(): string { return "x".repeat(${round}); }\n}\n`);
}

/** From a keystroke to the diagnostics: our compiler in its worker with all rules, against a bare LanguageService. */
export async function benchRecheck(workerFile: string, pfFile: string): Promise<BenchRow[]> {
  const compiler = startCompiler({ workerFile });
  const source = await readFile(pfFile, "utf8");
  const bare = bareService();
  try {
    const [ours, baseline] = await compare(
      ROUNDS,
      (round) => compiler.check("pf.ts", typed(source, round)),
      (round) => bare(typed(source, round)),
      WARM_UP,
    );
    const method = `${source.split("\n").length}-line PF, one edit a round, median of ${ROUNDS} after ${WARM_UP}; ours: worker, messages and HASP rules; baseline: LanguageService in this thread`;
    return [{ name: "warm re-check after a keystroke", ours, baseline, unit: "ms", method }];
  } finally {
    await compiler.close();
  }
}
