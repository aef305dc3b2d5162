import { writeFileSync } from "node:fs";
import type { ChatMessage } from "../../../src/llm/chat-model.ts";
import { importRun } from "../../../src/trace/import-run.ts";
import { readEpisodes } from "../../../src/trace/episode-file.ts";
import { openMessages } from "../../../src/trace/message-reader.ts";
import { openRun } from "../../../src/trace/run-folder.ts";
import { sha256 } from "../../../src/platform/sha256.ts";
import { files, temporaryFolder } from "./support.ts";

/** What the agent read before each step of the first episode; undefined where the import has no prompt. */
export async function promptsOf(
  content: string,
  name = "x.jsonl",
): Promise<(readonly ChatMessage[] | undefined)[]> {
  const folder = temporaryFolder();
  writeFileSync(`${folder}/${name}`, content);
  const clock = { now: () => "2026-01-01T00:00:00.000Z" };
  const run = `${folder}/run`;
  await importRun(files, { clock, sha256 }, { sources: [`${folder}/${name}`], folder: run });
  const stored = await openMessages(files, run);
  for await (const { value } of readEpisodes(files, (await openRun(files, run)).index)) {
    const steps = value?.steps ?? [];
    return Promise.all(
      steps.map(async ({ proposals: [proposal] }) =>
        proposal?.messages === undefined ? undefined : await stored.upTo(proposal.messages),
      ),
    );
  }
  return [];
}
