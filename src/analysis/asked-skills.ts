import { whyNoCandidate } from "../harness/select/select.ts";
import { surfacesOf } from "../model/control.ts";
import type { Decision } from "../model/decision.ts";
import type { Episode } from "../model/episode.ts";
import { activeIn, type ActiveSkill, type Library } from "./library.ts";
import { controlOf } from "./recorded-control.ts";

/** The skills of a library as an episode's own selection treats them. */
export interface AskedSkills {
  /** Their Program Functions judge the episode, in the order of Γ. */
  readonly asked: readonly ActiveSkill[];
  /** Skills that take no part, with the reason, by id. */
  readonly leftOut: ReadonlyMap<string, string>;
}

/** The decision after which no Program Function was asked; undefined in an episode whose harness records none. */
function closedBy(episode: Episode): Decision | undefined {
  const { decisions = [] } = episode;
  const gate = decisions.find(({ part }) => part === "difficulty_gate");
  const switches = decisions.find(({ part }) => part === "switches");
  return surfacesOf(controlOf(episode)).pfs ? (gate ?? switches) : switches;
}

/** Why the episode's selection kept a skill away; undefined where it was asked, or was not in the library then. */
function reasons(episode: Episode, library: Library): ReadonlyMap<string, string> {
  const { decisions = [], facts } = episode;
  const selector = decisions.find(({ part }) => part === "pf_selector");
  if (selector === undefined) {
    const closing = closedBy(episode);
    return new Map(
      closing === undefined ? [] : episode.library.map(({ skillId }) => [skillId, closing.reason]),
    );
  }
  const control = controlOf(episode);
  const noCandidates = library.skills.flatMap((skill) => {
    const why = whyNoCandidate(skill, facts.domain, control);
    return why === undefined ? [] : [[skill.skill.skillId, why] as const];
  });
  const notChosen = (selector.leftOut ?? []).map(
    ({ skillId, reason }) => [skillId, `not selected for this question: ${reason}`] as const,
  );
  return new Map([...noCandidates, ...notChosen]);
}

/**
 * Which skills of a library judge a recorded episode. A skill that the episode's own selection left out was not asked, and judging the
 * record does not ask it either; a skill that was not in the library then is asked.
 */
export function askedIn(episode: Episode, library: Library): AskedSkills {
  const acting = activeIn(library, episode.facts.domain);
  const why = reasons(episode, library);
  const leftOut = acting.flatMap(({ skill: { skillId } }) => {
    const reason = why.get(skillId);
    return reason === undefined ? [] : [[skillId, reason] as const];
  });
  return { asked: acting.filter(({ skill }) => !why.has(skill.skillId)), leftOut: new Map(leftOut) };
}
