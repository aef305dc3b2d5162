import { readFileSync } from "node:fs";
import { onTestFinished } from "vitest";
import { openServedRun } from "../../src/agents/serve/run-folder.ts";
import { openServer, type ServeClient, type ServeTask } from "../../src/agents/serve/server.ts";
import { webSearch } from "../../src/domains/web-search/web-search.ts";
import type { Episode } from "../../src/model/episode.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { sha256 } from "../../src/platform/sha256.ts";
import { openMessageStore } from "../../src/trace/message-store.ts";
import { runPaths } from "../../src/trace/run-paths.ts";
import { hostOf, librarySkill, PLAIN_RUN, TEST_CONTROL } from "./episodes.ts";

interface Reply {
  readonly id: unknown;
  readonly result?: Record<string, unknown> & { readonly episode?: string };
  readonly error?: { readonly code: string; readonly message: string; readonly next: string };
}

/** A server that ends with its test, what it told the person, and one client. */
export function serverOf(more: Partial<ServeTask> = {}) {
  const skills = [librarySkill("one"), librarySkill("two")];
  const troubles: unknown[] = [];
  const server = openServer({
    host: hostOf(),
    library: skills,
    libraryRefs: [],
    domain: webSearch,
    judge: PLAIN_RUN.judge,
    control: { ...TEST_CONTROL, pinnedSkills: ["one", "two"] },
    settings: {},
    redact: PLAIN_RUN.redact,
    recording: undefined,
    maxEpisodes: 1000,
    idleSeconds: 300,
    onTrouble: (error) => troubles.push(error),
    ...more,
  });
  onTestFinished(() => server.close());
  return { server, troubles, call: callerOf(server.connect()) };
}

export const callerOf =
  (client: ServeClient) =>
  async (method: string, params: object = {}): Promise<Reply> =>
    JSON.parse(
      await client.answer(new TextEncoder().encode(JSON.stringify({ id: 1, method, params }))),
    ) as Reply;

/** The params of an episode, and of a step of it. */
export const opened = { question: "Who was it?", episode_id: "e" };
export const proposes = (type: string, arg = "x") => ({ episode: "e", action: { type, arg } });

/** A run folder that the server records into. */
export async function recordingTo(
  folder: string,
  resume = false,
): Promise<NonNullable<ServeTask["recording"]>> {
  const files = nodeFiles();
  const { value } = await openServedRun(files, systemClock, {
    folder,
    domain: "web-search",
    settings: {},
    resume,
  });
  if (value === undefined) throw new Error("The folder is not free.");
  const messages = await openMessageStore(files, folder, { sha256, redact: PLAIN_RUN.redact });
  return { files, folder, messages, ...value };
}

export const servedIn = (folder: string): Episode[] =>
  readFileSync(runPaths(folder).episodes, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Episode);
