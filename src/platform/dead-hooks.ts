import path from "node:path";
import { compareSession, type ComparedSession, type Installed } from "../agents/hook/dead/find-dead-hooks.ts";
import type { HostLog } from "../agents/hook/dead/host-log.ts";
import { isEpisodeOf, journalReader, type Journal, type JournalReader } from "../agents/hook/dead/journal.ts";
import { parseJson } from "../model/read-json.ts";
import { readEpisode } from "../trace/episode-file.ts";
import { openIndex } from "../trace/episode-index.ts";
import { readRun } from "../trace/run-folder.ts";
import { idInName, runPaths } from "../trace/run-paths.ts";
import { textLines } from "../trace/text-lines.ts";
import type { NodeFiles } from "./files.ts";
import { installedHooks } from "./hook-installed.ts";
import { latestLogs, LOGGING_HOSTS, readerFor, type SessionLog } from "./host-logs.ts";
import { sessionFolders } from "./session-folders.ts";

/** What the hosts' own logs say beside our record of a workspace's sessions. */
export interface DeadHookReport {
  /** The latest first. */
  readonly sessions: readonly ComparedSession[];
  /** Sessions with a log that were not looked at: they are older, or their logs are too long. */
  readonly notLookedAt: number;
}

/** Sessions of each host that are looked at, milliseconds since they changed, and bytes of all their logs together. */
const SESSIONS = 20;
const RECENT_MS = 7 * 86_400_000;
const MOST_BYTES = 256 * 1024 * 1024;
/** Bytes of a live file, a state or an event that is left. */
const MOST_TEXT = 64 * 1024 * 1024;

/** Nothing of a file that has gone meanwhile. Rejects where its content is not known: half a record would accuse the host. */
async function textAt(files: NodeFiles, file: string): Promise<string> {
  const read = await files.readText(file, MOST_TEXT);
  if (read.kind === "too-large") throw new Error(`${file} has ${read.size} bytes, more than ${MOST_TEXT}`);
  return read.kind === "text" ? read.text : "";
}

/** Sessions by their ids, with what was read of our record of them. */
type Readers = ReadonlyMap<string, JournalReader>;

/** The readers of the session that an episode belongs to. */
function readersOf(readers: Readers, episode: string): JournalReader[] {
  return [...readers].filter(([session]) => isEpisodeOf(session, episode)).map(([, reader]) => reader);
}

/** Reads the records of events and sessions that are under way. */
async function readLive(files: NodeFiles, folder: string, readers: Readers): Promise<void> {
  const names = await files.list(folder);
  const read = async (ending: string, each: (file: string, id: string) => Promise<void>): Promise<void> => {
    for (const name of names.filter((one) => one.endsWith(ending))) {
      const id = idInName(name.slice(0, -ending.length)) ?? "";
      if (readersOf(readers, id).length > 0) await each(path.join(folder, name), id);
    }
  };
  await read(".left", async (left, id) => {
    for (const name of await files.list(left)) {
      const event = parseJson(await textAt(files, path.join(left, name)));
      for (const reader of readersOf(readers, id)) reader.addLeft(event);
    }
  });
  await read(".state.json", async (file, id) => {
    const state = parseJson(await textAt(files, file));
    for (const reader of readersOf(readers, id)) reader.addState(state);
  });
  await read(".jsonl", async (file, id) => {
    const lines = (await textAt(files, file)).split("\n");
    for (const reader of readersOf(readers, id)) for (const line of lines) reader.addLiveLine(id, line);
  });
}

async function readEnded(files: NodeFiles, episodes: string, readers: Readers): Promise<void> {
  // Nothing is written: this only looks.
  const index = await openIndex(files, episodes, { save: false });
  for (const [n, { head }] of index.entries.entries()) {
    const wanted = readersOf(readers, head.id);
    if (wanted.length === 0) continue;
    const { value } = await readEpisode(files, index, n);
    for (const reader of wanted) {
      if (value === undefined) reader.addUnreadable();
      for (const decision of value?.decisions ?? []) reader.addDecision(head.id, decision);
    }
  }
}

