import * as vscode from "vscode";
import { counted } from "../../../model/counted.ts";
import { resourceWords } from "../../../model/job-words.ts";
import { freeName } from "../../evolve/choices.ts";
import { startStep, studentStep } from "../../experiments/student-steps.ts";
import type { WizardServices } from "../../experiments/plan.ts";
import { experimentSteps } from "../../experiments/wizard.ts";
import { nameIn } from "../../questions/places.ts";
import { jobRunSteps } from "../../questions/plan.ts";
import { type Answer, askInTurn, BACK, isLeaving, LEFT, step, type WizardStep } from "../../in-turn.ts";
import { askChoice, type Choice, choiceStep, textStep } from "../../steps.ts";
import { type KnownTarget, requireAllowed, targetRows } from "../targets.ts";
import { placeWord } from "../words.ts";
import type { PreparedJobs } from "./order.ts";
import type { SubmitDraft, SubmitPlan, SubmitStep, Work } from "./plan.ts";
import { sentRows } from "./preview.ts";
import { commandOf, resourcesOf, usualResources } from "./words-of-plan.ts";
import type { Checked } from "../../../model/diagnostic.ts";

/** All that the wizard asks of the workspace, of targets, and of the jobs that its answers make. */
export interface SubmitServices extends WizardServices {
  readonly targets: readonly KnownTarget[];
  /** Adds a target; undefined where the person leaves. */
  readonly addTarget: () => Promise<KnownTarget | undefined>;
  /** Names of folders of runs that are there. */
  readonly runs: ReadonlySet<string>;
  readonly prepare: (plan: SubmitPlan) => Promise<Checked<PreparedJobs>>;
}

/** A step of another wizard, whose answers are among those of this one. */
function lifted<D>(
  inner: WizardStep<D>,
): <T extends SubmitDraft & D>(draft: T, at: Parameters<SubmitStep>[1]) => Promise<Answer<T>> {
  return async (draft, at) => {
    const answer = await inner(draft, at);
    return isLeaving(answer) ? answer : { ...draft, ...answer };
  };
}

const WORKS: readonly Choice<Work>[] = [
  {
    label: "$(beaker) An experiment",
    detail: "E1 to E7: rollouts, training data, training, and evaluations before and after.",
    value: "experiment",
  },
  {
    label: "$(mortar-board) A training",
    detail: "One training by a configuration file: its data and model are sent, its adapter comes back.",
    value: "train",
  },
  {
    label: "$(play) An evaluation",
    detail: "A run of questions, with a model that the job serves or one that answers elsewhere.",
    value: "run",
  },
];

const workStep: SubmitStep = choiceStep("work", () => ({ placeholder: "Work of the job", choices: WORKS }));

const CONFIGS = "**/*train*.{json,yaml,yml}";
const EXCLUDED = "**/{node_modules,.git,.hasp,dist,out,.vscode-test}/**";
const MOST_FILES = 50;

const trainingStep: SubmitStep = step(
  async ({ root, training }, at): Promise<Answer<vscode.Uri>> => {
    const pattern = new vscode.RelativePattern(root, CONFIGS);
    const found = await vscode.workspace.findFiles(pattern, EXCLUDED, MOST_FILES);
    const choices: Choice<vscode.Uri | undefined>[] = [
      ...found
        .toSorted((a, b) => a.path.localeCompare(b.path))
        .map((uri) => ({ label: `$(settings-gear) ${nameIn(root, uri.fsPath)}`, value: uri })),
      { label: "$(folder-opened) Another file …", value: undefined },
    ];
    const answer = await askChoice(at, {
      placeholder: "Configuration of the training",
      choices,
      active: training,
    });
    if (answer !== undefined) return answer;
    const filters = { "JSON or YAML": ["json", "yaml", "yml"] };
    const options = { title: `${at.title}: configuration`, openLabel: "Use File", filters, defaultUri: root };
    return (await vscode.window.showOpenDialog(options))?.[0] ?? LEFT;
  },
  (training) => ({ training }),
);

