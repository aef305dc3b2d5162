import type { Episode } from "../../../../src/model/episode.ts";
import type { Action } from "../../../../src/model/action.ts";
import type { PlacedEpisode } from "../../../../src/trace/placed-episodes.ts";
import { openLibrary, type Library } from "../../../../src/analysis/library.ts";
import type { PfHost } from "../../../../src/sandbox/pf-host.ts";
import type { SkillFolder } from "../../../../src/skill/read-skill.ts";

/** An action with what it brought. */
export interface Acted {
  readonly action: Action;
  readonly observation?: string;
}

export interface Told {
  readonly question?: string;
  readonly outcome: Episode["outcome"];
  readonly gold?: readonly string[];
  readonly answer?: string;
}

/** A recorded episode of web search. */
export function episodeOf(sample: Episode, id: string, told: Told, acted: readonly Acted[]): Episode {
  const {
    question = "Which river crosses the town of Ilse Varga?",
    outcome,
    gold = ["Tisza"],
    answer,
  } = told;
  const { decisions: _, verdicts: __, answer: ___, settings: ____, ...rest } = sample;
  return {
    ...rest,
    id,
    questionId: question,
    question,
    outcome,
    gold: [...gold],
    ...(answer !== undefined && { answer }),
    length: acted.length,
    library: [],
    steps: acted.map(({ action, observation = "" }, t) => ({
      t,
      proposals: [{ thought: "", action }],
      events: [],
      executed: action,
      injected: [],
      observation,
    })),
  };
}

export async function* placedIn(run: string, episodes: readonly Episode[]): AsyncGenerator<PlacedEpisode> {
  for (const [index, episode] of episodes.entries()) yield { run, index, episode };
}

/** The library of one skill whose Program Function is this code in place of the shipped one. */
export async function libraryWith(shipped: SkillFolder, code: string, host: PfHost): Promise<Library> {
  const { program } = shipped;
  if (program === undefined) throw new Error("no program");
  return openLibrary([{ ...shipped, program: { ...program, code, phases: [] } }], host);
}
