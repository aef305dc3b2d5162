import type { Domain } from "../../domains/domain.ts";
import type { Decision } from "../../model/decision.ts";
import type { PfProgram, Skill } from "../../model/skill.ts";
import { surfacesOf, type Control } from "../../model/control.ts";
import type { TeacherClient } from "../teacher.ts";
import { passGate } from "./difficulty-gate.ts";
import { selectPfs } from "./pf-selector.ts";
import { fitsMode, rankSkills, selectForPrompt } from "./skill-selector.ts";

/** A skill as an episode uses it. */
export interface LibrarySkill {
  readonly skill: Skill;
  /** Undefined for a skill of text alone. Where it is there, the host has it loaded. */
  readonly program?: Pick<PfProgram, "skillId" | "priority"> | undefined;
  /** A prompt could replace it: it never modifies an action, and its texts are fixed (SPEC §3, "A+B"). */
  readonly promptOnly: boolean;
  /** The constant texts that its PF injects, where the PF is prompt-equivalent; none where nothing is said. */
  readonly fixedTexts?: readonly string[];
  /** The domain whose folder it stands in; undefined where it stands in none that anybody knows. */
  readonly domain?: string | undefined;
  /** It came with HASP Studio. */
  readonly shipped?: boolean;
}

/** What of the library takes part in one episode. */
export interface Selected {
  /** Parts of the system prompt: the summary of each selected skill, best first, or its body, in the order of the library; in prompt-only mode its fixed texts. */
  readonly summaries: readonly string[];
  /** Skills whose phase instructions may be shown. */
  readonly withText: readonly Skill[];
  /** The PFs that are asked. */
  readonly programs: readonly Pick<PfProgram, "skillId" | "priority">[];
  /** Skills whose handler may vote: LLM handlers of selected skills alone, each costs a call. */
  readonly withHandler: readonly Skill[];
  readonly decisions: readonly Decision[];
}

export interface SelectInput {
  readonly question: string;
  readonly library: readonly LibrarySkill[];
  readonly domain: Pick<Domain, "name" | "pfLists" | "skillText" | "texts">;
  readonly control: Control;
  readonly teacher: TeacherClient;
}

/**
 * Whether a skill may act in an episode of this domain: the domain of its folder decides, and where the folder names none, the modes
 * that it declares.
 */
export function actsIn({ skill, domain }: Pick<LibrarySkill, "skill" | "domain">, episode: string): boolean {
  if (domain !== undefined) return domain === episode;
  return skill.applicableModes.includes("all") || skill.applicableModes.includes(episode);
}

/** Why a skill that acts in this domain is no candidate of the selection, whatever the question; undefined where it is one. */
export function whyNoCandidate(
  { skill, promptOnly }: Pick<LibrarySkill, "skill" | "promptOnly">,
  domain: string,
  { enablePromptOnlySkills }: Pick<Control, "enablePromptOnlySkills">,
): string | undefined {
  if (promptOnly && !enablePromptOnlySkills) return "Off: skills that a prompt could replace.";
  return fitsMode(skill, domain) ? undefined : "made for other modes";
}

/** What the switches leave of the library, and a word on those that are off. */
function switches(library: readonly LibrarySkill[], control: Control) {
  const { text, pfs, handlers, teacher } = surfacesOf(control);
  const off = [
    ...(text ? [] : ["skills"]),
    ...(pfs ? [] : ["Program Functions"]),
    ...(handlers ? [] : ["handlers"]),
    ...(teacher ? [] : ["teacher"]),
    ...(control.enablePromptOnlySkills ? [] : ["skills that a prompt could replace"]),
  ];
  const kept = control.enablePromptOnlySkills ? library : library.filter(({ promptOnly }) => !promptOnly);
  const decision: Decision = {
    part: "switches",
    by: "settings",
    reason: off.length === 0 ? "Everything is on." : `Off: ${off.join(", ")}.`,
  };
  return { kept: text ? kept : [], decision };
}

const NOTHING = { summaries: [], withText: [], programs: [], withHandler: [] } as const;

/** Prompt lines of the selected skills (SPEC §5, "Prompt-only skills"). */
function summariesOf(
  inPrompt: readonly Skill[],
  library: readonly LibrarySkill[],
  { skillText }: Pick<Domain, "skillText">,
  { promptOnlyMode }: Pick<Control, "promptOnlyMode">,
): readonly string[] {
  const fixed = new Map(library.map(({ skill, fixedTexts = [] }) => [skill.skillId, fixedTexts]));
  const isBody = skillText === "body";
  // Bodies are long: in the order of the library, they begin all prompts alike, which servers read once.
  const shown = isBody ? library.flatMap(({ skill }) => (inPrompt.includes(skill) ? [skill] : [])) : inPrompt;
  const lines = shown.flatMap(({ skillId, systemSummary, body }) => [
    isBody ? body.trim() : systemSummary,
    ...(promptOnlyMode ? (fixed.get(skillId) ?? []) : []),
  ]);
  return lines.filter((line) => line !== "");
}

/** Layers 1 and 2 of SPEC §4, once per question: switches, difficulty gate, SkillSelector, PFSelector. */
export async function selectSkills(input: SelectInput): Promise<Selected> {
  const { question, library, domain, control, teacher } = input;
  const ours = library.filter((one) => actsIn(one, domain.name));
  const { kept, decision } = switches(ours, control);
  if (kept.length === 0) return { ...NOTHING, decisions: [decision] };
  const gate = await passGate(question, control, teacher, domain);
  const decisions = [decision, ...(gate === undefined ? [] : [gate.decision])];
  if (gate?.open === false) return { ...NOTHING, decisions };
  const { pfs, handlers } = surfacesOf(control);
  const skills = kept.map(({ skill }) => skill);
  const ranked = rankSkills(skills, domain.name, question);
  const prompt = selectForPrompt(ranked, control.promptOnlyMode ? Infinity : control.maxSkillsInPrompt);
  const programs = kept.flatMap(({ program }) => program ?? []);
  const withPf = new Set(programs.map(({ skillId }) => skillId));
  const candidates = ranked.filter(({ skill, fits }) => fits && withPf.has(skill.skillId));
  const chosen = pfs
    ? await selectPfs({ question, ranked: candidates, lists: domain.pfLists, control, teacher })
    : undefined;
  const isChosen = (id: string): boolean => chosen?.chosen.has(id) ?? false;
  const inPrompt = new Set(prompt.skills.map(({ skillId }) => skillId));
  const mayVote = ({ skillId, handler }: Skill): boolean =>
    handler !== undefined && (handler.kind !== "llm" || chosen === undefined || isChosen(skillId));
  return {
    summaries: summariesOf(prompt.skills, kept, domain, control),
    withText: skills.filter(({ skillId }) => inPrompt.has(skillId) || isChosen(skillId)),
    programs: programs.filter(({ skillId }) => isChosen(skillId)),
    withHandler: handlers ? skills.filter(mayVote) : [],
    decisions: [...decisions, prompt.decision, ...(chosen === undefined ? [] : [chosen.decision])],
  };
}
