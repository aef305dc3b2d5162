import type { Diagnostic, Range } from "../../../model/diagnostic.ts";
import { counted } from "../../../model/counted.ts";
import { printableLine } from "../../../model/printable.ts";
import type { HookHost } from "../event.ts";
import { HOST_CONFIGS } from "../install/host-configs.ts";
import { kindOf } from "../raw-event.ts";
import type { HostLog, LoggedCall, LoggedHook } from "./host-log.ts";
import type { Journal } from "./journal.ts";

/** How our hooks are installed for a host now. */
export interface Installed {
  /** They have been there since then at the latest (milliseconds since 1970); undefined: they are not there, or switched off. */
  readonly since: number | undefined;
  /** Whether the host is to ask about a tool: a person may have narrowed the matcher. */
  asks(tool: string): boolean;
  /** The host says itself that it runs no hook of ours: Codex, where nobody has looked at a new one. */
  readonly untrusted: boolean;
}

/** Something that HASP should have judged, or answered, and did not. `file` and `range`: the line of the host's log. */
export interface DeadHook extends Diagnostic {
  readonly code: "HASP852" | "HASP853" | "HASP854" | "HASP855";
  /** The host's id of the call. */
  readonly call?: string;
  /** A few words that tell it from others: the call's text, or the event. One line, without control characters. */
  readonly about: string;
  readonly host: HookHost;
  /** The recorded step with our answer; `t` is 0-based. */
  readonly step?: { readonly episode: string; readonly t: number };
}

/** One session in its host's log and in our record. */
export interface ComparedSession {
  readonly host: HostLog["host"];
  readonly session: string;
  /** Calls that ran. */
  readonly ran: number;
  /** Of those, the ones that HASP was asked about, and answered. */
  readonly judged: number;
  /** Of those, the ones of tools that the hooks' matcher leaves out. */
  readonly leftOut: number;
  readonly findings: readonly DeadHook[];
}

/** Milliseconds within which a host reads a configuration that changed under a session (Claude Code: about one second). */
const RELOAD_MS = 5_000;
const FAILURE_SHOWN = 200;

const at = (line: number): Range => ({ start: { line, character: 0 }, end: { line, character: 0 } });

/** What a finding about a call says of it. */
function about({ id, text, tool, file, line }: LoggedCall) {
  return { call: id, about: printableLine(text || tool), ...placed({ file, line }) };
}

/** A call in words: its text, its tool, its time. */
function named({ tool, text, at: when }: LoggedCall): string {
  const said = text === "" ? "A call" : `\`${printableLine(text)}\``;
  const time = when === 0 ? "" : `, ${new Date(when).toISOString()}`;
  return `${said} (${printableLine(tool)}${time})`;
}

const placed = ({ file, line }: Pick<LoggedHook, "file" | "line">) => ({ file, range: at(line) });

/** A session with what both sides say of it. */
interface Comparison {
  readonly log: HostLog;
  readonly journal: Journal;
  readonly installed: Installed;
  /** By id. */
  readonly calls: ReadonlyMap<string, LoggedCall>;
  /** The hooks before calls, by the call's id. */
  readonly pre: ReadonlyMap<string, LoggedHook>;
  /** The interval in which the session is known to have asked; undefined: it never did. */
  readonly seen: { readonly from: number; readonly to: number } | undefined;
  /** The host would have written a line for each hook. */
  readonly hooksListed: boolean;
}

function openComparison(log: HostLog, journal: Journal, installed: Installed): Comparison {
  const { hooks } = log;
  const calls = new Map(log.calls.map((call) => [call.id, call]));
  const asked = log.calls.filter(({ id }) => journal.calls.has(id));
  const times = [...asked, ...hooks].map((one) => one.at).filter((time) => time > 0);
  return {
    log,
    journal,
    installed,
    calls,
    pre: new Map(hooks.filter(({ event }) => kindOf(event) === "pre").map((hook) => [hook.callId, hook])),
    seen: times.length === 0 ? undefined : { from: Math.min(...times), to: Math.max(...times) },
    hooksListed: log.listsHooks || hooks.some(({ callId }) => calls.has(callId)),
  };
}

/** The session began with the hooks in place that are there now. */
function beganInstalled({ log: { startedAt }, installed: { since } }: Comparison): boolean {
  return since !== undefined && startedAt !== undefined && startedAt > since;
}

