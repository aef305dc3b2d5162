import type { OpenedRun } from "../../src/protocol/replay.ts";
import { valueOf, type ReplayState } from "./state.ts";

/** The run's episodes are of a domain whose answers are programs. */
export function isCodeRun({ run, programDomains = [] }: OpenedRun): boolean {
  return run !== undefined && programDomains.includes(run.domain);
}

/** The answers of the episode shown are Python programs. */
export function answersAreCode({ run, episode }: Pick<ReplayState, "run" | "episode">): boolean {
  const domain = valueOf(episode)?.facts.domain;
  return domain !== undefined && valueOf(run)?.programDomains?.includes(domain) === true;
}
