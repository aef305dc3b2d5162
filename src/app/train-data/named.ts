import type { Checked, Diagnostic } from "../../model/diagnostic.ts";
import type { TraceFiles } from "../../trace/ports.ts";
import { readNamed, type NamedText, type TextFiles } from "../named-text.ts";
import { openRunAt } from "../open-run.ts";
import { take } from "../refusal.ts";
import type { TrainRun } from "./order.ts";

/** Opens the runs that an order names, each once. Ends the use case without one (HASP572). */
export async function openTrainRuns(
  files: TraceFiles,
  names: readonly string[],
  pathOf: (name: string) => string,
): Promise<Checked<readonly TrainRun[]>> {
  const runs: TrainRun[] = [];
  for (const name of new Set(names)) {
    const opened = await openRunAt(files, pathOf(name));
    if (opened.value === undefined) return { value: undefined, diagnostics: opened.diagnostics };
    const { folder, run: about, index, diagnostics } = opened.value;
    runs.push({ run: pathOf(name) === name ? folder : name, folder, about, index, diagnostics });
  }
  return { value: runs, diagnostics: [] };
}

/** Reads the files that an order names. Ends the use case without one (HASP578). */
export async function readAllNamed(
  files: TextFiles,
  names: readonly string[],
  pathOf: (name: string) => string,
  found: Diagnostic[],
): Promise<readonly NamedText[]> {
  const read: NamedText[] = [];
  for (const name of names) {
    const { text } = take(await readNamed(files, pathOf(name)), found);
    read.push({ file: name, text });
  }
  return read;
}
