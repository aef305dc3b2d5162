import type { Episode } from "../model/episode.ts";
import { appendLine } from "./episode-file.ts";
import type { ImportSource } from "./import-file.ts";
import { copyMessages, encodeMessage, messageIds } from "./message-copy.ts";
import { openMessages, type Messages, type StoredPrompt } from "./message-reader.ts";
import type { TraceFiles } from "./ports.ts";
import { runPaths } from "./run-paths.ts";

/** Brings the messages of imported episodes into their new run folder. */
export interface ImportedMessages {
  /**
   * Adds what the episode refers to and the folder lacks: from `given`, the messages that its file holds, or, for the episodes of a run,
   * from the run folder that the file stands in. A message that is nowhere stays missing. Rejects on I/O errors.
   */
  take(
    episode: Episode,
    source: Pick<ImportSource, "file" | "format">,
    given: readonly StoredPrompt[] | undefined,
  ): Promise<void>;
}

/** Folder of a file; `.` where the path has none. */
const folderOf = (file: string): string => /^(.*)[/\\][^/\\]*$/.exec(file)?.[1] ?? ".";

/** Opens the messages of the folder that an import fills. They are added before the episodes: what an import that failed left is unused. */
export async function importedMessages(files: TraceFiles, folder: string): Promise<ImportedMessages> {
  const { messages: path } = runPaths(folder);
  const already = new Set((await openMessages(files, folder)).ids());
  const runs = new Map<string, Messages>();

  async function ofRun(file: string): Promise<Messages> {
    const found = runs.get(file) ?? (await openMessages(files, folderOf(file)));
    runs.set(file, found);
    return found;
  }

  return {
    async take(episode, { file, format }, given) {
      const ids = messageIds(episode).filter((id) => !already.has(id));
      if (ids.length === 0) return;
      const held = new Map(given?.map((one) => [one.id, one]));
      const from =
        format === "hasp" ? await ofRun(file) : { line: (id: string) => Promise.resolve(held.get(id)) };
      for await (const one of copyMessages(from, ids, already))
        await appendLine(files, path, encodeMessage(one));
    },
  };
}
