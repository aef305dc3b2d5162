import { evolvedCandidateSchema, type EvolvedCandidate } from "../model/evolution.ts";
import { writeText, type WriteFiles } from "./artifacts.ts";

/** Replaces the file of an epoch's candidates as a whole; a candidate that was read back is written as before. */
export async function writeCandidates(
  files: WriteFiles,
  path: string,
  candidates: readonly EvolvedCandidate[],
): Promise<void> {
  await writeText(
    files,
    path,
    candidates.map((one) => `${JSON.stringify(evolvedCandidateSchema.parse(one))}\n`).join(""),
  );
}
