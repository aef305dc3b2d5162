import * as vscode from "vscode";
import type { DescribedQuestions } from "../../app/split-data.ts";
import { counted } from "../../model/counted.ts";
import type { ExperimentConfig } from "../../model/experiment.ts";
import { Failure } from "../failure.ts";
import { chosenModel } from "../models/chosen-model.ts";
import { askModel } from "../models/model-choices.ts";
import {
  askFile,
  domainSteps,
  fileChoices,
  passageFiles,
  questionFiles,
  type RunDraft,
} from "../questions/plan.ts";
import { domainFor } from "../questions/run-config.ts";
import { describeCounts, type FoundRun } from "../runs/find-runs.ts";
import { type Answer, isLeaving, type Place, step, type WizardStep } from "../in-turn.ts";
import { askChoices, type Choice, choiceStep } from "../steps.ts";
import { usable } from "../usable.ts";
import {
  configOf,
  type Draft,
  mayAskTeacher,
  needsTeacher,
  type Searched,
  type Step,
  type WizardServices,
} from "./plan.ts";

/** A step of the wizard of runs, within this one. */
export const within =
  (inner: WizardStep<RunDraft>): Step =>
  async (draft, at) => {
    const answer = await inner(draft.rollouts, at);
    return isLeaving(answer) ? answer : { ...draft, rollouts: answer };
  };

/** `train 80, val 10, test 10`. */
export function splitWords({ splits }: DescribedQuestions): string {
  if (splits === undefined) return "not cut into splits";
  return `train ${splits.train}, val ${splits.val}, test ${splits.test}`;
}

/** Why an experiment cannot use a file of questions; undefined where it can. */
export function splitProblem(
  { splits, questions }: DescribedQuestions,
  config: ExperimentConfig,
): string | undefined {
  const words = counted(questions, "question");
  if (splits === undefined) return `The file has ${words} and no train split: choose another`;
  const { split } = config.evaluate;
  if (splits.train === 0) return `Of its ${words} none is in the train split: choose another`;
  if (split !== "none" && splits[split] === 0)
    return `Of its ${words} none is in the ${split} split: choose another`;
  return undefined;
}

/** A file with a train split, and with the split on which the student is measured. */
function questionsStep(services: WizardServices): Step {
  return async (draft, at) => {
    const { root, rollouts } = draft;
    const config = configOf(draft);
    let placeholder = "Questions: the train split trains, the others measure";
    for (;;) {
      const choices = fileChoices(root, await questionFiles(root));
      const questions = await askFile(at, placeholder, choices, rollouts.questions);
      if (isLeaving(questions)) return questions;
      const domain = domainFor(rollouts.domain ?? services.questions.config.value.domain);
      const described = await services.describe(questions, domain.name).catch((error: unknown) => {
        if (error instanceof Failure) return error.message;
        throw error;
      });
      const problem =
        typeof described === "string"
          ? `${described}: choose another`
          : config && splitProblem(described, config);
      if (problem === undefined && typeof described !== "string")
        return { ...draft, described, rollouts: { ...rollouts, questions, count: described.questions } };
      placeholder = problem ?? placeholder;
    }
  };
}

const SNIPPETS: Choice<Searched> = {
  label: "$(mortar-board) No file: the teacher writes what a search finds",
  detail: "The retriever teacher-snippet, as in the paper's experiments.",
  value: "snippets",
};
const PARAGRAPHS: Choice<Searched> = {
  label: "$(list-unordered) The paragraphs that come with the questions",
  detail: "For HotpotQA and MuSiQue files, which hold them.",
  value: "paragraphs",
};

/** The text that the searches of rollouts and evaluations find. */
function searchStep({ questions: { config } }: WizardServices): Step {
  return step<Draft, Searched>(
    async ({ root, rollouts, described, searched, config: chosen }, at) => {
      const named = config.value.tools.corpus;
      const usual = named === undefined ? [] : [vscode.Uri.joinPath(root, named)];
      const elsewhere = [rollouts.questions, ...usual].map((uri) => uri?.path);
      const others = (await passageFiles(root)).filter(({ path }) => !elsewhere.includes(path));
      const choices: Choice<Searched>[] = [
        ...fileChoices(root, usual).map((choice) => ({ ...choice, description: "hasp.yaml" })),
        ...fileChoices(root, others),
        ...((described?.passages ?? 0) > 0 ? [PARAGRAPHS] : []),
        SNIPPETS,
      ];
      const active =
        chosen?.rollout.retriever === "teacher-snippet" && usual.length === 0 ? "snippets" : undefined;
      return askFile<Searched>(at, "Text that searches find", choices, searched ?? active);
    },
    (searched) => ({ searched }),
  );
}

/** The domain searches passages, and the configuration names no service on the network that finds them. */
function searchesFile(
  { questions: { config } }: WizardServices,
  { rollouts, config: chosen }: Draft,
): boolean {
  const retriever = chosen?.rollout.retriever ?? "corpus";
  if (retriever !== "corpus" && retriever !== "teacher-snippet") return false;
  return domainFor(rollouts.domain ?? config.value.domain).needsPassages !== undefined;
}

