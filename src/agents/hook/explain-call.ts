import { judgeRecorded } from "../../analysis/judge.ts";
import type { Library } from "../../analysis/library.ts";
import { codingAgent } from "../../domains/coding-agent/coding-agent.ts";
import { reasonsAt } from "../../app/step-reasons.ts";
import type { JudgedPf } from "../../protocol/replay.ts";
import type { Compiler } from "../../skill/compiler.ts";
import type { ActingLibrary } from "./library.ts";
import { recordedEpisode } from "./memory-store.ts";
import { closingLines } from "./rebuild.ts";
import type { HookPlace } from "./visit.ts";

/** Why each PF did or did not fire on the last call of a session. */
export interface ExplainedCall {
  /** 0-based step of the call. */
  readonly t: number;
  readonly pfs: readonly JudgedPf[];
}

const asLibrary = ({ skills }: ActingLibrary): Library => ({
  skills: [...skills],
  active: skills.map(({ skill, program }) => ({
    skill,
    program,
    traits: { needsTeacher: false, maxFires: undefined, after: [], votes: false },
    source: program.code,
    domain: codingAgent.name,
  })),
  kept: [],
  diagnostics: [],
});

/** Reads the reasons off an instrumented run of each PF on the last step of these lines; undefined where there is none. */
export async function explainCall(
  place: HookPlace,
  lines: readonly string[],
  compiler: Compiler,
): Promise<ExplainedCall | undefined> {
  const closing = closingLines(lines, "session").map((line) => JSON.stringify(line));
  const episode = recordedEpisode([...lines, ...closing]);
  if (episode === undefined) return undefined;
  const t = episode.steps.length - 1;
  const library = asLibrary(place.library);
  const host = await place.host();
  const judged = (await judgeRecorded(episode, library, host))[t];
  return judged && { t, pfs: await reasonsAt(judged, { library, host, compiler }) };
}
