import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { claudeLog } from "../agents/hook/dead/claude-log.ts";
import { codexLog } from "../agents/hook/dead/codex-log.ts";
import type { HostLogReader } from "../agents/hook/dead/host-log.ts";
import { parseJson } from "../model/read-json.ts";
import { decodeUtf8 } from "../trace/text-lines.ts";
import type { NodeFiles } from "./files.ts";
import { configFile } from "./hook-install.ts";
import { workspaceOf } from "./hook-workspace.ts";

/** The hosts whose own logs HASP reads. */
export const LOGGING_HOSTS = ["claude-code", "codex"] as const;
export type LoggingHost = (typeof LOGGING_HOSTS)[number];

/** The files in which a host logged one session, as they are now. */
export interface SessionLog {
  readonly host: LoggingHost;
  readonly session: string;
  readonly files: readonly LogFile[];
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

interface LogFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

const READERS: Readonly<Record<LoggingHost, (session: string) => HostLogReader>> = {
  "claude-code": claudeLog,
  codex: codexLog,
};

export const readerFor = ({ host, session }: SessionLog): HostLogReader => READERS[host](session);

/** Names in a folder, the last first; none where it cannot be read. */
async function namesIn(folder: string): Promise<string[]> {
  const names: string[] = await readdir(folder).catch(() => []);
  return names.toSorted().toReversed();
}

/** The file as it is; undefined for anything else, such as a link or a pipe. */
async function logFile(file: string): Promise<LogFile | undefined> {
  const stat = await lstat(file).catch(() => undefined);
  if (stat?.isFile() !== true) return undefined;
  return { path: file, size: stat.size, mtimeMs: stat.mtimeMs };
}

async function logFiles(folder: string, names: readonly string[]): Promise<LogFile[]> {
  const found = await Promise.all(names.map((name) => logFile(path.join(folder, name))));
  return found.filter((file) => file !== undefined);
}

const ENDING = ".jsonl";
const isLog = (name: string): boolean => name.endsWith(ENDING);
const newestFirst = (files: readonly LogFile[]): LogFile[] => files.toSorted((a, b) => b.mtimeMs - a.mtimeMs);

/** Characters of a folder's name that Claude Code takes from the path; of a longer path a hash follows. */
const NAMED = 200;

/** The start of the name that Claude Code gives to the folder of a workspace. */
const claudeName = (root: string): string => root.replaceAll(/[^A-Za-z0-9]/g, "-").slice(0, NAMED);

/** Folders in which Claude Code keeps the sessions of the workspace: one, but where its name is too long for a folder. */
export async function claudeProjects(home: string, root: string): Promise<string[]> {
  const projects = path.join(home, "projects");
  const name = claudeName(root);
  const isOf = (one: string): boolean => (name.length < NAMED ? one === name : one.startsWith(name));
  return (await namesIn(projects)).filter(isOf).map((one) => path.join(projects, one));
}

/** Main transcripts of the sessions that may have begun in the workspace: the folder's name does not tell `/a/b` from `/a-b`. */
async function claudeFiles(home: string, root: string): Promise<LogFile[]> {
  const projects = path.join(home, "projects");
  const start = claudeName(root);
  const folders = (await namesIn(projects)).filter((name) => name.startsWith(start));
  const found = folders.map(async (name) => {
    const folder = path.join(projects, name);
    return logFiles(folder, (await namesIn(folder)).filter(isLog));
  });
  return newestFirst((await Promise.all(found)).flat());
}

/** Rollouts that are looked at for their workspace: Codex keeps those of all workspaces together. */
const MOST_ROLLOUTS = 200;

async function codexFiles(home: string): Promise<LogFile[]> {
  let folders = [path.join(home, "sessions")];
  // Year, month, day.
  for (let level = 0; level < 3; level++) {
    const below: string[] = [];
    for (const folder of folders)
      below.push(...(await namesIn(folder)).map((name) => path.join(folder, name)));
    folders = below.slice(0, MOST_ROLLOUTS);
  }
  const files: LogFile[] = [];
  for (const folder of folders) {
    if (files.length >= MOST_ROLLOUTS) break;
    files.push(...(await logFiles(folder, (await namesIn(folder)).filter(isLog))));
  }
  return newestFirst(files).slice(0, MOST_ROLLOUTS);
}

const HEAD_BYTES = 65_536;
const CWD = /"cwd":("(?:[^"\\]|\\.){0,4096}")/;

/** Whether a session began in the workspace: its log says so near its beginning. */
async function beganIn(files: NodeFiles, root: string, { path: file }: LogFile): Promise<boolean> {
  const head = await files.read(file, 0, HEAD_BYTES).catch(() => new Uint8Array());
  const cwd = parseJson(CWD.exec(decodeUtf8([head]))?.[1] ?? "");
  return typeof cwd === "string" && workspaceOf(cwd) === root;
}

async function subagentFiles({ path: file }: LogFile): Promise<LogFile[]> {
  const folder = path.join(file.slice(0, -ENDING.length), "subagents");
  return logFiles(folder, (await namesIn(folder)).filter(isLog));
}

/** The folder of a host's own files. */
export const hostHome = (host: LoggingHost, root: string): string =>
  path.dirname(configFile(host, "user", root) ?? root);

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The latest sessions of a host in a workspace, the newest first, and how many older ones there are at least. */
export async function latestLogs(
  files: NodeFiles,
  host: LoggingHost,
  root: string,
  { most, changedAfter }: { readonly most: number; readonly changedAfter: number },
): Promise<{ readonly logs: readonly SessionLog[]; readonly older: number }> {
  const home = hostHome(host, root);
  const isClaude = host === "claude-code";
  const candidates = await (isClaude ? claudeFiles(home, root) : codexFiles(home));
  const logs: SessionLog[] = [];
  for (const [i, file] of candidates.entries()) {
    if (logs.length >= most || file.mtimeMs < changedAfter)
      return { logs, older: isClaude ? candidates.length - i : 0 };
    if (!(await beganIn(files, root, file))) continue;
    const name = path.basename(file.path, ENDING);
    const all = isClaude ? [file, ...(await subagentFiles(file))] : [file];
    const changedAt = Math.max(...all.map(({ mtimeMs }) => mtimeMs));
    logs.push({ host, session: UUID.exec(name)?.[0] ?? name, files: all, changedAt });
  }
  return { logs, older: 0 };
}