function servedStep({ shipped }: SubmitServices): SubmitStep {
  return step(
    (draft, at) =>
      askChoice(at, {
        placeholder: "Model that answers",
        active: draft.isServed,
        choices: [
          {
            label: "$(server-process) One that the job serves",
            detail: "A student of your own, or one of the Hugging Face hub, on the GPUs of the job.",
            value: true,
          },
          {
            label: "$(cloud) One that is configured",
            detail: "It answers elsewhere, or is recorded.",
            value: false,
          },
        ],
      }),
    async (isServed) => ({
      isServed,
      config: { ...(await shipped("e1")), start: { kind: "base" } as const },
    }),
  );
}

/** A step of the wizard of runs, within this one. */
const within =
  (inner: WizardStep<SubmitDraft["rollouts"]>): SubmitStep =>
  async (draft, at) => {
    const answer = await inner(draft.rollouts, at);
    return isLeaving(answer) ? answer : { ...draft, rollouts: answer };
  };

function outputStep({ runs }: SubmitServices): SubmitStep {
  return textStep(
    ({ output }) => ({
      prompt: "Folder of the run, in the workspace",
      placeholder: `runs/${freeName("job", runs)}`,
      value: output ?? `runs/${freeName("job", runs)}`,
      validate: (text) =>
        /^(?!\.|\/)[\w./-]+$/.test(text) && !text.split("/").includes("..")
          ? undefined
          : "Write a folder below the workspace, with letters, digits, `.`, `_` and `-`.",
    }),
    (output) => ({ output }),
  );
}

const shardsStep: SubmitStep = textStep(
  ({ shards = 1 }) => ({
    prompt: "Tasks that the questions are dealt out to; SLURM runs them side by side",
    placeholder: "1",
    value: String(shards),
    validate: (text) => (/^[1-9]\d{0,2}$/.test(text) ? undefined : "Write a whole number from 1 to 999."),
  }),
  (text) => ({ shards: Number(text) }),
);

function runSteps(services: SubmitServices, draft: SubmitDraft): readonly SubmitStep[] {
  const { questions } = services;
  const student = [
    lifted(studentStep(services, "Model that the job serves")),
    lifted(startStep(services, "Adapter on it")),
  ];
  const isServed = draft.isServed === true;
  const inner = jobRunSteps(questions, draft.rollouts, isServed);
  return [
    servedStep(services),
    ...(isServed ? student : []),
    ...inner.map(within),
    outputStep(services),
    shardsStep,
  ];
}

/** The target, or this machine. A target of the workspace asks for a yes here. */
function targetStep(services: SubmitServices): SubmitStep {
  const added: KnownTarget[] = [];
  return step(
    async ({ target }, at): Promise<Answer<KnownTarget | "local">> => {
      for (;;) {
        const choices: Choice<KnownTarget | "local" | "add">[] = [
          ...targetRows([...services.targets, ...added]),
          { label: "$(vm) This machine", detail: "It continues when this window closes.", value: "local" },
          { label: "$(add) Add a target …", detail: "A machine over ssh, or a SLURM cluster.", value: "add" },
        ];
        const answer = await askChoice(at, {
          placeholder: "Target that runs the job",
          choices,
          active: target,
        });
        if (answer === "add") {
          const one = await services.addTarget();
          if (one === undefined) continue;
          added.push(one);
          return one;
        }
        if (isLeaving(answer) || answer === "local") return answer;
        if (await requireAllowed(answer, at.title)) return answer;
      }
    },
    (target) => ({ target }),
  );
}

const changeStep: SubmitStep = choiceStep("changesResources", (draft) => ({
  placeholder: "GPUs, hours and memory",
  choices: [
    {
      label: "$(check) As usual for this work",
      detail: resourceWords(usualResources(draft)) || "The defaults of the scheduler.",
      value: false,
    },
    { label: "$(edit) Others …", value: true },
  ],
}));

