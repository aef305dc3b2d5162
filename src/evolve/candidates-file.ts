import { evolvedCandidateSchema, type EvolvedCandidate } from "../model/evolution.ts";
import { parseJson } from "../model/read-json.ts";
import type { SkillFiles } from "../skill/skill-files.ts";
import { writeText, type WriteFiles } from "./artifacts.ts";

const MAX_BYTES = 100_000_000;

/** The candidates of an epoch, in order; none where there is no file. A line that is no candidate is left out. */
export async function readCandidates(
  files: Pick<SkillFiles, "readText">,
  path: string,
): Promise<readonly EvolvedCandidate[]> {
  const found = await files.readText(path, MAX_BYTES);
  if (found.kind !== "text") return [];
  return found.text.split("\n").flatMap((line) => {
    const read = evolvedCandidateSchema.safeParse(parseJson(line));
    return read.success ? [read.data] : [];
  });
}

/** Replaces the file as a whole; a candidate that was read back is written as before. */
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
