import type { Checked } from "../../model/diagnostic.ts";
import type { JsonRecord } from "../../trace/formats/records.ts";
import type { CanonicalCall } from "../../trace/formats/tools/tool-table.ts";
import type { HookEvent, HookEventKind, HookHost, HookTool } from "./event.ts";
import type { HookVerdict } from "./verdict.ts";

/** What a host lets a hook do at one kind of event. */
export interface HostAbilities {
  /** Put other inputs in place of a call's. */
  readonly change: boolean;
  /** Keep a call from running, with a text that the agent reads. */
  readonly refuse: boolean;
  /** Keep the agent from stopping, with a text that it reads. */
  readonly hold: boolean;
  /** Let the agent read a text. */
  readonly inject: boolean;
  /** Let the person read a text. */
  readonly tell: boolean;
}

/** What a person chose of the ways to answer. */
export interface AnswerStyle {
  /** A call with other inputs: the host asks the person about it, or runs it without asking. */
  readonly rewrite: "ask" | "allow";
}

/** One host: its events in, our decision out in its own shape (docs/hooks.md). Nothing here throws, whatever the event holds. */
export interface HostAdapter {
  readonly name: HookHost;
  /** The event has marks that no other host's events have. */
  recognises(raw: JsonRecord): boolean;
  /** No value where it cannot be placed: without a session, or without a name. `named`: the event that the command line names. */
  read(raw: JsonRecord, named?: string): Checked<HookEvent>;
  canonical(tool: HookTool, cwd: string | undefined): CanonicalCall;
  /** The host's input for a canonical one; what it does not know stays. Undefined where this tool cannot say it. */
  hostInput(tool: HookTool, input: CanonicalCall["input"], cwd: string | undefined): unknown;
  /** What the tool's own schema has against an input; undefined: nothing. */
  checkInput(toolName: string, input: unknown): string | undefined;
  abilities(kind: HookEventKind): HostAbilities;
  /** A changed call is put to the person, unless the style says otherwise. */
  readonly asks: boolean;
  /** Bytes of one text that the host takes, in UTF-8. */
  readonly textLimit: number;
  /** Exactly what goes out; undefined where the host wants nothing. */
  answer(event: HookEvent, verdict: HookVerdict, style: AnswerStyle): JsonRecord | undefined;
}
