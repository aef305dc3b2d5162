import * as vscode from "vscode";
import type { EstimatedCalls } from "../../evolve/estimate.ts";
import { EVOLVE_LIMITS, GATE_WORDS, type EvolveMode, type Gate } from "../../model/evolution.ts";
import { chosenModel, dollarLimit } from "../models/chosen-model.ts";
import { askModel } from "../models/model-choices.ts";
import {
  draftedPlan,
  type PlanServices,
  rolloutSteps,
  type RunDraft,
  type RunPlan,
} from "../questions/plan.ts";
import { describeCounts, type FoundRun } from "../runs/find-runs.ts";
import { type Answer, askInTurn, isLeaving, type Place, step, type WizardStep } from "../in-turn.ts";
import { askChoice, askChoices, askText, type Choice, choiceStep, textStep } from "../steps.ts";
import {
  callsWords,
  costWords,
  countProblem,
  dollarProblem,
  freeName,
  mayAskWorth,
  nameProblem,
  offeredGates,
  tokensWords,
  usualGate,
} from "./choices.ts";

/** Live rollouts of a file of questions, without a teacher of their own: that of the evolution answers them. */
export type Rollouts = Omit<RunPlan, "root" | "teacher">;

export type PlanSource =
  /** The `episodes.jsonl` of each run. */
  | { readonly kind: "recorded"; readonly runs: readonly vscode.Uri[] }
  | { readonly kind: "live"; readonly rollouts: Rollouts };

/** The choices of an evolution. */
export interface EvolvePlan {
  /** The workspace folder that will hold it and its skills. */
  readonly root: vscode.Uri;
  readonly source: PlanSource;
  /** Specs of models. */
  readonly author: string;
  readonly teacher: string | undefined;
  readonly mode: EvolveMode;
  readonly gate: Gate;
  readonly worth: boolean;
  readonly epochs: number;
  /** US dollars of all sittings; undefined for no limit. */
  readonly maxDollars: number | undefined;
  /** Of its folder below `.hasp/evolutions`. */
  readonly name: string;
}

export interface WizardServices {
  /** Of live rollouts. */
  readonly questions: PlanServices;
  readonly title: string;
  /** Lower-case names of evolutions that are there. */
  readonly taken: ReadonlySet<string>;
  /** Runs of the workspace folder with episodes. */
  readonly found: readonly FoundRun[];
  readonly estimate: (plan: EvolvePlan) => Promise<readonly EstimatedCalls[]>;
}

interface Draft extends Partial<Omit<EvolvePlan, "root" | "source">> {
  readonly root: vscode.Uri;
  readonly kind?: PlanSource["kind"];
  readonly runs?: readonly string[];
  readonly rollouts: RunDraft;
}

type Step = WizardStep<Draft>;

function sourceStep({ found }: WizardServices): Step {
  const recorded: Choice<PlanSource["kind"]> = {
    label: "$(history) Recorded runs",
    detail: "Learns from episodes that are there. No agent runs, so no change of its accuracy is measured.",
    value: "recorded",
  };
  const live: Choice<PlanSource["kind"]> = {
    label: "$(play) Live rollouts",
    detail: "A policy works on a file of questions in every epoch; validation questions show the change.",
    value: "live",
  };
  return choiceStep<Draft, "kind">("kind", () => ({
    placeholder: "Episodes to learn from",
    choices: found.length === 0 ? [live] : [recorded, live],
  }));
}

const domainOf = ({ run }: FoundRun): string => run?.domain ?? "";

