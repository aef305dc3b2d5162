import {
  DefaultIntrinsics,
  newQuickJSWASMModuleFromVariant,
  newVariant,
  StaticLifetime,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
  type StaticJSValue,
} from "quickjs-emscripten-core";
import type { PfProgram } from "../model/skill.ts";
import { default as guestScript, hash as guestHash } from "./guest/guest.ts?guest";
import { HASP_WORDS } from "./hasp-words.ts";
import { breakdown, Broken, hostFault } from "./breakdown.ts";
import {
  copyPages,
  newMemory,
  putPages,
  type LinearMemory,
  type RealmImage,
  type RealmStart,
} from "./realm-image.ts";
import { imageSnapshot, takeSnapshot } from "./memory-snapshot.ts";
import { LIMITS, type Guest } from "./wire.ts";

/** Milliseconds on any steady clock. */
export type Now = () => number;

/** `import { … } from "hasp"` inside the sandbox. The global it reads is gone when PFs run (guest/harden.ts). */
const HASP_MODULE = `export const { ${HASP_WORDS.join(", ")} } = globalThis.haspModule;`;

/** Tells one build of the guest from another. */
const MARK = `${guestHash} ${HASP_MODULE}`;

/**
 * One JavaScript world in a WebAssembly module of its own. Every crossing (`judge`, `probe`) starts from its memory as it was when the last
 * PF had been loaded. After it throws Broken it must not be used again.
 */
export interface Realm {
  has(skillId: string): boolean;
  /** Evaluates a PF's module. Answers `{ traits }` or `{ fault }` as JSON. */
  load(program: PfProgram, deadlineMs?: number): string;
  /** Judges to the end, in a crossing. Answers `Reply<SentJudged[]>` as JSON. */
  judge(request: string, deadlineMs: number): string;
  /** Answers ProbeReply as JSON, in a crossing. Only in a probing realm. */
  probe(skillId: string, request: string, deadlineMs: number): string;
  /** What another process opens this realm from; undefined where its memory has grown. Nothing was judged in it yet. */
  image(): Promise<RealmImage | undefined>;
}

/** A QuickJS with nothing in it. */
interface Bare {
  readonly memory: LinearMemory;
  /** Where its global object lies. It is another place where anything before it was allocated otherwise. */
  readonly anchor: number;
  readonly runtime: QuickJSRuntime;
  readonly context: QuickJSContext;
  readonly setDeadline: (ms: number) => void;
  readonly isLate: () => boolean;
  readonly imports: { refused: string | undefined };
}

