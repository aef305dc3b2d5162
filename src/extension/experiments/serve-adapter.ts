import { basename, dirname, join } from "node:path";
import * as vscode from "vscode";
import { inputHere } from "../../jobs/remote/bundle.ts";
import { type Served, serveStudent } from "../../jobs/serve-student.ts";
import type { JobProcess } from "../../jobs/ports.ts";
import { parseJson } from "../../model/read-json.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { localServing } from "../../platform/local-serving.ts";
import { sha256 } from "../../platform/sha256.ts";
import { COMMANDS } from "../contributions.ts";
import { Failure, OPEN_LOG, Unmet } from "../failure.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { chosenModel, keepChoice } from "../models/chosen-model.ts";
import { inform, inNotification, warn } from "../notification.ts";
import { placeOf } from "../questions/places.ts";
import type { Services } from "../services.ts";
import { wayTo } from "../unmet.ts";
import { type Experiments, rootOf } from "./experiments.ts";
import { specOf, type Student } from "./served-policy.ts";
import { buildOf, requireTrainer } from "./trainer.ts";
import { plainLine } from "./words.ts";

type Bundles = Pick<Services, "editorServices" | "modelServices">;

/** A name that is new for new weights: replies are kept under it. */
async function nameFor(files: NodeFiles, title: string, folder: string): Promise<string> {
  const config = await files.readText(join(folder, "adapter_config.json"), 100_000);
  const weights = await files.stat(join(folder, "adapter_model.safetensors"));
  const seen = [folder, config.kind === "text" ? config.text : "", weights?.size, weights?.mtimeMs];
  const slug =
    title
      .toLowerCase()
      .replaceAll(/[^a-z0-9.-]+/g, "-")
      .replace(/^[.-]+/, "") || "adapter";
  return `${slug}-${sha256(JSON.stringify(seen)).slice(0, 6)}`;
}

/** The model that an adapter is of, as its own file says. */
async function baseOf(files: NodeFiles, folder: string): Promise<string | undefined> {
  const found = await files.readText(join(folder, "adapter_config.json"), 100_000);
  if (found.kind !== "text") return undefined;
  const config = parseJson(found.text);
  const isEntries = typeof config === "object" && config !== null;
  const base = isEntries && "base_model_name_or_path" in config ? config.base_model_name_or_path : undefined;
  return typeof base === "string" && base !== "" ? base : undefined;
}

/** The experiment whose folder holds an adapter. */
async function experimentOf(experiments: Experiments, adapter: vscode.Uri) {
  const found = await experiments.list();
  return found.find(({ folder }) => adapter.path.startsWith(`${folder.path}/`));
}

/** The model of an adapter that a job brought here: its own file names it as it was called where it was trained. */
async function modelHere(jobs: Jobs, folder: string, base: string | undefined): Promise<string | undefined> {
  if (base === undefined) return undefined;
  for (const { folder: job, report } of await jobs.list())
    if (report.value?.adapters.includes(folder) === true)
      return inputHere(job.fsPath, report.value.spec, base) ?? base;
  return base;
}

/** A training writes its adapter into the folder `adapter` of its output, which has the telling name. */
const nameOfAdapter = (folder: string): string =>
  basename(folder) === "adapter" ? basename(dirname(folder)) : basename(folder);

/** The student that an adapter's folder is; a folder with a whole model is one by itself. */
export async function studentOf(
  { editorServices: { files, experiments, jobs } }: Bundles,
  adapter: vscode.Uri,
): Promise<Student> {
  const folder = adapter.fsPath;
  const found = await experimentOf(experiments, adapter);
  const title = found?.name ?? nameOfAdapter(folder);
  const root = found === undefined ? vscode.workspace.getWorkspaceFolder(adapter)?.uri : rootOf(found.folder);
  const cwd = root?.fsPath ?? folder;
  const name = await nameFor(files, title, folder);
  if ((await files.stat(join(folder, "adapter_config.json"))) === undefined) {
    if ((await files.stat(join(folder, "config.json"))) === undefined)
      throw new Failure(
        `${folder} holds no adapter and no model.`,
        "Choose the folder that a training wrote.",
      );
    return { name, title, model: folder, cwd };
  }
  const model = found?.report.value?.model ?? (await modelHere(jobs, folder, await baseOf(files, folder)));
  if (model === undefined)
    throw new Failure(`${folder} does not say of which model it is.`, "Choose the adapter of an experiment.");
  return { name, title, model, adapter: folder, cwd };
}

