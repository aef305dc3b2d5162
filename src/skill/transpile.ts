import { blankSourceFile } from "ts-blank-space";
import ts from "typescript";
import type { Checked } from "../model/diagnostic.ts";
import { toDiagnostics } from "./checker.ts";
import { isReadable, unlessTooDeep } from "./readable.ts";
import { reportOn, type Report } from "./report.ts";
import { sourceText, type SourceText } from "./source-text.ts";

/** `parseDiagnostics` is not in the public types, but `transpileModule` and others rely on it. */
type ParsedFile = ts.SourceFile & { readonly parseDiagnostics?: readonly ts.Diagnostic[] };

/**
 * Cuts the types out of a PF: JavaScript (an ES module) in which everything stands on the line and column where it stood.
 * No value when the source does not parse or holds TypeScript that cannot be erased.
 */
export function transpile(source: string, file: string): Checked<string> {
  const report = reportOn(file);
  const text = sourceText(source);
  if (!isReadable(text, report)) return { value: undefined, diagnostics: report.diagnostics };
  const value = unlessTooDeep(text, report, () => erase(source, file, text, report));
  return { value, diagnostics: report.diagnostics };
}

function erase(source: string, file: string, text: SourceText, report: Report): string | undefined {
  const ast: ParsedFile = ts.createSourceFile(
    "pf.ts",
    source,
    ts.ScriptTarget.ESNext,
    false,
    ts.ScriptKind.TS,
  );
  const broken = toDiagnostics(ast.parseDiagnostics ?? [], file, source);
  for (const { code, range, message } of broken) report.error(code, range, message);
  if (broken.length > 0) return undefined;
  const code = blankSourceFile(ast, (node) => {
    const range = text.range(node.getStart(ast), node.getEnd());
    report.error(
      "HASP213",
      range,
      "This TypeScript cannot be erased: the sandbox runs the file with its types cut out, on the same lines.",
      "Write it in plain JavaScript with types; docs/rules.md has an example for each.",
    );
  });
  return report.diagnostics.length === 0 ? code : undefined;
}
