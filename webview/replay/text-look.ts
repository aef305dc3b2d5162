import type { OpenedRun } from "../../src/protocol/replay.ts";
import { drawsFormulas } from "./formula-source.ts";
import { valueOf, type ReplayState } from "./state.ts";

/** What the domain of an episode says of its texts. */
export interface TextLook {
  /** Formulas are drawn. */
  readonly formulas: boolean;
  /** Answers are Python programs. */
  readonly code: boolean;
}

/** The run's episodes are of a domain whose answers are programs. */
export function isCodeRun({ run, programDomains = [] }: OpenedRun): boolean {
  return run !== undefined && programDomains.includes(run.domain);
}

/** How texts of the episode shown are shown. */
export function textLook(state: ReplayState): TextLook {
  const domain = valueOf(state.episode)?.facts.domain;
  const code = domain !== undefined && valueOf(state.run)?.programDomains?.includes(domain) === true;
  return { formulas: drawsFormulas(state), code };
}
