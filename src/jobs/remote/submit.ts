import { refuse } from "../../app/refusal.ts";
import type { JobRecord, JobSpec } from "../../model/job.ts";
import { bytesInWords } from "../../model/bytes-in-words.ts";
import { parseJson } from "../../model/read-json.ts";
import { isOver } from "../follow.ts";
import { hostOf, type NamedTarget } from "../../model/target.ts";
import { bundleOf, outputsOf, type Bundle } from "./bundle.ts";
import type { BundleFile, RemoteLink, RemotePorts } from "./ports.ts";
import { checkProbe, needsTrainer, probeTarget, programsOn, rehearsed } from "./prepare.ts";
import { appendRecord, readRecord, type TargetRecord } from "./record.ts";
import {
  describedSchema,
  fetchedSchema,
  lineSchema,
  noAnswer,
  readReply,
  stagedSchema,
  submittedSchema,
} from "./replies.ts";
import { jobScript, submissionName, type TargetPlace } from "./script.ts";
import { hashed, upload, type HashedFile } from "./upload.ts";

/** A job and its target, with the way there. */
export interface Submission {
  readonly ports: RemotePorts;
  readonly link: RemoteLink;
  readonly named: NamedTarget;
  readonly folder: string;
  readonly spec: JobSpec;
}

const encoder = new TextEncoder();

const NO_NODE =
  "SLURM finds no node for this job now: the nodes are down, or it asks for more than any of them has.";

/** Files whose text differs from the one here, such as configurations with other names, are written into the job's folder first. */
async function writtenFiles(
  { ports: { files }, folder }: Submission,
  { written }: Bundle,
): Promise<readonly BundleFile[]> {
  const made: BundleFile[] = [];
  for (const [i, { at, text }] of written.entries()) {
    const from = `${folder}/sent/${i + 1}.json`;
    await files.makeFolder(`${folder}/sent`);
    await files.writeAtomic(from, encoder.encode(text));
    made.push({ from, at });
  }
  return made;
}

/** The name of a program by its content: a new build has another. */
export const programName = (ports: RemotePorts, files: readonly HashedFile[]): string => {
  const list = files.map(({ at, hash }) => `${at} ${hash}`).toSorted();
  return `hasp-${ports.hashBytes(encoder.encode(list.join("\n"))).slice(0, 16)}`;
};

export const sentAs = (files: readonly HashedFile[]) => files.map(({ at, hash }) => ({ at, hash }));

/** Whether an input is an output, too, as a file of a run that is resumed. */
function isWritten({ folder, spec }: Submission): (file: BundleFile) => boolean {
  const places = outputsOf(folder, spec).map(({ to }) => to);
  return ({ from }) => places.some((to) => from === to || from.startsWith(`${to}/`));
}

/**
 * A job that asks for GPUs gets them: no driver, an old one or no device is told before it is started. Under a scheduler the login node has none
 * of it, and the first command of a training looks at its node.
 */
async function checkGpus(
  { link, named: { target }, spec }: Submission,
  root: string,
  program: string,
  python: string | undefined,
): Promise<void> {
  if (target.kind !== "ssh" || (spec.resources?.gpus ?? 0) === 0 || python === undefined) return;
  for await (const { header } of link.call({ op: "describe", root, program, python })) {
    const [problem] = readReply(describedSchema, header, "describe").problems;
    if (problem !== undefined)
      refuse(
        "HASP810",
        `${hostOf(target)} cannot train on a GPU: ${problem.message}.`,
        `${problem.next} Or submit the job with 0 GPUs.`,
      );
  }
}

/** Downloads the models of a job on its target, which nodes read them from. */
export async function fetchModels(
  {
    ports,
    link,
    spec,
  }: Pick<Submission, "ports" | "link"> & {
    readonly spec: Pick<JobSpec, "models" | "passEnv">;
  },
  root: string,
  program: string,
  python: string | undefined,
): Promise<void> {
  const models = spec.models ?? [];
  if (models.length === 0 || python === undefined) return;
  const env = ports.variables(spec.passEnv);
  for await (const { header } of link.call({ op: "fetchModels", root, program, python, models, env })) {
    const line = lineSchema.safeParse(header).data?.line;
    // The last line of each model is for programs.
    if (line !== undefined) ports.on(fetchedIn(line) ?? line);
  }
}

