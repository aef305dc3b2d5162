import type { Episode } from "../model/episode.ts";
import { appendLine } from "./episode-file.ts";
import type { ImportSource } from "./import-source.ts";
import { copyLibraries } from "./library-store.ts";
import { copyMessages, encodeMessage, messageIds } from "./message-copy.ts";
import { openMessages, type Messages, type StoredPrompt } from "./message-reader.ts";
import type { TraceFiles } from "./ports.ts";
import { folderOf, runPaths } from "./run-paths.ts";

/** Brings what imported episodes refer to into their new run folder: messages, and the texts of skills. */
export interface ReferenceCopier {
  /**
   * Adds what the episode refers to and the folder lacks: from `given`, the messages that its file holds, or, for the episodes of a run,
   * from the run folder of the file, with the texts of skills that it keeps. Missing ones stay missing. Rejects on I/O
   * errors.
   */
  take(
    episode: Episode,
    source: Pick<ImportSource, "file" | "format">,
    given: readonly StoredPrompt[] | undefined,
  ): Promise<void>;
}

/** Opens the messages of the folder that an import fills. They are added before the episodes: what an import that failed left is unused. */
export async function openReferenceCopier(files: TraceFiles, folder: string): Promise<ReferenceCopier> {
  const { messages: path } = runPaths(folder);
  const already = new Set((await openMessages(files, folder)).ids());
  const runs = new Map<string, Messages>();
  const texts = new Set<string>();

  async function ofRun(file: string): Promise<Messages> {
    const known = runs.get(file);
    if (known !== undefined) return known;
    const found = await openMessages(files, folderOf(file));
    runs.set(file, found);
    await copyLibraries(files, [folderOf(file), folder], texts);
    return found;
  }

  return {
    async take(episode, { file, format }, given) {
      const held = new Map(given?.map((one) => [one.id, one]));
      const from =
        format === "hasp" ? await ofRun(file) : { line: (id: string) => Promise.resolve(held.get(id)) };
      const ids = messageIds(episode).filter((id) => !already.has(id));
      for await (const one of copyMessages(from, ids, already))
        await appendLine(files, path, encodeMessage(one));
    },
  };
}
