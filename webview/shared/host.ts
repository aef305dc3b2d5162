import type { Channel, Connection } from "../../src/protocol/connection.ts";
import { connect } from "../../src/protocol/connection.ts";
import type { ReplayHost, ReplayView } from "../../src/protocol/replay.ts";

export type ReplayConnection = Connection<ReplayHost, ReplayView>;

/** Where the view runs: in VS Code (`vscode-host.ts`), or in a plain browser (`fixture/fixture-host.ts`). */
export interface Host {
  readonly connection: ReplayConnection;
  readonly memory: Memory;
}

/** What outlives a restart of the page. */
export interface Memory {
  /** What was written last; undefined at first. */
  read(): unknown;
  /** Replaces what was there; plain data. */
  write(state: unknown): void;
}

/** Of a page that begins anew each time. */
const NO_MEMORY: Memory = { read: () => undefined, write: () => undefined };

export function hostOver(channel: Channel, memory: Memory = NO_MEMORY): Host {
  return { connection: connect<ReplayHost, ReplayView>(channel), memory };
}
