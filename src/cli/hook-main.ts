import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import { HOOK_HOSTS, type HookHost } from "../agents/hook/event.ts";
import { useCompileCache } from "../platform/compile-cache.ts";
import { askResident } from "../platform/hook-client.ts";
import { workspaceOf } from "../platform/hook-workspace.ts";
import { decodeText } from "../trace/decode-text.ts";
import type * as HookSession from "./hook-session.ts";

/** Bytes of an event that are read; nothing that a host sends is near it. */
const MAX_EVENT = 64 * 1024 * 1024;
/** Milliseconds for one event, unless the command line or a trusted hasp.yaml says otherwise. */
const BUDGET_MS = 5_000;
/** Milliseconds that are left for an answer of our own where the resident process gives none. */
const RESERVE_MS = 1_500;

interface Args {
  readonly host: HookHost;
  readonly event: string | undefined;
  readonly budgetMs: number | undefined;
  readonly resident: boolean;
}

function valueOf(argv: readonly string[], name: string): string | undefined {
  const at = argv.indexOf(name);
  if (at >= 0) return argv[at + 1];
  return argv.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
}

function readArgs(argv: readonly string[]): Args {
  const named = valueOf(argv, "--host");
  const host = HOOK_HOSTS.find((one) => one === named);
  // An error would be an answer too, and in some hosts one that stops the agent.
  if (host === undefined) process.stderr.write(`hasp hook: --host must be one of ${HOOK_HOSTS.join(", ")}\n`);
  const ms = Number(valueOf(argv, "--budget-ms") ?? Number.NaN);
  return {
    host: host ?? "claude-code",
    event: valueOf(argv, "--event"),
    budgetMs: Number.isFinite(ms) && ms > 0 ? Math.min(ms, 60_000) : undefined,
    resident: !argv.includes("--no-resident"),
  };
}

/**
 * Standard input to its end. As a stream: a read that waits in a thread of its own, for a host that never closes its end, would keep the
 * process from ending when its time is up.
 */
function readInput(): Promise<string> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    process.stdin.on("data", (piece: Buffer) => {
      size += piece.length;
      if (size > MAX_EVENT) reject(new Error("the event is too long"));
      else pieces.push(piece);
    });
    process.stdin.once("error", reject);
    process.stdin.once("end", () => resolve(decodeText(Buffer.concat(pieces))));
  });
}

/** Where the agent stands, whatever else the event holds. */
function cwdIn(text: string): string | undefined {
  try {
    // As `eventRecord` does it, and for the same reason.
    const raw: unknown = JSON.parse(text);
    const cwd = typeof raw === "object" && raw !== null && "cwd" in raw ? raw.cwd : undefined;
    return typeof cwd === "string" ? cwd : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the answer, whole. Where that takes the host too long, or it has gone, nothing can be done. */
function writeAnswer(output: string | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (output === undefined) return resolve();
    process.stdout.once("error", () => resolve());
    process.stdout.write(`${output}\n`, () => resolve());
  });
}

/** One answer, at once, and the end of this process: nothing that is still under way may add to it. */
function finish(output: string | undefined): void {
  if (output !== undefined) {
    try {
      fs.writeSync(1, `${output}\n`);
    } catch {
      // The host has gone.
    }
  }
  process.exit(0);
}

/**
 * The environment says that nobody sits at Claude Code to be asked: `claude -p`, or the agent inside of another program. Its events say only
 * which mode it is in, and that is the default one there.
 */
function isUnattended(host: HookHost, { CLAUDE_CODE_ENTRYPOINT: entry = "" }: NodeJS.ProcessEnv): boolean {
  return host === "claude-code" && /^sdk-|github-action/.test(entry);
}

interface HookProcess {
  readonly args: Args;
  /** The event that this process answers by itself. */
  run?: HookSession.HookRun;
  /** Resolves once the answer is written; undefined as long as there is none. */
  answerWritten?: Promise<void>;
}

/** Answers the event, through the resident process or here, and records it. */
async function answerEvent(hook: HookProcess): Promise<void> {
  const { host, event, budgetMs, resident } = hook.args;
  const text = await readInput();
  const root = workspaceOf(cwdIn(text));
  const request = { host, event, text, budgetMs, unattended: isUnattended(host, process.env) };
  const answer = (output: string | undefined): void => void (hook.answerWritten = writeAnswer(output));
  const line = resident
    ? await askResident(root, { ...request, root }, leftOf(budgetMs) - RESERVE_MS)
    : undefined;
  const reply = line === undefined ? undefined : readReply(line);
  if (reply !== undefined) answer(reply.output === undefined ? undefined : JSON.stringify(reply.output));
  else {
    useCompileCache();
    const load = createRequire(__filename);
    const { startHook } = load(path.join(__dirname, "hook-session.cjs")) as typeof HookSession;
    hook.run = startHook(request, root, path.join(__dirname, "hasp.cjs"), answer);
    await hook.run.recorded;
  }
  await hook.answerWritten;
}

/** Milliseconds of the time of an event that are left: it began with this process. */
const leftOf = (budgetMs: number | undefined): number => (budgetMs ?? BUDGET_MS) - performance.now();

function readReply(line: string): { readonly output?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null || !("done" in value)) return undefined;
    return "output" in value ? { output: value.output } : {};
  } catch {
    return undefined;
  }
}

/**
 * `hasp hook --host …`: one event on standard input, one answer on standard output, exit code 0 whatever happens. What cannot be judged
 * in time is answered as if we were not there, unless a trusted hasp.yaml says `on_failure: closed`.
 */
export function runHook(argv: readonly string[]): void {
  const hook: HookProcess = { args: readArgs(argv) };
  const giveUp = (why: string): void => {
    process.stderr.write(`hasp hook: ${why}\n`);
    // The answer is out; only the record remains.
    if (hook.answerWritten !== undefined) process.exit(0);
    finish(hook.run === undefined ? "{}" : hook.run.fallback(why));
  };
  process.on("uncaughtException", (error) => giveUp(error.message));
  // Locks are released at the exit: a host that ends us leaves no other event of the session waiting.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => process.exit(0));
  setTimeout(() => giveUp("its time was up"), leftOf(hook.args.budgetMs));
  answerEvent(hook).then(
    () => process.exit(0),
    (error: unknown) => giveUp(error instanceof Error ? error.message : String(error)),
  );
}

if (require.main === module) runHook(process.argv.slice(2));
