import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { CODING_AGENT } from "../model/domain-names.ts";
import { parseJson } from "../model/read-json.ts";
import type {
  HeldSession,
  KeptEvent,
  LeftEvent,
  SessionState,
  SessionStore,
} from "../agents/hook/session-store.ts";
import { idInName, livePath, runPaths } from "../trace/run-paths.ts";
import { nodeFiles } from "./files.ts";
import { cleanEvent, cleanLine, cleanState, redact } from "./hook-secrets.ts";
import { isCommon } from "./hook-workspace.ts";
import { lockBefore, tryLock, type HeldLock } from "./process-lock.ts";
import { sha256 } from "./sha256.ts";
import type { KeptSkill } from "../trace/library-store.ts";
import { sessionFolders, type SessionFolder } from "./session-folders.ts";
import { appendSync, makeFolderSync, readableText, removeSync, replaceSync } from "./sync-files.ts";
import { checkOwnFile, writePath } from "./write-path.ts";

const STATE = ".state.json";
/** Milliseconds in which another session's end is written. */
const APPEND_MS = 2_000;

const jsonAt = (file: string): unknown => parseJson(readableText(file) ?? "");

function hasSchema(value: unknown, schema: string): boolean {
  return typeof value === "object" && value !== null && "schema" in value && value.schema === schema;
}

function readState(file: string): SessionState | undefined {
  const value = jsonAt(file);
  return hasSchema(value, "hasp.hook-session/2") ? (value as SessionState) : undefined;
}

/** Milliseconds since 1970; of a file that has gone meanwhile, never. */
function modifiedAt(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
}

/** Its episode file and what stands beside it can be written without leaving the folder. Throws FileError. */
function checkRun(folder: string): void {
  const { episodes, run } = runPaths(folder);
  for (const file of [episodes, run, path.join(folder, ".gitignore")]) {
    const at = writePath(file);
    const found = fs.lstatSync(at, { throwIfNoEntry: false });
    if (found !== undefined) checkOwnFile(at, found);
  }
}

/** What reads and writes whole episodes is loaded here and in `finish` alone: no other event needs it. */
async function beginRun(folder: string, title: string): Promise<void> {
  const paths = runPaths(folder);
  // What agents read and wrote is in here, and nobody means to commit it.
  replaceSync(path.join(folder, ".gitignore"), "*\n");
  // A run is found by this file, also while its first session is under way.
  appendSync(paths.episodes, "");
  if (fs.existsSync(paths.run)) return;
  const { createRun } = await import("../trace/create-run.ts");
  await createRun(nodeFiles(), folder, {
    id: "agent-sessions",
    title,
    domain: CODING_AGENT,
    createdAt: new Date().toISOString(),
    source: "hasp",
    settings: { policy: "hook" },
  });
}

/** One episode after the other, whoever ends it. */
async function appendInTurn(folder: string, lines: readonly string[], source: string): Promise<void> {
  const { appendEpisode } = await import("../trace/episode-file.ts");
  const { foldLive } = await import("../trace/live-fold.ts");
  const { value } = foldLive(lines, source);
  if (value === undefined || value.steps.length === 0) return;
  const { lock } = await lockBefore(writePath(runPaths(folder).lock), performance.now() + APPEND_MS);
  if (lock === undefined) throw new Error(`${folder}/episodes.jsonl is being written by another process`);
  try {
    await appendEpisode(nodeFiles(), runPaths(folder).episodes, value, { sync: true });
  } finally {
    lock.release();
  }
}

/** Texts of the skills that judge now. */
type TextsOfSkills = () => readonly KeptSkill[];

/** Its episode names its skills by these texts. Those of a skill that was edited since it began are not here any more. */
async function keepTexts(folder: string, texts: TextsOfSkills): Promise<void> {
  const { keepLibrary } = await import("../trace/library-store.ts");
  await keepLibrary(nodeFiles(), folder, texts(), { sha256, hide: redact });
}

