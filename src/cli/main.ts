import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import { isMainThread, workerData } from "node:worker_threads";
import { useCompileCache } from "../platform/compile-cache.ts";
import { keepHeapSmall } from "../platform/small-heap.ts";
import { SERVE } from "../platform/worker-contract.ts";
import { untilSignal } from "./until-signal.ts";
import type * as HookMain from "./hook-main.ts";
import { tooOldNode } from "./node-version.ts";

/** The role of the thread that reads what a workspace brings (hook-prepare.ts). */
const PREPARING = "hook-prepare";

/** `hasp … | head` closes our output early: that is the end of the work, not an error. */
function endWithOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit();
    throw error;
  });
}

/** The subcommands of `hasp hook` are for people; anything else is an event of a host. */
function isHookEvent([command, sub]: readonly string[]): boolean {
  return command === "hook" && (sub === undefined || (sub.startsWith("--") && sub !== "--help"));
}

/** Before anything else is loaded: an agent waits for it at every call. */
function answerHookEvent(args: readonly string[]): void {
  const file = path.join(__dirname, "hook.cjs");
  if (!existsSync(file)) {
    // Exit code 1 stops no agent: the host shows the words, and the call goes on.
    process.stderr.write(
      "hasp: hook.cjs is missing beside hasp.cjs; hooks need the whole dist folder of HASP Studio.\n",
    );
    process.exitCode = 1;
    return;
  }
  const { runHook } = createRequire(__filename)(file) as typeof HookMain;
  runHook(args);
}

/** A command that would fail midway, at what this Node lacks, does not begin. */
function refuseOldNode(): boolean {
  const why = tooOldNode(process.versions.node, process.execPath);
  if (why === undefined) return false;
  process.stderr.write(`${why}\n`);
  process.exitCode = 2;
  return true;
}

/** Our own process, started with a channel to us; a person who types the word gets what any unknown command gets. */
const isWorker = ([command]: readonly string[]): boolean => command === SERVE && process.send !== undefined;

function isPreparing(): boolean {
  return (workerData as { readonly role?: unknown }).role === PREPARING;
}

/** The CLI is one file: it is also the file its workers start from (DESIGN.md, "One-file CLI"). */
async function start(): Promise<void> {
  const args = process.argv.slice(2);
  if (isMainThread && isHookEvent(args)) answerHookEvent(args.slice(1));
  else if (isMainThread && args[0] === "hook" && args[1] === "compile") {
    const { prepareForHooks } = await import("./hook-prepare.ts");
    await prepareForHooks(args[2] ?? process.cwd(), __filename);
  } else if (isMainThread && args[0] === "hook" && args[1] === "ship") {
    const { shipSkills } = await import("./hook-ship.ts");
    await shipSkills(args[2] ?? __dirname, __filename);
  } else if (isMainThread && refuseOldNode()) {
    return;
  } else if (isMainThread && !isWorker(args)) {
    useCompileCache();
    if (args[0] === "import") keepHeapSmall();
    endWithOutput();
    const { runCli } = await import("./program.ts");
    process.exitCode = await runCli(args, { streams: process, untilInterrupted: untilSignal });
  } else if (!isMainThread && isPreparing()) {
    const { runPreparing } = await import("./hook-prepare.ts");
    await runPreparing();
  } else {
    await import("../platform/worker-main.ts");
  }
}

void start();
