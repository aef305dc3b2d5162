import * as vscode from "vscode";
import { readQuestions } from "../../app/named-text.ts";
import type { RunnableDomain } from "../../domains/domain.ts";
import { allDatasets, runnableDomains } from "../../domains/registry.ts";
import { type Setting, SETTINGS, surfacesOf } from "../../model/control.ts";
import { TERMS } from "../../model/terms.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { chosenModel, configuredModels } from "../models/chosen-model.ts";
import { askModel, configuredChoices } from "../models/model-choices.ts";
import { describeCounts, type Runs } from "../runs/find-runs.ts";
import { type Answer, askInTurn, LEFT, type Place, step, type WizardStep } from "../in-turn.ts";
import { askChoice, type Choice, choiceStep, textStep } from "../steps.ts";
import { usable } from "../usable.ts";
import { parentOf } from "../workspace/skill-folders.ts";
import { nameIn } from "./places.ts";
import { controlFor, domainFor, type RunConfig } from "./run-config.ts";
import { toolsIn } from "./tools.ts";

export interface RunPlan {
  /** The workspace folder that will hold the run. */
  readonly root: vscode.Uri;
  readonly questions: vscode.Uri;
  /** Undefined: that of `hasp.yaml`, else the usual one. */
  readonly domain: string | undefined;
  /** Undefined: the paragraphs that come with the questions. */
  readonly corpus: vscode.Uri | undefined;
  /** A model spec, or `recorded:<run>`. */
  readonly policy: string;
  /** The parts of the harness in use. */
  readonly setting: Setting;
  /** For the sites of the harness that may ask one; undefined for none. */
  readonly teacher: string | undefined;
  /** Number of questions, from the first; undefined for all. */
  readonly limit: number | undefined;
}

export interface PlanServices {
  readonly files: NodeFiles;
  readonly runs: Runs;
  readonly config: RunConfig;
  /** Undefined: asked for where several have an environment. */
  readonly domain?: RunnableDomain;
  /** Of the wizard. */
  readonly title: string;
}

/** The answers so far. */
export interface RunDraft extends Partial<Omit<RunPlan, "corpus">> {
  readonly root: vscode.Uri;
  /** The choice, where "with the questions" is one too. */
  readonly corpus?: vscode.Uri | "with-questions";
  /** Questions of the file. */
  readonly count?: number;
}

type Draft = RunDraft;
type Step = WizardStep<Draft>;

const EXCLUDED = "**/{node_modules,.git,.hasp,dist,out,.vscode-test,skills}/**";
/** More files than a person would look through. */
const MAX_FILES = 300;

/** The files of a workspace folder, those whose path has one of these words first. Of JSON, which may be anything, only those. */
async function filesIn(
  root: vscode.Uri,
  extensions: string,
  words: readonly string[],
): Promise<readonly vscode.Uri[]> {
  const pattern = new vscode.RelativePattern(root, `**/*.${extensions}`);
  const found = await vscode.workspace.findFiles(pattern, EXCLUDED, MAX_FILES);
  const rank = (uri: vscode.Uri): number => {
    const path = uri.path.slice(root.path.length).toLowerCase();
    return words.some((word) => path.includes(word)) ? 0 : 1;
  };
  const shown = found.filter((uri) => !uri.path.endsWith(".json") || rank(uri) === 0);
  return shown.sort((a, b) => rank(a) - rank(b) || a.path.localeCompare(b.path));
}

/** The files that may hold questions; some data sets are tables. */
export const questionFiles = (root: vscode.Uri): Promise<readonly vscode.Uri[]> =>
  filesIn(root, "{jsonl,json,csv}", [
    "question",
    ...allDatasets().flatMap(({ name, shortNames = [] }) => [name, ...shortNames]),
  ]);

/** The files that may hold passages. */
export const passageFiles = (root: vscode.Uri): Promise<readonly vscode.Uri[]> =>
  filesIn(root, "{jsonl,json}", ["corpus", "passage", "paragraph", "wiki"]);

