import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { SessionState, SessionStore } from "../agents/hook/session-store.ts";
import { livePath, runPaths } from "../trace/run-paths.ts";
import { nodeFiles } from "./files.ts";

/** The run that the sessions of a workspace are episodes of. */
export const SESSIONS_RUN = ".hasp/runs/agent-sessions";

/** Milliseconds after which a lock counts as left behind: no event may take longer. */
const STALE_MS = 5_000;
const POLL_MS = 8;

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function textAt(file: string): string | undefined {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function isState(value: unknown): value is SessionState {
  return (
    typeof value === "object" && value !== null && "schema" in value && value.schema === "hasp.hook-session/1"
  );
}

const STATE = ".state.json";

/** Milliseconds since 1970; of a file that has gone meanwhile, never. */
function modifiedAt(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
}

function readState(file: string): SessionState | undefined {
  try {
    const value: unknown = JSON.parse(textAt(file) ?? "");
    return isState(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** True where the lock is ours now. Its name is made with what tells us from others, so that nobody else's is ever removed. */
function take(lock: string): boolean {
  try {
    fs.writeFileSync(lock, `${process.pid}\n`, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  const age = Date.now() - (fs.statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (age < STALE_MS) return false;
  // Of several that find it stale, one moves it away.
  const aside = `${lock}.${randomUUID().slice(0, 8)}`;
  try {
    fs.renameSync(lock, aside);
    fs.rmSync(aside, { force: true });
  } catch {
    return false;
  }
  return take(lock);
}

async function takeBefore(lock: string, deadline: number): Promise<boolean> {
  for (;;) {
    if (take(lock)) return true;
    if (performance.now() + POLL_MS > deadline) return false;
    await sleep(POLL_MS);
  }
}

function replace(file: string, text: string): void {
  const temporary = `${file}.${randomUUID().slice(0, 8)}.tmp`;
  fs.writeFileSync(temporary, text, { mode: 0o600 });
  fs.renameSync(temporary, file);
}

/** What reads and writes whole episodes is loaded here and in `finish` alone: no other event needs it. */
async function beginRun(folder: string): Promise<void> {
  const paths = runPaths(folder);
  fs.mkdirSync(paths.live, { recursive: true, mode: 0o700 });
  // What agents read and wrote is in here, and nobody means to commit it.
  fs.writeFileSync(path.join(folder, ".gitignore"), "*\n");
  // A run is found by this file, also while its first session is under way.
  fs.closeSync(fs.openSync(paths.episodes, "a", 0o600));
  if (fs.existsSync(paths.run)) return;
  const { createRun } = await import("../trace/run-folder.ts");
  await createRun(nodeFiles(), folder, {
    id: "agent-sessions",
    title: "agent sessions",
    domain: "coding-agent",
    createdAt: new Date().toISOString(),
    source: "hasp",
    settings: { policy: "hook" },
  });
}

/**
 * The sessions of one workspace: beside the live file of each episode its state, both for this user alone. Calls are synchronous where a
 * process that lives for one event would only wait for them.
 */
export function hookSessions(root: string): SessionStore {
  const folder = path.join(root, SESSIONS_RUN);
  const { live, episodes } = runPaths(folder);
  const beside = (id: string, what: string): string => livePath(folder, id).replace(/\.jsonl$/, `.${what}`);
  return {
    async exclusively(id, deadline, work) {
      fs.mkdirSync(live, { recursive: true, mode: 0o700 });
      const lock = beside(id, "lock");
      const locked = await takeBefore(lock, deadline);
      try {
        return await work(locked);
      } finally {
        if (locked) fs.rmSync(lock, { force: true });
      }
    },
    state: async (id) => readState(beside(id, "state.json")),
    save: async (id, state) => replace(beside(id, "state.json"), JSON.stringify(state)),
    async lines(episode) {
      return (textAt(livePath(folder, episode)) ?? "").split("\n").filter((line) => line !== "");
    },
    size: async (episode) => fs.statSync(livePath(folder, episode), { throwIfNoEntry: false })?.size ?? 0,
    async append(episode, lines) {
      const file = livePath(folder, episode);
      if (!fs.existsSync(file)) await beginRun(folder);
      fs.appendFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 });
    },
    async idle(before) {
      const names = fs.existsSync(live) ? fs.readdirSync(live) : [];
      return names.flatMap((name) => {
        const file = path.join(live, name);
        if (!name.endsWith(STATE) || modifiedAt(file) >= before) return [];
        return readState(file)?.started === true ? [decodeURIComponent(name.slice(0, -STATE.length))] : [];
      });
    },
    async finish(episode) {
      const { appendEpisode } = await import("../trace/episode-file.ts");
      const { foldLive } = await import("../trace/live-fold.ts");
      const file = livePath(folder, episode);
      const { value } = foldLive((textAt(file) ?? "").split("\n"), file);
      if (value !== undefined && value.steps.length > 0)
        await appendEpisode(nodeFiles(), episodes, value, { sync: true });
      fs.rmSync(file, { force: true });
    },
  };
}
