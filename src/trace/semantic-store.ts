import type { Diagnostic } from "../model/diagnostic.ts";
import { parseJson } from "../model/read-json.ts";
import { semanticLineSchema, type SemanticLine } from "../model/semantic.ts";
import { appendLine } from "./episode-file.ts";
import { firstIssue } from "./episode-head.ts";
import { diagnosticLog, lineDiagnostic } from "./line-diagnostics.ts";
import type { TraceFiles } from "./ports.ts";
import { runPaths } from "./run-paths.ts";
import { textLines } from "./text-lines.ts";

/** A teacher's judgements of the steps of a run. */
export interface SemanticJudgements {
  /** By episode id, then by step, in the order of the file. */
  readonly byEpisode: ReadonlyMap<string, ReadonlyMap<number, readonly SemanticLine[]>>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads `semantic.jsonl` of a run folder; a line that is none is reported (HASP623) and left out. No file: no judgements. Rejects on I/O errors. */
export async function readSemantic(files: TraceFiles, folder: string): Promise<SemanticJudgements> {
  const path = runPaths(folder).semantic;
  const size = (await files.stat(path))?.size ?? 0;
  const log = diagnosticLog(path);
  const byEpisode = new Map<string, Map<number, SemanticLine[]>>();
  for await (const { text = "", line } of textLines(files.chunks(path, 0, size))) {
    const { data, error } = semanticLineSchema.safeParse(parseJson(text));
    if (data === undefined) {
      log.add(() => unreadable(path, line, error === undefined ? "no judgement" : firstIssue(error)));
      continue;
    }
    const steps = byEpisode.get(data.episode) ?? new Map<number, SemanticLine[]>();
    byEpisode.set(data.episode, steps.set(data.t, [...(steps.get(data.t) ?? []), data]));
  }
  return { byEpisode, diagnostics: log.list() };
}

function unreadable(file: string, line: number, problem: string): Diagnostic {
  return lineDiagnostic({
    code: "HASP623",
    severity: "warning",
    file,
    line,
    message: `This is no judgement of a step: ${problem}. The step takes the fallback.`,
    next: "Delete the line, and let the teacher judge again.",
  });
}

const encoder = new TextEncoder();

/** Adds a judgement; on the disk when this resolves. Rejects on I/O errors. */
export async function appendSemantic(files: TraceFiles, folder: string, line: SemanticLine): Promise<void> {
  await appendLine(files, runPaths(folder).semantic, encoder.encode(`${JSON.stringify(line)}\n`), {
    sync: true,
  });
}