/** Runs of one domain: the first that is ticked decides, and those of others are refused. */
function runsStep({ found }: WizardServices): Step {
  const choices = found.map((run): Choice<string> => ({
    label: run.title,
    description: [domainOf(run) || "domain unknown", describeCounts(run.counts)].join(" · "),
    detail: vscode.workspace.asRelativePath(run.file),
    value: run.file.toString(),
  }));
  const domains = new Set(found.map(domainOf));
  const one = domains.size > 1 ? ", all of one domain" : "";
  async function ask({ runs }: Draft, at: Place): Promise<Answer<readonly string[]>> {
    let placeholder = `Runs whose failures the author learns from${one}`;
    for (;;) {
      const answer = await askChoices(at, { placeholder, choices, picked: runs ?? [] });
      if (isLeaving(answer)) return answer;
      const chosen = found.filter(({ file }) => answer.includes(file.toString()));
      if (new Set(chosen.map(domainOf)).size === 1) return answer;
      placeholder = "These runs are of several domains: tick those of one domain";
    }
  }
  return step(ask, (runs) => ({ runs }));
}

/** A step of the wizard of runs, within this one. */
const within =
  (inner: WizardStep<RunDraft>): Step =>
  async (draft, at) => {
    const answer = await inner(draft.rollouts, at);
    return isLeaving(answer) ? answer : { ...draft, rollouts: answer };
  };

const limitStep: Step = step(
  ({ rollouts: { limit = "" } }, at) =>
    askText(at, {
      prompt: "Questions of the seed and of the validation split, from the first. Leave it empty for all.",
      placeholder: "all",
      value: String(limit),
      validate: (text) => (text === "" ? undefined : countProblem(text)),
    }),
  (text, { rollouts }) => ({ rollouts: { ...rollouts, limit: text === "" ? undefined : Number(text) } }),
);

const authorStep: Step = step(
  ({ author }, at) =>
    askModel(at, {
      role: "policy",
      placeholder: "Author: the model that writes skills",
      active: author,
    }),
  (author) => ({ author }),
);

const teacherStep: Step = step(
  ({ teacher }, at) =>
    askModel<undefined>(at, {
      role: "teacher",
      placeholder: "Teacher: summarises failures and reviews candidates",
      active: teacher ?? chosenModel("teacher"),
      before: [
        {
          label: "$(circle-slash) No teacher",
          detail: "Detectors find the failures, and executable checks decide.",
          value: undefined,
        },
      ],
    }),
  (teacher) => ({ teacher }),
);

const modeStep: Step = choiceStep<Draft, "mode">("mode", () => ({
  placeholder: "Mode",
  choices: [
    {
      label: "full",
      detail: `Failures are grouped, up to ${EVOLVE_LIMITS.candidates} candidates an epoch, a teacher is asked where there is one.`,
      value: "full",
    },
    {
      label: "lite",
      detail: `The author alone is asked: up to ${EVOLVE_LIMITS.liteCandidates} candidates an epoch, no review.`,
      value: "lite",
    },
  ],
  active: "full",
}));

/** The teacher decides only where a full epoch asks one. */
const reviewing = ({ mode = "full", teacher }: Draft) => ({ mode, teacher });

const gateOf = (draft: Draft): Gate => {
  const offered = offeredGates(reviewing(draft));
  return draft.gate !== undefined && offered.includes(draft.gate) ? draft.gate : usualGate(reviewing(draft));
};

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

const gateStep: Step = choiceStep("gate", (draft) => ({
  placeholder: "Gate: the results that decide on a candidate",
  choices: offeredGates(reviewing(draft)).map((gate) => ({
    label: gate,
    ...(gate === usualGate(reviewing(draft)) && { description: "default" }),
    detail: sentence(GATE_WORDS[gate]),
    value: gate,
  })),
  active: usualGate(reviewing(draft)),
}));

const worthStep: Step = choiceStep("worth", () => ({
  placeholder: "Worth on held-out questions",
  choices: [
    {
      label: "$(law) Decides, too",
      detail: "A candidate must do more good than harm on questions that the author never saw.",
      value: true,
    },
    { label: "$(circle-slash) Does not decide", detail: "The gate alone decides.", value: false },
  ],
  active: true,
}));

const epochsStep: Step = textStep(
  ({ epochs = 1 }) => ({
    prompt: "Epochs",
    placeholder: "1",
    value: String(epochs),
    validate: countProblem,
  }),
  (text) => ({ epochs: Number(text) }),
);

