import type { Decision } from "../../model/decision.ts";
import type { Skill } from "../../model/skill.ts";

/** SPEC §4: both halves of the score count the same. */
const HALF = 0.5;
/** As many of a skill's words in the question make a full match. */
const FULL_MATCH = 3;

const EMPTY: ReadonlySet<string> = new Set(
  (
    "a an the this that these those and or not nor but if so of in on at by for from to into with within without about as than then is are was " +
    "were be been being has have had do does did it its he she they them his her their who whom whose which what when where why how agent " +
    "question answer answers skill use used uses when action proposed final search read one two more most less such only other"
  ).split(" "),
);

/** Words that carry meaning, in lower case, without a plural s. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/\p{L}[\p{L}\p{N}-]{2,}/gu) ?? [];
  return new Set(words.filter((word) => !EMPTY.has(word)).map((word) => word.replace(/s$/, "")));
}

/** The list under `## Detection triggers`, which says in words when the skill helps. */
function triggersOf({ body }: Skill): string {
  return /^##\s+Detection triggers\s*$([\s\S]*?)(?=^##?\s|$(?![\s\S]))/im.exec(body)?.[1] ?? "";
}

export interface Ranked {
  readonly skill: Skill;
  /** 0–1: 0.5 · mode match + 0.5 · trigger keyword match (SPEC §4). */
  readonly score: number;
  /** False for a skill of other modes, which is never selected. */
  readonly fits: boolean;
}

/** The skill is made for this kind of episode. */
export const fitsMode = ({ applicableModes }: Skill, mode: string): boolean =>
  applicableModes.includes("all") || applicableModes.includes(mode);

function scoreOf(skill: Skill, mode: string, question: ReadonlySet<string>): number {
  const keywords = wordsOf(`${skill.title} ${skill.description} ${triggersOf(skill)}`);
  const shared = [...keywords].filter((word) => question.has(word)).length;
  return HALF * (fitsMode(skill, mode) ? 1 : 0) + HALF * Math.min(1, shared / FULL_MATCH);
}

/** The library by how well each skill fits the question; equals by priority, then id. */
export function rankSkills(skills: readonly Skill[], mode: string, question: string): readonly Ranked[] {
  const words = wordsOf(question);
  return skills
    .map((skill) => ({ skill, score: scoreOf(skill, mode, words), fits: fitsMode(skill, mode) }))
    .toSorted(
      (a, b) =>
        b.score - a.score ||
        b.skill.priority - a.skill.priority ||
        (a.skill.skillId < b.skill.skillId ? -1 : 1),
    );
}

/** Which summaries stand in the system prompt: those of the domain's mode, best first, at most `most`. */
export function selectForPrompt(
  ranked: readonly Ranked[],
  most: number,
): { readonly skills: readonly Skill[]; readonly decision: Decision } {
  const fitting = ranked.filter(({ fits }) => fits);
  const kept = fitting.slice(0, most);
  const foreign = ranked
    .filter(({ fits }) => !fits)
    .map(({ skill }) => ({ skillId: skill.skillId, reason: "made for other modes" }));
  const beyond = fitting.slice(most).map(({ skill, score }) => ({
    skillId: skill.skillId,
    reason: `score ${score.toFixed(2)}, the prompt is full`,
  }));
  return {
    skills: kept.map(({ skill }) => skill),
    decision: {
      part: "skill_selector",
      by: "code",
      reason: `${kept.length} of ${ranked.length} summaries, by 0.5 · mode + 0.5 · trigger words; ${most === Infinity ? "no limit" : `the prompt has room for ${most}`}`,
      chosen: kept.map(({ skill }) => skill.skillId),
      leftOut: [...beyond, ...foreign],
    },
  };
}
