import * as vscode from "vscode";
import { describeVerdict } from "../../analysis/run-cases.ts";
import { Failure } from "../failure.ts";
import type { LocatedSkill } from "../workspace/library.ts";
import type { SkillToday } from "./today.ts";

/** Where the skill that was chosen last is kept, in the workspace's state. */
const LAST = "hasp.lastSkillOfStep";
const DECISION_CHARS = 60;

interface SkillPick extends vscode.QuickPickItem {
  readonly chosen: SkillToday;
}

function inWords({ today }: SkillToday): string {
  if (today === undefined) return "its PF does not load";
  const words = describeVerdict(today.verdict);
  return words.length > DECISION_CHARS ? `${words.slice(0, DECISION_CHARS)}…` : words;
}

function pickOf(chosen: SkillToday): SkillPick {
  const { skill } = chosen;
  return {
    label: skill.skillId,
    description: `${skill.isBuiltIn ? "built in · " : ""}${inWords(chosen)}`,
    ...(skill.skill !== undefined && { detail: skill.skill.title }),
    chosen,
  };
}

/** The one used last first, then those that fire, then the workspace's own, then by id. */
function ranked(skills: readonly SkillToday[], last: string | undefined): SkillToday[] {
  const rank = ({ skill, today }: SkillToday): number =>
    (skill.skillId === last ? 0 : 4) + (today?.verdict.kind === "fired" ? 0 : 2) + (skill.isBuiltIn ? 1 : 0);
  return skills.toSorted((a, b) => rank(a) - rank(b) || a.skill.skillId.localeCompare(b.skill.skillId, "en"));
}

export interface SkillQuestion {
  readonly title: string;
  readonly placeHolder: string;
  /** Named by whoever called the command: it is not asked for. */
  readonly skillId: string | undefined;
}

/** Asks for one of the skills, and remembers which; undefined when the person leaves. */
export async function pickSkill(
  memory: vscode.Memento,
  skills: readonly SkillToday[],
  { title, placeHolder, skillId }: SkillQuestion,
): Promise<SkillToday | undefined> {
  if (skillId !== undefined) return namedSkill(skills, skillId);
  const items = ranked(skills, memory.get<string>(LAST)).map(pickOf);
  const options = { title, placeHolder, matchOnDescription: true, matchOnDetail: true };
  const picked = await vscode.window.showQuickPick(items, options);
  if (picked !== undefined) await memory.update(LAST, picked.chosen.skill.skillId);
  return picked?.chosen;
}

function namedSkill(skills: readonly SkillToday[], skillId: string): SkillToday {
  const found = skills.find(({ skill }) => skill.skillId === skillId);
  if (found !== undefined) return found;
  throw new Failure(
    `There is no skill ${skillId} to choose here.`,
    "It may be of another domain, or renamed since.",
  );
}

/** Skills with a Program Function that are for this domain. */
export function judgingIn(skills: readonly LocatedSkill[], domain: string): readonly LocatedSkill[] {
  return skills.filter((skill) => skill.pf !== undefined && skill.domain === domain);
}
