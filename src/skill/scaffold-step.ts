import { isOnlyFinal, SEARCH } from "../model/action-types.ts";
import type { SkillCase } from "../model/case.ts";
import type { DomainSpec } from "../model/domain-spec.ts";
import { renderCase } from "./render-case.ts";
import { TODO_CODE, TODO_TEXT } from "./template-text.ts";
import { triggersOf, typeTrigger, type FailingStep } from "./step-trigger.ts";

/** The step that a new skill is to prevent. */
export interface SkillOrigin extends FailingStep {
  /** What the first case is called. */
  readonly caseName: string;
}

type ScaffoldKind = "rewrite" | "inject";

/** The policy reads it, once its author has kept it. */
const REMINDER = "Choose another action than this one.";
/** The same where an answer is all that it can give. */
const CHECK = "Check this answer before you give it.";

/** An action type that the domain has and the step does not propose: the next in the list, and the final one where there is no list. */
function anotherThan(proposed: string, { actionTypes, finalAction }: DomainSpec): string {
  const next = actionTypes[(actionTypes.indexOf(proposed) + 1) % actionTypes.length] ?? finalAction;
  return next === proposed ? "other" : next;
}

function conditionOf(origin: SkillOrigin, domain: DomainSpec): string {
  const [type, ...signs] = [typeTrigger(origin), ...triggersOf(origin, domain)].map(({ code }) => code);
  return [type, ...signs].join(" &&\n      ");
}

/** In words, for the reason that the replay shows and for SKILL.md. */
export function whenOf(origin: SkillOrigin, domain: DomainSpec): string {
  const words = triggersOf(origin, domain).map((trigger) => trigger.words);
  return [`${typeTrigger(origin).words} is proposed`, ...words].join(", and ");
}

/**
 * The question in the place of the proposed argument, as a search where the domain has one. A search for the very words of the question
 * would change nothing.
 */
function bodyOf(origin: SkillOrigin, domain: DomainSpec): string {
  const { context, proposed } = origin;
  const type = domain.actionTypes.includes(SEARCH) ? SEARCH : proposed.type;
  const isItself = proposed.type === type && proposed.arg === context.question;
  const arg = isItself ? 'ctx.question.split(/\\s+/).slice(0, 8).join(" ")' : "ctx.question";
  const reason = JSON.stringify(whenOf(origin, domain));
  const change = type === proposed.type ? "" : `type: ${JSON.stringify(type)},\n      `;
  return `return modifyAction({
      ${change}arg: ${TODO_CODE} ${arg},
      reason: ${reason},
    });`;
}

/** `pf.ts` of a skill that steps in on such a step. */
export function stepPf(
  className: string,
  kind: ScaffoldKind,
  origin: SkillOrigin,
  domain: DomainSpec,
): string {
  const does = kind === "rewrite" ? "modifyAction" : "injectContext";
  const reason = JSON.stringify(whenOf(origin, domain));
  const onlyAnswers = isOnlyFinal(domain);
  const said = onlyAnswers
    ? "It is: ${arg.slice(0, 200)}"
    : "This is step ${ctx.stepCount + 1} of ${ctx.maxSteps}.";
  const act =
    kind === "rewrite"
      ? bodyOf(origin, domain)
      : `return injectContext(\`\${REMINDER} ${said}\`, ${reason});`;
  const reminder =
    kind === "rewrite"
      ? ""
      : `/** The policy reads this before it goes on: name the better action. */\nconst REMINDER = ${JSON.stringify(`${TODO_TEXT} ${onlyAnswers ? CHECK : REMINDER}`)};\n\n`;
  const condition = conditionOf(origin, domain);
  const unused = (name: string): string => (new RegExp(`\\b${name}\\b`).test(condition) ? name : `_${name}`);
  const asked = `${unused("ctx")}: StepContext, ${unused("actionType")}: ActionType, ${unused("arg")}: string`;
  const intervening =
    onlyAnswers && kind === "inject"
      ? "_ctx: StepContext, _actionType: ActionType, arg: string"
      : "ctx: StepContext";
  return `import { ${does}, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

${reminder}export default class ${className} extends ProgramFunction {
  /** How often this skill may step in per episode. */
  override maxFires = 1;

  /** When to step in: runs at every step, on the action that the policy proposes. Holds on the step that it was made from. */
  shouldActivate(${asked}): boolean {
    return ${condition};
  }

  /** The intervention, where it steps in. */
  intervene(${intervening}): Intervention {
    ${act}
  }
}
`;
}

/** The step as the case that the starter answers. */
function firstCase(
  kind: ScaffoldKind,
  { caseName, context, proposed }: SkillOrigin,
): Omit<SkillCase, "range"> {
  const expect =
    kind === "rewrite"
      ? ({ fires: true, type: "MODIFY_ACTION" } as const)
      : ({ fires: true, type: "INJECT_CONTEXT" } as const);
  return { name: caseName, context, memory: undefined, proposed: { ...proposed }, expect };
}

/** Another action in the same context: the type alone keeps the skill from stepping in. */
function nearMiss({ context, proposed }: SkillOrigin, domain: DomainSpec): Omit<SkillCase, "range"> {
  const type = anotherThan(proposed.type, domain);
  const brief = { ...context, allReadContents: [], lastSearchResultsText: "", thought: "" };
  return {
    name: `near miss - ${type} is another action`,
    context: brief,
    memory: undefined,
    proposed: { type, arg: "something else" },
    expect: { fires: false },
  };
}

/** `cases.yaml` with the recorded step as its first case. */
export function stepCases(kind: ScaffoldKind, origin: SkillOrigin, domain: DomainSpec): string {
  const cases = [firstCase(kind, origin), nearMiss(origin, domain)].map((one) =>
    indented(renderCase(one), 2),
  );
  const note =
    "# Contexts with the decision that pf.ts must come to. The first is the recorded step that the skill was made from.";
  return `${note}\ncases:\n${cases.join("\n")}`;
}

/** The lines of a rendered case, moved to the right as one; the last ends with a newline. */
export function indented(rendered: string, columns: number): string {
  const lines = rendered.replace(/\s*$/, "").split("\n");
  const least = Math.min(...lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/)));
  const moved = lines.map((line) => (line.trim() === "" ? "" : " ".repeat(columns) + line.slice(least)));
  return `${moved.join("\n")}\n`;
}
