import type { OwnRecords } from "../../model/own-records.ts";
import type { Target } from "../../model/target.ts";
import type { TraceFiles } from "../../trace/ports.ts";
import type { JobClock } from "../ports.ts";
import type { ReplyLimits } from "./reply-limits.ts";

/** A request to the program on a target (trainer/hasp_target): its name, and fields of its own. */
export interface RemoteRequest {
  readonly op: string;
  readonly [field: string]: unknown;
}

/** A part of a reply. */
export interface RemoteFrame {
  readonly header: Readonly<Record<string, unknown>>;
  readonly body: Uint8Array;
}

/** Ways in which a link fails. */
export type LinkFault =
  | "unknown-host"
  | "changed-key"
  | "unknown-key"
  | "no-listener"
  | "login"
  | "timeout"
  | "cut"
  | "no-ssh"
  | "no-python"
  | "setup"
  | "other";

/** The target could not be asked, or the link broke before its reply was complete. */
export class LinkError extends Error {
  readonly fault: LinkFault;

  constructor(fault: LinkFault, message: string) {
    super(message);
    this.name = "LinkError";
    this.fault = fault;
  }

  /** Whether another try may do without anybody's help. */
  get isPassing(): boolean {
    return ["no-listener", "timeout", "cut", "unknown-host", "other"].includes(this.fault);
  }
}

/** The target has answered that it cannot do what was asked. */
export class TargetRefusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "TargetRefusal";
    this.code = code;
  }
}

/** Ways in which a reply is none of HASP Studio's program: its form, its size, its time, or that it never has everything. */
export type ReplyFault = "form" | "size" | "time" | "rounds";

/** Something else than HASP Studio's program answers on the target. The message says how it shows, in a clause. */
export class ReplyError extends Error {
  readonly fault: ReplyFault;

  constructor(fault: ReplyFault, message: string) {
    super(message);
    this.name = "ReplyError";
    this.fault = fault;
  }
}

export interface CallOptions {
  /** Bytes behind the request. */
  readonly body?: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal;
  /** Default: those of the request's name. */
  readonly limits?: ReplyLimits;
}

/** The way to a target. */
export interface RemoteLink {
  /**
   * Asks once, over a connection of its own. The frames come as they arrive; the reply is complete when the iteration ends. Rejects with a
   * LinkError, a TargetRefusal or a ReplyError.
   */
  call(request: RemoteRequest, options?: CallOptions): AsyncIterable<RemoteFrame>;
}

/** The link, of which every request ends when the signal aborts. */
export const abortable = (link: RemoteLink, signal: AbortSignal | undefined): RemoteLink =>
  signal === undefined ? link : { call: (request, options) => link.call(request, { ...options, signal }) };

/** A file of a bundle: its place here and there. */
export interface BundleFile {
  /** The path here. */
  readonly from: string;
  /** The path there, relative to the folder that gets the bundle. */
  readonly at: string;
}

export type RemoteFiles = TraceFiles;

/** Services of jobs on targets; `remoteJobs` of platform/ makes them. */
export interface RemotePorts {
  readonly files: RemoteFiles;
  readonly clock: JobClock;
  /** The link to a target. */
  link(target: Target): RemoteLink;
  /** SHA-256 of a file, in hexadecimal. */
  readonly hashFile: (path: string) => Promise<string>;
  /** The same of bytes. */
  readonly hashBytes: (bytes: Uint8Array) => string;
  /** `hasp` and the trainer, as they are placed on a target: `dist/hasp.cjs` and `trainer/hasp_trainer/…`. */
  program(): Promise<readonly BundleFile[]>;
  /** The files of pinned packages of the trainer, and of uv. */
  readonly requirements: { readonly packages: string; readonly uv: string };
  /** Does the work while nobody else, in any process, does such work on the folder of this job. */
  exclusive<T>(folder: string, work: () => Promise<T>): Promise<T>;
  /** Values of these variables, where they are set: the keys of a job. */
  variables(names: readonly string[]): Readonly<Record<string, string>>;
  readonly own: OwnRecords;
  /** Progress for people. */
  readonly on: (line: string) => void;
}