export function fileChoices(root: vscode.Uri, files: readonly vscode.Uri[]): Choice<vscode.Uri>[] {
  return files.map((uri) => ({
    label: nameIn(root, uri.fsPath),
    iconPath: vscode.ThemeIcon.File,
    value: uri,
  }));
}

const OTHER = { label: "$(folder-opened) Another file …", value: undefined };

/** One of the choices, or a file that a person looks for themselves. */
export async function askFile<T>(
  at: Place,
  placeholder: string,
  choices: readonly Choice<T>[],
  active: T | undefined,
): Promise<Answer<T | vscode.Uri>> {
  const all: Choice<T | undefined>[] = [...choices, OTHER];
  const answer = await askChoice(at, { placeholder, choices: all, active: active ?? choices[0]?.value });
  if (answer !== undefined) return answer;
  const filters = { "JSON lines, JSON or CSV": ["jsonl", "json", "csv"] };
  const [file] =
    (await vscode.window.showOpenDialog({ title: placeholder, openLabel: "Choose", filters })) ?? [];
  return file ?? LEFT;
}

/** `domain`: its name, where it is known. */
async function questionCount(
  files: NodeFiles,
  { fsPath }: vscode.Uri,
  domain: string | undefined,
): Promise<number> {
  return usable(await readQuestions(files, fsPath, domain)).length;
}

/** The kind of task, where there is a choice. */
export function domainSteps({ config }: PlanServices): readonly Step[] {
  const domains = runnableDomains();
  if (domains.length < 2) return [];
  const active = domainFor(config.value.domain).name;
  const choices = domains.map(({ name, about }) => ({ label: name, detail: about, value: name }));
  const placeholder = "Domain: the kind of task";
  return [choiceStep("domain", () => ({ placeholder, choices, active }))];
}

/** The domain of a draft, as far as that is answered. */
const domainOfDraft = ({ config, domain }: PlanServices, draft: RunDraft): RunnableDomain =>
  domain ?? domainFor(draft.domain ?? config.value.domain);

/** A run that searches elsewhere, or not at all, has no corpus to choose. */
export function corpusSteps(services: PlanServices, draft: RunDraft): readonly Step[] {
  const domain = domainOfDraft(services, draft);
  const { retriever } = toolsIn(services.config.value, domain);
  const isLocal = retriever === "corpus" || retriever === "teacher-snippet";
  const isSnippets = retriever === "teacher-snippet";
  return isLocal && domain.needsPassages !== undefined
    ? [corpusStep(services, [isSnippets ? SNIPPETS_OF_CONFIG : PARAGRAPHS])]
    : [];
}

/** After the domain, as which they are read. */
export function questionsStep(services: PlanServices): Step {
  return step(
    async ({ root, questions }, at) => {
      const choices = fileChoices(root, await questionFiles(root));
      return askFile(at, "File with the questions", choices, questions);
    },
    async (questions, draft) => {
      const { name } = domainOfDraft(services, draft);
      return { questions, count: await questionCount(services.files, questions, name) };
    },
  );
}

const SNIPPETS: Choice<"with-questions"> = {
  label: "$(mortar-board) No file: the teacher writes what a search finds",
  value: "with-questions",
};

/** The choices of a run that searches no file. */
const SNIPPETS_OF_CONFIG = { ...SNIPPETS, detail: "hasp.yaml names the retriever teacher-snippet." };
const PARAGRAPHS: Choice<"with-questions"> = {
  label: "$(list-unordered) The paragraphs that come with the questions",
  detail: "For HotpotQA and MuSiQue files, which hold them.",
  value: "with-questions",
};

