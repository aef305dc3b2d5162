import type { Channel, Connection } from "../../src/protocol/connection.ts";
import { connect } from "../../src/protocol/connection.ts";
import type { ReplayHost, ReplayView } from "../../src/protocol/replay.ts";

export type ReplayConnection = Connection<ReplayHost, ReplayView>;

/** Where the view runs: in VS Code (`vscode-host.ts`), or in a plain browser (`fixture/fixture-host.ts`). */
export interface Host {
  readonly connection: ReplayConnection;
}

export function hostOver(channel: Channel): Host {
  return { connection: connect<ReplayHost, ReplayView>(channel) };
}
