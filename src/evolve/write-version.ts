import type { Checked } from "../model/diagnostic.ts";
import type { DomainSpec } from "../model/domain-spec.ts";
import { INCOMING_FOLDER, versionFolder, versionOfFolder } from "../model/domain-folder.ts";
import { parseJson } from "../model/read-json.ts";
import { REVIEWED_FILES, type Review, type ReviewedFile } from "../model/review.ts";
import type { EvolvedSkill } from "../model/library-history.ts";
import { METADATA_FILE } from "../review/metadata-file.ts";
import { METADATA_SCHEMA } from "../review/review-store.ts";
import { checkSkillName } from "../skill/skill-name.ts";
import { withVersion } from "../skill/with-version.ts";
import { libraryFailure } from "./generated-versions.ts";
import type { LibraryFiles } from "./library-files.ts";

/** The files of a candidate's skill, by name. */
export interface CandidateTexts extends Readonly<Partial<Record<ReviewedFile, string>>> {
  readonly "SKILL.md": string;
  /** As its folder has it; all that it holds is kept. */
  readonly "metadata.json"?: string | undefined;
}

interface Named {
  readonly skillId: string;
  readonly version: number;
  readonly name: string;
}

/** The texts as a version of a library has them: SKILL.md names id and version. HASP662 and HASP663 say why not. */
export function versionTexts(
  { skillId, version, name }: Named,
  texts: CandidateTexts,
  domains: readonly DomainSpec[],
): Checked<CandidateTexts> {
  const folder = versionFolder({ skillId, version });
  const file = `${folder}/${name}/SKILL.md`;
  // Both come from a model, and become names of folders.
  if (versionOfFolder(folder)?.skillId !== skillId || checkSkillName(name) !== undefined) {
    const message = `${JSON.stringify(skillId)} in the folder ${JSON.stringify(name)} cannot be the id and the name of a skill.`;
    const next = "An id is snake_case; a name is kebab-case.";
    return libraryFailure("HASP662", file, message, next);
  }
  const { value, diagnostics } = withVersion(texts["SKILL.md"], { skillId, version }, { file, domains });
  return { value: value === undefined ? undefined : { ...texts, "SKILL.md": value }, diagnostics };
}

/** `metadata.json` with the field `evolved`, and with the review where it has none; all else stays. */
function metadataText(given: string | undefined, evolved: EvolvedSkill, review: Review | undefined): string {
  const value = parseJson(given ?? "{}");
  const before = typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  const reviews = review === undefined || "reviews" in before ? {} : { reviews: [review] };
  return `${JSON.stringify({ schema: METADATA_SCHEMA, ...before, ...reviews, evolved }, null, 2)}\n`;
}

/**
 * Puts a version into its place in the library, as a whole or not at all: written into a hidden folder, then renamed. What an interrupted
 * attempt left is replaced. Nothing may be in the place. Rejects on I/O errors.
 */
export async function writeVersion(
  files: LibraryFiles,
  library: string,
  { skillId, version, name }: Named,
  {
    texts,
    evolved,
    review,
  }: {
    readonly texts: CandidateTexts;
    readonly evolved: EvolvedSkill;
    readonly review?: Review | undefined;
  },
): Promise<string> {
  const folder = versionFolder({ skillId, version });
  const incoming = `${library}/${INCOMING_FOLDER}`;
  await files.removeFolder(incoming);
  const at = (file: string): string => `${incoming}/${folder}/${name}/${file}`;
  for (const file of REVIEWED_FILES) {
    const text = texts[file];
    if (text !== undefined) await files.writeText(at(file), text);
  }
  await files.writeText(at(METADATA_FILE), metadataText(texts["metadata.json"], evolved, review));
  await files.moveFolder(`${incoming}/${folder}`, `${library}/${folder}`);
  await files.removeFolder(incoming);
  return `${library}/${folder}/${name}`;
}