/** The corpus that `hasp.yaml` names stands first. `instead`: what may be searched in place of a file. */
function corpusStep({ config }: PlanServices, instead: readonly Choice<"with-questions">[]): Step {
  const named = config.value.tools.corpus;
  return step(
    async ({ root, questions, corpus }, at) => {
      const files = await passageFiles(root);
      const usual = named === undefined ? [] : [vscode.Uri.joinPath(root, named)];
      const elsewhere = [questions, ...usual].map((uri) => uri?.path);
      const others = files.filter(({ path }) => !elsewhere.includes(path));
      const choices: Choice<vscode.Uri | "with-questions">[] = [
        ...fileChoices(root, usual).map((choice) => ({ ...choice, description: "hasp.yaml" })),
        ...fileChoices(root, others),
        ...instead,
      ];
      return askFile(at, "Corpus to search", choices, corpus);
    },
    (corpus) => ({ corpus }),
  );
}

/** Recorded runs of a workspace folder, whose proposals can be repeated. */
async function recordedChoices({ runs }: PlanServices, root: vscode.Uri): Promise<Choice<string>[]> {
  return (await runs.list())
    .filter(({ index, file }) => index.entries.length > 0 && file.path.startsWith(`${root.path}/`))
    .map(({ title, counts, file }) => ({
      label: `$(history) ${title}`,
      description: describeCounts(counts),
      detail: "Its recorded proposals, with today's skills; no model is asked.",
      value: `recorded:${nameIn(root, parentOf(file).fsPath)}`,
    }));
}

function policyStep(services: PlanServices): Step {
  return step(
    async ({ root, policy }, at) =>
      askModel(at, {
        role: "policy",
        placeholder: "Policy: the model that works on the questions",
        active: policy,
        after: await recordedChoices(services, root),
      }),
    (policy) => ({ policy }),
  );
}

function settingStep({ config }: PlanServices): Step {
  const usual = config.value.setting === undefined ? "default" : "hasp.yaml";
  const choices = SETTINGS.map((setting) => ({
    label: setting,
    ...(setting === config.setting && { description: usual }),
    detail: TERMS[setting].sentence,
    value: setting,
  }));
  const placeholder = "Setting: parts of the harness in use";
  return choiceStep("setting", () => ({ placeholder, choices, active: config.setting }));
}

/** Whether a run of the drafted domain and setting may ask a teacher at all. */
function mayAskTeacher(services: PlanServices, draft: Draft): boolean {
  const { config } = services;
  const domain = domainOfDraft(services, draft);
  if (toolsIn(config.value, domain).retriever === "teacher-snippet") return true;
  return surfacesOf(controlFor(config, draft.setting ?? config.setting, domain).choice.control).teacher;
}

const teacherStep: Step = choiceStep("teacher", ({ setting }) => ({
  placeholder: "Teacher for Program Functions and the harness",
  choices: [
    {
      label: "$(circle-slash) No teacher",
      detail: "What would ask one goes on by code: Program Functions, selection, answer and retry.",
      value: undefined,
    },
    ...configuredChoices("teacher"),
  ],
  active: setting === "teacher-only" ? chosenModel("teacher") : undefined,
}));

/** `after`: a sentence about what follows. */
const limitStep = (after = ""): Step =>
  textStep(
    ({ count = 0, limit = "" }) => ({
      prompt: `How many of the ${count} questions, from the first? Leave it empty for all.${after}`,
      placeholder: String(count),
      value: String(limit),
      validate: (text) =>
        /^$|^[1-9]\d{0,6}$/.test(text) ? undefined : "Write a whole number of at least 1.",
    }),
    (text) => ({ limit: text === "" ? undefined : Number(text) }),
  );

/** A model is configured, and a run of the drafted setting may ask it as the teacher. */
function mayHaveTeacher(services: PlanServices, draft: Draft): boolean {
  return configuredModels().length > 0 && mayAskTeacher(services, draft);
}

function teacherSteps(services: PlanServices, draft: Draft): readonly Step[] {
  return mayHaveTeacher(services, draft) ? [teacherStep] : [];
}

