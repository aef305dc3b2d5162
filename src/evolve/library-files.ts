import type { ReviewFiles } from "../review/review-store.ts";
import type { SkillFiles } from "../skill/skill-files.ts";
import type { TraceFiles } from "../trace/ports.ts";

/** Files of a library of generated skills; `src/platform/library-files.ts` implements it. Paths are joined with `/`. */
export interface LibraryFiles
  extends ReviewFiles, Pick<SkillFiles, "list">, Pick<TraceFiles, "absolute" | "realPath"> {
  exists(path: string): Promise<boolean>;
  /** Renames a folder, and makes the one above where it is missing. Rejects where something is at `to`. */
  moveFolder(from: string, to: string): Promise<void>;
  /** Removes a folder with all that is in it; nothing happens where there is none. */
  removeFolder(path: string): Promise<void>;
}