/** Of a call that ran and that no one asked about: hooks were there, and one side would tell if the host had asked. */
function isUnasked(comparison: Comparison, { at: time }: LoggedCall): boolean {
  const { log, journal, installed, seen, hooksListed } = comparison;
  if (seen === undefined || !(journal.recorded || hooksListed)) return false;
  if (time < seen.from) return !log.mayHoldCopies && beganInstalled(comparison);
  if (time <= seen.to || beganInstalled(comparison)) return true;
  return installed.since !== undefined && time > installed.since + RELOAD_MS;
}

/** A session that began after the hooks were installed, and of which no trace came here, where a trace would have stayed. */
function isSilent(comparison: Comparison): boolean {
  const { log, journal, installed, seen, hooksListed } = comparison;
  if (seen !== undefined || journal.known || !beganInstalled(comparison)) return false;
  const wasRecording = journal.since !== undefined && journal.since <= (log.startedAt ?? 0);
  return wasRecording || hooksListed || installed.untrusted;
}

function silentSession({ log }: Comparison, unasked: readonly LoggedCall[]): DeadHook[] {
  const { title, after } = HOST_CONFIGS[log.host];
  return unasked.slice(0, 1).map((first) => ({
    code: "HASP855",
    severity: "warning",
    message: `${title} asked HASP about nothing in session ${printableLine(log.session)}, and ${counted(unasked.length, "call")} ran. The first: ${named(first)}`,
    next: after ?? "Look whether hooks are switched off in the host, and start a new session.",
    host: log.host,
    about: `session ${printableLine(log.session)}`,
    ...placed(first),
  }));
}

function ranRefused({ log, journal }: Comparison): DeadHook[] {
  return log.calls.flatMap((call): DeadHook[] => {
    const judged = journal.calls.get(call.id);
    if (!call.ran || judged?.verdict !== "refuse") return [];
    const { episode, t } = judged;
    return [
      {
        code: "HASP854",
        severity: "warning",
        message: `HASP refused this call and ${HOST_CONFIGS[log.host].title} ran it: ${named(call)}`,
        next: "Read the line of the host's log. Another hook, or another version of the host, may be the reason.",
        host: log.host,
        ...(episode !== undefined && t !== undefined && { step: { episode, t } }),
        ...about(call),
      },
    ];
  });
}

function failedHooks({ log, calls }: Comparison): DeadHook[] {
  const { title } = HOST_CONFIGS[log.host];
  return log.hooks.flatMap((hook): DeadHook[] => {
    if (hook.failure === undefined) return [];
    const call = calls.get(hook.callId);
    const why = printableLine(hook.failure).slice(0, FAILURE_SHOWN);
    return [
      {
        code: "HASP853",
        severity: "warning",
        message: `HASP's hook gave ${title} no answer at ${printableLine(hook.event)}${call === undefined ? "" : ` of ${named(call)}`}: ${why}`,
        next: `If its program is gone, install again: hasp hook install --host ${log.host}`,
        host: log.host,
        ...(call === undefined ? { about: printableLine(hook.event) } : about(call)),
        ...placed(hook),
      },
    ];
  });
}

function neverAsked({ log }: Comparison, calls: readonly LoggedCall[]): DeadHook[] {
  const { title } = HOST_CONFIGS[log.host];
  return calls.map((call) => ({
    code: "HASP852",
    severity: "warning",
    message: `${title} ran this call and did not ask HASP: ${named(call)}`,
    next: "Look whether an event is missing or hooks are switched off (hasp hook status), and start a new session.",
    host: log.host,
    ...about(call),
  }));
}

/** Compares a session in its host's log with our record of it. What has an innocent reason, or may have one, is no finding. */
export function compareSession(log: HostLog, journal: Journal, installed: Installed): ComparedSession {
  const comparison = openComparison(log, journal, installed);
  const ran = log.calls.filter((call) => call.ran);
  const missed = ran.filter(({ id }) => !journal.calls.has(id) && !comparison.pre.has(id));
  const failedPre = ran.filter(
    ({ id }) => !journal.calls.has(id) && comparison.pre.get(id)?.failure !== undefined,
  );
  const unasked = missed.filter(({ tool }) => installed.asks(tool));
  const refused = ranRefused(comparison);
  const failed = failedHooks(comparison).filter(({ call }) => refused.every((one) => one.call !== call));
  const never = neverAsked(
    comparison,
    unasked.filter((call) => isUnasked(comparison, call)),
  );
  return {
    host: log.host,
    session: log.session,
    ran: ran.length,
    judged: ran.length - missed.length - failedPre.length,
    leftOut: missed.length - unasked.length,
    findings: isSilent(comparison) ? silentSession(comparison, unasked) : [...refused, ...failed, ...never],
  };
}