/** Our records of sessions, in the order in which a record moves on: one that moves meanwhile is seen where it comes to. */
async function readJournals(
  files: NodeFiles,
  root: string,
  sessions: readonly string[],
): Promise<ReadonlyMap<string, Journal>> {
  const readers = new Map(sessions.map((session) => [session, journalReader()]));
  const since: number[] = [];
  for (const { folder } of sessionFolders(root)) {
    const { live, episodes } = runPaths(folder);
    const { run } = await readRun(files, folder);
    if (run !== undefined) since.push(Date.parse(run.createdAt));
    await readLive(files, live, readers);
    await readEnded(files, episodes, readers);
  }
  const first = since.length === 0 ? undefined : Math.min(...since);
  return new Map([...readers].map(([session, reader]) => [session, reader.journal(first)]));
}

async function readLog(files: NodeFiles, log: SessionLog): Promise<HostLog> {
  const reader = readerFor(log);
  for (const { path: file, size } of log.files)
    for await (const { line, text } of textLines(files.chunks(file, 0, size)))
      if (text !== undefined) reader.add(file, line, text);
  return reader.log();
}

/** How hooks are installed, read once for all sessions. Those of a project's own files count for a session that began in its root. */
function installedIn(root: string): (log: HostLog) => Installed {
  const known = new Map<string, Installed>();
  return ({ host, cwd }) => {
    const isOwn = cwd === root;
    const key = `${host} ${isOwn}`;
    const installed = known.get(key) ?? installedHooks(host, root, isOwn ? undefined : ["user"]);
    known.set(key, installed);
    return installed;
  };
}

/** Looks at the latest sessions of a workspace; asked again, it reads those logs anew that have changed. */
export interface DeadHookCheck {
  /** Reads only. Rejects where our own record cannot be read. */
  check(root: string, now?: number): Promise<DeadHookReport>;
}

export function deadHookCheck(files: NodeFiles): DeadHookCheck {
  let known = new Map<string, HostLog>();

  /** The logs that are within the limits. */
  async function readLogs(logs: readonly SessionLog[]): Promise<HostLog[]> {
    const kept = new Map<string, HostLog>();
    let bytes = 0;
    for (const log of logs) {
      bytes += log.files.reduce((sum, { size }) => sum + size, 0);
      if (bytes > MOST_BYTES) break;
      const key = JSON.stringify(log);
      // It may have gone since it was listed.
      const read = known.get(key) ?? (await readLog(files, log).catch(() => undefined));
      if (read !== undefined) kept.set(key, read);
    }
    known = kept;
    return [...kept.values()];
  }
  return {
    async check(root, now = Date.now()) {
      const changedAfter = now - RECENT_MS;
      const latest = await Promise.all(
        LOGGING_HOSTS.map((host) => latestLogs(files, host, root, { most: SESSIONS, changedAfter })),
      );
      const found = latest.flatMap(({ logs }) => logs).toSorted((a, b) => b.changedAt - a.changedAt);
      const logs = await readLogs(found);
      // After the logs: a call that is in a log has been recorded by then.
      const older = latest.reduce((sum, one) => sum + one.older, found.length - logs.length);
      if (logs.length === 0) return { sessions: [], notLookedAt: older };
      const ids = logs.map(({ session }) => session);
      const journals = await readJournals(files, root, ids);
      const installedFor = installedIn(root);
      const sessions = logs.flatMap((log) => {
        const journal = journals.get(log.session);
        return journal === undefined ? [] : [compareSession(log, journal, installedFor(log))];
      });
      return { sessions: withoutCopies(sessions), notLookedAt: older };
    },
  };
}

/** A session that began as a copy repeats the calls of the first; each finding is told once, of the oldest. */
function withoutCopies(sessions: readonly ComparedSession[]): ComparedSession[] {
  const told = new Set<string>();
  const oldestFirst = sessions.toReversed().map((session) => {
    const findings = session.findings.filter(({ code, call }) => {
      const key = `${code} ${call}`;
      return call === undefined || (!told.has(key) && told.add(key));
    });
    return { ...session, findings };
  });
  return oldestFirst.toReversed();
}
