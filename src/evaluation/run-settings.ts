import type { Library } from "../analysis/library.ts";
import type { Budgets } from "../harness/budgets.ts";
import type { Sampling } from "../harness/model-policy.ts";
import type { SkillRef } from "../model/episode.ts";
import { libraryRefs } from "./library-refs.ts";
import type { InputFile, RunInputs } from "./run-inputs.ts";

/** How the episodes of a run were made. Holds no secret: keys never come near it. */
export interface EpisodeSettings {
  readonly policy: string;
  /** Id of the teacher's model, or `none`. */
  readonly teacher: string;
  readonly prompt: string;
  readonly budgets: Budgets;
  readonly sampling: Sampling;
}

/** `settings` of a `run.json`. */
export interface RunSettings extends EpisodeSettings {
  readonly maxDollars?: number;
  /** Only the first questions were to be asked. */
  readonly limit?: number;
  readonly questions: InputFile;
  readonly corpus: InputFile & { readonly passages: number };
  readonly library: readonly SkillRef[];
}

export function runSettings(
  episode: EpisodeSettings,
  inputs: RunInputs,
  library: Library,
  { maxDollars, limit }: { readonly maxDollars?: number | undefined; readonly limit?: number | undefined },
): RunSettings {
  return {
    ...episode,
    ...(maxDollars !== undefined && { maxDollars }),
    ...(limit !== undefined && { limit }),
    questions: inputs.questionsFile,
    corpus: { ...inputs.corpusFile, passages: inputs.passages.length },
    library: libraryRefs(library),
  };
}
