import * as vscode from "vscode";
import type { Diagnostic, Range, Severity } from "../../model/diagnostic.ts";
import { hasPage, rulePage } from "../../skill/rule-table.ts";

export const SOURCE = "HASP";
const EXTENSION = "hasp-studio.hasp-studio";

const SEVERITIES: Record<Severity, vscode.DiagnosticSeverity> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

export function toVsRange(range: Range): vscode.Range {
  return new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
}

/** Opens the page of a rule, which the extension brings along, as a person reads it. Nothing is fetched. */
export function pageOf(code: string): vscode.Uri {
  const root = vscode.extensions.getExtension(EXTENSION)?.extensionUri ?? vscode.Uri.file("/");
  const page = vscode.Uri.joinPath(root, ...rulePage(code).split("/"));
  return vscode.Uri.from({
    scheme: "command",
    path: "markdown.showPreview",
    query: encodeURIComponent(JSON.stringify([page])),
  });
}

/** One diagnostic as VS Code shows it: what is wrong, then what to do about it on a line of its own. */
export function toVsDiagnostic(diagnostic: Diagnostic): vscode.Diagnostic {
  const { message, next } = diagnostic;
  const text = next === undefined ? message : `${message}\n${next}`;
  const shown = new vscode.Diagnostic(toVsRange(diagnostic.range), text, SEVERITIES[diagnostic.severity]);
  shown.source = SOURCE;
  shown.code = hasPage(diagnostic.code)
    ? { value: diagnostic.code, target: pageOf(diagnostic.code) }
    : diagnostic.code;
  return shown;
}

/** `2304` of VS Code's `code`, in any of the forms it takes. */
export function codeOf(diagnostic: vscode.Diagnostic): string {
  const { code } = diagnostic;
  return String(typeof code === "object" ? code.value : (code ?? ""));
}
