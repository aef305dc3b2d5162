import * as vscode from "vscode";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { track } from "../pending-work.ts";
import type { Finder, Findings, Publisher } from "./publisher.ts";

interface Layer {
  readonly by: Finder;
  /** Each of the diagnostics names its file. */
  readonly look: () => Promise<readonly Diagnostic[]>;
  /** The words of the log for a look that rejects. */
  readonly failure: string;
  readonly publisher: Publisher;
  readonly log: vscode.LogOutputChannel;
}

function byFile(diagnostics: readonly Diagnostic[]): Findings {
  const named = diagnostics.filter(({ file }) => file !== undefined);
  return Map.groupBy(named, ({ file = "" }) => vscode.Uri.file(file).toString());
}

/** Looks at many files at once, whenever it is called, and replaces all that its finder said. A look that another one overtook is dropped. */
export function layerOf({ by, look, failure, publisher, log }: Layer): () => void {
  let latest = 0;
  async function show(): Promise<void> {
    const turn = ++latest;
    const found = byFile(await track(look()));
    if (turn === latest) publisher.setAll("", found, by);
  }
  return () => void show().catch((error: unknown) => log.error(failure, String(error)));
}
