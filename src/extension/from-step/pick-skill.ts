import type * as vscode from "vscode";
import type { Judging } from "../../app/ports.ts";
import { verdictsOnStep, type SkillVerdict } from "../../app/step-verdicts.ts";
import { choose } from "../choose.ts";
import { COMMANDS } from "../contributions.ts";
import { Failure, Unmet } from "../failure.ts";
import type { EditorServices } from "../services.ts";
import type { Choice } from "../steps.ts";
import { wayTo } from "../unmet.ts";
import type { LocatedSkill } from "../workspace/library.ts";
import { nameOfStep, type RecordedStep } from "./recorded-step.ts";

/** A skill, and what its PF decides on the step; undefined where its PF cannot be loaded. */
export interface SkillToday {
  readonly skill: LocatedSkill;
  readonly today: SkillVerdict | undefined;
}

/** Key of the skill that was chosen last, in the workspace's state. */
const LAST = "hasp.lastSkillOfStep";
const DECISION_CHARS = 60;

function inWords({ today }: SkillToday): string {
  if (today === undefined) return "its PF does not load";
  const { words } = today;
  return words.length > DECISION_CHARS ? `${words.slice(0, DECISION_CHARS)}…` : words;
}

function choiceOf(chosen: SkillToday): Choice<SkillToday> {
  const { skill } = chosen;
  return {
    label: skill.skillId,
    description: `${skill.isBuiltIn ? "built in · " : ""}${inWords(chosen)}`,
    ...(skill.skill !== undefined && { detail: skill.skill.title }),
    value: chosen,
  };
}

/** The one used last first, then those that fire, then the workspace's own, then by id. */
function ranked(skills: readonly SkillToday[], last: string | undefined): SkillToday[] {
  const rank = ({ skill, today }: SkillToday): number =>
    (skill.skillId === last ? 0 : 4) + (today?.fires === true ? 0 : 2) + (skill.isBuiltIn ? 1 : 0);
  return skills.toSorted((a, b) => rank(a) - rank(b) || a.skill.skillId.localeCompare(b.skill.skillId, "en"));
}

/** Asks for one of the skills, and remembers which; undefined when the person leaves. */
async function askSkill(
  memory: vscode.Memento,
  skills: readonly SkillToday[],
  title: string,
  placeHolder: string,
): Promise<SkillToday | undefined> {
  const rows = ranked(skills, memory.get<string>(LAST)).map(choiceOf);
  const chosen = await choose(title, placeHolder, rows, { matchOnDescription: true, matchOnDetail: true });
  if (chosen !== undefined) await memory.update(LAST, chosen.skill.skillId);
  return chosen;
}

/** The skill that the caller of the command named, else one that a person picks of those of the step's domain. */
export async function pickSkillOn(
  step: RecordedStep,
  { library, memory }: Pick<EditorServices, "library" | "memory">,
  judging: Judging,
  { title, purpose }: { readonly title: string; readonly purpose: string },
): Promise<SkillToday | undefined> {
  const { name } = step.domain;
  const skills = (await library.list()).filter(({ pf, domain }) => pf !== undefined && domain === name);
  if (skills.length === 0)
    throw new Unmet(
      `Today's library has no Program Function for ${name}.`,
      "Make a skill of this step: the step becomes its first case.",
      wayTo(COMMANDS.newSkillFromStep),
    );
  const verdicts = await verdictsOnStep(step, await library.read(skills), judging);
  const today = skills.map((skill) => ({ skill, today: verdicts.get(skill.skillId) }));
  if (step.skillId !== undefined) return namedSkill(today, step.skillId);
  return askSkill(memory, today, title, `${purpose} ${nameOfStep(step)}`);
}

function namedSkill(skills: readonly SkillToday[], skillId: string): SkillToday {
  const found = skills.find(({ skill }) => skill.skillId === skillId);
  if (found !== undefined) return found;
  throw new Failure(
    `There is no skill ${skillId} to choose here.`,
    "It may be of another domain, or renamed since.",
  );
}
