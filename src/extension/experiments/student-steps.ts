import { basename, dirname } from "node:path";
import * as vscode from "vscode";
import { type Diagnostic, START_OF_FILE } from "../../model/diagnostic.ts";
import { EXPERIMENTS, type ExperimentConfig, type ExperimentName } from "../../model/experiment.ts";
import { Failure } from "../failure.ts";
import { nameIn } from "../questions/places.ts";
import { type Answer, isLeaving, LEFT, type Place, step } from "../in-turn.ts";
import { askChoice, askText, type Choice } from "../steps.ts";
import type { Draft, KnownAdapter, Step, WizardServices } from "./plan.ts";
import { EXPERIMENT_WORDS } from "./words.ts";

const EXPERIMENT_CHOICES: readonly Choice<ExperimentName>[] = EXPERIMENTS.map((name) => ({
  label: EXPERIMENT_WORDS[name].label,
  ...(name === "e7" && { description: "beyond the paper" }),
  detail: EXPERIMENT_WORDS[name].sentence,
  value: name,
}));

/** The folder or file that a person looks for. */
async function looked(title: string, options: vscode.OpenDialogOptions): Promise<vscode.Uri | typeof LEFT> {
  const [found] = (await vscode.window.showOpenDialog({ title, ...options })) ?? [];
  return found ?? LEFT;
}

/** The experiment, and with it the configuration, that all later questions are about. */
export function experimentStep({ shipped }: WizardServices): Step {
  return async (draft, at) => {
    const experiment = await askChoice(at, {
      placeholder: "Experiment",
      choices: EXPERIMENT_CHOICES,
      active: draft.experiment,
    });
    if (isLeaving(experiment)) return experiment;
    if (experiment === draft.experiment) return draft;
    const config = await shipped(experiment);
    return { ...draft, experiment, config, file: undefined, model: undefined, start: undefined };
  };
}

/** A failure that opens the file of a person at its first error. */
function wrongConfig(file: vscode.Uri, [first]: readonly Diagnostic[]): Failure {
  const { start, end } = first?.range ?? START_OF_FILE;
  const selection = new vscode.Range(start.line, start.character, end.line, end.character);
  const name = basename(file.fsPath);
  return new Failure(
    `${name} line ${start.line + 1}: ${first?.message ?? "it cannot be read."}`,
    first?.next ?? "Fix the file, and run the experiment again.",
    { label: `Open ${name}`, command: "vscode.open", arguments: [file, { selection }] },
  );
}

const SHIPPED = "shipped";
const FILE = "file";

/** The configuration: as it ships, or with values of a person's file, which is checked at once. */
export function configStep({ shipped, read }: WizardServices): Step {
  return async (draft, at) => {
    const { experiment, file, root } = draft;
    if (experiment === undefined) return draft;
    const own =
      file === undefined ? [] : [{ label: `$(settings-gear) ${nameIn(root, file.fsPath)}`, value: file }];
    const choices: Choice<vscode.Uri | typeof SHIPPED | typeof FILE>[] = [
      {
        label: "$(check) As it ships",
        detail: "The settings of the paper; those it does not give are marked.",
        value: SHIPPED,
      },
      ...own,
      {
        label: "$(folder-opened) A file of your own …",
        detail: "YAML with the values that differ, such as `train: {epochs: 3}`.",
        value: FILE,
      },
    ];
    const answer = await askChoice(at, { placeholder: "Settings of the experiment", choices, active: file });
    if (isLeaving(answer)) return answer;
    if (answer === SHIPPED) return { ...draft, config: await shipped(experiment), file: undefined };
    const filters = { YAML: ["yaml", "yml", "json"] };
    const chosen =
      answer === FILE ? await looked(`${at.title}: settings`, { openLabel: "Use File", filters }) : answer;
    if (chosen === LEFT) return LEFT;
    const { value, diagnostics } = await read(experiment, chosen);
    if (value === undefined) throw wrongConfig(chosen, diagnostics);
    return { ...draft, config: value, file: chosen, model: undefined, start: undefined };
  };
}

const MODEL_FILES = "**/tokenizer_config.json";
const NO_MODELS = "**/{node_modules,.git,dist,out,checkpoints,jobs,.vscode-test}/**";
const MOST_MODELS = 50;

/** Folders of the workspace that hold a model with its tokenizer; an adapter alone is none. */
async function modelFolders(
  root: vscode.Uri,
  files: WizardServices["questions"]["files"],
): Promise<string[]> {
  const found = await vscode.workspace.findFiles(
    new vscode.RelativePattern(root, MODEL_FILES),
    NO_MODELS,
    MOST_MODELS,
  );
  const folders = found.map(({ fsPath }) => dirname(fsPath));
  const isModel = await Promise.all(
    folders.map(async (folder) => (await files.stat(`${folder}/config.json`)) !== undefined),
  );
  return folders.filter((_, i) => isModel[i]).toSorted();
}

const FOLDER = "folder";
const NAME = "name";

const askHubName = (at: Place, value: string): Promise<Answer<string>> =>
  askText(at, {
    prompt: "Name of the model on the Hugging Face hub",
    placeholder: "Qwen/Qwen2.5-7B-Instruct",
    value,
    validate: (text) =>
      /^[\w.-]+\/[\w.-]+$/.test(text) ? undefined : "Write owner/name, such as Qwen/Qwen2.5-7B-Instruct.",
  });

