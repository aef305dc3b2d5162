import process from "node:process";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { unreadPart } from "../agents/hook/library.ts";
import type { OnFailure } from "../agents/hook/install/host-config.ts";
import {
  buildOf,
  makeHookCache,
  preparingLock,
  readPrepared,
  sourceAt,
  writePrepared,
  type PreparedWorkspace,
  type Source,
} from "../platform/hook-cache.ts";
import { trustedHash } from "../platform/trust.ts";
import { variables } from "../platform/surroundings.ts";
import { tryLock } from "../platform/process-lock.ts";
import { CONFIG_FILE } from "../skill/workspace-files.ts";

/** Milliseconds for all that a workspace brings; what takes longer is not waited for. */
const LIMIT_MS = 30_000;
/** Megabytes of the thread that reads. */
const HEAP_MB = 512;

/** The thread's order, its `workerData`. */
interface Job {
  readonly role: "hook-prepare";
  readonly root: string;
  readonly cli: string;
}

type Message = { readonly sources: readonly Source[] } | { readonly prepared: PreparedWorkspace };

/** The thread's side. It reads a stranger's files, and may hang. */
export async function runPreparing(): Promise<void> {
  const { root, cli } = workerData as Job;
  const { compileWorkspace } = await import("../platform/hook-compile.ts");
  const port = parentPort;
  const say = (message: Message): void => port?.postMessage(message, []);
  say({ prepared: await compileWorkspace(root, cli, (sources) => say({ sources })) });
}

/** Stands in for a workspace that cannot be read in time. A change of `sources` makes the next event try again. */
function unread(
  root: string,
  cli: string,
  sources: readonly Source[] | undefined,
  why: string,
): PreparedWorkspace {
  const trusted = trustedHash(root);
  return {
    schema: "hasp.hook-workspace/1",
    build: buildOf(cli),
    sources: sources ?? [sourceAt(`${root}/${CONFIG_FILE}`), sourceAt(root)],
    isTrusted: trusted !== undefined,
    // Of one that nobody trusts there is nothing to say.
    part: trusted === undefined ? undefined : unreadPart(trusted, why),
  };
}

/**
 * Reads what a workspace brings to its agents' sessions, and compiles it where a person said yes to it, in a thread that is stopped where it takes
 * too long. `cli`: the file of this command. Never rejects.
 */
export function prepareWorkspace(root: string, cli: string, limitMs = LIMIT_MS): Promise<PreparedWorkspace> {
  return new Promise((resolve) => {
    const job: Job = { role: "hook-prepare", root, cli };
    const worker = new Worker(cli, {
      workerData: job,
      env: { ...variables() },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    let sources: readonly Source[] | undefined;
    const end = (prepared: PreparedWorkspace): void => {
      clearTimeout(timer);
      resolve(prepared);
      void worker.terminate();
    };
    const giveUp = (why: string): void => end(unread(root, cli, sources, why));
    const timer = setTimeout(() => giveUp("take too long to be read and compiled"), limitMs);
    worker.on("message", (message: Message) => {
      if ("prepared" in message) end(message.prepared);
      else sources = message.sources;
    });
    worker.on("error", (error) =>
      giveUp(`cannot be read: ${error instanceof Error ? error.message : String(error)}`),
    );
    worker.on("exit", (code) => giveUp(`cannot be read: their thread ended with code ${code}`));
  });
}

/** The prepared workspace from the cache if nothing has changed since; else prepares it, and caches it if the cache can be written. */
export async function preparedWorkspace(root: string, cli: string): Promise<PreparedWorkspace> {
  const kept = readPrepared(root, buildOf(cli), trustedHash(root));
  if (kept !== undefined) return kept;
  const prepared = await prepareWorkspace(root, cli);
  try {
    writePrepared(root, prepared);
  } catch {
    // A full disk, or a home that cannot be written: it is prepared anew the next time.
  }
  return prepared;
}

/** `hook.on_failure` of a workspace, once a person said yes to its content; else the default. */
export async function trustedOnFailure(root: string, cli: string): Promise<OnFailure> {
  const trusted = trustedHash(root);
  if (trusted === undefined) return "open";
  const { part } = await preparedWorkspace(root, cli);
  return part?.hash === trusted ? part.settings.onFailure : "open";
}

/** The lock of the one that prepares; undefined while another process does. Without a cache there is nobody to keep out. */
function lockFor(root: string): { release(): void } | undefined {
  try {
    makeHookCache();
    return tryLock(preparingLock(root)).lock;
  } catch {
    return { release: () => undefined };
  }
}

/**
 * `hasp hook compile <root>`: prepares a workspace for the hooks to come, which load no compiler, unless another process does so now. The result
 * also goes out on standard output, for the hook that waits: the cache may not be writable.
 */
export async function prepareForHooks(root: string, cli: string): Promise<void> {
  const lock = lockFor(root);
  if (lock === undefined) return;
  // Whoever waited for it may have gone.
  process.stdout.on("error", () => undefined);
  try {
    process.stdout.write(JSON.stringify(await preparedWorkspace(root, cli)));
  } finally {
    lock.release();
  }
}
