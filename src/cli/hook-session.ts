import { spawn } from "node:child_process";
import path from "node:path";
import process from "node:process";
import v8 from "node:v8";
import { answerHook, fallbackReply, type HookRequest } from "../agents/hook/handle.ts";
import type { ActingLibrary, HookLibrary } from "../agents/hook/library.ts";
import { buildOf, readCached } from "../platform/hook-cache.ts";
import { actingLibrary, hookPlace, libraryHost, quickJsAt } from "../platform/hook-place.ts";

/** One event that this process answers by itself. */
export interface HookRun {
  /** What goes out, as JSON; undefined: nothing does. */
  readonly answered: Promise<string | undefined>;
  /** What goes out where the time is up before that. */
  fallback(why: string): string | undefined;
}

/** Milliseconds that are left for the record and the answer once the sandbox has been stopped. */
const RESERVE_MS = 250;

function ended(child: ReturnType<typeof spawn>): Promise<void> {
  return new Promise((resolve) => child.once("close", () => resolve()).once("error", () => resolve()));
}

/**
 * The library, compiled. Where it must be compiled first, a process of its own does that: it takes TypeScript, and outlives us where our
 * time is up before, so that the next event finds it done.
 */
async function libraryOf(root: string, cli: string): Promise<HookLibrary> {
  const build = buildOf(cli);
  const cached = readCached(root, build);
  if (cached !== undefined) return cached;
  const args = [cli, "hook", "compile", root];
  const child = spawn(process.execPath, args, { stdio: "ignore", detached: true, windowsHide: true });
  child.unref();
  await ended(child);
  const compiled = readCached(root, build);
  if (compiled === undefined) throw new Error("the skills could not be compiled");
  return compiled;
}

/** Answers one event in this process. `cli`: the file of the whole command, which compiles. */
export function startHook(request: HookRequest, root: string, cli: string): HookRun {
  // QuickJS runs for a few milliseconds here: better machine code for it would only come too late, and costs half of the whole event.
  // Nor need functions be validated that never run: the file is our own.
  for (const flag of [
    "--liftoff-only",
    "--no-wasm-tier-up",
    "--no-wasm-dynamic-tiering",
    "--wasm-lazy-validation",
  ])
    v8.setFlagsFromString(flag);
  const quickJs = () => quickJsAt(path.join(path.dirname(cli), "quickjs.wasm"));
  let library: ActingLibrary | undefined;
  const endsAt = (): number =>
    (request.budgetMs ?? library?.settings.budgetMs ?? Number.POSITIVE_INFINITY) - RESERVE_MS;
  const place = async () => {
    library = actingLibrary(root, await libraryOf(root, cli));
    return hookPlace(root, library, libraryHost(library, endsAt, quickJs));
  };
  const elapsed = (): number => performance.now();
  const answered = answerHook(request, { place, now: () => Date.now(), elapsed }).then(
    ({ output, trouble }) => {
      if (trouble !== undefined) process.stderr.write(`hasp hook: ${trouble}\n`);
      return output === undefined ? undefined : JSON.stringify(output);
    },
  );
  return {
    answered,
    fallback(why) {
      const { output } = fallbackReply(request, library?.settings, why);
      return output === undefined ? undefined : JSON.stringify(output);
    },
  };
}
