import * as vscode from "vscode";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Finder, Publisher } from "./publisher.ts";
import { track } from "../pending-work.ts";

/** What one finder says about many files at once. */
export interface Layer {
  /** Replaces all that this finder said. A look that another one overtook is dropped. Rejects where the look does. */
  show(look: () => Promise<readonly Diagnostic[]>): Promise<void>;
}

function byFile(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, readonly Diagnostic[]> {
  const files = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    if (diagnostic.file === undefined) continue;
    const file = vscode.Uri.file(diagnostic.file).toString();
    files.set(file, [...(files.get(file) ?? []), diagnostic]);
  }
  return files;
}

/** Each of the diagnostics names its file. */
export function showLayer(publisher: Publisher, by: Finder): Layer {
  let shown: readonly string[] = [];
  let latest = 0;
  return {
    async show(look) {
      const turn = ++latest;
      const found = byFile(await track(look()));
      if (turn !== latest) return;
      for (const file of shown) if (!found.has(file)) publisher.delete(vscode.Uri.parse(file, true), by);
      for (const [file, said] of found) publisher.set(vscode.Uri.parse(file, true), said, by);
      shown = [...found.keys()];
    },
  };
}
