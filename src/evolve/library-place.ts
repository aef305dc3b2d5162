import type { Checked } from "../model/diagnostic.ts";
import type { DomainSpec } from "../model/domain-spec.ts";
import type { HistoryEntry } from "../model/library-history.ts";
import type { Clock } from "../trace/ports.ts";
import type { LibraryFiles } from "./library-files.ts";
import { appendHistory, HISTORY_FILE } from "./library-history.ts";

export interface LibraryPorts {
  readonly files: LibraryFiles;
  readonly clock: Clock;
  /** All that are registered. */
  readonly domains: readonly DomainSpec[];
}

/** A folder of generated skills, with what works on it. */
export interface LibraryPlace extends LibraryPorts {
  readonly folder: string;
}

/** Runs `work` while nobody else changes the library. It must not be called from within such work. */
export function alone<T>({ files, folder }: LibraryPlace, work: () => Promise<T>): Promise<T> {
  return files.exclusively(`${folder}/${HISTORY_FILE}`, work);
}

/** The value, once the entries are in the history. */
export async function recorded<T>(
  { files, folder }: LibraryPlace,
  value: T,
  entries: readonly HistoryEntry[],
): Promise<Checked<T>> {
  const diagnostics = await appendHistory(files, folder, entries);
  return { value: diagnostics.length === 0 ? value : undefined, diagnostics };
}
