import type { PfProgram } from "../model/skill.ts";

/** One crossing: a JudgeRequest (wire.ts) as JSON, and what the sandbox must know about it without reading it. */
export interface JudgeJob {
  /** The PFs in the request. */
  readonly skillIds: readonly string[];
  readonly request: string;
  /** Milliseconds until the crossing is stopped. */
  readonly deadlineMs: number;
  /** Throws the running sandbox away first, so that nothing another PF left behind can matter. */
  readonly fresh: boolean;
}

export interface LoadJob {
  readonly skillId: string;
  /** Milliseconds until the PF's module is stopped. */
  readonly deadlineMs: number;
  /** As in JudgeJob. */
  readonly fresh: boolean;
}

export interface ProbeJob {
  readonly program: PfProgram;
  /** ProbeRequest (wire.ts) as JSON. */
  readonly request: string;
  /** Milliseconds until the loading is stopped, and then the call. */
  readonly deadlineMs: number;
}

/**
 * A place where PFs run: in this thread (quickjs-host.ts) or in a worker (platform/worker-pf-host.ts). Results are `Reply`s
 * (wire.ts) as JSON. Nothing a PF does makes a method reject: a sandbox that broke answers `broken` and has been replaced.
 * Rejects only when it is closed or cannot be started.
 */
export interface SandboxPort {
  /** Forgets all programs and takes these. They are evaluated when first needed. */
  setPrograms(programs: readonly PfProgram[]): Promise<void>;
  /** Evaluates one of them: LoadReply. */
  load(job: LoadJob): Promise<string>;
  /** `Reply<SentJudged[]>`, in the order of the PFs of the request. */
  judge(job: JudgeJob): Promise<string>;
  /** `Reply<ProbeReply>`. */
  probe(job: ProbeJob): Promise<string>;
  close(): Promise<void>;
}