const NO_TEACHER: Choice<undefined> = {
  label: "$(circle-slash) No teacher",
  detail: "What would ask one continues by code: Program Functions, selection, answer and retry.",
  value: undefined,
};

const teacherStep: Step = step(
  (draft, at) => {
    const config = configOf(draft);
    const isNeeded = config !== undefined && needsTeacher(config);
    const placeholder = isNeeded
      ? "Teacher: corrects the student, and writes what searches find"
      : "Teacher for Program Functions and the harness";
    return askModel<undefined>(at, {
      role: "teacher",
      placeholder,
      active: draft.teacher ?? (isNeeded ? chosenModel("teacher") : undefined),
      before: isNeeded ? [] : [NO_TEACHER],
      ofEditor: false,
    });
  },
  (teacher) => ({ teacher }),
);

const authorStep: Step = step(
  ({ author }, at) =>
    askModel<undefined>(at, {
      role: "policy",
      placeholder: "Author: the model that proposes skills",
      active: author,
      before: [
        {
          label: "$(package) The student itself",
          detail: "It is served for the evolution, too.",
          value: undefined,
        },
      ],
      ofEditor: false,
    }),
  (author) => ({ author }),
);

const poolStep: Step = choiceStep<Draft, "isPooled">("isPooled", () => ({
  placeholder: "Episodes of the first training",
  choices: [
    {
      label: "$(play) Roll out the train split",
      detail: "The student works on its questions, several times each.",
      value: false,
    },
    {
      label: "$(history) Recorded runs",
      detail: "Episodes that are there stand in for the first rollout.",
      value: true,
    },
  ],
  active: false,
}));

const domainOf = ({ run }: FoundRun): string => run?.domain ?? "";

/** Recorded runs of one domain. */
function runsStep({ found }: WizardServices): Step {
  const choices = found.map((run): Choice<string> => ({
    label: run.title,
    description: [domainOf(run) || "domain unknown", describeCounts(run.counts)].join(" · "),
    detail: vscode.workspace.asRelativePath(run.file),
    value: run.file.toString(),
  }));
  async function ask({ pool }: Draft, at: Place): Promise<Answer<readonly string[]>> {
    let placeholder = "Recorded runs of the train split";
    for (;;) {
      const answer = await askChoices(at, { placeholder, choices, picked: pool ?? [] });
      if (isLeaving(answer)) return answer;
      const chosen = found.filter(({ file }) => answer.includes(file.toString()));
      if (new Set(chosen.map(domainOf)).size === 1) return answer;
      placeholder = "These runs are of several domains: tick those of one domain";
    }
  }
  return step(ask, (pool) => ({ pool }));
}

/** The first training is of a rollout before the library evolves. */
const hasFirstRollout = ({ loop, start }: ExperimentConfig): boolean =>
  loop === "open" || start.kind === "sft";

/** Domain, questions, search, teacher, author and pool, as far as the experiment has them. */
export function meansSteps(services: WizardServices, draft: Draft): readonly Step[] {
  const config = configOf(draft);
  const mayPool = services.found.length > 0 && config !== undefined && hasFirstRollout(config);
  const hasTeacher = config !== undefined && (needsTeacher(config) || mayAskTeacher(config));
  return [
    ...domainSteps(services.questions).map(within),
    questionsStep(services),
    ...(searchesFile(services, draft) ? [searchStep(services)] : []),
    ...(hasTeacher ? [teacherStep] : []),
    ...(config?.loop === "closed" ? [authorStep] : []),
    ...(mayPool ? [poolStep] : []),
    ...(mayPool && draft.isPooled === true ? [runsStep(services)] : []),
  ];
}

/** The choices of these steps, as a plan has them; undefined where one is missing. */
export function chosenMeans({ rollouts, searched, teacher, author, isPooled, pool = [] }: Draft) {
  const { questions, domain } = rollouts;
  if (questions === undefined) return undefined;
  return {
    questions,
    domain: domainFor(domain).name,
    corpus: searched instanceof vscode.Uri ? searched : undefined,
    teacher,
    author,
    pool: isPooled === true ? pool.map((file) => vscode.Uri.parse(file, true)) : [],
  };
}

/** A file of questions of this domain in numbers, for the wizard. */
export async function describeQuestions(
  files: WizardServices["questions"]["files"],
  { fsPath }: vscode.Uri,
  domain: string,
): Promise<DescribedQuestions> {
  const { splitData } = await import("../../app/split-data.ts");
  const { SPLIT_DEFAULTS } = await import("../../model/question-set.ts");
  const order = {
    file: fsPath,
    domain,
    dataset: undefined,
    split: undefined,
    boundaries: {},
    output: undefined,
  };
  const report = usable(
    await splitData(
      { ...order, corpusOut: undefined, ...SPLIT_DEFAULTS },
      { files, absolute: (path) => path, folderOf: (path) => path },
    ),
  );
  if (report.kind === "passages")
    throw new Failure("The file holds passages and no questions", "Choose another.");
  return report.described;
}
