import type { Checked } from "../model/diagnostic.ts";
import type { ImportedRun, ImportRequest } from "../trace/import-run.ts";
import type { OnlyWriter } from "./ports.ts";
import type { Progress } from "./progress.ts";

/** The files to import and the run folder to make of them: plain data, which another thread may be given. */
export interface ImportOrder extends Pick<ImportRequest, "sources" | "folder" | "format" | "questions"> {
  /** Name of the domain that recorded answers are read in (`--from answers`). */
  readonly domain?: string | undefined;
  /** File with verdicts on the episodes, by their ids. */
  readonly verdicts?: string | undefined;
}

/** An order whose import can be aborted and followed. */
export type FollowedImport = ImportOrder & Pick<ImportRequest, "signal" | "onProgress">;

/** Services of an import: `importRun` may work in another thread, `on` hears of the bytes that are read. */
export interface ImportServices {
  /** `importOrdered`. */
  readonly importRun: (order: FollowedImport) => Promise<Checked<ImportedRun>>;
  readonly asOnlyWriter: OnlyWriter;
  readonly signal: AbortSignal;
  readonly on: (event: Progress) => void;
}

/** Imports trajectory files into one run folder, while nobody else writes into it. As `importRun` (trace), it leaves no half a run. */
export async function importEpisodes(
  order: ImportOrder,
  { importRun, asOnlyWriter, signal, on }: ImportServices,
): Promise<Checked<ImportedRun>> {
  return asOnlyWriter(order.folder, () =>
    importRun({
      ...order,
      signal,
      onProgress: ({ readBytes, totalBytes, episodes }) =>
        on({ kind: "progress", done: readBytes, total: totalBytes, words: `${episodes} episodes` }),
    }),
  );
}
