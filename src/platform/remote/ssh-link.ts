import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import {
  LinkError,
  ReplyError,
  type RemoteFrame,
  type RemoteLink,
  type RemoteRequest,
} from "../../jobs/remote/ports.ts";
import { refusalIn } from "../../jobs/remote/replies.ts";
import { limitsOf, type ReplyLimits } from "../../jobs/remote/reply-limits.ts";
import type { Target } from "../../model/target.ts";
import { frameReader } from "./frames.ts";
import { commandFor, faultOf, type CommandLine, type Environment } from "./ssh-command.ts";

/** Characters of the errors of ssh that are kept. */
const MOST_ERRORS = 16_384;
/** Frames that wait for their reader before the sender is slowed down. */
const MOST_WAITING = 64;
/** Milliseconds that an ssh which has failed may take to say why. */
const REASON_MS = 1_000;

/** Frames on their way from the process to the reader. */
class Frames {
  private readonly waiting: RemoteFrame[] = [];
  private wake: () => void = () => undefined;
  isOver = false;

  add(frames: readonly RemoteFrame[]): void {
    this.waiting.push(...frames);
    this.wake();
  }

  end(): void {
    this.isOver = true;
    this.wake();
  }

  get isFull(): boolean {
    return this.waiting.length > MOST_WAITING;
  }

  /** The next frame; undefined when none will come. */
  async next(): Promise<RemoteFrame | undefined> {
    while (this.waiting.length === 0 && !this.isOver)
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    return this.waiting.shift();
  }
}

/** Writes until the process takes no more: its end says why. */
async function write(
  { stdin }: ChildProcessWithoutNullStreams,
  pieces: AsyncIterable<Uint8Array>,
  over: AbortSignal,
): Promise<void> {
  try {
    for await (const piece of pieces) {
      if (over.aborted) return;
      if (!stdin.write(piece)) await once(stdin, "drain", { signal: over });
    }
    stdin.end();
  } catch (error) {
    if (!over.aborted && !isClosed(error)) throw error;
  }
}

/** The process reads no more, as an ssh that has failed at once: it is about to say why. */
function isClosed(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "EPIPE" || code === "ECONNRESET" || code === "ERR_STREAM_DESTROYED";
}

async function* requestBytes(
  program: Uint8Array,
  request: RemoteRequest,
  begin: string,
  body: AsyncIterable<Uint8Array> | undefined,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${program.length}\n`);
  yield program;
  yield Buffer.from(`${JSON.stringify({ ...request, begin })}\n`);
  if (body !== undefined) yield* body;
}

/** A process that answers one request. */
class Exchange {
  private readonly frames = new Frames();
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly over = new AbortController();
  private readonly target: Target;
  private readonly limits: ReplyLimits;
  private total: NodeJS.Timeout | undefined;
  private errors = "";
  private code: number | null = null;
  private failure: Error | undefined;
  private readonly reader;

  constructor(
    target: Target,
    { executable, args }: CommandLine,
    environment: Environment,
    bytes: (begin: string) => AsyncIterable<Uint8Array>,
    limits: ReplyLimits,
  ) {
    const begin = `hasp-${randomUUID()}`;
    this.target = target;
    this.limits = limits;
    this.reader = frameReader(begin, limits.bytes);
    this.child = spawn(executable, args, { env: environment, stdio: "pipe", windowsHide: true });
    this.listen();
    this.total = this.endAfter(limits.totalMs);
    void write(this.child, bytes(begin), this.over.signal).catch((error: unknown) => this.fail(error));
  }

  private listen(): void {
    const { child, frames } = this;
    child.stdin.on("error", () => undefined);
    child.stderr.on("data", (bytes: Buffer) => {
      this.errors = (this.errors + bytes.toString("utf8")).slice(-MOST_ERRORS);
    });
    child.stdout.on("data", (bytes: Buffer) => {
      try {
        frames.add(this.reader.add(bytes));
      } catch (error) {
        this.fail(error);
      }
      if (frames.isFull) child.stdout.pause();
    });
    child.once("error", (error: NodeJS.ErrnoException) => {
      this.failure ??= error.code === "ENOENT" ? new LinkError("no-ssh", error.message) : error;
      this.end();
    });
    const end = (): void => this.end();
    void this.ended().then(end, end);
  }

  /** Not `close`: the process that keeps a shared connection holds the error pipe for longer. */
  private async ended(): Promise<void> {
    const { child } = this;
    const said = once(child.stderr, "end").catch(() => undefined);
    const [[code]] = await Promise.all([once(child, "exit"), once(child.stdout, "end")]);
    this.code = code as number | null;
    // The end of an ssh that has failed may be heard before its reason is read.
    if (code !== 0) await Promise.race([said, sleep(REASON_MS, undefined, { ref: false })]);
  }

  private end(): void {
    this.over.abort();
    this.frames.end();
    this.child.stderr.destroy();
  }

  private fail(error: unknown): void {
    this.failure ??= error instanceof Error ? error : new Error(String(error));
    this.close();
  }

  private endAfter(ms: number | undefined): NodeJS.Timeout | undefined {
    if (ms === undefined) return undefined;
    const words = `its reply did not come within ${Math.ceil(ms / 1_000)} s`;
    return setTimeout(() => this.fail(new ReplyError("time", words)), ms);
  }

  /** The next frame; undefined where none will come. */
  async next(): Promise<RemoteFrame | undefined> {
    const silence = this.endAfter(this.limits.silenceMs);
    try {
      return await this.frames.next();
    } finally {
      clearTimeout(silence);
      if (!this.frames.isFull) this.child.stdout.resume();
    }
  }

  /** Nobody wants the rest, however much would come. */
  close(): void {
    clearTimeout(this.total);
    if (!this.frames.isOver) this.child.kill();
    this.child.stdin.destroy();
    this.child.stdout.destroy();
    this.end();
  }

  /** Why the reply is not complete. */
  error(): Error {
    if (this.failure !== undefined) return this.failure;
    const { code, errors, target } = this;
    const { fault, detail } = faultOf(target, { code, errors, hasBegun: this.reader.hasBegun() });
    return new LinkError(fault, detail);
  }
}

/**
 * The link to a target by the system's own ssh, so that ~/.ssh/config, agents and jump hosts count; by a shell of this machine where the target
 * names no host. `program`: the text that answers, sent along with every request.
 */
export function sshLink(
  target: Target,
  program: () => Promise<Uint8Array>,
  environment: Environment,
): RemoteLink {
  return {
    async *call(request, { body, signal, limits = limitsOf(request.op) } = {}) {
      const text = await program();
      signal?.throwIfAborted();
      const bytes = (begin: string) => requestBytes(text, request, begin, body);
      const exchange = new Exchange(target, commandFor(target, environment), environment, bytes, limits);
      const stop = (): void => exchange.close();
      signal?.addEventListener("abort", stop, { once: true });
      try {
        for (;;) {
          const frame = await exchange.next();
          signal?.throwIfAborted();
          if (frame === undefined) throw exchange.error();
          if (frame.header["end"] !== true) {
            yield frame;
            continue;
          }
          const refusal = refusalIn(frame);
          if (refusal !== undefined) throw refusal;
          return;
        }
      } finally {
        signal?.removeEventListener("abort", stop);
        exchange.close();
      }
    },
  };
}
