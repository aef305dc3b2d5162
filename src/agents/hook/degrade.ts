import { sameAction, type Action } from "../../model/action.ts";
import { parseJson } from "../../model/read-json.ts";
import { CODING_FINAL, REFUSE } from "../../model/coding-tools.ts";
import { asRecord, isRecord } from "../../trace/formats/records.ts";
import type { Degradation } from "../../model/hook-degradations.ts";
import type { CanonicalCall } from "../../trace/formats/tools/tool-table.ts";
import type { HookTool } from "./event.ts";
import type { HostAbilities, HostAdapter } from "./host.ts";
import type { HookVerdict } from "./verdict.ts";

/** What Γ decided, as this host can carry it out. */
export interface Carried {
  readonly verdict: Pick<HookVerdict, "kind" | "input" | "text" | "reason">;
  /** What the step executes. */
  readonly executed: Action;
  readonly degraded?: Degradation;
}

/** Characters of a wanted call that a text shows. */
const SHOWN = 1_500;

/** The one value that says all of a call. What the agent says of it, and switches that are off, are no part of what is wanted. */
function shown(action: Action): string {
  const said = Object.entries(asRecord(parseJson(action.arg)));
  const values = said.filter(([key, value]) => key !== "description" && value !== false);
  const only = values.length === 1 ? values[0]?.[1] : undefined;
  const text = typeof only === "string" ? `${action.type}: ${only}` : `${action.type} ${action.arg}`;
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function refused(text: string, reason: string): Carried {
  return { verdict: { kind: "refuse", text, reason }, executed: { type: REFUSE, arg: text } };
}

/** The reason as a sentence, with a blank after it. */
function whyOf(reason: string): string {
  const text = reason.trim();
  return text === "" ? "" : `${text}${/[.!?:)]$/.test(text) ? "" : "."} `;
}

/** Tells the agent that a changed call ran. No host says so: the agent's history keeps the call as it wrote it. */
export function changedText(executed: Action, reason: string): string {
  return `A skill of HASP changed this call before it ran. ${whyOf(reason)}It ran as ${shown(executed)}`;
}

/** Hosts turn a question that nobody can answer into an error; the agent is to know that nothing ran, and what would. */
function unasked(wanted: Action, reason: string): Carried {
  const text = `${whyOf(reason)}Nothing ran: a skill of HASP changes this call, and this session runs without questions about changes. The call that fits here is ${shown(wanted)}`;
  return { ...refused(text, reason), degraded: "nobody-to-ask" };
}

function naming(wanted: Action, reason: string, degraded: Degradation): Carried {
  const why = whyOf(reason);
  const text =
    wanted.type === CODING_FINAL
      ? `${why}This call was not run; what is expected here is an answer to the person: ${wanted.arg.slice(0, SHOWN)}`
      : `${why}This call was not run; the call that fits here is ${shown(wanted)}`;
  return { ...refused(text, reason), degraded };
}

export interface CallToCarry {
  readonly adapter: HostAdapter;
  readonly can: HostAbilities;
  readonly tool: HookTool;
  readonly proposed: Action;
  readonly wanted: Action;
  readonly cwd: string | undefined;
  /** The host would ask about a change, and nobody sits there. */
  readonly nobodyToAsk: boolean;
  /** Of the PF that changed it. */
  readonly reason: string;
}

/**
 * Translates Γ's result on a call into an answer that the host can carry out. Where nobody can be asked, HASP never answers `ask`: the call
 * is refused instead.
 */
export function carryCall(about: CallToCarry): Carried {
  const { proposed, wanted, reason, can } = about;
  if (sameAction(proposed, wanted)) return { verdict: { kind: "allow", reason: "" }, executed: proposed };
  if (wanted.type === REFUSE) return refused(wanted.arg, reason);
  if (wanted.type === CODING_FINAL) return naming(wanted, reason, "call-to-final");
  if (wanted.type !== proposed.type) return naming(wanted, reason, "changed-tool");
  if (!can.change) return naming(wanted, reason, "no-change");
  const input = changedInput(about);
  if (input === undefined) return naming(wanted, reason, "bad-input");
  if (about.nobodyToAsk) return unasked(wanted, reason);
  return {
    verdict: { kind: "change", input, reason: `${reason} (${shown(wanted)})`.trim() },
    executed: wanted,
  };
}

function changedInput({ adapter, tool, wanted, cwd }: CallToCarry): unknown {
  const canonical: unknown = parseJson(wanted.arg);
  if (!isRecord(canonical)) return undefined;
  const input = adapter.hostInput(tool, canonical satisfies CanonicalCall["input"], cwd);
  if (input === undefined || adapter.checkInput(tool.name, input) !== undefined) return undefined;
  return typeof input === "string" && typeof tool.input !== "string" ? undefined : input;
}

export interface StopToCarry {
  readonly proposed: Action;
  readonly wanted: Action;
  readonly injected: readonly string[];
  /** Γ holds the FINAL back. */
  readonly holdBack: boolean;
  /** The host can hold the agent, and it was not held too often. */
  readonly mayHold: boolean;
  readonly reason: string;
}

/** What becomes of the wish to stop. `executed` is undefined while it is held back: the agent proposes again in the same step. */
export function carryStop(about: StopToCarry): Omit<Carried, "executed"> & { executed: Action | undefined } {
  const { proposed, wanted, holdBack, mayHold, injected } = about;
  const allow = { kind: "allow", reason: "" } as const;
  if (holdBack) {
    if (!mayHold) return { verdict: allow, executed: wanted, degraded: "no-hold" };
    return { verdict: { kind: "hold", text: injected.join("\n\n"), reason: "" }, executed: undefined };
  }
  if (sameAction(proposed, wanted)) return { verdict: allow, executed: proposed };
  if (wanted.type === CODING_FINAL) return { verdict: allow, executed: proposed, degraded: "final-text" };
  if (!mayHold) return { verdict: allow, executed: proposed, degraded: "no-hold" };
  if (wanted.type === REFUSE)
    return { verdict: { kind: "hold", text: wanted.arg, reason: about.reason }, executed: wanted };
  const named = naming(wanted, about.reason, "final-to-call");
  return { ...named, verdict: { ...named.verdict, kind: "hold" } };
}
