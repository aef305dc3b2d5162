import { checked } from "../../../app/refusal.ts";
import { jobPaths, readJob } from "../../../jobs/job-folder.ts";
import { partsOf } from "../../../jobs/remote/mirror.ts";
import { readRecord } from "../../../jobs/remote/record.ts";
import { isOver } from "../../../jobs/follow.ts";
import type { JobRecord } from "../../../model/job.ts";
import type { NodeFiles } from "../../../platform/files.ts";
import { defineCommand } from "../../define-command.ts";
import { exitCodeOf, followToEnd, printEnd } from "../../follow-job.ts";
import { folderOf, jobIds, knownRecord, openJob, withWords, type OpenJob } from "../../job-folders.ts";
import { jobStatusWord } from "../../../model/job-words.ts";
import { recordLines, taskWords } from "../../job-words.ts";
import { flag } from "../../options.ts";
import { renderTable } from "../../table.ts";
import { cliBackends, LOCAL } from "../../targets.ts";
import { EXIT, type Terminal } from "../../terminal.ts";

const YES = { yes: flag("--yes", "do not ask whether the target may be used") };
const JOB = [["<job>", "its id, or its folder anywhere"]] as const;

/** A job in a list. */
interface Listed {
  readonly id: string;
  readonly title: string;
  readonly target: string;
  readonly record: JobRecord;
}

async function listed(
  files: NodeFiles,
  terminal: Terminal,
  id: string,
  refresh: boolean,
): Promise<readonly Listed[]> {
  const folder = folderOf(id);
  const { value: spec } = await readJob(files, folder);
  if (spec === undefined) {
    terminal.line(`! .hasp/jobs/${id} holds a job.json that cannot be read.`);
    return [];
  }
  const backends = cliBackends(terminal);
  const sent = await readRecord(files, folder);
  const known = await knownRecord(files, folder, sent, backends.local);
  const record =
    refresh && sent !== undefined && !isOver(known)
      ? await withWords(async () => backends.on(sent).status(folder)).catch((error: unknown) => ({
          ...known,
          unreachable: error instanceof Error ? error.message : String(error),
        }))
      : known;
  return [{ id: spec.id, title: spec.title, target: sent?.name ?? LOCAL, record }];
}

export const listCommand = defineCommand({
  name: "list",
  about: "List the jobs of this workspace, as far as is known here.",
  options: { refresh: flag("--refresh", "ask the targets of those that are not over") },
  examples: ["hasp job list", "hasp job list --refresh --json"],
  async run({ files, terminal, options: { refresh = false } }) {
    const ids = await jobIds(files);
    const jobs: Listed[] = [];
    for (const id of ids) jobs.push(...(await listed(files, terminal, id, refresh)));
    const rows = jobs.map(({ id, target, record, title }) => [
      id,
      target,
      jobStatusWord(record),
      taskWords(record),
      record.startedAt ?? "",
      title,
    ]);
    if (rows.length === 0) terminal.line("There is no job in .hasp/jobs.");
    else
      for (const line of renderTable(["id", "target", "status", "tasks", "started", "title"], rows))
        terminal.line(line);
    for (const { id, record } of jobs)
      if (record.unreachable !== undefined) terminal.line(`! ${id}: ${record.unreachable}`);
    terminal.result(jobs);
    return EXIT.fine;
  },
});

export const statusCommand = defineCommand({
  name: "status",
  about: "Ask how far a job is.",
  takes: JOB,
  options: YES,
  codes: ["under way or done", "failed, cancelled or cut off"],
  examples: ["hasp job status run-1126-220930-3fa9"],
  async run(call, given: string) {
    const { terminal } = call;
    const { folder, spec, backend, record: sent } = await openJob(call, given, call.options);
    const record = await withWords(async () => backend.status(folder));
    terminal.line(`job        ${spec.title}`);
    terminal.line(`target     ${sent?.name ?? LOCAL}${sent?.job === undefined ? "" : `, as ${sent.job}`}`);
    for (const line of recordLines(record)) terminal.line(line);
    terminal.result({ id: spec.id, title: spec.title, folder, target: sent?.name ?? LOCAL, record });
    return isOver(record) ? exitCodeOf(record) : EXIT.fine;
  },
});

/** No log that is printed at once is longer; a longer one is read with `-f`, or as a file. */
const MAX_LOG_BYTES = 200_000_000;

async function printLogs(
  files: NodeFiles,
  terminal: Terminal,
  { folder, spec, record }: OpenJob,
): Promise<readonly string[]> {
  const parts = record === undefined ? [{ folder, prefix: "" }] : partsOf(folder, spec, record.target);
  const lines: string[] = [];
  for (const part of parts) {
    const read = await files.readText(jobPaths(part.folder).log, MAX_LOG_BYTES);
    if (read.kind === "too-large") terminal.line(`! ${jobPaths(part.folder).log} is too long to be printed.`);
    if (read.kind !== "text" || read.text === "") continue;
    for (const line of read.text.replace(/\n$/, "").split("\n")) lines.push(`${part.prefix}${line}`);
  }
  for (const line of lines) terminal.line(line);
  return lines;
}

export const logsCommand = defineCommand({
  name: "logs",
  about: "Print the log of a job; that of all attempts.",
  takes: JOB,
  options: { follow: flag("-f, --follow", "the present attempt, line by line, until the job ends"), ...YES },
  codes: ["printed", "with -f: failed, cancelled, cut off or left"],
  examples: ["hasp job logs run-1126-220930-3fa9", "hasp job logs -f run-1126-220930-3fa9"],
  async run(call, given: string) {
    const { terminal, files, options } = call;
    const job = await openJob(call, given, options);
    if (options.follow === true) {
      const record = await withWords(async () => followToEnd(terminal, job, { log: true, metrics: false }));
      terminal.result({ id: job.spec.id, record });
      return record === undefined ? EXIT.findings : exitCodeOf(record);
    }
    // Brings what is new of it here; without its target, the copy is what there is.
    const { diagnostics } = await checked(async () => job.backend.status(job.folder));
    const lines = await printLogs(files, terminal, job);
    const away = diagnostics.at(-1);
    if (away !== undefined) terminal.line(`! ${away.message} These are the lines that had come before.`);
    if (away?.next !== undefined) terminal.line(`    → ${away.next}`);
    terminal.result({ id: job.spec.id, lines, ...(away !== undefined && { unreachable: away.message }) });
    return EXIT.fine;
  },
});

export const followCommand = defineCommand({
  name: "follow",
  about: "Follow a job to its end: its log, and the numbers of its training. Ctrl-C leaves it running.",
  takes: JOB,
  options: YES,
  codes: ["done", "failed, cancelled, cut off or left"],
  examples: ["hasp job follow run-1126-220930-3fa9"],
  async run(call, given: string) {
    const { terminal } = call;
    const job = await openJob(call, given, call.options);
    const record = await withWords(async () => followToEnd(terminal, job, { log: true, metrics: true }));
    if (record !== undefined) printEnd(terminal, record);
    terminal.result({ id: job.spec.id, record });
    return record === undefined ? EXIT.findings : exitCodeOf(record);
  },
});
