import type { ReplayConnection } from "../shared/host.ts";
import type { Position } from "./history.ts";

/** Milliseconds that a scrolled transcript rests before the host hears of its step. */
const REST_MS = 200;

/** Tells the host which step is shown. */
export interface PositionReport {
  now(position: Position): void;
  /** After a rest, if no other position comes before. */
  soon(position: Position): void;
}

export function createPositionReport(connection: ReplayConnection): PositionReport {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = (position: Position): void => {
    clearTimeout(timer);
    connection.send("position", position);
  };
  return {
    now,
    soon: (position) => {
      clearTimeout(timer);
      timer = setTimeout(() => now(position), REST_MS);
    },
  };
}
