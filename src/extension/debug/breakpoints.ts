import * as vscode from "vscode";

/** 0-based line of the first statement in `shouldActivate`; undefined where the source has no such method. */
export function firstLineOfTrigger(source: string): number | undefined {
  const lines = source.split(/\r\n|\n|\r/);
  const head = lines.findIndex((line) => /^\s*(?:override\s+)?shouldActivate\s*\(/.test(line));
  if (head < 0) return undefined;
  // Arguments may stand on lines of their own.
  const open = lines.findIndex((line, i) => i >= head && /\{\s*(?:\/\/.*)?$/.test(line));
  if (open < 0) return head;
  const first = lines.findIndex((line, i) => i > open && !/^\s*(?:$|\/\/|\/\*|\*)/.test(line));
  return first < 0 ? head : first;
}

function standsIn(file: vscode.Uri): boolean {
  return vscode.debug.breakpoints.some(
    (one) =>
      one instanceof vscode.SourceBreakpoint &&
      one.enabled &&
      one.location.uri.toString() === file.toString(),
  );
}

/** A breakpoint where the PF begins to decide, unless a person has set one in the file; disposing takes it away again. */
export function ensureBreakpoint(file: vscode.Uri, source: string): vscode.Disposable {
  const line = firstLineOfTrigger(source);
  if (line === undefined || standsIn(file)) return vscode.Disposable.from();
  const own = new vscode.SourceBreakpoint(new vscode.Location(file, new vscode.Position(line, 0)));
  vscode.debug.addBreakpoints([own]);
  return new vscode.Disposable(() => vscode.debug.removeBreakpoints([own]));
}