interface World extends Bare {
  readonly guest: QuickJSHandle;
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

/**
 * The variant in the package's module. The package is CommonJS: a loader that follows Node hands over all its exports as the default one,
 * another loader the default export itself.
 */
async function singleFileVariant(): Promise<QuickJSSyncVariant> {
  const { default: exported } = await import("@jitl/quickjs-singlefile-cjs-release-sync");
  return "default" in exported ? (exported.default as QuickJSSyncVariant) : exported;
}

/** Characters of the machine's language and the program's name together: C's library keeps both at the start of its heap. */
const STARTING_TEXT = 64;

/**
 * A name with which C's library allocates the same number of bytes on every machine. By default it is the path of this process's script: the
 * heap would begin at another address in each place of installation, and no image would fit.
 */
function programName(): string {
  const { navigator } = globalThis as { readonly navigator?: { readonly language: string } };
  const language = navigator?.language ?? "C";
  return "hasp".padEnd(STARTING_TEXT - language.length, "-");
}

async function openBare(now: Now, module: WebAssembly.Module | undefined): Promise<Bare> {
  const memory = newMemory();
  // An option of Emscripten that the types of the variant leave out.
  const emscriptenModule = { wasmMemory: memory, thisProgram: programName() };
  const variant = newVariant(await singleFileVariant(), {
    emscriptenModule,
    ...(module !== undefined && { wasmModule: module }),
  });
  const runtime = (await newQuickJSWASMModuleFromVariant(variant)).newRuntime();
  const limits = limit(runtime, now);
  const context = runtime.newContext({ intrinsics: INTRINSICS });
  const imports = guardImports(runtime);
  return { memory, anchor: context.global.value, runtime, context, imports, ...limits };
}

/** Puts the guest into it and takes away what PFs must not reach. */
function furnish(bare: Bare, probing: boolean): World {
  const { context } = bare;
  const guest = evaluate(context, `(() => { ${guestScript}; return hasp.guest; })()`, "hasp:guest", "global");
  const world: World = { ...bare, guest };
  context.getProp(guest, "module").consume((module) => context.setProp(context.global, "haspModule", module));
  evaluate(context, HASP_MODULE, "hasp", "module").dispose();
  callGuest(world, "harden", [probing ? context.true : context.false]).dispose();
  return world;
}

/** The world that an image was taken of. Its memory replaces ours, which up to here was filled in the same order. */
function revive(bare: Bare, image: RealmImage): World {
  putPages(bare.memory, image);
  const guest: StaticJSValue = new StaticLifetime(image.guest as StaticJSValue["value"], bare.runtime);
  return { ...bare, guest };
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

function loadInto(world: World, program: PfProgram, deadlineMs: number): string {
  const { skillId, code } = program;
  if (code.length > LIMITS.programChars)
    return faultOf(`The PF has ${code.length} characters; ${LIMITS.programChars} are allowed.`);
  world.setDeadline(deadlineMs);
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

/** Puts a world back to where its PFs had been loaded, whenever something has been judged in it since. */
interface Rewind {
  /** Before something is judged. */
  beforeCrossing(): void;
  /** Before a PF is loaded: it must not find what was judged. */
  beforeLoad(): void;
}

function rewind({ memory }: World, image: RealmImage | undefined): Rewind {
  let loaded = image && imageSnapshot(memory, image);
  let isDirty = false;
  const clean = (): void => {
    if (isDirty) loaded?.restore();
    isDirty = false;
  };
  return {
    beforeCrossing() {
      clean();
      loaded ??= takeSnapshot(memory);
      isDirty = true;
    },
    beforeLoad() {
      clean();
      loaded = undefined;
    },
  };
}

/**
 * Opens a realm: 100 ms of work with 15 PFs, a quarter of that from an image of one. An image of another build of the guest, or one whose
 * memory was laid out otherwise, is left aside. `probing` gives PFs the global `__hasp_probe`.
 */
export async function openRealm(
  probing: boolean,
  now: Now,
  { module, image }: RealmStart = {},
): Promise<Realm> {
  const bare = await openBare(now, module);
  const kept = image?.anchor === bare.anchor && image.mark === MARK && !probing ? image : undefined;
  const world = kept === undefined ? furnish(bare, probing) : revive(bare, kept);
  const loaded = new Map(kept?.answers);
  const past = rewind(world, kept);
  return {
    has: (skillId) => loaded.has(skillId),
    load(program, deadlineMs = LIMITS.stepMs) {
      const known = loaded.get(program.skillId);
      // A realm in use is never asked to load another program of the same id: quickjs-host.ts opens a new one.
      if (known !== undefined) return known;
      past.beforeLoad();
      const answer = loadInto(world, program, deadlineMs);
      if (!answer.startsWith('{"fault"')) loaded.set(program.skillId, answer);
      return answer;
    },
    judge(request, deadlineMs) {
      past.beforeCrossing();
      return judgeIn(world, request, deadlineMs);
    },
    probe(skillId, request, deadlineMs) {
      past.beforeCrossing();
      world.setDeadline(deadlineMs);
      return askGuest(world, "probe", skillId, request);
    },
    async image() {
      const pages = copyPages(world.memory, (await openBare(now, module)).memory);
      return (
        pages && {
          mark: MARK,
          anchor: world.anchor,
          guest: world.guest.value,
          answers: [...loaded],
          ...pages,
        }
      );
    },
  };
}
