import {
  DefaultIntrinsics,
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
} from "quickjs-emscripten-core";
import type { PfProgram } from "../model/skill.ts";
import { default as guestScript } from "./guest/guest.ts?guest";
import { breakdown, Broken, hostFault } from "./breakdown.ts";
import { LIMITS, type Guest } from "./wire.ts";

/** Milliseconds on any steady clock. */
export type Now = () => number;

/** `import { … } from "hasp"` inside the sandbox. The global it reads is gone when PFs run (guest/harden.ts). */
const HASP_MODULE =
  "export const { ProgramFunction, modifyAction, injectContext, noop, freshQuery, tellingWords } = globalThis.haspModule;";

/** One JavaScript world in a WebAssembly module of its own. After it throws Broken it must not be used again. */
export interface Realm {
  has(skillId: string): boolean;
  /** Evaluates a PF's module. Answers `{ traits }` or `{ fault }` as JSON. */
  load(program: PfProgram): string;
  /** Judges to the end. Answers `Reply<SentJudged[]>` as JSON. */
  judge(request: string, deadlineMs: number): string;
  /** Answers ProbeReply as JSON. Only in a probing realm. */
  probe(skillId: string, request: string): string;
}

interface World {
  readonly runtime: QuickJSRuntime;
  readonly context: QuickJSContext;
  readonly guest: QuickJSHandle;
  readonly setDeadline: (ms: number) => void;
  readonly isLate: () => boolean;
  readonly imports: { refused: string | undefined };
}

function evaluate(
  context: QuickJSContext,
  code: string,
  name: string,
  type: "global" | "module",
): QuickJSHandle {
  const result = context.evalCode(code, name, { type });
  if (result.error === undefined) return result.value;
  throw breakdown(context, result.error);
}

/** Calls one of the guest's functions. Throws Broken where it does not return. */
function callGuest(world: World, name: keyof Guest, args: readonly QuickJSHandle[]): QuickJSHandle {
  const { context, guest } = world;
  const result = context.getProp(guest, name).consume((fn) => context.callFunction(fn, guest, ...args));
  for (const arg of args) if (arg.alive) arg.dispose();
  if (result.error !== undefined) throw breakdown(context, result.error);
  return result.value;
}

function askGuest(world: World, name: keyof Guest, ...args: readonly (string | QuickJSHandle)[]): string {
  const handles = args.map((arg) => (typeof arg === "string" ? world.context.newString(arg) : arg));
  return callGuest(world, name, handles).consume((handle) =>
    world.context.typeof(handle) === "string" ? world.context.getString(handle) : "",
  );
}

function limit(runtime: QuickJSRuntime, now: Now): Pick<World, "setDeadline" | "isLate"> {
  let deadline = Number.POSITIVE_INFINITY;
  const isLate = (): boolean => now() > deadline;
  runtime.setMemoryLimit(LIMITS.memoryBytes);
  runtime.setMaxStackSize(LIMITS.stackBytes);
  runtime.setInterruptHandler(isLate);
  return {
    isLate,
    setDeadline: (ms) => {
      deadline = now() + ms;
    },
  };
}

/**
 * Only "hasp" can be imported. Any other name leads to a module of its own that throws, never to another PF's; what was
 * asked for is noted, because a failed link names only the missing export.
 */
function guardImports(runtime: QuickJSRuntime): { refused: string | undefined } {
  const seen: { refused: string | undefined } = { refused: undefined };
  runtime.setModuleLoader(
    () => `throw new TypeError('a PF imports only "hasp"');`,
    (_from, name) => {
      if (name === "hasp") return name;
      seen.refused = name;
      return `refused:${name}`;
    },
  );
  return seen;
}

/** No Date, no typed arrays (and so no shared memory or Atomics); `eval` is needed to load modules and removed by the guest. */
const INTRINSICS = { ...DefaultIntrinsics, Date: false, TypedArrays: false };