/** The means of a run besides its questions. */
export type RunMeans = Pick<RunPlan, "corpus" | "policy" | "setting" | "teacher">;

/** Undefined where the person left. */
function meansOf(services: PlanServices, draft: Draft | undefined): RunMeans | undefined {
  if (draft?.policy === undefined) return undefined;
  const isSearching = domainOfDraft(services, draft).needsPassages !== undefined;
  return {
    // Chosen before another domain was.
    corpus: draft.corpus === "with-questions" || !isSearching ? undefined : draft.corpus,
    policy: draft.policy,
    setting: draft.setting ?? services.config.setting,
    // Chosen before another setting was.
    teacher: mayHaveTeacher(services, draft) ? draft.teacher : undefined,
  };
}

/** Asks what an episode is to go on with, policy first; undefined when the person leaves. */
export async function askForMeans(
  services: PlanServices,
  root: vscode.Uri,
  searchBringsText: boolean,
): Promise<RunMeans | undefined> {
  const withText = { ...SNIPPETS, detail: "For an episode whose searches brought text." };
  const searches = domainOfDraft(services, { root }).needsPassages !== undefined;
  const corpus = searches ? [corpusStep(services, searchBringsText ? [withText] : [])] : [];
  const stepsFor = (draft: Draft): readonly Step[] => [
    policyStep(services),
    ...corpus,
    settingStep(services),
    ...teacherSteps(services, draft),
  ];
  return meansOf(services, await askInTurn<Draft>(services.title, { root }, stepsFor));
}

/** Questions and means of rollouts whose teacher and number of questions are asked for elsewhere. */
export function rolloutSteps(services: PlanServices, draft: RunDraft): readonly WizardStep<RunDraft>[] {
  return [
    ...domainSteps(services),
    questionsStep(services),
    ...corpusSteps(services, draft),
    policyStep(services),
    settingStep(services),
  ];
}

/** The plan of a draft; undefined where questions or policy are not answered. */
export function draftedPlan(services: PlanServices, draft: RunDraft): Omit<RunPlan, "teacher"> | undefined {
  const { root, questions, domain, limit } = draft;
  const means = meansOf(services, draft);
  if (questions === undefined || means === undefined) return undefined;
  const { corpus, policy, setting } = means;
  return { root, questions, domain, corpus, policy, setting, limit };
}

/** All questions of a run that is a job. `isServed`: the job serves the model that works, so that no policy is asked for. */
export function jobRunSteps(
  services: PlanServices,
  draft: RunDraft,
  isServed: boolean,
): readonly WizardStep<RunDraft>[] {
  return [
    ...domainSteps(services),
    questionsStep(services),
    ...corpusSteps(services, draft),
    ...(isServed ? [] : [policyStep(services)]),
    settingStep(services),
    ...teacherSteps(services, draft),
    limitStep(),
  ];
}

/** Asks what to run, with a way back; undefined when the person leaves. `questions`: known already. */
export async function askForPlan(
  services: PlanServices,
  root: vscode.Uri,
  questions: vscode.Uri | undefined,
): Promise<RunPlan | undefined> {
  const stepsFor = (draft: Draft): readonly Step[] => [
    ...domainSteps(services),
    ...(questions === undefined ? [questionsStep(services)] : []),
    ...corpusSteps(services, draft),
    policyStep(services),
    settingStep(services),
    ...teacherSteps(services, draft),
    limitStep(" Enter starts the run."),
  ];
  const known =
    questions === undefined
      ? {}
      : { questions, count: await questionCount(services.files, questions, undefined) };
  const draft = await askInTurn<Draft>(services.title, { root, ...known }, stepsFor);
  const means = meansOf(services, draft);
  if (draft?.questions === undefined || means === undefined) return undefined;
  return { root, questions: draft.questions, domain: draft.domain, ...means, limit: draft.limit };
}
