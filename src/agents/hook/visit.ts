import type { ProjectCheck } from "../../model/coding-context.ts";
import type { PfHost } from "../../sandbox/pf-host.ts";
import type { JsonRecord } from "../../trace/formats/records.ts";
import type { HookEvent, HookHost } from "./event.ts";
import type { HostAdapter } from "./host.ts";
import type { ActingLibrary } from "./library.ts";
import type { SessionStore, WorldPort } from "./session-store.ts";

/** A workspace, as its sessions use it. */
export interface HookPlace {
  /** The folder that holds `.hasp`. */
  readonly root: string;
  readonly library: ActingLibrary;
  readonly store: SessionStore;
  readonly world: WorldPort;
  project(): Promise<readonly ProjectCheck[]>;
  /** The PFs of `library`, loaded. */
  readonly host: () => Promise<PfHost>;
}

export interface HookRequest {
  readonly host: HookHost;
  /** The host's name of the event, where the command line gives it. */
  readonly event?: string | undefined;
  /** The event as it came: JSON, as far as it is. */
  readonly text: string;
  /** The environment says that nobody sits there to be asked. */
  readonly unattended?: boolean | undefined;
  /** Replaces `hook.budget_ms`. */
  readonly budgetMs?: number | undefined;
}

/** The answer to the host. `output` undefined: the host expects none. */
export interface HookReply {
  readonly output: JsonRecord | undefined;
  /** The failure, for a log. */
  readonly trouble?: string;
}

export interface HookPorts {
  /** The workspace of a session that begins where the agent stands. */
  place(cwd: string | undefined, sessionId: string): Promise<HookPlace>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds since this event began to be worked on. */
  elapsed(): number;
  /** Called once with the answer, before anything of it is recorded. */
  reply?(reply: HookReply): void;
}

/** One event on its way through the workspace that it belongs to. */
export interface Visit {
  readonly request: HookRequest;
  readonly adapter: HostAdapter;
  readonly event: HookEvent;
  readonly place: HookPlace;
  readonly ports: Pick<HookPorts, "now" | "elapsed">;
}
