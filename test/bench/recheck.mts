import { REGISTERED } from "../../src/domains/registered.ts";
import { readFile } from "node:fs/promises";
import { loadavg } from "node:os";
import ts from "typescript";
import { startCompiler } from "../../src/platform/worker-compiler.ts";
import { createChecker } from "../../src/skill/checker.ts";
import { checkPf } from "../../src/skill/pf-rules.ts";
import { PF_COMPILER_OPTIONS } from "../../src/skill/compiler-options.ts";
import { haspTypes } from "../../src/skill/hasp-types.ts";
import haspLib from "../../src/skill/lib/lib.hasp.d.ts?text";
import { median, milliseconds, type BenchRow } from "./measure.mts";

const ROUNDS = 60;
const WARM_UP = 20;

/** A LanguageService and nothing else: the same types, in this thread, without HASP's rules. */
function bareService(): (source: string) => void {
  let source = "";
  let version = 0;
  const texts = new Map([
    ["/hasp.d.ts", haspTypes(REGISTERED)],
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

/** All three in turn, so that a neighbour's noise meets each; milliseconds of the rounds that count. */
async function inTurn(works: readonly ((round: number) => unknown)[]): Promise<readonly number[][]> {
  const times = works.map((): number[] => []);
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    for (const [i, work] of works.entries()) {
      const ms = await milliseconds(() => work(round));
      if (round >= WARM_UP) times[i]?.push(ms);
    }
  }
  return times;
}

/** The least of both: what remains of a ratio where others use the cores, too. */
function least(ours: readonly number[], baseline: readonly number[]): string {
  const [a, b] = [Math.min(...ours), Math.min(...baseline)];
  return `least ${a.toFixed(1)} against ${b.toFixed(1)}, ratio ${(a / b).toFixed(2)}; load ${loadavg()[0]?.toFixed(1)}`;
}

/** From a keystroke to the diagnostics: our compiler in its worker with all rules, and the same in this thread, against a bare LanguageService. */
export async function benchRecheck(workerFile: string, pfFile: string): Promise<BenchRow[]> {
  const compiler = startCompiler({ workerFile });
  const checker = createChecker(REGISTERED);
  const source = await readFile(pfFile, "utf8");
  const bare = bareService();
  try {
    const [worker = [], thread = [], baseline = []] = await inTurn([
      (round) => compiler.check("pf.ts", typed(source, round)),
      (round) => checkPf(checker, "pf.ts", typed(source, round), REGISTERED),
      (round) => bare(typed(source, round)),
    ]);
    const method = `${source.split("\n").length}-line PF, one edit a round, median of ${ROUNDS} after ${WARM_UP}, in turn`;
    const row = (name: string, ours: readonly number[], what: string): BenchRow => ({
      name,
      ours: median(ours),
      baseline: median(baseline),
      unit: "ms",
      method: `${method}; ${what}; baseline: LanguageService in this thread; ${least(ours, baseline)}`,
    });
    return [
      row("warm re-check after a keystroke", worker, "ours: worker, messages and HASP rules"),
      row("the same, the check itself", thread, "ours: types and HASP rules in this thread"),
    ];
  } finally {
    checker.dispose();
    await compiler.close();
  }
}
