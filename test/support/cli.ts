/** `hasp` in this process, as a function: what a command prints and how it ends, without a process of its own. */
import { enableCompileCache, createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import type { Workers } from "../../src/cli/context.ts";
import { cachedCompiler, type CachedCompiler } from "../../src/skill/cached-compiler.ts";
import { collectedStreams, commandContext } from "./cli-context.ts";
import type * as Bundle from "./cli-bundle.ts";
import { ROOT } from "./core.ts";

type Host = ReturnType<Workers["startHost"]>;

export interface HaspOptions {
  readonly cwd: string;
  /** All variables of the command (default: those of this process). */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Standard input. */
  readonly input?: string | Buffer;
  /** Interrupts the command, as the first Ctrl-C does. */
  readonly signal?: AbortSignal;
}

/** As a process would have ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

let bundle: typeof Bundle | undefined;

function loaded(): typeof Bundle {
  enableCompileCache(process.env["NODE_COMPILE_CACHE"]);
  return (bundle ??= createRequire(import.meta.url)(path.join(ROOT, "dist-test/cli.cjs")) as typeof Bundle);
}

const newWorkers = (): Workers => loaded().workersFrom(path.join(ROOT, "dist/hasp.cjs"));

let compiler: CachedCompiler | undefined;
const free: Host[] = [];

/** A host that goes back to the others in place of being closed, unless it is still at work. */
function lent(host: Host): Host {
  let atWork = 0;
  let isClosed = false;
  return new Proxy(host, {
    get(target, name) {
      if (name === "close")
        return async () => {
          // A use case closes what it was given, and the command once more.
          if (isClosed) return;
          isClosed = true;
          if (atWork > 0) await target.close();
          else free.push(target);
        };
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        const given: unknown = value.apply(target, args);
        if (!(given instanceof Promise)) return given;
        atWork++;
        return given.finally(() => atWork--);
      };
    },
  });
}

/** One compiler for all commands, which reads no text twice, and as many sandboxes as were at work at once. None keeps the process alive. */
const shared: Workers = {
  startCompiler: () => ({
    ...(compiler ??= cachedCompiler(newWorkers().startCompiler())),
    close: async () => undefined,
  }),
  startHost: () => lent(free.pop() ?? newWorkers().startHost()),
};

/** The output of a command in the repository's folder. Throws if the command fails. */
export async function printed(args: readonly string[]): Promise<string> {
  const { code, out, err } = await hasp(args, { cwd: ROOT });
  if (code !== 0) throw new Error(`hasp ${args[0]} ended with ${code}: ${err}`);
  return out;
}

type Program = ReturnType<ReturnType<typeof loaded>["buildProgram"]>;

const leaves = (command: Program, words: readonly string[]): readonly string[] => [
  ...(words.length > 0 && (command.commands.length === 0 || command.options.length > 0)
    ? [words.join(" ")]
    : []),
  ...command.commands.flatMap((sub) => leaves(sub, [...words, sub.name()])),
];

/** The words of every command of the built `hasp`, hidden ones too: `job submit`. A group that does nothing by itself is left out. */
export const commandPaths = (): readonly string[] =>
  leaves(loaded().buildProgram(commandContext().context), []);

/** Runs one command line of the built `hasp`. */
export async function hasp(args: readonly string[], options: HaspOptions): Promise<Ended> {
  const { cwd, env = process.env, input, signal = new AbortController().signal } = options;
  const { streams, out, err } = collectedStreams(input);
  // A compiler of its own where its limit is another.
  const workers = env["HASP_COMPILER_SECONDS"] === undefined ? shared : newWorkers();
  const code = await loaded().runCli(args, {
    streams,
    workers,
    surroundings: { cwd, env },
    untilInterrupted: (work) => work(signal),
  });
  return { code, signal: null, out: out(), err: err() };
}
