import type { Guards } from "../../app/load-commands.ts";
import type { Judging } from "../../app/ports.ts";
import type { Checked } from "../../model/diagnostic.ts";

/** A workspace as an assistant's tools reach it. Paths are those that `files` takes, with `/`. */
export interface AssistWorld extends Judging {
  /** Program Functions and cases may run, and indexes may be written: a person said yes to this folder. */
  readonly mayRun: boolean;
  /** How a person says yes, after "say so": `hasp mcp trust`. */
  readonly howToTrust: string;
  /** Absent in a program of its own, which would have to bring all shipped skills along. */
  readonly guards?: Guards;
  /** Folders that hold a SKILL.md; a workspace's own before published copies. */
  skillFolders(): Promise<readonly string[]>;
  /** Folders that hold an `episodes.jsonl`, newest first. */
  runFolders(): Promise<readonly string[]>;
  /** Where a path leads that an assistant wrote, links followed; undefined where nothing is there or it leaves the workspace. */
  readonly inside: (given: string) => Promise<string | undefined>;
  /** A path as people and assistants write it: from the root of the workspace. */
  readonly shown: (path: string) => string;
}

/** How a call is followed and ended. */
export interface AssistCall {
  readonly signal: AbortSignal;
  /** `done` of `total`, in words where they help. Cheap: call it as often as there is something to say. */
  onProgress(done: number, total: number, what: string): void;
}

/** What a tool answers: for a model to read, and the same as data for a program. */
export interface AssistAnswer {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The call cannot be answered as it was made. `next` says what to call in its place. */
export class AssistError extends Error {
  readonly next: string;
  constructor(message: string, next: string) {
    super(message);
    this.name = "AssistError";
    this.next = next;
  }
}

/** Ends the work of a call that nobody waits for. */
export function stopIfCancelled({ signal }: AssistCall): void {
  if (signal.aborted) throw new AssistError("The call was cancelled.", "Call again if it is still wanted.");
}

/** The value, or the end of the call: the last diagnostic says why there is no value. */
export function need<T>({ value, diagnostics }: Checked<T>): T {
  if (value !== undefined) return value;
  const last = diagnostics.at(-1);
  throw new AssistError(last?.message ?? "It cannot be read.", last?.next ?? "Call the validate tool on it.");
}

/** Runs a use case that judges; a cancelled call closes its sandbox under way, and rejects. */
export async function cancellable<T>(
  world: AssistWorld,
  call: AssistCall,
  work: (judging: Judging) => Promise<T>,
): Promise<T> {
  stopIfCancelled(call);
  const ended = new AbortController();
  function startHost(): ReturnType<Judging["startHost"]> {
    const host = world.startHost();
    call.signal.addEventListener("abort", () => void host.close(), { signal: ended.signal });
    return host;
  }
  try {
    const done = await work({ ...world, startHost });
    stopIfCancelled(call);
    return done;
  } catch (error) {
    stopIfCancelled(call);
    throw error;
  } finally {
    ended.abort();
  }
}
