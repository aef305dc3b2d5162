import type { Domain } from "../../domains/domain.ts";
import { textsOf } from "../../domains/texts.ts";
import { FAILURE_GROUPS, type FailureGroup } from "../../model/failure.ts";
import { jaccard, wordsOf } from "../../model/words.ts";

/** The six broad groups of failures (SPEC §7, readings), in the words by which a pattern is assigned to one. */
export const GROUP_DESCRIPTIONS: Readonly<Record<FailureGroup, string>> = {
  termination:
    "The episode ends at the wrong time: it answers early, never answers, or goes on without progress.",
  retrieval: "A search or its query fails: too broad, too narrow, repeated, or empty results.",
  entity:
    "The answer is about the wrong entity: another person, place, work, date or quantity than the question asks for.",
  evidence:
    "The answer is not supported by evidence: nothing was read, sources contradict, or facts are made up.",
  format:
    "The answer has the wrong form: too long, incomplete, only a part, or not the kind that is asked for.",
  control:
    "A skill or a tool interferes: an override changes or holds back an action, and the episode fails.",
};

export const GROUP_WORDS: Readonly<Record<FailureGroup, ReadonlySet<string>>> = {
  termination: groupWords("termination"),
  retrieval: groupWords("retrieval"),
  entity: groupWords("entity"),
  evidence: groupWords("evidence"),
  format: groupWords("format"),
  control: groupWords("control"),
};

function groupWords(group: FailureGroup): ReadonlySet<string> {
  return new Set(wordsOf(`${group} ${GROUP_DESCRIPTIONS[group]}`));
}

/** The groups that failures of a domain fall into: there is nothing to retrieve where an agent has nothing to find. */
export function groupsOf(domain: Pick<Domain, "texts">): readonly FailureGroup[] {
  const finds = textsOf(domain).found !== undefined;
  return finds ? FAILURE_GROUPS : FAILURE_GROUPS.filter((group) => group !== "retrieval");
}

/** The one of the groups whose description shares most words with a pattern; the first of equals. */
export function nearestGroup(words: ReadonlySet<string>, groups: readonly FailureGroup[]): FailureGroup {
  const shares = groups.map((group) => ({ group, share: jaccard(words, GROUP_WORDS[group]) }));
  return shares.reduce((best, one) => (one.share > best.share ? one : best)).group;
}
