import type { HookHost } from "../event.ts";

/** A tool call, as the host's own log has it. */
export interface LoggedCall {
  readonly id: string;
  readonly tool: string;
  /** The beginning of its command, or of the file that it writes. A stranger's text. */
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly file: string;
  /** 0-based, in `file`. */
  readonly line: number;
  /** The host says that it went past its hooks: it ran. False while nothing says so. */
  readonly ran: boolean;
}

/** One run of one of our hooks, as the host's own log has it. */
export interface LoggedHook {
  /** The host's name of the event. */
  readonly event: string;
  /** Of an event about a call. */
  readonly callId: string;
  readonly at: number;
  readonly file: string;
  readonly line: number;
  /** Why the host had no answer from it; undefined where it had one. A stranger's text. */
  readonly failure: string | undefined;
}

/** A session, as its host's own log has it. */
export interface HostLog {
  readonly host: HookHost;
  readonly session: string;
  /** It may have begun as a copy of another session, whose record has these calls. */
  readonly mayHoldCopies: boolean;
  /** Where it began, and when. */
  readonly cwd: string | undefined;
  readonly startedAt: number | undefined;
  readonly calls: readonly LoggedCall[];
  readonly hooks: readonly LoggedHook[];
  /** This host writes a line for each hook that it runs. */
  readonly listsHooks: boolean;
}

/** Folds the lines of one session's log. A line that it cannot read says nothing. */
export interface HostLogReader {
  add(file: string, line: number, text: string): void;
  log(): HostLog;
}

/** Characters of a command that a finding repeats. */
const SHOWN = 80;

const SAYING = ["command", "cmd", "file_path", "notebook_path", "path", "url", "prompt", "query"] as const;

/** What tells a call from others, at a glance. */
export function glance(input: Readonly<Record<string, unknown>>): string {
  const said = SAYING.map((key) => input[key]).find((value) => typeof value === "string") ?? "";
  return said.slice(0, SHOWN);
}

/** Milliseconds since 1970 of an ISO time; 0 where there is none. */
export function timeOf(value: unknown): number {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isFinite(at) ? at : 0;
}
