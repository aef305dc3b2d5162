import { need, refuse } from "../app/refusal.ts";
import { parseModelSpec } from "../llm/endpoint.ts";
import { keyVariable } from "../llm/keys.ts";
import type { Resources, ServedStudent } from "../model/job.ts";
import type { ExperimentFiles } from "./order.ts";

/** A command that is to run as a job. Paths are relative to the folder in which it runs, or absolute. */
export interface CommandOrder {
  /** Of the job, and of its group where it becomes several. */
  readonly id: string;
  readonly title?: string | undefined;
  /** The words after `hasp`; or `train` and a configuration of the trainer. */
  readonly args: readonly string[];
  /** The folder of the command, relative to the job folder; `../../..` by default, the workspace of a folder in `.hasp/jobs`. */
  readonly cwd?: string | undefined;
  /** Only of `run`: the questions are dealt out to so many tasks, whose runs a second job merges. */
  readonly shards?: number | undefined;
  /** Over those of the preset. */
  readonly resources?: Resources | undefined;
  readonly serve?: ServedStudent | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly after?: readonly string[] | undefined;
}

/** What a job needs beside its commands, while it is collected. */
export class JobParts {
  private readonly files: ExperimentFiles;
  readonly inputs = new Set<string>();
  readonly outputs = new Set<string>();
  readonly configs = new Set<string>();
  readonly metrics: string[] = [];
  readonly models = new Set<string>();
  readonly passEnv = new Set<string>();

  constructor(files: ExperimentFiles) {
    this.files = files;
  }

  /** Whether a file or folder is there. A folder without a file counts as none. */
  async isThere(path: string): Promise<boolean> {
    return (await this.files.stat(path)) !== undefined || (await this.files.list(path)).length > 0;
  }

  /** Refuses with HASP790 where the input is missing. */
  async read(path: string | undefined): Promise<void> {
    if (path === undefined || path.startsWith("builtin:")) return;
    if (!(await this.isThere(path)))
      refuse("HASP790", `The job reads ${path}, which is not there.`, "Correct the name, or make it.", path);
    this.inputs.add(withoutSlash(path));
  }

  /** Adds an input, or leaves it out where it is missing. */
  async readIfThere(path: string): Promise<void> {
    if (!path.startsWith("builtin:") && (await this.isThere(path))) this.inputs.add(withoutSlash(path));
  }

  /** A folder that the command writes, and reads where an earlier one began it. */
  async writes(path: string): Promise<void> {
    this.outputs.add(withoutSlash(path));
    await this.readIfThere(path);
  }

  /** A model by its folder, which is sent, or by its name in the hub, from which the target has it. */
  async weights(model: string, isAdapter = false): Promise<void> {
    if (await this.isThere(model)) this.inputs.add(withoutSlash(model));
    else if (isAdapter || IS_PATH.test(model))
      refuse(
        "HASP790",
        `The job reads ${model}, which is not there.`,
        isAdapter
          ? "Name the folder of a LoRA adapter."
          : "Name the folder of a model, or its name in the hub.",
        model,
      );
    else {
      this.models.add(model);
      this.passEnv.add("HF_TOKEN");
    }
  }

  /** A model that the command asks: its key, or the file or run that answers for it. */
  async asks(spec: string | undefined, isServed: boolean): Promise<void> {
    if (spec === undefined || spec === "{student}") return;
    const model = need(parseModelSpec(spec, { isPlainHttpAllowed: () => true }));
    if (model.kind === "vscode")
      refuse("HASP798", `${spec} is a model of the editor, which a job cannot ask.`, ASKABLE);
    if (model.kind === "served" && !isServed)
      refuse("HASP798", `${spec} is a model that the job serves, and it serves none.`, SERVE);
    if (model.kind === "recorded") await this.readInside(model.run, spec);
    if (model.kind === "scripted") await this.readInside(model.file, spec);
    if (model.kind !== "endpoint") return;
    const { origin } = model.endpoint;
    const variable = keyVariable(origin);
    if (variable !== undefined) this.passEnv.add(variable);
    // A person accepted plain http to this origin, and the job asks it as they would.
    if (origin.startsWith("http:")) this.passEnv.add("HASP_PLAIN_HTTP");
  }

  /** An input whose name is a part of a word, where nothing replaces it by its place on a target. */
  private async readInside(path: string, within: string): Promise<void> {
    await this.read(path);
    if (leavesFolder(path))
      refuse(
        "HASP798",
        `${within} names a place outside of the folder in which the job runs.`,
        "Copy it into the workspace, and name it there.",
        path,
      );
  }
}

const ASKABLE = "Name a model as in `openai:gpt-4o-2024-11-20` or `http://127.0.0.1:8000/v1#qwen`.";
const SERVE = "Have it serve one: `--serve <model>`.";

const IS_PATH = /^(?:\.{1,2}[\\/]|[\\/]|~|[A-Za-z]:[\\/])/;
const IS_ABSOLUTE = /^(?:[\\/]|[A-Za-z]:[\\/])/;

/** A path without slashes at its end. */
export const withoutSlash = (path: string): string => path.replace(/(?<=.)[/\\]+$/, "");

/** Whether a path leads out of the folder in which the commands run, as far as its text says. */
export function leavesFolder(path: string): boolean {
  if (IS_ABSOLUTE.test(path)) return true;
  let depth = 0;
  for (const part of path.split(/[/\\]/)) {
    if (part === "..") depth--;
    else if (part !== "." && part !== "") depth++;
    if (depth < 0) return true;
  }
  return false;
}
