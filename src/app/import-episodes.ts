import type { Checked } from "../model/diagnostic.ts";
import type { ImportedRun, ImportRequest } from "../trace/import-run.ts";
import type { OnlyWriter } from "./ports.ts";
import type { Progress } from "./progress.ts";

/** The files to import and the run folder to make of them. */
export type ImportOrder = Pick<ImportRequest, "sources" | "folder" | "format">;

/** Services of an import: `importRun` may work in another thread, `on` hears of the bytes that are read. */
export interface ImportServices {
  readonly importRun: (request: ImportRequest) => Promise<Checked<ImportedRun>>;
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
