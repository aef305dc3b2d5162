import type { Connection } from "../../src/protocol/connection.ts";
import type { ReplayHost, ReplayView } from "../../src/protocol/replay.ts";

interface Place {
  readonly index: number;
  readonly t: number;
}

/** `#episode=2&step=5`, counted from 1 as people do; undefined where the address says nothing of the kind. */
function placeIn(hash: string): Place | undefined {
  const words = new URLSearchParams(hash.slice(1));
  const index = Number(words.get("episode")) - 1;
  const t = Number(words.get("step") ?? 1) - 1;
  return Number.isInteger(index) && Number.isInteger(t) && index >= 0
    ? { index, t: Math.max(0, t) }
    : undefined;
}

/** Keeps the address at the step shown, so that a reload or a copied address comes back to it. */
export function followAddress(extension: Connection<ReplayView, ReplayHost>): void {
  const reveal = (): void => {
    const place = placeIn(location.hash);
    if (place !== undefined) extension.send("reveal", place);
  };
  extension.on("ready", reveal);
  extension.on("position", (place) => {
    if (place !== null) history.replaceState(null, "", `#episode=${place.index + 1}&step=${place.t + 1}`);
  });
  window.addEventListener("hashchange", reveal);
}
