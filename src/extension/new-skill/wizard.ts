import type * as vscode from "vscode";
import { checkTypedName, kebabName } from "../../skill/skill-name.ts";
import { isKindOfStep, SKILL_KINDS, type SkillKind } from "../../skill/scaffold-kinds.ts";
import {
  type Answer,
  askChoice,
  askInTurn,
  askText,
  BACK,
  type Choice,
  LEFT,
  type WizardStep,
} from "../steps.ts";

/** What a person says about a new skill before there is a file. */
export interface NewSkillAnswers {
  readonly root: vscode.WorkspaceFolder;
  readonly domain: string;
  readonly name: string;
  readonly description: string;
  readonly kind: SkillKind;
}

/** What the wizard must know about the workspace. */
export interface Surroundings {
  readonly roots: readonly vscode.WorkspaceFolder[];
  /** Domains to offer. */
  readonly domains: readonly Choice<string>[];
  /** True when `skills/<domain>/<name>` is already there. */
  readonly isTaken: (root: vscode.WorkspaceFolder, domain: string, name: string) => boolean;
  /** What each question is asked under. */
  readonly title?: string;
  /** Answers to begin with, of a recorded step: each is shown, and can be changed. */
  readonly suggested?: Omit<NewSkillAnswers, "root">;
}

type Draft = Partial<NewSkillAnswers>;
type Step = WizardStep<Draft>;

const TITLE = "HASP: New Skill";
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

function kept<K extends keyof NewSkillAnswers>(
  draft: Draft,
  key: K,
  answer: Answer<NewSkillAnswers[K]>,
): Answer<Draft> {
  return answer === BACK || answer === LEFT ? answer : { ...draft, [key]: answer };
}

function rootStep({ roots, title = TITLE }: Surroundings): Step {
  const choices = roots.map((root) => ({ label: root.name, description: root.uri.fsPath, value: root }));
  return async (draft, at) =>
    kept(
      draft,
      "root",
      await askChoice({
        title,
        ...at,
        placeholder: "Folder for the skill",
        choices,
        active: draft.root,
      }),
    );
}

function domainStep({ domains, title = TITLE }: Surroundings): Step {
  return async (draft, at) => {
    const placeholder = "Domain: the kind of agent that the skill is for";
    const chosen = await askChoice({ title, ...at, placeholder, choices: domains, active: draft.domain });
    return kept(draft, "domain", chosen);
  };
}

function nameStep({ isTaken, title = TITLE }: Surroundings): Step {
  return async (draft, at) => {
    const { root, domain = "" } = draft;
    const validate = (typed: string): string | undefined => {
      const name = kebabName(typed);
      const problem = checkTypedName(typed);
      return problem === undefined && root !== undefined && isTaken(root, domain, name)
        ? `skills/${domain}/${name} is already there. Choose another name.`
        : problem;
    };
    const prompt = `Name of the skill and of its folder, skills/${domain}/<name>`;
    const value = draft.name ?? "";
    return kept(
      draft,
      "name",
      await askText({
        title,
        ...at,
        prompt,
        placeholder: "shorten-long-queries",
        value,
        validate,
        answerOf: kebabName,
      }),
    );
  };
}

function checkDescription(text: string): string | undefined {
  if (text === "") return "Say in one sentence when the skill is to be used.";
  if (text.length > MAX_DESCRIPTION)
    return `That is ${text.length} characters; ${MAX_DESCRIPTION} may stand here.`;
  return undefined;
}

const descriptionStep =
  ({ title = TITLE }: Surroundings): Step =>
  async (draft, at) =>
    kept(
      draft,
      "description",
      await askText({
        title,
        ...at,
        prompt: "When is the skill to be used? One sentence; other agents read it too.",
        placeholder: "Use when a search query has grown into a sentence.",
        value: draft.description ?? "",
        validate: checkDescription,
      }),
    );

const kindStep =
  ({ title = TITLE, suggested }: Surroundings): Step =>
  async (draft, at) =>
    kept(
      draft,
      "kind",
      await askChoice({
        title,
        ...at,
        placeholder: "Kind of skill",
        choices: suggested === undefined ? KINDS : KINDS.filter(({ value }) => isKindOfStep(value)),
        active: draft.kind,
      }),
    );

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
    descriptionStep(surroundings),
    kindStep(surroundings),
  ];
  const known = { ...surroundings.suggested, ...(asksRoot || only === undefined ? {} : { root: only }) };
  const draft = await askInTurn<Draft>(known, () => steps);
  return draft !== undefined && isComplete(draft) ? draft : undefined;
}
