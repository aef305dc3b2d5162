import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { LinkError, type RemoteLink } from "../../src/jobs/remote/ports.ts";
import { refusalIn } from "../../src/jobs/remote/replies.ts";
import { limitsOf } from "../../src/jobs/remote/reply-limits.ts";
import { frameReader } from "../../src/platform/remote/frames.ts";

/** A job of the scripted scheduler. */
export interface ScriptedJob {
  readonly id: string;
  readonly name: string;
  readonly state: string;
}

interface Report {
  readonly jobs: readonly ScriptedJob[];
  /** The numbers of jobs that did their work, in order. */
  readonly executed: readonly string[];
}

/** The program of a target over a scripted SLURM (scripted-cluster.py). */
export interface ScriptedCluster {
  /** Forgets everything, and moves by this seed from now on. */
  open(seed: number): Promise<void>;
  /** Lets time pass. */
  advance(count: number): Promise<Report>;
  /** Lets every job come to its end, with the controller up. */
  settle(): Promise<Report>;
  /** `killAfter` is asked for each request: the number of steps after which its process is killed there; undefined: it is not. */
  link(killAfter: (operation: string) => number | undefined): RemoteLink;
  close(): Promise<void>;
}

export function startScriptedCluster(): ScriptedCluster {
  const script = path.resolve("test/support/scripted-cluster.py");
  const child = spawn("python3", [script, path.resolve("trainer")], { stdio: ["pipe", "pipe", "inherit"] });
  let held = Buffer.alloc(0);
  let waiting: ((reply: Buffer) => void) | undefined;
  child.stdout.on("data", (bytes: Buffer) => {
    held = Buffer.concat([held, bytes]);
    const at = held.indexOf(10);
    if (at < 0) return;
    const size = Number(held.subarray(0, at).toString());
    if (held.length < at + 1 + size) return;
    const reply = held.subarray(at + 1, at + 1 + size);
    held = held.subarray(at + 1 + size);
    waiting?.(reply);
  });
  const ask = async (request: Buffer): Promise<Buffer> =>
    new Promise((resolve) => {
      waiting = resolve;
      child.stdin.write(request);
    });
  const lineOf = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);
  const control = async (line: object): Promise<Report> =>
    JSON.parse((await ask(lineOf(line))).toString()) as Report;
  return {
    open: async (seed) => void (await control({ control: "open", seed })),
    advance: (count) => control({ control: "advance", count }),
    settle: () => control({ control: "settle" }),
    link: (killAfter) => ({
      async *call(request, { body, limits = limitsOf(request.op) } = {}) {
        const pieces = [lineOf({ ...request, begin: "begin", killAfter: killAfter(request.op) })];
        if (body !== undefined) for await (const piece of body) pieces.push(Buffer.from(piece));
        const reply = await ask(Buffer.concat(pieces));
        const frames = frameReader("begin", limits.bytes).add(reply);
        const end = frames.at(-1);
        if (end?.header["end"] !== true) throw new LinkError("cut", "killed");
        yield* frames.slice(0, -1);
        const refusal = refusalIn(end);
        if (refusal !== undefined) throw refusal;
      },
    }),
    async close() {
      child.stdin.end();
      await once(child, "exit");
    },
  };
}
