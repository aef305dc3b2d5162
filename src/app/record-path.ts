import { clip } from "../model/clip.ts";
import { recordPath } from "../model/record-path.ts";
import { printableLine } from "../model/printable.ts";
import type { TraceFiles } from "../trace/ports.ts";
import { refuse } from "./refusal.ts";

/** Characters of a path that a message shows. */
const SHOWN = 200;

/** A path that a record names, and its place there. */
export interface RecordedPath {
  readonly path: string;
  /** The record. */
  readonly file: string;
  /** Its field, as the record has it. */
  readonly field: string;
  /** How a person names another one. */
  readonly next: string;
}

/** The path as `recordPath` of the folder that relative names of `files` are of. Refuses with HASP820. */
export function needRecordPath(
  files: Pick<TraceFiles, "absolute">,
  { path, file, field, next }: RecordedPath,
): string {
  const found = recordPath(files.absolute("."), path);
  if (found !== undefined) return found;
  const shown = JSON.stringify(clip(printableLine(path), SHOWN));
  return refuse(
    "HASP820",
    `\`${field}\` of ${file} names ${shown}. A record names folders and files below its own workspace alone, by relative paths without \`..\`.`,
    next,
    file,
  );
}
