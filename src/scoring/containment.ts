/** What a contained program may use. */
export interface ContainedLimits {
  /** Wall time of the whole program, in milliseconds. Its starter may end it sooner. */
  readonly wallMs: number;
  /** Memory of each of its processes, in bytes; of all of them together where the system can count that. */
  readonly memoryBytes: number;
  /** What it may write on its standard output and error, and as results, in bytes each; more ends it. A line of results counts as 64 bytes more. */
  readonly outputBytes: number;
}

/** A Python program that nobody trusts. */
export interface ContainedOrder {
  /** Its source, run as `__main__` in an interpreter of its own. */
  readonly program: string;
  /** Its standard input. */
  readonly input: string;
  readonly limits: ContainedLimits;
}

/** How a contained program ended. A program can end itself as it likes: only what its starter did is certain. */
export type ContainedEnd =
  | { readonly kind: "exited"; readonly code: number }
  /** By a signal that its starter did not send, as of a crash or of a limit of memory. */
  | { readonly kind: "signal"; readonly signal: string }
  /** By its starter: it ran too long, wrote too much, or its starter wanted nothing more of it. */
  | { readonly kind: "stopped"; readonly why: "time" | "output" | "stopped" }
  /** It did not start. */
  | { readonly kind: "failed"; readonly message: string };

/** A contained program that runs. */
export interface ContainedProgram {
  /** Lines that it wrote on descriptor 3, as they come. The program may write anything there. Ends with the program. */
  readonly results: AsyncIterable<string>;
  /** When nothing of it runs any more. Does not reject. */
  readonly ended: Promise<ContainedEnd & { readonly stdout: string; readonly stderr: string }>;
  /** Ends it and all that it started. */
  stop(why: "time" | "stopped"): void;
}

/** A way to run Python so that it reaches neither this machine nor the network. */
export interface Containment {
  /** Named in verdicts: `bubblewrap`, `pyodide`. */
  readonly name: string;
  /** Version of its Python: `3.11.7`. */
  readonly python: string;
  /** Top-level modules that a program can import besides the standard library. */
  readonly packages: ReadonlySet<string>;
  /** Starts a program when one of its places is free, in an interpreter that nothing else has used. On abort it is stopped. */
  start(order: ContainedOrder, signal: AbortSignal): ContainedProgram;
  /** Ends all that runs; may be called again. Does not reject. */
  close(): Promise<void>;
}

/** Nothing here contains a program, and why, for people. */
export interface NoContainment {
  readonly why: string;
  readonly next: string;
}

/** Looks for a way to contain programs by trying it. `places`: programs that may run at once. Does not reject. */
export type OpenContainment = (places: number) => Promise<Containment | NoContainment>;

export const isContainment = (opened: Containment | NoContainment): opened is Containment =>
  "start" in opened;