async function openWorld(probing: boolean, now: Now): Promise<World> {
  const { default: variant } = await import("@jitl/quickjs-singlefile-cjs-release-sync");
  const runtime = (await newQuickJSWASMModuleFromVariant(variant)).newRuntime();
  const limits = limit(runtime, now);
  const context = runtime.newContext({ intrinsics: INTRINSICS });
  const guest = evaluate(context, `(() => { ${guestScript}; return hasp.guest; })()`, "hasp:guest", "global");
  const world: World = { runtime, context, guest, imports: guardImports(runtime), ...limits };
  context.getProp(guest, "module").consume((module) => context.setProp(context.global, "haspModule", module));
  evaluate(context, HASP_MODULE, "hasp", "module").dispose();
  callGuest(world, "harden", [probing ? context.true : context.false]).dispose();
  return world;
}

function drain(world: World): void {
  for (;;) {
    const ran = world.runtime.executePendingJobs(1_000);
    if (ran.error !== undefined) throw breakdown(world.context, ran.error);
    if (ran.value === 0) return;
    if (world.isLate()) throw new Broken(hostFault("interrupted"));
  }
}

function faultOf(message: string, line?: number): string {
  return JSON.stringify({ fault: { cause: "threw", message, line } });
}

function refusedImport(code: string, name: string): string {
  const line = code.split("\n").findIndex((text) => text.includes(`"${name}"`) || text.includes(`'${name}'`));
  return faultOf(`imports "${name}": a PF imports only "hasp"`, line < 0 ? undefined : line + 1);
}

/** A module's namespace; of one with a top-level `await`, once that has settled. */
function settled(world: World, handle: QuickJSHandle): QuickJSHandle | "pending" {
  drain(world);
  const state = world.context.getPromiseState(handle);
  if (state.type === "pending") return "pending";
  if (state.type === "rejected") throw new Rejected(state.error);
  return state.value;
}

class Rejected {
  readonly reason: QuickJSHandle;
  constructor(reason: QuickJSHandle) {
    this.reason = reason;
  }
}

function loadInto(world: World, program: PfProgram): string {
  const { skillId, code } = program;
  if (code.length > LIMITS.programChars)
    return faultOf(`The PF has ${code.length} characters; ${LIMITS.programChars} are allowed.`);
  world.setDeadline(LIMITS.stepMs);
  world.imports.refused = undefined;
  const result = world.context.evalCode(code, `pf:${skillId}`, { type: "module" });
  if (result.error !== undefined) return describeLoad(world, program, result.error);
  try {
    const namespace = settled(world, result.value);
    if (namespace === "pending")
      return faultOf("The module waits (top-level await) for something that never comes.");
    return askGuest(world, "register", skillId, namespace);
  } catch (error) {
    if (error instanceof Rejected) return describeLoad(world, program, error.reason);
    throw error;
  }
}

function describeLoad(world: World, { skillId, code }: PfProgram, error: QuickJSHandle): string {
  if (world.isLate()) throw breakdown(world.context, error);
  const { refused } = world.imports;
  if (refused === undefined) return `{"fault":${askGuest(world, "describe", skillId, error)}}`;
  error.dispose();
  return refusedImport(code, refused);
}

function judgeIn(world: World, request: string, deadlineMs: number): string {
  world.setDeadline(deadlineMs);
  askGuest(world, "begin", request);
  for (;;) {
    drain(world);
    const reply = askGuest(world, "poll");
    if (reply !== "") return reply;
  }
}

/** Opens a realm: 5–10 ms. `probing` gives PFs the global `__hasp_probe`. */
export async function openRealm(probing: boolean, now: Now): Promise<Realm> {
  const world = await openWorld(probing, now);
  const loaded = new Set<string>();
  return {
    has: (skillId) => loaded.has(skillId),
    load(program) {
      const answer = loadInto(world, program);
      if (!answer.startsWith('{"fault"')) loaded.add(program.skillId);
      return answer;
    },
    judge: (request, deadlineMs) => judgeIn(world, request, deadlineMs),
    probe(skillId, request) {
      world.setDeadline(LIMITS.stepMs);
      return askGuest(world, "probe", skillId, request);
    },
  };
}
