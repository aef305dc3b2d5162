import { foreignNameSchema } from "../model/foreign-schemas.ts";
import { z } from "../model/zod.ts";

/** Files of an evolution's folder (SPEC §7: artifacts under `output_dir/epoch_{i}/`). */
export function evolutionPaths(folder: string) {
  return {
    /** The order of the evolution, and the state of its phases. */
    state: `${folder}/evolution.json`,
    /** Events, one a line. */
    log: `${folder}/events.jsonl`,
    /** Paid calls of models, those of the rollouts too, one a line. */
    calls: `${folder}/calls.jsonl`,
    /** The worth of the final library on the questions that nothing read before. */
    final: `${folder}/final.json`,
    epoch: (i: number) => epochPaths(`${folder}/epoch_${i}`),
    /** Kept after each epoch: which versions act. */
    snapshot: (i: number) => `${folder}/snapshots/epoch_${i}`,
  };
}

/** Files of one epoch. The file that ends a phase is written last, as a whole: with it the phase is done. */
export function epochPaths(folder: string) {
  return {
    folder,
    /** A: run folders of the seed and of the validation questions. */
    rollout: `${folder}/rollout`,
    validation: `${folder}/validation`,
    validationAfter: `${folder}/validation-after`,
    /** Without skills, to find the questions that fail; then those questions. */
    prefilter: `${folder}/prefilter`,
    prefiltered: `${folder}/prefiltered.jsonl`,
    rolledOut: `${folder}/rollout.json`,
    /** B */
    failures: `${folder}/failures.json`,
    /** C: a folder for each candidate, with its messages and its skill. */
    proposals: `${folder}/proposals`,
    /** All that an author was asked for a candidate, and what it replied. */
    replies: (candidate: string) => `${folder}/proposals/${candidate}.json`,
    proposed: `${folder}/proposals.json`,
    /** D */
    checks: `${folder}/checks.json`,
    /** E: reviews and held-out worth. */
    reviews: `${folder}/reviews.json`,
    /** F */
    candidates: `${folder}/candidates.jsonl`,
    plan: `${folder}/admission-plan.json`,
    admission: `${folder}/admission.json`,
    /** G: candidates as training data reads them (`hasp.candidate/1`). */
    credit: `${folder}/credit.jsonl`,
    credited: `${folder}/credit.json`,
    /** H */
    data: `${folder}/data`,
    heldOut: `${folder}/held-out.jsonl`,
    built: `${folder}/data.json`,
  };
}

/**
 * The path of something in an epoch, from the folder of its evolution: `epoch_1/proposals/…`. Earlier versions recorded it with the path of that
 * folder before it, as it was typed.
 */
export const epochPathSchema = z
  .string()
  .transform((path) => /^(?:[^]*[/\\])?(epoch_[1-9]\d{0,5}\/[^]+)$/.exec(path)?.[1] ?? "")
  .pipe(foreignNameSchema);

/** Such a path of a file or folder of this evolution. */
export const epochPath = (evolution: string, path: string): string => path.slice(evolution.length + 1);
