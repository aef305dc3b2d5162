import { consentInLine } from "../../../model/consent-commands.ts";
import type { Diagnostic } from "../../../model/diagnostic.ts";
import { isRecord } from "../../../trace/formats/records.ts";
import type { HookProgram } from "./command-line.ts";
import { rangeAt, type ConfigText } from "./config-text.ts";
import { hookCall } from "./hook-call.ts";
import type { HostConfig } from "./host-config.ts";
import { handlersOf, isOurHandler } from "./our-hooks.ts";

/** Characters of a foreign command that a message repeats. */
const SHOWN = 200;

/** Quotes and escapes that a shell takes away, so that `hook "trust"` is `hook trust`. */
const QUOTING = /["'`\\^]/g;
const NAMES_HASP = /\bhasp\S*\s+hook\b|\b(?:hasp-)?hook\.cjs\b/;

/** All texts of a handler but its type as one line: whatever its host makes of them. */
function textOf(handler: unknown): string {
  if (typeof handler === "string") return handler;
  if (Array.isArray(handler)) return handler.map(textOf).join(" ");
  const { type: _, ...texts } = isRecord(handler) ? handler : {};
  return Object.values(texts).map(textOf).filter(Boolean).join(" ");
}

interface Complaint {
  /** The lower, the worse. */
  readonly rank: number;
  readonly code: string;
  readonly message: string;
  readonly next: string;
}

function consentComplaint(said: string, command: string): Complaint {
  return {
    rank: 0,
    code: "HASP841",
    message: `This hook is not HASP's and names \`${command}\`, by which a person says yes: ${said}`,
    next: "Remove it before the agent runs it. Only you say yes, in a terminal.",
  };
}

function formComplaint(said: string): Complaint {
  return {
    rank: 1,
    code: "HASP840",
    message: `This hook names HASP but is not one that \`hasp hook install\` writes; HASP neither starts nor changes it: ${said}`,
    next: "Read it, for the agent runs it. Remove it unless it is yours.",
  };
}

function programComplaint({ file, args }: HookProgram, { host }: HostConfig): Complaint {
  return {
    rank: 2,
    code: "HASP842",
    message: `This hook starts another program than this HASP, so it is not tested: ${[file, ...args].join(" ").slice(0, SHOWN)}`,
    next: `Remove it if you do not know that program. To use this HASP instead: hasp hook install --host ${host}`,
  };
}

/** Which programs are those of this installation; without it, those of every installation pass. */
type IsHere = (program: HookProgram) => boolean;

function complaintAbout(
  config: HostConfig,
  event: string,
  handler: unknown,
  isHere: IsHere,
): Complaint | undefined {
  const text = textOf(handler).replaceAll(QUOTING, "");
  const said = text.slice(0, SHOWN);
  const consent = /hasp/i.test(text) ? consentInLine(text) : undefined;
  if (consent !== undefined) return consentComplaint(said, consent);
  const call = isOurHandler(config, event, handler) ? hookCall(handler) : undefined;
  if (call !== undefined) return isHere(call.program) ? undefined : programComplaint(call.program, config);
  return NAMES_HASP.test(text) ? formComplaint(said) : undefined;
}

/** Hooks that are named one by one. A place takes a look at the whole text, which may be long. */
const MOST = 20;

/**
 * Warns of each hook that names a command of consent (HASP841), claims to be HASP's and is not (HASP840), or starts another installation's
 * program (HASP842): the worst first.
 */
export function foreignHooks(
  config: HostConfig,
  { text, hooks }: Pick<ConfigText, "text" | "hooks">,
  file: string,
  isHere: IsHere = () => true,
): Diagnostic[] {
  const found = Object.entries(hooks).flatMap(([event, list]) =>
    list.flatMap((entry, i) => {
      const isGroup = isRecord(entry) && Array.isArray(entry["hooks"]);
      return handlersOf(entry).flatMap((handler, j) => {
        const complaint = complaintAbout(config, event, handler, isHere);
        const path = ["hooks", event, i, ...(isGroup ? ["hooks", j] : [])];
        return complaint === undefined ? [] : [{ complaint, path }];
      });
    }),
  );
  const named = found.toSorted((a, b) => a.complaint.rank - b.complaint.rank).slice(0, MOST);
  const more = found.length - named.length;
  return named.map(({ complaint: { code, message, next }, path }, i) => {
    const others = more > 0 && i === MOST - 1 ? ` (${more} more of this file are not shown.)` : "";
    return {
      code,
      severity: "warning",
      message: message + others,
      next,
      file,
      range: rangeAt(text, path),
    };
  });
}