/** A folder of the person's that holds this file; a problem in words where it does not. */
async function folderWith(
  { questions: { files } }: WizardServices,
  file: string,
  {
    title,
    openLabel,
    root,
  }: { readonly title: string; readonly openLabel: string; readonly root: vscode.Uri },
): Promise<{ readonly folder: string } | { readonly problem: string } | typeof LEFT> {
  const options = { openLabel, canSelectFolders: true, canSelectFiles: false, defaultUri: root };
  const found = await looked(title, options);
  if (found === LEFT) return LEFT;
  const isOne = (await files.stat(`${found.fsPath}/${file}`)) !== undefined;
  return isOne
    ? { folder: nameIn(root, found.fsPath) }
    : { problem: `${basename(found.fsPath)} has no ${file}: choose another` };
}

const TRAINED = "Student: the model that is trained";

/** The model that is trained, or served: a folder or a name of the hub. */
export function studentStep(services: WizardServices, question = TRAINED): Step {
  return step(
    async ({ root, model, config }, at) => {
      const usual = config?.model ?? "";
      const folders = (await modelFolders(root, services.questions.files)).map((path) => nameIn(root, path));
      const own = [...new Set([...folders, ...(model === undefined ? [] : [model])])].filter(
        (one) => one !== usual,
      );
      const choices: Choice<string>[] = [
        { label: `$(package) ${usual}`, description: "of the configuration", value: usual },
        ...own.map((one) => ({ label: `$(package) ${one}`, value: one })),
        {
          label: "$(folder-opened) Another folder …",
          detail: "As transformers saves a model.",
          value: FOLDER,
        },
        {
          label: "$(cloud) Another name …",
          detail: "Of the Hugging Face hub; it is downloaded at first.",
          value: NAME,
        },
      ];
      let placeholder = question;
      for (;;) {
        const answer = await askChoice(at, { placeholder, choices, active: model ?? own[0] ?? usual });
        if (answer === NAME) return askHubName(at, model ?? "");
        if (answer !== FOLDER) return answer;
        const title = `${at.title}: folder of the model`;
        const found = await folderWith(services, "config.json", { title, openLabel: "Use Model", root });
        if (found === LEFT) return LEFT;
        if ("folder" in found) return found.folder;
        placeholder = found.problem;
      }
    },
    (model) => ({ model }),
  );
}

function startLabel(start: ExperimentConfig["start"]): string {
  if (start.kind === "base") return "$(circle-slash) The model as it is";
  if (start.kind === "adapter") return `$(package) The adapter ${start.folder}`;
  const { epochs } = start;
  return `$(mortar-board) ${epochs === 1 ? "One epoch" : `${epochs} epochs`} of SFT on the same pool`;
}

const same = (a: ExperimentConfig["start"], b: ExperimentConfig["start"]): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

function startChoices(usual: ExperimentConfig["start"], root: vscode.Uri, adapters: readonly KnownAdapter[]) {
  const known: Choice<ExperimentConfig["start"]>[] = adapters.map(({ title, folder }) => ({
    label: `$(package) The adapter of ${title}`,
    detail: nameIn(root, folder),
    value: { kind: "adapter", folder: nameIn(root, folder) },
  }));
  const base: Choice<ExperimentConfig["start"]> = {
    label: startLabel({ kind: "base" }),
    value: { kind: "base" },
  };
  const first = { label: startLabel(usual), description: "of the configuration", value: usual };
  return [first, ...known, base].filter(({ value }, i) => i === 0 || !same(value, usual));
}

const OTHER = "other";

const STUDENT_BEFORE = "Start: the student before the experiment";

/** The student before the experiment: its configuration's, an adapter, or the model itself (SPEC §8). */
export function startStep(services: WizardServices, question = STUDENT_BEFORE): Step {
  return step<Draft, ExperimentConfig["start"]>(
    async ({ root, config, start }, at) => {
      const usual = config?.start ?? { kind: "base" };
      const known = startChoices(usual, root, services.adapters);
      const chosen = start === undefined ? undefined : known.find(({ value }) => same(value, start))?.value;
      const own: Choice<ExperimentConfig["start"]>[] =
        start === undefined || chosen !== undefined ? [] : [{ label: startLabel(start), value: start }];
      const choices: Choice<ExperimentConfig["start"] | typeof OTHER>[] = [
        ...own,
        ...known,
        {
          label: "$(folder-opened) Another adapter …",
          detail: "A folder with adapter_config.json.",
          value: OTHER,
        },
      ];
      let placeholder = question;
      for (;;) {
        const answer = await askChoice(at, { placeholder, choices, active: chosen });
        if (answer !== OTHER) return answer;
        const title = `${at.title}: folder of the adapter`;
        const found = await folderWith(services, "adapter_config.json", {
          title,
          openLabel: "Use Adapter",
          root,
        });
        if (found === LEFT) return LEFT;
        if ("folder" in found) return { kind: "adapter", folder: found.folder };
        placeholder = found.problem;
      }
    },
    (start) => ({ start }),
  );
}
