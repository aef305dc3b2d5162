import type * as vscode from "vscode";
import { counted } from "../../model/counted.ts";
import { freeName, nameProblem } from "../evolve/choices.ts";
import { askInTurn, isLeaving } from "../in-turn.ts";
import { askChoice, type Choice, textStep } from "../steps.ts";
import { chosenMeans, meansSteps, splitWords } from "./means-steps.ts";
import { configOf, type Draft, type ExperimentPlan, type Step, type WizardServices } from "./plan.ts";
import { configStep, experimentStep, startStep, studentStep } from "./student-steps.ts";

function nameStep({ taken }: WizardServices): Step {
  const stemOf = ({ config }: Draft): string => config?.experiment ?? "experiment";
  return textStep(
    (draft) => ({
      prompt: "Name of the experiment; its folder is below .hasp/experiments",
      placeholder: freeName(stemOf(draft), taken),
      value: draft.name ?? freeName(stemOf(draft), taken),
      validate: (text) => nameProblem(text, taken, "experiment"),
    }),
    (name) => ({ name }),
  );
}

/** Undefined where a question is not answered yet. */
export function planOf(draft: Draft): ExperimentPlan | undefined {
  const { root, name } = draft;
  const [config, means] = [configOf(draft), chosenMeans(draft)];
  if (config === undefined || means === undefined || name === undefined) return undefined;
  return { root, name, config, ...means };
}

/** The choices of a plan in a line. */
function summary({ config, teacher, author, name }: ExperimentPlan, { described }: Draft): string {
  const parts = [
    `student ${config.model}`,
    teacher === undefined ? "no teacher" : `teacher ${teacher}`,
    ...(config.loop === "open" ? [] : [`author ${author ?? "the student"}`]),
    ...(described === undefined ? [] : [splitWords(described)]),
    `.hasp/experiments/${name}`,
  ];
  return parts.join(" · ");
}

/** Shows the jobs in their order; nothing is started before *Start*. */
function previewStep(services: WizardServices): Step {
  return async (draft, at) => {
    const plan = planOf(draft);
    if (plan === undefined) return draft;
    const { jobs, problem } = await services.preview(plan);
    const start: Choice<boolean> = {
      label: "$(play) Start",
      description: `${counted(jobs.length, "job")}, one after the other`,
      detail: summary(plan, draft),
      value: true,
    };
    const hindrance = problem && {
      label: `$(error) ${problem.message}`,
      detail: problem.next ?? "Go back to change it.",
      value: false,
    };
    const choices: Choice<boolean>[] = [
      hindrance ?? start,
      ...jobs.map(({ title, words, asked }, i) => ({
        label: `$(info) ${i + 1}. ${title}`,
        ...(asked !== "" && { description: `asks ${asked}` }),
        detail: words,
        value: false,
      })),
    ];
    for (;;) {
      const placeholder =
        problem === undefined
          ? "Start the experiment, or go back to change it; nothing runs before"
          : "It cannot start like this: go back to change it";
      const answer = await askChoice(at, { placeholder, choices });
      if (isLeaving(answer)) return answer;
      if (answer) return draft;
    }
  };
}

/** The questions of an experiment, but for the last one, whether to start it. */
export function experimentSteps(services: WizardServices, draft: Draft): readonly Step[] {
  return [
    experimentStep(services),
    configStep(services),
    studentStep(services),
    ...(draft.config === undefined || draft.config.start.kind === "base" ? [] : [startStep(services)]),
    ...meansSteps(services, draft),
    nameStep(services),
  ];
}

/** Asks for the choices and shows the jobs; undefined when the person leaves. `pool`: runs that are ticked at first. */
export async function askForExperiment(
  services: WizardServices,
  root: vscode.Uri,
  pool: readonly vscode.Uri[],
): Promise<ExperimentPlan | undefined> {
  const stepsFor = (draft: Draft): readonly Step[] => [
    ...experimentSteps(services, draft),
    previewStep(services),
  ];
  const begun: Draft = { root, rollouts: { root }, pool: pool.map((file) => file.toString()) };
  const draft = await askInTurn<Draft>(services.title, begun, stepsFor);
  return draft === undefined ? undefined : planOf(draft);
}