const budgetStep: Step = textStep(
  ({ maxDollars = dollarLimit() ?? "" }) => ({
    prompt: "Budget in US dollars for all models together. Leave it empty for no limit.",
    placeholder: "no limit",
    value: String(maxDollars),
    validate: dollarProblem,
  }),
  (text) => ({ maxDollars: text === "" ? undefined : Number(text) }),
);

function nameStep({ taken }: WizardServices): Step {
  return textStep(
    ({ name = freeName("evolution", taken) }) => ({
      prompt: "Name of the evolution; its folder is below .hasp/evolutions",
      placeholder: freeName("evolution", taken),
      value: name,
      validate: (text) => nameProblem(text, taken),
    }),
    (name) => ({ name }),
  );
}

function sourceOf({ questions }: WizardServices, draft: Draft): PlanSource | undefined {
  if (draft.kind === "recorded")
    return { kind: "recorded", runs: (draft.runs ?? []).map((run) => vscode.Uri.parse(run, true)) };
  const rollouts = draftedPlan(questions, draft.rollouts);
  return rollouts === undefined ? undefined : { kind: "live", rollouts };
}

/** Undefined where a question is not answered yet. */
function planOf(services: WizardServices, draft: Draft): EvolvePlan | undefined {
  const { root, author, teacher, mode = "full", worth = true, epochs = 1, maxDollars, name } = draft;
  const source = sourceOf(services, draft);
  if (source === undefined || author === undefined || name === undefined) return undefined;
  const gate = gateOf(draft);
  return {
    root,
    source,
    author,
    teacher,
    mode,
    gate,
    worth: worth && mayAskWorth(gate),
    epochs,
    maxDollars,
    name,
  };
}

function summary({ mode, gate, worth, epochs, maxDollars, name, teacher }: EvolvePlan): string {
  const parts = [
    `${epochs === 1 ? "1 epoch" : `${epochs} epochs`}, ${mode}`,
    `gate ${gate}${worth ? " and held-out worth" : ""}`,
    teacher === undefined ? "no teacher" : `teacher ${teacher}`,
    maxDollars === undefined ? "no limit of cost" : `budget $${maxDollars.toFixed(2)}`,
    `.hasp/evolutions/${name}`,
  ];
  return parts.join(" · ");
}

/** Shows the most calls that the evolution can make; nothing is sent before *Start*. */
function previewStep(services: WizardServices): Step {
  return async (draft, at) => {
    const plan = planOf(services, draft);
    if (plan === undefined) return draft;
    const calls = await services.estimate(plan);
    const choices: Choice<boolean>[] = [
      { label: "$(play) Start", description: costWords(calls), detail: summary(plan), value: true },
      ...calls.map((one) => ({
        label: `$(info) ${one.part}`,
        description: callsWords(one),
        detail: tokensWords(one),
        value: false,
      })),
    ];
    for (;;) {
      const placeholder = "Start the evolution, or go back to change it; nothing is sent before";
      const answer = await askChoice(at, { placeholder, choices });
      if (isLeaving(answer)) return answer;
      if (answer) return draft;
    }
  };
}

/** Asks for the choices and shows the most that they can cost; undefined when the person leaves. `runs`: ticked at first. */
export async function askForEvolution(
  services: WizardServices,
  root: vscode.Uri,
  runs: readonly vscode.Uri[],
): Promise<EvolvePlan | undefined> {
  const stepsFor = (draft: Draft): readonly Step[] => [
    sourceStep(services),
    ...(draft.kind === "live"
      ? [...rolloutSteps(services.questions, draft.rollouts).map(within), limitStep]
      : [runsStep(services)]),
    authorStep,
    teacherStep,
    modeStep,
    gateStep,
    ...(mayAskWorth(gateOf(draft)) ? [worthStep] : []),
    epochsStep,
    budgetStep,
    nameStep(services),
    previewStep(services),
  ];
  const begun: Draft = { root, rollouts: { root }, runs: runs.map((run) => run.toString()) };
  const draft = await askInTurn<Draft>(services.title, begun, stepsFor);
  return draft === undefined ? undefined : planOf(services, draft);
}