function fetchedIn(line: string): string | undefined {
  const { data } = fetchedSchema.safeParse(parseJson(line));
  return data && `${data.model} is on the target, ${bytesInWords(data.bytes)}`;
}

/** Everything that a job needs is on its target afterwards; nothing is booked yet. */
async function stage(
  submission: Submission,
): Promise<{ readonly place: TargetPlace; readonly root: string }> {
  const { ports, link, named, folder, spec } = submission;
  const isTrainer = needsTrainer(spec);
  const bundle = await bundleOf(ports.files, folder, spec);
  const probe = await probeTarget(link, named.target);
  const { root } = probe;
  await appendRecord(ports.files, folder, { kind: "target", at: ports.clock.now(), ...named, root });
  checkProbe(named, probe, { isTrainer });
  // Before anything is sent: partition, account and limits.
  if (!(await rehearsed(link, named, spec, root))) ports.on(NO_NODE);
  const { python, node } = await programsOn(ports, link, named, probe, isTrainer);
  const program = await hashed(ports, await ports.program());
  const inputs = await hashed(ports, [...bundle.files, ...(await writtenFiles(submission, bundle))]);
  await upload(ports, link, root, [...program, ...inputs]);
  const name = programName(ports, program);
  const group = spec.group ?? spec.id;
  const written = isWritten(submission);
  const request = {
    op: "stage",
    root,
    job: spec.id,
    group,
    programs: { [name]: sentAs(program) },
    folders: bundle.folders,
    files: inputs.map((file) => ({ at: file.at, hash: file.hash, isRead: !written(file) })),
    spec: `${JSON.stringify(bundle.spec, null, 2)}\n`,
  };
  let staged: string | undefined;
  for await (const { header } of link.call(request)) staged = readReply(stagedSchema, header, "stage").folder;
  if (staged === undefined) throw noAnswer("stage");
  const content = ports.hashBytes(new TextEncoder().encode(request.spec));
  const same = inputs.filter(written).map(({ from, hash }) => [from, hash] as const);
  // They may be replaced by what comes back.
  if (same.length > 0)
    await appendRecord(ports.files, folder, {
      kind: "same",
      at: ports.clock.now(),
      files: Object.fromEntries(same),
    });
  await checkGpus(submission, root, name, python);
  await fetchModels(submission, root, name, python);
  const place = { root, folder: staged, content, program: `${root}/programs/${name}`, node, python };
  return { place, root };
}

/** Submits the job under a number, whether this is the first try or not. */
async function submitAs(submission: Submission, number: number): Promise<void> {
  const { ports, link, named, folder, spec } = submission;
  const { files, clock } = ports;
  const { place, root } = await stage(submission);
  const script = jobScript(named.target, spec, place, number);
  await appendRecord(files, folder, { kind: "prepared", at: clock.now(), number });
  const request = {
    op: "submit",
    root,
    kind: named.target.kind,
    job: spec.id,
    number,
    name: submissionName(spec.id, number),
    script,
    tasks: spec.tasks ?? 1,
    after: spec.after ?? [],
    env: ports.variables(spec.passEnv),
  };
  for await (const { header } of link.call(request)) {
    const { job } = readReply(submittedSchema, header, "submit");
    await appendRecord(files, folder, { kind: "submitted", at: clock.now(), number, job });
  }
}

/**
 * Submits a job once: one that waits or runs is left alone, and so is one that has succeeded; one that was interrupted while it was submitted
 * keeps its number, by which it is found. `refresh` answers how far the job is. Refuses as `stage` and the target do.
 */
export async function submitOnce(
  submission: Submission,
  refresh: (record: TargetRecord) => Promise<{ readonly found: JobRecord; readonly isKnown: boolean }>,
): Promise<void> {
  const { ports, folder, named } = submission;
  const record = await readRecord(ports.files, folder);
  if (record === undefined || record.number === 0) return submitAs(submission, 1);
  if (record.target.host !== named.target.host || record.target.kind !== named.target.kind)
    refuse(
      "HASP793",
      `This job belongs to the target ${record.name}.`,
      "Submit it there, or submit the work as a new job.",
      folder,
    );
  const { found, isKnown } = await refresh(record);
  // Nothing of this submission is there: it was interrupted before it was made.
  if (!isKnown) return submitAs(submission, record.number);
  if (!isOver(found) || found.status === "succeeded") return undefined;
  return submitAs(submission, record.number + 1);
}
