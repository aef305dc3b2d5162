import { READ, SEARCH } from "../model/action-types.ts";
import { isActionOf, type DomainScope } from "../model/domain-spec.ts";
import type { PhaseName } from "../model/skill.ts";

/**
 * The one registry of words that a SKILL.md may use (SPEC §2). To add a condition, an action or a phase, add its line here; a domain
 * lists the conditions that it has (`DomainSpec.conditions`).
 */

/** Conditions under which a phase instruction is rendered. */
export const CONDITIONS: Readonly<Record<string, string>> = {
  search_empty: "The latest search found nothing.",
  no_search_yet: "Nothing has been searched in this episode.",
  no_read_yet: "Nothing has been read in this episode.",
  has_read: "Something has been read.",
  single_source: "Exactly one text has been read.",
  search_repeated: "The latest search says much the same as an earlier one.",
  sources_conflict: "The latest results contradict one another.",
  long_observation: "The latest observation has more than 2,000 characters.",
  few_steps_left: "At most two steps are left.",
  multi_hop_question: "The question chains several facts.",
  negated_question: "The question asks for what is not so.",
  has_case_analysis: "The proposed answer or its thought distinguishes cases.",
  enumerates: "The proposed answer or its thought lists at least three values, ordered pairs or triples.",
};

/** Conditions on the question and on the draft of an answer, which every domain has. */
const EVERYWHERE: ReadonlySet<string> = new Set([
  "multi_hop_question",
  "negated_question",
  "has_case_analysis",
  "enumerates",
]);

/** The conditions of a domain with their meaning; those of any domain where the file is in none. */
export function conditionsIn({ own, all }: DomainScope): Readonly<Record<string, string>> {
  const listed = new Set((own === undefined ? all : [own]).flatMap(({ conditions = [] }) => conditions));
  return Object.fromEntries(
    Object.entries(CONDITIONS).filter(([name]) => EVERYWHERE.has(name) || listed.has(name)),
  );
}

/** What a phase instruction asks the policy to do. */
export const ACTIONS: Readonly<Record<string, string>> = {
  reformulate_search: "Search again with other words.",
  force_read_best_doc: "Read the best document found so far.",
  verify_solution: "Give an answer that covers every part of the question.",
  decompose_question: "Search for one link of the chain at a time.",
  compare_sources: "Search for a second source of the same fact.",
  verify_entity: "Use only texts about the one that the question means.",
  read_closely: "Take the fact from the one sentence that answers.",
  shorten_answer: "Give the shortest text that answers in full.",
  answer_now: "Give the best answer that the evidence allows.",
};

/** Actions that a policy which searches nothing can do as well. */
const WITHOUT_SEARCH: ReadonlySet<string> = new Set(["verify_solution", "shorten_answer", "answer_now"]);

/** Whether an action of this type may run in the file's domain; in any domain where the file is in none. */
export function hasAction({ own, all }: DomainScope, type: string): boolean {
  return (own === undefined ? all : [own]).some((domain) => isActionOf(domain, type));
}

/** What a phase instruction of a domain may ask for, with its meaning. */
export function actionsIn(scope: DomainScope): Readonly<Record<string, string>> {
  if (hasAction(scope, SEARCH)) return ACTIONS;
  return Object.fromEntries(Object.entries(ACTIONS).filter(([name]) => WITHOUT_SEARCH.has(name)));
}

/** The action that opens a phase; every domain comes to its final action. */
const OPENED_BY: Readonly<Record<PhaseName, string | undefined>> = {
  pre_final: undefined,
  post_search: SEARCH,
  post_read: READ,
};

/** The phases that episodes of a domain come to. */
export function phasesIn(scope: DomainScope): readonly PhaseName[] {
  return (Object.keys(OPENED_BY) as PhaseName[]).filter((name) => {
    const type = OPENED_BY[name];
    return type === undefined || hasAction(scope, type);
  });
}

/** The parts of an episode's loop in which a skill can be of use. */
export const APPLICABLE_PHASES: Readonly<Record<string, string>> = {
  think: "While the policy reasons about its next action.",
  search: "While it gathers information.",
  answer: "When it is about to answer.",
};

/** Folders in which nobody looks for skills: of packages and builds. */
export const BUILD_FOLDERS: ReadonlySet<string> = new Set(["node_modules", "dist", "out", "__pycache__"]);
/** snake_case: what `skill_id` and a condition's name look like. */
export const SNAKE_CASE = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
/** kebab-case: what `name` and its folder look like. */
export const KEBAB_CASE = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
/** The longest `name` that VS Code and other readers of Agent Skills take, in characters. */
export const MAX_NAME = 64;
/** The longest `description` they take, in characters. */
export const MAX_DESCRIPTION = 1024;
/** The longest `compatibility` of the specification of Agent Skills, in characters. */
export const MAX_COMPATIBILITY = 500;