const RESOURCES = [
  ["gpus", "GPUs of a node; 0 for none", (known: ReturnType<typeof usualResources>) => known.gpus],
  ["hours", "Hours until it is asked for a checkpoint, and queued again", (known) => known.hours],
  ["memory", "Memory of a node in GB", (known) => known.memoryGb],
] as const satisfies readonly (readonly [
  "gpus" | "hours" | "memory",
  string,
  (known: ReturnType<typeof usualResources>) => number | undefined,
])[];

const resourceSteps: readonly SubmitStep[] = RESOURCES.map(([field, prompt, usual]) =>
  textStep(
    (draft) => ({
      prompt: `${prompt}. Leave it empty for the default.`,
      placeholder: String(usual(usualResources(draft)) ?? ""),
      value: draft[field] ?? String(usual(usualResources(draft)) ?? ""),
      validate: (text) => {
        if (field === "gpus") return /^\d{0,3}$/.test(text) ? undefined : "Write a whole number.";
        return /^(\d+(\.\d+)?)?$/.test(text) && text !== "0" ? undefined : "Write a number above 0.";
      },
    }),
    (text) => ({ [field]: text }),
  ),
);

/** The plan of the answers; undefined where one is missing. */
export function planOf(draft: SubmitDraft): SubmitPlan | undefined {
  const command = commandOf(draft);
  if (command === undefined || draft.target === undefined) return undefined;
  const target = draft.target === "local" ? undefined : draft.target;
  return { root: draft.root, ...command, target, resources: resourcesOf(draft) };
}

/** Shows what is sent and asked for; nothing is sent before *Submit*. */
function previewStep({ prepare }: SubmitServices): SubmitStep {
  return async (draft, at) => {
    const plan = planOf(draft);
    if (plan === undefined) return BACK;
    const { value, diagnostics } = await prepare(plan);
    const problem = diagnostics.at(-1);
    const place = placeWord(plan.target);
    const first: Choice<boolean> =
      value === undefined
        ? {
            label: `$(error) ${problem?.message ?? "The job cannot be made."}`,
            detail: problem?.next ?? "Go back to change it.",
            value: false,
          }
        : {
            label: `$(cloud-upload) Submit to ${place}`,
            description: counted(value.specs.length, "job"),
            detail: plan.title,
            value: true,
          };
    const about = value === undefined ? [] : sentRows(plan, value);
    const choices = [first, ...about.map((one) => ({ ...one, value: false }))];
    const placeholder =
      value === undefined
        ? "It cannot be submitted like this: go back to change it"
        : "Submit the job, or go back to change it; nothing is sent before";
    for (;;) {
      const answer = await askChoice(at, { placeholder, choices });
      if (isLeaving(answer)) return answer;
      if (answer) return draft;
    }
  };
}

function workSteps(services: SubmitServices, draft: SubmitDraft): readonly SubmitStep[] {
  switch (draft.work) {
    case "experiment":
      return experimentSteps(services, draft).map((one) => lifted(one));
    case "train":
      return [trainingStep];
    case "run":
      return runSteps(services, draft);
    default:
      return [];
  }
}

/** Asks for a job and its target, and shows what is sent; undefined when the person leaves. */
export async function askForJob(
  services: SubmitServices,
  begun: SubmitDraft,
): Promise<SubmitPlan | undefined> {
  const target = targetStep(services);
  const stepsFor = (draft: SubmitDraft): readonly SubmitStep[] => [
    workStep,
    ...workSteps(services, draft),
    target,
    ...(draft.target === undefined || draft.target === "local" ? [] : [changeStep]),
    ...(draft.changesResources === true ? resourceSteps : []),
    previewStep(services),
  ];
  const draft = await askInTurn<SubmitDraft>(services.title, begun, stepsFor);
  return draft && planOf(draft);
}
