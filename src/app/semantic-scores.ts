import type { SemanticScores } from "../analysis/signals/evidence.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { TraceFiles } from "../trace/ports.ts";
import { readSemantic } from "../trace/semantic-store.ts";

/** The scores that a teacher gave to the steps of a run; a step without one takes the fallback. */
export interface RunScores {
  of(episodeId: string): SemanticScores | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the teacher's scores of a run folder. Rejects on I/O errors. */
export async function semanticScores(files: TraceFiles, folder: string): Promise<RunScores> {
  const { byEpisode, diagnostics } = await readSemantic(files, folder);
  return {
    diagnostics,
    of(episodeId) {
      const lines = byEpisode.get(episodeId);
      if (lines === undefined) return undefined;
      return new Map(
        [...lines].flatMap(([t, about]) => {
          const { score, teacher: by = "" } = about.findLast((line) => line.score !== undefined) ?? {};
          return score === undefined ? [] : [[t, { score, by }] as const];
        }),
      );
    },
  };
}
