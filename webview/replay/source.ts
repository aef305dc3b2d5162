import type { PfEvent } from "../../src/model/intervention.ts";
import type { JudgedPf } from "../../src/protocol/replay.ts";
import { baseName } from "../shared/format.ts";
import { shownOf, valueOf, type ReplayState } from "./state.ts";
import { mostTelling } from "./statuses.ts";

/** A place to jump to: a line of a PF, or a whole skill where no line is known. */
export interface SourceLink {
  readonly skillId: string;
  readonly line: number | undefined;
  readonly label: string;
}

export function recordedSource(event: PfEvent): SourceLink {
  const line = event.line;
  return { skillId: event.skillId, line, label: line === undefined ? "SKILL.md" : `pf.ts:${line}` };
}

/** The line that decided: of the operand that settled the answer, or of the error. */
export function judgedSource({ event, explanation }: JudgedPf): SourceLink {
  const line = event.line ?? explanation?.deciding?.line;
  if (line === undefined) return recordedSource(event);
  const file = explanation === undefined ? "pf.ts" : baseName(explanation.file);
  return { skillId: event.skillId, line, label: `${file}:${line}` };
}

/** Where `Enter` leads: to the PF that decided the step today, else to the one that did in the run. */
export function decidingSource(state: ReplayState): SourceLink | undefined {
  const judged = mostTelling(shownOf(state.judged)?.pfs ?? [], (pf) => pf.event.status);
  if (judged !== undefined) return judgedSource(judged);
  const step = valueOf(state.episode)?.steps[state.t];
  const recorded = mostTelling(step?.events ?? [], (event) => event.status);
  return recorded === undefined ? undefined : recordedSource(recorded);
}
