import { needRecordPath, type RecordedPath } from "../app/record-path.ts";
import { refuse } from "../app/refusal.ts";
import { isGeneratedFolder } from "../model/domain-folder.ts";
import type { EvolutionFile } from "./artifacts.ts";
import { evolutionPaths } from "./evolution-paths.ts";
import type { LibraryFiles } from "./library-files.ts";

type Files = Pick<LibraryFiles, "absolute">;

/** The folder of generated skills that a record names, of `domain` where it names one. Refuses with HASP820. */
export function recordedFolder(files: Files, named: RecordedPath, domain?: string): string {
  const folder = needRecordPath(files, named);
  if (isGeneratedFolder(folder, domain)) return folder;
  const { field, file, next } = named;
  return refuse(
    "HASP820",
    `\`${field}\` of ${file} names ${folder}, which cannot be a folder of generated skills: it ends in \`${domain ?? "<domain>"}/generated\`.`,
    next,
    file,
  );
}

/** The folder of generated skills that an evolution writes. Refuses with HASP820 one that is outside of the workspace. */
export const evolutionLibrary = (
  files: Files,
  evolution: string,
  { generated, domain }: Pick<EvolutionFile, "generated" | "domain">,
): string =>
  recordedFolder(
    files,
    {
      path: generated,
      field: "generated",
      file: evolutionPaths(evolution).state,
      next: "Decide with `hasp library accept` or `reject`, and name the folder: --library <dir>.",
    },
    domain,
  );
