import type { Control, Setting } from "../model/control.ts";
import type { ShippedList } from "../model/shipped-lists.ts";
import type { RunSampling } from "../model/sampling.ts";
import type { SkillRef } from "../model/episode.ts";
import type { InputFile, RunInputs } from "./run-inputs.ts";

/** How the episodes of a run were made. Holds no secret: keys never come near it. */
export interface EpisodeSettings {
  readonly policy: string;
  /** Id of the teacher's model, or `none`. */
  readonly teacher: string;
  readonly prompt: string;
  readonly setting: Setting;
  /** Every switch, threshold and budget. */
  readonly control: Control;
  readonly sampling: RunSampling;
  /** The list of shipped skills; undefined where none was read, or their domain has one list. */
  readonly triggers?: ShippedList | undefined;
}

/** What SEARCH asked, beside a local corpus. */
export interface RetrieverSettings {
  readonly kind: string;
  readonly url?: string;
  readonly topK: number;
}

/** How much of the questions was asked. */
export interface RunScope {
  readonly maxDollars?: number | undefined;
  /** Only the first questions were to be asked. */
  readonly limit?: number | undefined;
  /** `i/n` where only this shard of the questions was to be asked. */
  readonly shard?: string | undefined;
  readonly dataset?: string | undefined;
  readonly split?: string | undefined;
  /** Of each question, where there are several. */
  readonly samples?: number | undefined;
}

/** `settings` of a `run.json`. */
export interface RunSettings extends EpisodeSettings, RunScope {
  readonly questions: InputFile;
  readonly corpus?: InputFile & { readonly passages: number };
  readonly retriever?: RetrieverSettings;
  readonly library: readonly SkillRef[];
}

export interface RunMaterial {
  readonly inputs: RunInputs;
  readonly library: readonly SkillRef[];
  /** Absent in a domain that searches nothing. */
  readonly retriever?: RetrieverSettings;
}

export function runSettings(
  episode: EpisodeSettings,
  { inputs, library, retriever }: RunMaterial,
  { maxDollars, limit, shard, dataset, split, samples }: RunScope,
): RunSettings {
  const { corpus, questionsFile } = inputs;
  return {
    ...episode,
    ...(maxDollars !== undefined && { maxDollars }),
    ...(limit !== undefined && { limit }),
    ...(samples !== undefined && { samples }),
    ...(shard !== undefined && { shard }),
    ...(dataset !== undefined && { dataset }),
    ...(split !== undefined && { split }),
    questions: questionsFile,
    ...(corpus !== undefined && { corpus: { ...corpus.file, passages: corpus.passages.length } }),
    ...(retriever !== undefined && { retriever }),
    library,
  };
}
