import { refuse } from "../../app/refusal.ts";
import type { JobSpec } from "../../model/job.ts";
import { parseJson } from "../../model/read-json.ts";
import { nameKey } from "../../model/foreign-name.ts";
import { cwdOf, jobPaths, pathFrom } from "../job-folder.ts";
import { toolPart } from "./output-place.ts";
import type { BundleFile, RemoteFiles } from "./ports.ts";

/** The inputs of a job at their places on a target. */
export interface Bundle {
  /** `job.json` there: its arguments name the inputs where they are then. */
  readonly spec: JobSpec;
  /** Files, relative to the folder in which the jobs of the group run. */
  readonly files: readonly BundleFile[];
  /** Inputs that are folders without a file, and the folder of the commands. */
  readonly folders: readonly string[];
  /** JSON files that name inputs, with those names replaced. */
  readonly written: readonly { readonly at: string; readonly text: string }[];
}

/** The folder of the commands, below that of the group. Inputs from elsewhere are beside it. */
const CWD = "workspace";
const INPUTS = "inputs";
const OUTPUTS = "outputs";

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** A path without `.` and, where that is possible, without `..`; with `/` alone. */
export function normalized(path: string): string {
  const parts: string[] = [];
  for (const part of path.replaceAll("\\", "/").split("/")) {
    const last = parts.at(-1);
    if (part === ".." && last !== undefined && last !== "" && last !== "..") parts.pop();
    else if (part !== "." && (part !== "" || parts.length === 0)) parts.push(part);
  }
  return parts.join("/");
}

/** An input: as the arguments name it, where it is, and its place relative to the folder of the commands. */
interface Placed {
  readonly name: string;
  readonly from: string;
  readonly at: string;
}

/** Names that lead out of the folder of the commands get a place beside it. */
function placedAt(names: readonly string[], cwd: string, beside: string): readonly Placed[] {
  return names.map((name, i) => {
    const from = normalized(pathFrom(cwd, name));
    if (from === cwd) return { name, from, at: "." };
    if (isBelow(from, cwd)) return { name, from, at: from.slice(cwd.length + 1) };
    return { name, from, at: `../${beside}/${i + 1}-${from.slice(from.lastIndexOf("/") + 1)}` };
  });
}

const placedOutputs = ({ outputs = [] }: JobSpec, cwd: string): readonly Placed[] =>
  placedAt(outputs, cwd, OUTPUTS);

/** A text that names an input or output, or something in one, with its place there; an option may precede it, as in `--corpus=a.jsonl`. */
function renamed(text: string, inputs: readonly Placed[]): string {
  const [, option = "", value = text] = /^(--[\w-]+=)(.*)$/s.exec(text) ?? [];
  // The longest name first: one input may be inside another.
  const found = inputs
    .filter(({ name }) => isBelow(value, name))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
  return found === undefined ? text : `${option}${found.at}${value.slice(found.name.length)}`;
}

function renamedWithin(value: unknown, inputs: readonly Placed[]): unknown {
  if (typeof value === "string") return renamed(value, inputs);
  if (Array.isArray(value)) return value.map((one) => renamedWithin(one, inputs));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, renamedWithin(one, inputs)]));
}

/** Relative to the folder of the group. */
const inGroup = (at: string): string => normalized(`${CWD}/${at}`);

async function filesIn(files: RemoteFiles, path: string): Promise<readonly string[] | undefined> {
  const stat = await files.stat(path);
  if (stat?.isFile === true) return [""];
  const names = await files.list(path);
  if (names.length === 0) return stat === undefined ? undefined : [];
  const below = await Promise.all(
    names
      .filter((name) => !name.endsWith(".tmp") && !name.endsWith(".lock"))
      .map(async (name) => {
        const inside = await filesIn(files, `${path}/${name}`);
        return (inside ?? []).map((rest) => (rest === "" ? name : `${name}/${rest}`));
      }),
  );
  return below.flat();
}

async function readText(files: RemoteFiles, path: string): Promise<string> {
  const stat = await files.stat(path);
  return new TextDecoder().decode(await files.read(path, 0, stat?.size ?? 0));
}

