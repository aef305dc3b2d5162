import { counted } from "../model/counted.ts";
import { STUDENT_KEY, type ServedStudent } from "../model/job.ts";
import { lastLines, type LastLines } from "./last-lines.ts";
import type { JobClock, JobProcess, ProcessEnd, ProcessOrder } from "./ports.ts";

/** Seconds until a model must answer, unless the job says otherwise. */
const READY_SECONDS = 30 * 60;
/** Milliseconds that a served model gets to end: it has nothing to save. */
const END_MS = 10_000;

/** The line of `hasp_trainer serve` that says where it answers. */
const READY = /^ready (http:\/\/127\.0\.0\.1:\d{1,5}\/v1) (\S+)\s*$/m;

/** Arguments of the trainer for this student, on a free port. */
export function serveArguments({ model, adapter, engine }: ServedStudent): readonly string[] {
  const trained = adapter === undefined ? [] : ["--adapter", adapter];
  const served = ["--model", model, ...trained, "--engine", engine, "--port", "0"];
  // A process that is killed has no time to end its model.
  return ["-m", "hasp_trainer", "serve", ...served, "--with-parent"];
}

/** A model that answers. */
export interface Served {
  /** As an argument names it, such as `http://127.0.0.1:8123/v1#student`. */
  readonly policy: string;
  /** The secret that it asks of each request. */
  readonly key: string;
  /** Aborts when it has ended, which nobody asked for. */
  readonly gone: AbortSignal;
  /** The end of its output. */
  readonly lines: LastLines;
  close(): Promise<void>;
}

export type Serving =
  | { readonly served: Served }
  | {
      readonly served: undefined;
      readonly reason: string;
      readonly end?: ProcessEnd;
      readonly lines: LastLines;
    };

interface ServePorts {
  readonly clock: JobClock;
  /** Of this student alone: 64 hexadecimal digits that nobody can guess. */
  readonly key: string;
  /** Starts the trainer with these variables, since other users can read arguments; `onText` gets its output after secrets are hidden. */
  readonly start: (order: Pick<ProcessOrder, "env" | "onText">) => JobProcess;
}

async function closed(process: JobProcess, clock: JobClock): Promise<void> {
  const over = new AbortController();
  const ended = process.ended.then(() => over.abort());
  process.ask();
  await clock.sleep(END_MS, over.signal);
  if (!over.signal.aborted) process.kill();
  await ended;
}

/** Starts a model and waits until it answers, for a limited time. After `stop` it is ended, and so is the waiting. */
export async function serveStudent(
  { clock, key, start }: ServePorts,
  { readySeconds = READY_SECONDS }: ServedStudent,
  stop: AbortSignal,
): Promise<Serving> {
  const lines = lastLines();
  const [ready, gone] = [new AbortController(), new AbortController()];
  let policy: string | undefined;
  let end: ProcessEnd | undefined;
  const onText = (text: string): void => {
    lines.add(text);
    const [, url, name] = policy === undefined ? (READY.exec(text) ?? []) : [];
    if (url === undefined || name === undefined) return;
    policy = `${url}#${name}`;
    ready.abort();
  };
  const process = start({ env: { [STUDENT_KEY]: key }, onText });
  void process.ended.then((how) => {
    end = how;
    gone.abort();
  });
  await clock.sleep(readySeconds * 1_000, AbortSignal.any([ready.signal, gone.signal, stop]));
  if (policy !== undefined && end === undefined && !stop.aborted)
    return { served: { policy, key, gone: gone.signal, lines, close: () => closed(process, clock) } };
  const ended = end;
  await closed(process, clock);
  if (ended !== undefined)
    return { served: undefined, reason: "The served model ended before it answered.", end: ended, lines };
  const reason = `The served model did not answer within ${counted(readySeconds, "second")}.`;
  return { served: undefined, reason, lines };
}
