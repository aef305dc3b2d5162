import type { Episode } from "../../model/episode.ts";
import { readPrompt } from "../../protocol/read-prompt.ts";
import { openMessages, type Messages } from "../../trace/message-reader.ts";
import type { TraceFiles } from "../../trace/ports.ts";
import { runPaths } from "../../trace/run-paths.ts";
import type { ViewConnection } from "./connection.ts";

/** The messages of a folder, opened once and again when their file has changed its size. */
function openWhenGrown(files: TraceFiles): (folder: string) => Promise<Messages> {
  let latest: { folder: string; size: number | undefined; messages: Promise<Messages> } | undefined;
  return async (folder) => {
    const size = (await files.stat(runPaths(folder).messages))?.size;
    if (latest?.folder !== folder || latest.size !== size)
      latest = { folder, size, messages: openMessages(files, folder) };
    const { messages } = latest;
    messages.catch(() => (latest = undefined));
    return messages;
  };
}

/** Answers what a policy read before a proposal. */
export function answerMessages(
  connection: ViewConnection,
  files: TraceFiles,
  run: {
    readonly folder: () => Promise<string>;
    readonly episodeAt: (index: number) => Promise<Episode>;
  },
): void {
  const messagesOf = openWhenGrown(files);
  connection.handle("messages", async ({ index, t, proposal }) => {
    const [episode, messages] = await Promise.all([
      run.episodeAt(index),
      run.folder().then((folder) => messagesOf(folder)),
    ]);
    return readPrompt(episode, { t, proposal }, (id) => messages.upTo(id));
  });
}