/** Refuses with HASP790 where an input is missing, and with HASP811 where an output is outside of the workspace. */
export async function bundleOf(files: RemoteFiles, folder: string, spec: JobSpec): Promise<Bundle> {
  checkOutputs(folder, spec);
  const cwd = normalized(cwdOf(folder, spec));
  const inputs = placedAt(spec.inputs ?? [], cwd, INPUTS);
  const named = [...inputs, ...placedOutputs(spec, cwd)];
  const found: BundleFile[] = [];
  const folders = [CWD];
  for (const { name, from, at } of inputs) {
    const inside = await filesIn(files, from);
    if (inside === undefined)
      refuse(
        "HASP790",
        `The job reads ${name}, which is not there.`,
        "Correct the name, or make it.",
        jobPaths(folder).job,
      );
    if (inside.length === 0) folders.push(inGroup(at));
    for (const rest of inside)
      found.push({
        from: rest === "" ? from : `${from}/${rest}`,
        at: inGroup(rest === "" ? at : `${at}/${rest}`),
      });
  }
  const configs = new Set((spec.configs ?? []).map((name) => normalized(pathFrom(cwd, name))));
  const written: Bundle["written"][number][] = [];
  for (const { from, at } of found.filter((one) => configs.has(one.from))) {
    const value = renamedWithin(parseJson(await readText(files, from)), named);
    written.push({ at, text: `${JSON.stringify(value, null, 2)}\n` });
  }
  const group = spec.group ?? spec.id;
  const { inputs: _inputs, outputs: _outputs, configs: _configs, metrics: _metrics, ...rest } = spec;
  return {
    spec: {
      ...rest,
      cwd: `../../work/${group}/${CWD}`,
      commands: spec.commands.map((one) => ({ ...one, args: one.args.map((arg) => renamed(arg, named)) })),
      ...(spec.serve && {
        serve: {
          ...spec.serve,
          model: renamed(spec.serve.model, named),
          ...(spec.serve.adapter !== undefined && { adapter: renamed(spec.serve.adapter, named) }),
        },
      }),
    },
    files: uniqueFiles(found.filter((one) => !configs.has(one.from))),
    folders: [...new Set(folders)],
    written,
  };
}

/** A file of two inputs is sent to its place once. */
const uniqueFiles = (files: readonly BundleFile[]): readonly BundleFile[] => [
  ...new Map(files.map((file) => [file.at, file])).values(),
];

/** The workspace of a job: the folder that holds its `.hasp`, else the one above it. */
function workspaceOf(folder: string): string {
  const at = normalized(folder);
  const end = at.lastIndexOf("/.hasp/");
  return end < 0 ? at.slice(0, at.lastIndexOf("/")) : at.slice(0, end);
}

/** Places in a workspace that no target writes: jobs, and what other programs take orders from. HASP's own folder has runs and data, too. */
function isClosed(path: string): boolean {
  const [first, second] = path.split("/");
  if (first !== ".hasp") return toolPart(path) !== undefined;
  const inside = path.slice(".hasp/".length);
  return second === undefined || nameKey(second) === "jobs" || toolPart(inside) !== undefined;
}

/**
 * Refuses with HASP811 an output that has its place outside of the workspace, or where other programs read their settings: what comes from
 * elsewhere is written nowhere else.
 */
export function checkOutputs(folder: string, spec: JobSpec): void {
  const workspace = workspaceOf(folder);
  const inside = outputsOf(folder, spec).filter(({ to }) => to.startsWith(`${workspace}/`));
  const closed = inside.find(({ to }) => isClosed(to.slice(workspace.length + 1)));
  if (closed !== undefined)
    refuse(
      "HASP811",
      `The job writes ${closed.to}, where other programs read settings or code.`,
      "Name another output.",
      jobPaths(folder).job,
    );
  const outside = outputsOf(folder, spec).find(({ to }) => !isBelow(to, workspace) || to === workspace);
  if (outside === undefined) return;
  refuse(
    "HASP811",
    `The job writes ${outside.to}, which is not inside its workspace ${workspace}.`,
    "Name an output inside the workspace.",
    jobPaths(folder).job,
  );
}

/** The place here, absolute, of an input that the job knows by this name on its target; undefined where it is none. */
export function inputHere(folder: string, spec: JobSpec, name: string): string | undefined {
  const inputs = placedAt(spec.inputs ?? [], normalized(cwdOf(folder, spec)), INPUTS);
  return inputs.find(({ at }) => at === normalized(name))?.from;
}

/** The outputs of a job, relative to the folder of its group on the target, and where each belongs here. */
export function outputsOf(
  folder: string,
  spec: JobSpec,
): readonly { readonly at: string; readonly to: string }[] {
  const cwd = normalized(cwdOf(folder, spec));
  return placedOutputs(spec, cwd).map(({ from, at }) => ({ at: inGroup(at), to: from }));
}

/** The metrics of a job, relative to the folder of its group. */
export function metricsThere(folder: string, spec: JobSpec): readonly string[] {
  const named = placedOutputs(spec, normalized(cwdOf(folder, spec)));
  return (spec.metrics ?? []).map((path) => inGroup(renamed(path, named)));
}
