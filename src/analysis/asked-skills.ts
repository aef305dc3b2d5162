import { domainOfRecord } from "../domains/registry.ts";
import { selectByCode } from "../harness/select/pf-selector.ts";
import { whyNoCandidate } from "../harness/select/select.ts";
import { rankSkills } from "../harness/select/skill-selector.ts";
import { surfacesOf } from "../model/control.ts";
import type { Decision } from "../model/decision.ts";
import type { Episode } from "../model/episode.ts";
import type { Selection } from "../model/selection.ts";
import { activeIn, type ActiveSkill, type Library } from "./library.ts";
import { controlOf } from "./recorded-control.ts";

/** The skills of a library as the selection of an episode treats them. */
export interface AskedSkills {
  readonly selection: Selection;
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

/** Why a selection keeps a skill away, by id. */
interface Reasons {
  readonly selection: Selection;
  readonly why: ReadonlyMap<string, string>;
}

/** The selection by code for this question, as a run makes it where its teacher fails. */
function selectionByCode(episode: Episode, library: Library): Decision {
  const { question, facts } = episode;
  const acting = activeIn(library, facts.domain);
  const ranked = rankSkills(
    acting.map(({ skill }) => skill),
    facts.domain,
    question,
  ).filter(({ fits }) => fits);
  const { pfLists } = domainOfRecord(facts);
  return selectByCode({ question, ranked, lists: pfLists, control: controlOf(episode) }).decision;
}

function reasons(episode: Episode, library: Library, byCode: boolean): Reasons {
  const recorded = episode.decisions?.find(({ part }) => part === "pf_selector");
  if (recorded !== undefined) return { selection: "recorded", why: leftOutBy(recorded, episode, library) };
  const closing = closedBy(episode);
  if (closing !== undefined)
    return {
      selection: "recorded",
      why: new Map(episode.library.map(({ skillId }) => [skillId, closing.reason])),
    };
  if (!byCode) return { selection: "every PF", why: new Map() };
  const selector = selectionByCode(episode, library);
  return { selection: "by code", why: leftOutBy(selector, episode, library) };
}

function leftOutBy(selector: Decision, episode: Episode, library: Library): ReadonlyMap<string, string> {
  const { facts } = episode;
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
 * The skills of a library that judge a recorded episode. A skill that the episode's own selection left out was not asked, and judging the
 * record does not ask it either; a skill that was not in the library then is asked. `byCode`: an episode that records no selection gets the
 * one by code; else every PF is asked.
 */
export function askedIn(episode: Episode, library: Library, byCode = false): AskedSkills {
  const acting = activeIn(library, episode.facts.domain);
  const { selection, why } = reasons(episode, library, byCode);
  const leftOut = acting.flatMap(({ skill: { skillId } }) => {
    const reason = why.get(skillId);
    return reason === undefined ? [] : [[skillId, reason] as const];
  });
  return {
    selection,
    asked: acting.filter(({ skill }) => !why.has(skill.skillId)),
    leftOut: new Map(leftOut),
  };
}
