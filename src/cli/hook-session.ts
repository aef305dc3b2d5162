import type { ChildProcess } from "node:child_process";
import path from "node:path";
import process from "node:process";
import v8 from "node:v8";
import { answerHook, fallbackReply } from "../agents/hook/handle.ts";
import type { HookPlace, HookReply, HookRequest } from "../agents/hook/visit.ts";
import { preparingLock, readPrepared, buildOf, type PreparedWorkspace } from "../platform/hook-cache.ts";
import { workspacePart } from "../platform/hook-part.ts";
import { openHookPlace } from "../platform/hook-place.ts";
import { readShipped } from "../platform/hook-shipped.ts";
import { trustedHash } from "../platform/trust.ts";
import { isHeld } from "../platform/process-lock.ts";
import { quickJsAt } from "../platform/quickjs-file.ts";

/** One event that this process answers by itself. */
export interface HookRun {
  /** Resolves once the answer is given and recorded, or cannot be recorded. */
  readonly recorded: Promise<void>;
  /** What goes out where the time is up before that. */
  fallback(why: string): string | undefined;
}

/** Milliseconds that are left for the answer once the sandbox has been stopped. */
const RESERVE_MS = 250;
/** Milliseconds of its time for which an event waits for skills to be compiled, where nothing else says how much that is. */
const WAIT_MS = 4_000;
const POLL_MS = 25;

/** The whole output of the process. */
function printed(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    child.stdout?.on("data", (piece: Buffer) => pieces.push(piece));
    child.once("error", () => resolve(""));
    child.once("close", () => resolve(Buffer.concat(pieces).toString("utf8")));
  });
}

/** Another process prepares it: what that one keeps, once it has ended. */
async function preparedElsewhere(root: string, cli: string): Promise<PreparedWorkspace | undefined> {
  while (isHeld(preparingLock(root))) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  return readPrepared(root, buildOf(cli), trustedHash(root));
}

/**
 * Prepares the workspace in a process of its own: that takes TypeScript, and outlives us where our time is up before, so that the next event
 * finds it done.
 */
async function prepare(root: string, cli: string): Promise<PreparedWorkspace | undefined> {
  if (isHeld(preparingLock(root))) return preparedElsewhere(root, cli);
  // Loaded by the few events that need it.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const args = [cli, "hook", "compile", root];
  const stdio = ["ignore", "pipe", "ignore"] as const;
  const child = spawn(process.execPath, args, { stdio: [...stdio], detached: true, windowsHide: true });
  child.unref();
  try {
    return JSON.parse(await printed(child)) as PreparedWorkspace;
  } catch {
    return preparedElsewhere(root, cli);
  }
}

const jsonOf = ({ output }: HookReply): string | undefined =>
  output === undefined ? undefined : JSON.stringify(output);

/** QuickJS runs for a few milliseconds here: better machine code for it would only come too late, and costs half of the whole event. */
function tuneForOneEvent(): void {
  // Nor need functions be validated that never run: the file is our own.
  for (const flag of [
    "--liftoff-only",
    "--no-wasm-tier-up",
    "--no-wasm-dynamic-tiering",
    "--wasm-lazy-validation",
  ])
    v8.setFlagsFromString(flag);
}

/**
 * Answers one event in this process. `cli`: the file of the whole command, which compiles. `answer` is called once with JSON
 * (undefined: the host expects none), before anything is recorded.
 */
export function startHook(
  request: HookRequest,
  root: string,
  cli: string,
  answer: (output: string | undefined) => void,
): HookRun {
  tuneForOneEvent();
  const dist = path.dirname(cli);
  let place: HookPlace | undefined;
  const endsAt = (): number =>
    (request.budgetMs ?? place?.library.settings.budgetMs ?? Number.POSITIVE_INFINITY) - RESERVE_MS;
  const parts = {
    dist,
    workerFile: path.join(dist, "hook-worker.cjs"),
    quickJs: () => quickJsAt(path.join(dist, "quickjs.wasm")),
    endsAt,
  };
  const openPlace = async () => {
    const shipped = readShipped(dist);
    const waitMs = (request.budgetMs ?? WAIT_MS) - RESERVE_MS * 2 - performance.now();
    // Whatever the workspace holds, the shipped skills decide.
    const part = await workspacePart(root, { cli, prepare: () => prepare(root, cli), waitMs }).catch(
      () => undefined,
    );
    return (place = openHookPlace(root, shipped, part, parts));
  };
  const ports = {
    place: openPlace,
    now: () => Date.now(),
    elapsed: () => performance.now(),
    reply: (given: HookReply) => answer(jsonOf(given)),
  };
  const recorded = answerHook(request, ports).then(({ trouble }) => {
    if (trouble !== undefined) process.stderr.write(`hasp hook: ${trouble}\n`);
  });
  return {
    recorded,
    fallback: (why) => jsonOf(fallbackReply(request, place?.library.settings, why)),
  };
}
