import ts from "typescript";
import type { Diagnostic, Severity } from "../model/diagnostic.ts";
import { PF_COMPILER_OPTIONS } from "./compiler-options.ts";
import haspTypes from "./lib/hasp.d.ts?text";
import haspLib from "./lib/lib.hasp.d.ts?text";
import { unlessTooDeep } from "./readable.ts";
import { reportOn } from "./report.ts";
import { sourceText } from "./source-text.ts";

/** Type-checks Program Functions. An interface, for the day that TypeScript 7 has an in-process API (DESIGN.md). */
export interface Checker {
  /**
   * Syntax and type errors of one `pf.ts`, code `TSnnnn`, in the order of the text. Nothing is read from disk: `file` only
   * names the source in the diagnostics.
   */
  check(file: string, source: string): readonly Diagnostic[];
  /** Gets the compiler up to speed, so that the first keystroke is not the slow one. */
  warmUp(): void;
  dispose(): void;
}

const LIB = "/lib.hasp.d.ts";
const TYPES = "/hasp.d.ts";
/** One slot for whatever is checked: the program never grows, however many files pass through. */
const SLOT = "/pf.ts";
/** Checks after which TypeScript runs at full speed (MEASURED.md: about 30 ms before, 6 ms after). */
const WARM_UP_ROUNDS = 8;

const WARM_UP_SOURCE = `import { modifyAction, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";
export default class WarmUp extends ProgramFunction {
  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    return actionType === "SEARCH" && arg.split(/\\s+/).filter((word) => word !== "").length > ctx.maxSteps;
  }
  intervene(ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    return modifyAction({ arg: arg.slice(0, 80), reason: \`\${ctx.question.length} characters\` });
  }
}
`;

export function createChecker(): Checker {
  const slot = { source: "", version: 0 };
  const start = (): ts.LanguageService => ts.createLanguageService(hostOf(slot), ts.createDocumentRegistry());
  let service = start();
  const diagnose = (source: string): ts.Diagnostic[] => {
    slot.source = source;
    slot.version++;
    return [...service.getSyntacticDiagnostics(SLOT), ...service.getSemanticDiagnostics(SLOT)];
  };
  return {
    check(file, source) {
      const report = reportOn(file);
      const found = unlessTooDeep(sourceText(source), report, () => diagnose(source));
      if (found !== undefined) return toDiagnostics(found, file, source);
      // The stack ended in the middle of its work: what it had cached of it cannot be trusted.
      service.dispose();
      service = start();
      return report.diagnostics;
    },
    warmUp: () => {
      for (let round = 0; round < WARM_UP_ROUNDS; round++) diagnose(`${WARM_UP_SOURCE}// ${round}\n`);
    },
    dispose: () => service.dispose(),
  };
}

function hostOf(slot: { readonly source: string; readonly version: number }): ts.LanguageServiceHost {
  const options = ts.convertCompilerOptionsFromJson(PF_COMPILER_OPTIONS, "/").options;
  const fixed = new Map(
    [LIB, TYPES].map((name) => [name, ts.ScriptSnapshot.fromString(name === LIB ? haspLib : haspTypes)]),
  );
  const hasp: ts.ResolvedModuleFull = { resolvedFileName: TYPES, extension: ts.Extension.Dts };
  return {
    getCompilationSettings: () => options,
    getScriptFileNames: () => [LIB, TYPES, SLOT],
    getScriptVersion: (name) => (name === SLOT ? String(slot.version) : "1"),
    getScriptSnapshot: (name) =>
      name === SLOT ? ts.ScriptSnapshot.fromString(slot.source) : fixed.get(name),
    getCurrentDirectory: () => "/",
    getDefaultLibFileName: () => LIB,
    fileExists: (name) => name === SLOT || fixed.has(name),
    readFile: () => undefined,
    resolveModuleNameLiterals: (names) =>
      names.map((name) => ({ resolvedModule: name.text === "hasp" ? hasp : undefined })),
  };
}

const SEVERITY: Readonly<Record<ts.DiagnosticCategory, Severity>> = {
  [ts.DiagnosticCategory.Error]: "error",
  [ts.DiagnosticCategory.Warning]: "warning",
  [ts.DiagnosticCategory.Message]: "information",
  [ts.DiagnosticCategory.Suggestion]: "hint",
};

/** TypeScript's findings in our shape; messages with several lines become one. */
export function toDiagnostics(
  found: readonly ts.Diagnostic[],
  file: string,
  source: string,
): readonly Diagnostic[] {
  const text = sourceText(source);
  return found
    .filter((d) => d.start !== undefined)
    .toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0))
    .map((d) => ({
      code: `TS${d.code}`,
      severity: SEVERITY[d.category],
      message: ts.flattenDiagnosticMessageText(d.messageText, " ").replaceAll(/\s+/g, " "),
      file,
      range: text.range(d.start ?? 0, (d.start ?? 0) + (d.length ?? 0)),
    }));
}
