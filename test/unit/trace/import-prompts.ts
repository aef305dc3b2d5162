import { writeFileSync } from "node:fs";
import type { ChatMessage } from "../../../src/llm/chat-model.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { sha256 } from "../../../src/platform/sha256.ts";
import { readEpisodes } from "../../../src/trace/episode-file.ts";
import { importRun } from "../../../src/trace/import-run.ts";
import { openMessages } from "../../../src/trace/message-reader.ts";
import { openRun } from "../../../src/trace/run-folder.ts";
import { files, temporaryFolder } from "./support.ts";

/** An imported episode, and before each step what its agent had read: the messages that its run folder has. */
export interface ImportedPrompts {
  readonly folder: string;
  readonly episode: Episode;
  readonly prompts: readonly (readonly ChatMessage[] | undefined)[];
}

const clock = { now: () => "2026-01-01T00:00:00.000Z" };

/** Imports one file with this content; each of its episodes with its prompts. */
export async function importPrompts(
  content: string,
  name = "file.json",
  folder = `${temporaryFolder()}/run`,
): Promise<readonly ImportedPrompts[]> {
  const source = `${temporaryFolder()}/${name}`;
  writeFileSync(source, content);
  await importRun(files, { clock, sha256 }, { sources: [source], folder });
  const messages = await openMessages(files, folder);
  const found: ImportedPrompts[] = [];
  for await (const { value: episode } of readEpisodes(files, (await openRun(files, folder)).index)) {
    if (episode === undefined) continue;
    const ids = episode.steps.map(({ proposals }) => proposals[0]?.messages);
    const prompts = await Promise.all(
      ids.map(async (id) => (id === undefined ? undefined : messages.upTo(id))),
    );
    found.push({ folder, episode, prompts });
  }
  return found;
}

/** Of each step, the last reply of its agent. */
export const repliesOf = ({ episode }: ImportedPrompts): readonly (string | undefined)[] =>
  episode.steps.map(({ proposals }) => proposals.at(-1)?.completion?.text);
