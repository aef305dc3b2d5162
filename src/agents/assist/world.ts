import type { PfHost } from "../../sandbox/pf-host.ts";
import type { Compiler } from "../../skill/compiler.ts";
import type { SkillFiles } from "../../skill/read-skill.ts";
import type { TraceFiles } from "../../trace/ports.ts";

/** A workspace as an assistant's tools reach it. Paths are those that `files` takes, with `/`. */
export interface AssistWorld {
  readonly files: SkillFiles & TraceFiles;
  readonly compiler: Compiler;
  /** A sandbox of its own for each call, so that none sees what another loaded. The call closes it. */
  startHost(): PfHost;
  /** Program Functions and cases may run, and indexes may be written: a person said yes to this folder. */
  readonly mayRun: boolean;
  /** How a person says yes, after "say so": `hasp mcp trust`. */
  readonly howToTrust: string;
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

/** Runs PFs in a sandbox that is closed whatever happens; a cancelled call closes it under way. */
export async function inSandbox<T>(
  world: AssistWorld,
  call: AssistCall,
  work: (host: PfHost) => Promise<T>,
): Promise<T> {
  stopIfCancelled(call);
  const host = world.startHost();
  const end = (): void => void host.close();
  call.signal.addEventListener("abort", end, { once: true });
  try {
    return await work(host);
  } catch (error) {
    stopIfCancelled(call);
    throw error;
  } finally {
    call.signal.removeEventListener("abort", end);
    await host.close();
  }
}