/** Starts the server of a student and waits until it answers. */
async function start({ editorServices }: Bundles, student: Student, signal: AbortSignal) {
  const { context, log } = editorServices;
  const python = requireTrainer();
  const { model, adapter, cwd } = student;
  const known = placeOf(vscode.Uri.file(cwd), model);
  const isFolder = (await editorServices.files.stat(join(known.path, "config.json"))) !== undefined;
  const served = {
    model: isFolder ? known.path : model,
    ...(adapter !== undefined && { adapter }),
    engine: "auto",
  } as const;
  const ports = localServing({ build: buildOf(context), python, student: served, cwd });
  let process: JobProcess | undefined;
  const listening: typeof ports = {
    ...ports,
    start: ({ env, onText }) => {
      const heard = (text: string): void => {
        for (const line of text.split("\n"))
          if (line.trim() !== "") log.debug(`server of ${student.title}: ${plainLine(line)}`);
        onText(text);
      };
      process = ports.start({ env, onText: heard });
      void process.ended.then(() => (process = undefined));
      return process;
    },
  };
  const closing = new vscode.Disposable(() => process?.ask());
  context.subscriptions.push(closing);
  const serving = await serveStudent(listening, served, signal);
  if (serving.served !== undefined) return { served: serving.served, end: () => process?.ask() };
  if (signal.aborted) throw new vscode.CancellationError();
  const last = serving.lines.list().slice(-3).map(plainLine).join(" | ");
  throw new Failure(`${serving.reason} ${last}`.trim(), "The log has its output.", OPEN_LOG);
}

/** Tells when a server ends that nobody ended. */
function watch(
  { editorServices: { log }, modelServices: { served } }: Bundles,
  student: Student,
  { gone, lines }: Served,
): void {
  const onGone = (): void => {
    if (served.answering()?.student.name !== student.name) return;
    served.setAnswering(undefined);
    log.warn(`The server of ${student.title} ended: ${lines.list().map(plainLine).join(" | ")}`);
    const again = {
      label: "Serve Adapter",
      command: COMMANDS.useAdapter.id,
      arguments: [{ student: student.name }],
    };
    warn(`The server of the adapter of ${student.title} ended. The policy needs it.`, again, OPEN_LOG);
  };
  if (gone.aborted) onGone();
  else gone.addEventListener("abort", onGone, { once: true });
}

/** Serves a student in this window, and makes it the policy. */
export async function serveAsPolicy(
  bundles: Bundles,
  student: Student,
): Promise<Student & { readonly address: string | undefined }> {
  const { log } = bundles.editorServices;
  const { served } = bundles.modelServices;
  if (served.answering()?.student.name !== student.name) {
    await stopServing(bundles);
    const { served: server, end } = await inNotification(
      `Starting the adapter of ${student.title}`,
      (signal) => start(bundles, student, signal),
    );
    served.setAnswering({
      student,
      address: server.policy,
      key: server.key,
      close: () => server.close(),
      end,
    });
    watch(bundles, student, server);
  }
  const spec = specOf(student);
  const before = chosenModel("policy");
  await served.keep({ ...student, ...(before !== undefined && before !== spec && { before }) });
  if (before !== spec) await keepChoice("policy", spec, undefined);
  log.info(`The policy is ${spec}, the adapter of ${student.title}`);
  inform(
    `The adapter of ${student.title} is the policy, until this window closes or it is no longer served.`,
    wayTo(COMMANDS.runQuestions),
    wayTo(COMMANDS.stopServing),
  );
  return { ...student, address: served.answering()?.address };
}

/** Ends the server of this window; the policy is again the one before. Undefined where none runs. */
export async function stopServing({ modelServices: { served } }: Bundles): Promise<Student | undefined> {
  const answering = served.answering();
  if (answering === undefined) return undefined;
  // Its end is asked for: nobody is warned.
  served.setAnswering(undefined);
  await answering.close();
  return answering.student;
}

/** `HASP: Stop Serving`. */
export async function stopAndRestore(bundles: Bundles): Promise<Student> {
  const { served } = bundles.modelServices;
  const kept = served.chosen();
  const student = await stopServing(bundles);
  if (student === undefined)
    throw new Unmet(
      "This window serves no adapter.",
      "Use one as the policy first.",
      wayTo(COMMANDS.useAdapter),
    );
  const isPolicy = kept?.name === student.name;
  const before = kept?.before ?? "";
  if (isPolicy) await keepChoice("policy", before, undefined);
  const now = !isPolicy
    ? ""
    : before === ""
      ? " No policy is configured now."
      : ` The policy is ${before} again.`;
  inform(`The adapter of ${student.title} is no longer served.${now}`);
  return student;
}