function heldSession(
  { folder, title }: SessionFolder,
  id: string,
  lock: HeldLock,
  texts: TextsOfSkills,
): HeldSession {
  return {
    save: async (state) => replaceSync(beside(folder, id, "state.json"), cleanState(state)),
    async append(episode, lines) {
      const file = livePath(folder, episode);
      if (!fs.existsSync(file)) await beginRun(folder, title);
      appendSync(file, `${lines.map(cleanLine).join("\n")}\n`);
    },
    async finish(episode) {
      const file = livePath(folder, episode);
      await appendInTurn(folder, (readableText(file) ?? "").split("\n"), file);
      removeSync(file);
      // Last: a text that cannot be written must not keep the episode from its file.
      await keepTexts(folder, texts);
    },
    left: async () => leftNames(folder, id).map((name) => keptEvent(leftFolder(folder, id), name)),
    release: () => lock.release(),
  };
}

const beside = (folder: string, id: string, what: string): string =>
  livePath(folder, id).replace(/\.jsonl$/, `.${what}`);

const leftFolder = (folder: string, id: string): string => beside(folder, id, "left");

function leftNames(folder: string, id: string): string[] {
  try {
    // A name begins with its time.
    return fs
      .readdirSync(leftFolder(folder, id))
      .filter((name) => name.endsWith(".json"))
      .toSorted();
  } catch {
    return [];
  }
}

const NOTHING: LeftEvent = {
  schema: "hasp.hook-event/1",
  host: "claude-code",
  text: "{}",
  at: 0,
  ms: 0,
  verdict: { kind: "allow", reason: "", injects: [], degraded: [] },
};

/** One that cannot be read says nothing, and goes like the others. */
function keptEvent(folder: string, name: string): KeptEvent {
  const file = path.join(folder, name);
  const value = jsonAt(file);
  return {
    event: hasSchema(value, NOTHING.schema) ? (value as LeftEvent) : NOTHING,
    drop: async () => removeSync(file),
  };
}

/** Digits of milliseconds since 1970, so that names sort by time. */
const TIME_DIGITS = 14;

/** The sessions of one run folder: beside the live file of each episode its state, both for this user alone. */
export function sessionsIn(place: SessionFolder, texts: TextsOfSkills): SessionStore {
  const { folder } = place;
  const { live } = runPaths(folder);
  return {
    async take(id) {
      makeFolderSync(live);
      checkRun(folder);
      const { lock } = tryLock(writePath(beside(folder, id, "lock")));
      return lock && heldSession(place, id, lock, texts);
    },
    state: async (id) => readState(beside(folder, id, "state.json")),
    async leave(id, event) {
      const left = leftFolder(folder, id);
      makeFolderSync(left);
      const time = String(Math.floor(event.at)).padStart(TIME_DIGITS, "0");
      replaceSync(path.join(left, `${time}-${randomUUID().slice(0, 8)}.json`), cleanEvent(event));
    },
    hasLeft: async (id) => leftNames(folder, id).length > 0,
    async lines(episode) {
      return (readableText(livePath(folder, episode)) ?? "").split("\n").filter((line) => line !== "");
    },
    size: async (episode) => fs.statSync(livePath(folder, episode), { throwIfNoEntry: false })?.size ?? 0,
    async idle(before) {
      const names = fs.existsSync(live) ? fs.readdirSync(live) : [];
      return names.flatMap((name) => {
        const file = path.join(live, name);
        if (!name.endsWith(STATE) || modifiedAt(file) >= before) return [];
        const id = idInName(name.slice(0, -STATE.length));
        return id !== undefined && readState(file)?.started === true ? [id] : [];
      });
    },
  };
}

/**
 * The sessions of a workspace. They stand in its `.hasp`; where that cannot be written, or leads elsewhere by a link, with the user, where the
 * editor finds them as well; so do those of a folder that is everybody's. `take` says which. Calls are synchronous inside, where a process that lives for one event would only wait for them.
 */
export function hookSessions(root: string, texts: TextsOfSkills): SessionStore {
  const [inWorkspace, withUser] = sessionFolders(root);
  const second = sessionsIn(withUser, texts);
  const first = isCommon(root) ? second : sessionsIn(inWorkspace, texts);
  let current = first;
  return {
    async take(id) {
      try {
        const held = await first.take(id);
        current = first;
        return held;
      } catch (error) {
        const held = await second.take(id).catch(() => {
          throw error;
        });
        current = second;
        return held;
      }
    },
    state: (id) => current.state(id),
    leave: (id, event) => current.leave(id, event),
    hasLeft: (id) => current.hasLeft(id),
    lines: (episode) => current.lines(episode),
    size: (episode) => current.size(episode),
    idle: (before) => current.idle(before),
  };
}
