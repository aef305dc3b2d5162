import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import { RETIRED_FOLDER, versionFolder, versionOfFolder, type VersionName } from "../model/domain-folder.ts";
import { evolvedSkillSchema, type EvolvedSkill } from "../model/library-history.ts";
import { parseJson } from "../model/read-json.ts";
import type { Fingerprint } from "../model/review.ts";
import { METADATA_FILE } from "../review/metadata-file.ts";
import { fingerprintOfFolder } from "../review/review-subject.ts";
import type { LibraryFiles } from "./library-files.ts";

const MAX_METADATA_BYTES = 20_000_000;

/** A version of a generated skill on the disk. */
export interface GeneratedVersion extends VersionName {
  /** kebab-case, the name of the skill's own folder. */
  readonly name: string;
  /** The skill's own folder. */
  readonly folder: string;
  /** The folder of the version: `<library>/<skill_id>__v<N>`, or below `.retired`. */
  readonly place: string;
  readonly isRetired: boolean;
  /** Of those that are not retired, the latest of its id. */
  readonly acts: boolean;
  /** Undefined where `metadata.json` does not say, or cannot be read. */
  readonly evolved: EvolvedSkill | undefined;
}

/** The name of a folder below `.retired`, where a version may be more than once: `foo__v1`, `foo__v1.2`. */
export function retiredName(version: VersionName, times: number): string {
  return `${versionFolder(version)}${times === 1 ? "" : `.${times}`}`;
}

async function evolvedIn(
  files: Pick<LibraryFiles, "readText">,
  folder: string,
): Promise<EvolvedSkill | undefined> {
  const found = await files.readText(`${folder}/${METADATA_FILE}`, MAX_METADATA_BYTES);
  const metadata = found.kind === "text" ? parseJson(found.text) : undefined;
  const isObject = typeof metadata === "object" && metadata !== null;
  return evolvedSkillSchema.safeParse(isObject && "evolved" in metadata ? metadata.evolved : undefined).data;
}

type Reading = Pick<LibraryFiles, "readText" | "list">;

async function versionsIn(files: Reading, root: string, isRetired: boolean): Promise<GeneratedVersion[]> {
  const found: GeneratedVersion[] = [];
  for (const entry of await files.list(root)) {
    const version = versionOfFolder(isRetired ? entry.replace(/\.[1-9]\d*$/, "") : entry);
    if (version === undefined) continue;
    const place = `${root}/${entry}`;
    for (const name of await files.list(place)) {
      const folder = `${place}/${name}`;
      if (name.includes(".") || !(await files.list(folder)).includes("SKILL.md")) continue;
      const evolved = await evolvedIn(files, folder);
      found.push({ ...version, name, folder, place, isRetired, acts: false, evolved });
      break;
    }
  }
  return found;
}

/** Every version in a folder of generated skills, by id and version, the retired ones last. Rejects on I/O errors. */
export async function generatedVersions(
  files: Reading,
  library: string,
): Promise<readonly GeneratedVersion[]> {
  const active = await versionsIn(files, library, false);
  const retired = await versionsIn(files, `${library}/${RETIRED_FOLDER}`, true);
  const latest = new Map<string, number>();
  for (const { skillId, version } of active) latest.set(skillId, Math.max(version, latest.get(skillId) ?? 0));
  const byName = (a: GeneratedVersion, b: GeneratedVersion): number =>
    a.skillId === b.skillId ? a.version - b.version : a.skillId < b.skillId ? -1 : 1;
  const marked = active.map((one) => ({ ...one, acts: latest.get(one.skillId) === one.version }));
  return [...marked.sort(byName), ...retired.sort(byName)];
}

/** The texts of a version, by their hashes. Line ends do not count. */
export function fingerprintOfVersion(
  files: Pick<LibraryFiles, "readText">,
  { folder }: Pick<GeneratedVersion, "folder">,
): Promise<Fingerprint> {
  return fingerprintOfFolder(files, folder);
}

/** A result without a value, about a folder of the library. */
export function libraryFailure(
  code: string,
  file: string,
  message: string,
  next: string,
): Checked<never> & { readonly value: undefined; readonly diagnostics: readonly Diagnostic[] } {
  return {
    value: undefined,
    diagnostics: [{ code, severity: "error", message, next, file, range: START_OF_FILE }],
  };
}
