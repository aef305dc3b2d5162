import type { PfLists } from "../../domains/domain.ts";
import type { Decision } from "../../model/decision.ts";
import type { Control } from "../../model/control.ts";
import type { TeacherCall } from "../../model/intervention.ts";
import type { TeacherClient } from "../teacher.ts";
import { jsonOf, whyUnusable } from "./json-reply.ts";
import { kindOf, type QuestionKind } from "./question-kind.ts";
import type { Ranked } from "./skill-selector.ts";

export interface PfSelection {
  /** Ids of the skills whose PF is asked. */
  readonly chosen: ReadonlySet<string>;
  readonly decision: Decision;
}

export interface PfSelectorInput {
  readonly question: string;
  /** Skills with a PF, best first. */
  readonly ranked: readonly Ranked[];
  readonly lists: PfLists;
  readonly control: Pick<Control, "pfTopK" | "pinnedSkills">;
  readonly teacher: TeacherClient;
}

/** Enough for the ids of a hundred skills. */
const REPLY_TOKENS = 400;

const idsOf = (ranked: readonly Ranked[]): string[] => ranked.map(({ skill }) => skill.skillId);

const FORM = 'Answer with JSON alone: {"skills": ["id", …], "reason": "a few words"}';

function promptFor({ question, ranked, control }: PfSelectorInput, pinned: readonly string[]): string {
  const candidates = ranked.filter(({ skill }) => !pinned.includes(skill.skillId));
  return [
    "Helpers can watch an agent while it answers the question below; each one steps in on one kind of mistake.",
    `Choose those that this question is likely to need, at most ${Math.max(0, control.pfTopK - pinned.length)}, most useful first.`,
    "A few that fit are better than many: every helper that does not fit costs steps and may do harm.",
    `Question: ${question}`,
    "Helpers:",
    ...candidates.map(({ skill }) => `- ${skill.skillId}: ${skill.description}`),
    FORM,
  ].join("\n");
}

interface Said {
  readonly ids: readonly string[];
  readonly unknown: readonly string[];
  readonly reason: string;
}

/** The ids that the teacher named, each once; undefined where its reply holds no list. */
function readReply(call: TeacherCall, known: ReadonlySet<string>): Said | undefined {
  const json = jsonOf(call, FORM);
  if (!Array.isArray(json?.skills)) return undefined;
  const named = [...new Set(json.skills.filter((id): id is string => typeof id === "string"))];
  return {
    ids: named.filter((id) => known.has(id)),
    unknown: named.filter((id) => !known.has(id)),
    reason: typeof json.reason === "string" ? json.reason.slice(0, 300) : "no reason given",
  };
}

/** The branch of the heuristic (SPEC §4); what a list names and the library lacks is passed over. */
function branchOf(kind: QuestionKind, lists: PfLists): readonly string[] {
  if (kind === "computation") return [];
  if (kind === "factoid") return lists.light;
  return [...lists.safe, ...lists.decomposition, ...lists.entityAware];
}

const BRANCH_REASON: Readonly<Record<QuestionKind, string>> = {
  computation: "a computation: the mandatory skills alone",
  factoid: "a simple question: the light skills",
  multi_hop: "a chain of facts: the safe, decomposing and entity-aware skills, then by relevance",
};

/** Pinned ids first, then the others in their order, at most topK; pinned ones are never cut. */
function cut(pinned: readonly string[], wanted: readonly string[], topK: number): readonly string[] {
  const rest = wanted.filter((id) => !pinned.includes(id));
  return [...pinned, ...new Set(rest)].slice(0, Math.max(topK, pinned.length));
}

function heuristic(
  input: Omit<PfSelectorInput, "teacher">,
  pinned: readonly string[],
  known: ReadonlySet<string>,
) {
  const { question, ranked, lists, control } = input;
  const isGrouped = Object.values(lists).some((ids) => ids.length > 0);
  if (!isGrouped)
    return {
      ids: cut(pinned, idsOf(ranked), control.pfTopK),
      reason: "the domain has no groups of skills: by relevance",
      others: `less relevant than the first ${control.pfTopK}`,
    };
  const kind = kindOf(question);
  const branch = branchOf(kind, lists).filter((id) => known.has(id));
  const wanted = kind === "multi_hop" ? [...branch, ...idsOf(ranked)] : branch;
  const others =
    kind === "multi_hop" ? `less relevant than the first ${control.pfTopK}` : "not for such a question";
  return { ids: cut(pinned, wanted, control.pfTopK), reason: BRANCH_REASON[kind], others };
}

/** Without a teacher only the activation functions decide (SPEC §5): a top K is what a teacher adds. */
function selectAll({ ranked }: PfSelectorInput): PfSelection {
  const ids = idsOf(ranked);
  return {
    chosen: new Set(ids),
    decision: {
      part: "pf_selector",
      by: "settings",
      reason: "No teacher selects: every Program Function is asked.",
      chosen: ids,
      leftOut: [],
    },
  };
}

/** Skills that no selection leaves out: the domain's mandatory ones and those that a person pinned. */
function pinnedIn(
  { lists, control }: Pick<PfSelectorInput, "lists" | "control">,
  known: ReadonlySet<string>,
): readonly string[] {
  return [...new Set([...lists.mandatory, ...control.pinnedSkills])].filter((id) => known.has(id));
}

/** The selection by code, for a teacher that fails and for records that no teacher selected for. Pure. */
export function selectByCode(input: Omit<PfSelectorInput, "teacher">): PfSelection {
  const known = new Set(idsOf(input.ranked));
  const { ids, reason, others } = heuristic(input, pinnedIn(input, known), known);
  const chosen = new Set(ids);
  const leftOut = idsOf(input.ranked)
    .filter((id) => !chosen.has(id))
    .map((skillId) => ({ skillId, reason: others }));
  return { chosen, decision: { part: "pf_selector", by: "code", reason, chosen: [...ids], leftOut } };
}

function selectedBy(said: Said, input: PfSelectorInput, pinned: readonly string[]): PfSelection {
  const ids = cut(pinned, said.ids, input.control.pfTopK);
  const chosen = new Set(ids);
  const strays =
    said.unknown.length > 0 ? `; no skill here is called ${said.unknown.slice(0, 5).join(", ")}` : "";
  const leftOut = idsOf(input.ranked)
    .filter((id) => !chosen.has(id))
    .map((skillId) => ({ skillId, reason: "not named" }));
  return {
    chosen,
    decision: {
      part: "pf_selector",
      by: "teacher",
      reason: `${said.reason}${strays}`,
      chosen: [...ids],
      leftOut,
    },
  };
}

/**
 * The PFs of one question (SPEC §4): the teacher's top K with the mandatory and the pinned ones; by code where the teacher fails; every
 * PF where there is no teacher (SPEC §5).
 */
export async function selectPfs(input: PfSelectorInput): Promise<PfSelection> {
  const known = new Set(idsOf(input.ranked));
  const pinned = pinnedIn(input, known);
  const ask = known.size > pinned.length ? input.teacher.at("pf_selector") : undefined;
  if (ask === undefined) return selectAll(input);
  const call = await ask({ prompt: promptFor(input, pinned), maxTokens: REPLY_TOKENS, temperature: 0 });
  const said = readReply(call, known);
  const { chosen, decision } = said === undefined ? selectByCode(input) : selectedBy(said, input, pinned);
  const fallback = said === undefined ? `${whyUnusable(call, "list of skills", FORM)}; by code: ` : "";
  return { chosen, decision: { ...decision, reason: `${fallback}${decision.reason}`, calls: [call] } };
}
