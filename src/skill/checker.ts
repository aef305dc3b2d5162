import ts from "typescript";
import type { Diagnostic, Severity } from "../model/diagnostic.ts";
import type { DomainSpec } from "../model/domain-spec.ts";
import { PF_COMPILER_OPTIONS } from "./compiler-options.ts";
import { haspTypes } from "./hasp-types.ts";
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
  /**
   * The syntax tree of the source that was checked last, with its parents, for rules that need no second one. Good until the next
   * check, which may change it in place. Undefined where it could not be read.
   */
  readonly tree: ts.SourceFile | undefined;
  /** Reads the types that every PF is checked against, so that the first check takes no longer than the others. */
  loadTypes(): void;
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

/** The text that is checked now. `isSound`: the text before it had no syntax errors. */
interface Slot {
  source: string;
  version: number;
  isSound: boolean;
}

/** A checker for Program Functions of these domains. */
export function createChecker(domains: readonly DomainSpec[]): Checker {
  const slot: Slot = { source: "", version: 0, isSound: true };
  const types = haspTypes(domains);
  const start = (): ts.LanguageService =>
    ts.createLanguageService(hostOf(slot, types), ts.createDocumentRegistry());
  let service = start();
  let tree: ts.SourceFile | undefined;
  const diagnose = (source: string): ts.Diagnostic[] => {
    // The same text again, as after a save, is known already.
    if (source !== slot.source) slot.version++;
    slot.source = source;
    tree = undefined;
    const syntax = service.getSyntacticDiagnostics(SLOT);
    slot.isSound = syntax.length === 0;
    const found = [...syntax, ...service.getSemanticDiagnostics(SLOT)];
    // Only what has been bound knows its parents, and to look for errors is to bind.
    tree = service.getProgram()?.getSourceFile(SLOT);
    return found;
  };
  return {
    get tree() {
      return tree;
    },
    check(file, source) {
      const report = reportOn(file);
      const found = unlessTooDeep(sourceText(source), report, () => diagnose(source));
      if (found !== undefined) return toDiagnostics(found, file, source);
      // The stack ended in the middle of its work: what it had cached of it cannot be trusted.
      service.dispose();
      service = start();
      return report.diagnostics;
    },
    loadTypes: () => void diagnose(`import { noop } from "hasp";\nexport default noop;\n`),
    warmUp: () => {
      for (let round = 0; round < WARM_UP_ROUNDS; round++) diagnose(`${WARM_UP_SOURCE}// ${round}\n`);
    },
    dispose: () => service.dispose(),
  };
}

/** Longest text at the start and at the end that both have; together no longer than the shorter one. */
function sharedEnds(before: string, after: string): readonly [start: number, end: number] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let end = 0;
  const rest = shorter - start;
  while (
    end < rest &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  )
    end++;
  return [start, end];
}

/** A text that knows what was typed since an earlier one, so that only this is parsed anew; after a text with syntax errors all is. */
function snapshotOf({ source, isSound }: Slot): ts.IScriptSnapshot {
  return {
    getText: (start, end) => source.slice(start, end),
    getLength: () => source.length,
    getChangeRange(old) {
      // TypeScript keeps a node beside which a comma is missing, and no longer says so.
      if (!isSound) return undefined;
      const before = old.getText(0, old.getLength());
      const [start, end] = sharedEnds(before, source);
      // Of another file in the same slot there is nothing to keep.
      if (start + end < source.length / 2) return undefined;
      const span = ts.createTextSpan(start, before.length - start - end);
      return ts.createTextChangeRange(span, source.length - start - end);
    },
  };
}

function hostOf(slot: Readonly<Slot>, types: string): ts.LanguageServiceHost {
  const options = ts.convertCompilerOptionsFromJson(PF_COMPILER_OPTIONS, "/").options;
  const fixed = new Map(
    [LIB, TYPES].map((name) => [name, ts.ScriptSnapshot.fromString(name === LIB ? haspLib : types)]),
  );
  const hasp: ts.ResolvedModuleFull = { resolvedFileName: TYPES, extension: ts.Extension.Dts };
  return {
    getCompilationSettings: () => options,
    getScriptFileNames: () => [LIB, TYPES, SLOT],
    getScriptVersion: (name) => (name === SLOT ? String(slot.version) : "1"),
    getScriptSnapshot: (name) => (name === SLOT ? snapshotOf({ ...slot }) : fixed.get(name)),
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
