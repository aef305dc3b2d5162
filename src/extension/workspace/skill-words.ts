import type { HandlerKind, Skill } from "../../model/skill.ts";
import { firedParts, OUTCOMES, type FiredCounts } from "../../model/outcomes.ts";
import { revisionWords } from "../../model/revisions.ts";
import type { SkillClass } from "../../skill/skill-class.ts";

export interface Words {
  /** For a row. */
  readonly brief: string;
  /** For its tooltip. */
  readonly sentence: string;
}

const KINDS: Readonly<Record<SkillClass, Words>> = {
  modifies: { brief: "modifies", sentence: "Its Program Function may change an action." },
  "builds-text": {
    brief: "builds text",
    sentence: "Its Program Function adds a text that it makes from the episode; it changes no action.",
  },
  "prompt-equivalent": {
    brief: "fixed text",
    sentence:
      "Prompt-equivalent: its Program Function adds fixed texts only, and a prompt could say the same.",
  },
  none: { brief: "text only", sentence: "It has no Program Function: summary and phase instructions only." },
};

/** A vote is more than a prompt could say. */
const FIXED_WITH_VOTE: Words = {
  brief: "fixed text",
  sentence: "Its Program Function adds fixed texts only.",
};

const HANDLERS: Readonly<Record<HandlerKind, string>> = {
  llm: "The teacher is asked its question about each answer, and may vote for another search.",
  code: "Its Program Function votes on each answer.",
  inline: "It corrects actions on the way and does not vote.",
};

function kindWords(skillClass: SkillClass, { handler }: Pick<Skill, "handler">): Words {
  const votes = handler !== undefined && handler.kind !== "inline";
  return votes && skillClass === "prompt-equivalent" ? FIXED_WITH_VOTE : KINDS[skillClass];
}

/** The class of a skill's PF, in a word. */
export function classWord(skill: Pick<Skill, "handler">, skillClass: SkillClass): string {
  return kindWords(skillClass, skill).brief;
}

/** A skill in a few words each: what its PF does, its handler, its place in the order. The class is undefined until it is known. */
export function briefFacts(skill: Skill, skillClass: SkillClass | undefined): readonly string[] {
  const { handler, priority, version } = skill;
  return [
    ...(skillClass === undefined ? [] : [kindWords(skillClass, skill).brief]),
    ...(handler === undefined ? [] : [`${handler.kind} handler`]),
    `priority ${priority}`,
    `v${version}`,
  ];
}

/** The same in sentences, a line each. */
export function factSentences(skill: Skill, skillClass: SkillClass | undefined): readonly string[] {
  const { handler, priority, version, supersedes } = skill;
  return [
    ...(skillClass === undefined ? [] : [kindWords(skillClass, skill).sentence]),
    handler === undefined ? "No handler." : `Handler: ${handler.kind}. ${HANDLERS[handler.kind]}`,
    `Priority ${priority}, version ${version}.`,
    ...(supersedes.length === 0 ? [] : [`Supersedes ${supersedes.join(", ")}.`]),
  ];
}

/** In how many episodes of the latest backtest it fired, for a row. */
export function firesBrief({ counts }: FiredCounts): string {
  const fired = OUTCOMES.reduce((sum, outcome) => sum + counts[outcome].fired, 0);
  return `fired in ${fired}`;
}

/** The same by outcome, in a sentence. */
export function firesSentence(skill: FiredCounts): string {
  const parts = firedParts(skill);
  if (parts.length === 0) return "Latest backtest: no episode for it.";
  return `Latest backtest: fired in ${parts.join(", ")} episodes.`;
}

/** What became of the answers that it held back in the records, in a sentence; undefined where it held back none. */
export function revisionSentence({ revisions }: FiredCounts): string | undefined {
  const words = revisionWords(revisions);
  return words === "" ? undefined : `Drafts held back in the records, and revised: ${words}.`;
}
