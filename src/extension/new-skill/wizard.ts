import type * as vscode from "vscode";
import { checkTypedName, kebabName } from "../../skill/skill-name.ts";
import { isKindOfStep, SKILL_KINDS, type SkillKind } from "../../skill/scaffold-kinds.ts";
import { askInTurn, type WizardStep } from "../in-turn.ts";
import { type Choice, choiceStep, textStep } from "../steps.ts";

/** A new skill before there is a file. */
export interface NewSkillAnswers {
  readonly root: vscode.WorkspaceFolder;
  readonly domain: string;
  readonly name: string;
  readonly description: string;
  readonly kind: SkillKind;
}

export interface Surroundings {
  readonly roots: readonly vscode.WorkspaceFolder[];
  /** Domains to offer. */
  readonly domains: readonly Choice<string>[];
  /** The kinds of skills of a domain. */
  readonly kindsIn: (domain: string) => readonly SkillKind[];
  /** True when `skills/<domain>/<name>` is already there. */
  readonly isTaken: (root: vscode.WorkspaceFolder, domain: string, name: string) => boolean;
  /** Of the wizard. */
  readonly title: string;
  /** Answers to begin with, of a recorded step: each is shown, and can be changed. */
  readonly suggested: Omit<NewSkillAnswers, "root"> | undefined;
}

type Draft = Partial<NewSkillAnswers>;
type Step = WizardStep<Draft>;

const MAX_DESCRIPTION = 1024;

const ICONS: Readonly<Record<SkillKind, string>> = {
  rewrite: "edit",
  inject: "comment",
  "final-code": "law",
  "final-llm": "mortar-board",
  prompt: "note",
};

const KINDS: readonly Choice<SkillKind>[] = SKILL_KINDS.map(({ kind, label, about }) => ({
  label: `$(${ICONS[kind]}) ${label}`,
  detail: about,
  value: kind,
}));

function rootStep({ roots }: Surroundings): Step {
  const choices = roots.map((root) => ({ label: root.name, description: root.uri.fsPath, value: root }));
  return choiceStep("root", () => ({ placeholder: "Folder for the skill", choices }));
}

function domainStep({ domains: choices }: Surroundings): Step {
  const placeholder = "Domain: the kind of agent that the skill is for";
  return choiceStep("domain", () => ({ placeholder, choices }));
}

function nameStep({ isTaken }: Surroundings): Step {
  return textStep(
    ({ root, domain = "", name: value = "" }) => ({
      prompt: `Name of the skill and of its folder, skills/${domain}/<name>`,
      placeholder: "shorten-long-queries",
      value,
      answerOf: kebabName,
      validate(typed) {
        const name = kebabName(typed);
        const problem = checkTypedName(typed);
        return problem === undefined && root !== undefined && isTaken(root, domain, name)
          ? `skills/${domain}/${name} is already there. Choose another name.`
          : problem;
      },
    }),
    (name) => ({ name }),
  );
}

function checkDescription(text: string): string | undefined {
  if (text === "") return "Say in one sentence when the skill is to be used.";
  if (text.length > MAX_DESCRIPTION)
    return `That is ${text.length} characters; ${MAX_DESCRIPTION} may stand here.`;
  return undefined;
}

const descriptionStep: Step = textStep(
  ({ description: value = "" }) => ({
    prompt: "When is the skill to be used? One sentence; other agents read it too.",
    placeholder: "Use when a search query has grown into a sentence.",
    value,
    validate: checkDescription,
  }),
  (description) => ({ description }),
);

function kindStep({ suggested, kindsIn }: Surroundings): Step {
  const offered = suggested === undefined ? KINDS : KINDS.filter(({ value }) => isKindOfStep(value));
  return choiceStep("kind", ({ domain = "" }) => {
    const kinds = kindsIn(domain);
    return { placeholder: "Kind of skill", choices: offered.filter(({ value }) => kinds.includes(value)) };
  });
}

function isComplete(draft: Draft): draft is NewSkillAnswers {
  const { root, domain, name, description, kind } = draft;
  return [root, domain, name, description, kind].every((answer) => answer !== undefined);
}

/** Asks step by step, with a way back; undefined when the person leaves. */
export async function askForSkill(surroundings: Surroundings): Promise<NewSkillAnswers | undefined> {
  const [only, ...others] = surroundings.roots;
  const asksRoot = others.length > 0;
  const steps = [
    ...(asksRoot ? [rootStep(surroundings)] : []),
    domainStep(surroundings),
    nameStep(surroundings),
    descriptionStep,
    kindStep(surroundings),
  ];
  const known = { ...surroundings.suggested, ...(asksRoot || only === undefined ? {} : { root: only }) };
  const draft = await askInTurn<Draft>(surroundings.title, known, () => steps);
  return draft !== undefined && isComplete(draft) ? draft : undefined;
}
