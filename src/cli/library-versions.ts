import { checked } from "../app/refusal.ts";
import { recordedFolder } from "../evolve/evolution-library.ts";
import {
  diffSnapshots,
  namedSnapshot,
  SNAPSHOT_FILE,
  snapshotFolder,
  snapshotNames,
  type ChangedSkill,
} from "../evolve/library-snapshots.ts";
import { rollbackLibrary } from "../evolve/rollback-library.ts";
import { allDomains } from "../domains/registry.ts";
import type { Checked } from "../model/diagnostic.ts";
import { versionFolder } from "../model/domain-folder.ts";
import type { NodeFiles } from "../platform/files.ts";
import { libraryFiles } from "../platform/library-files.ts";
import { shellLine } from "../platform/shell-word.ts";
import { systemClock } from "../platform/clock.ts";
import { need } from "./checked.ts";
import { defineCommand, type Call } from "./define-command.ts";
import { evolutionAt, libraryAt } from "./library-option.ts";
import { text, type Options } from "./options.ts";
import { CliError, EXIT, type ExitCode } from "./terminal.ts";

/** The value, or the end of the command with the file that it is about and the snapshots that there are. */
async function needSnapshot<T>(
  { value, diagnostics }: Checked<T>,
  evolution: string,
  files: NodeFiles,
): Promise<T> {
  if (value !== undefined) return value;
  const last = diagnostics.at(-1);
  const names = await snapshotNames(files, evolution);
  const there = names.length === 0 ? "it has no snapshot yet" : `its snapshots are ${names.join(", ")}`;
  const next = last?.code === "HASP665" ? `In ${evolution}: ${there}.` : last?.next;
  throw new CliError(`${last?.file ?? evolution}: ${last?.message ?? "It cannot be read."}`, next);
}

const changedLine = ({ skillId, from, to, files }: ChangedSkill): string =>
  from === to
    ? `changed text  ${versionFolder({ skillId, version: to })}  ${files.join(", ")}`
    : `new version   ${skillId}  ${from} → ${to}  ${files.join(", ")}`;

async function runDiff(
  { terminal, files }: Pick<Call<Options>, "terminal" | "files">,
  ...given: string[]
): Promise<ExitCode> {
  const [folder = "", a = "", b = ""] = given;
  const evolution = await evolutionAt(folder, files);
  const before = await needSnapshot(await namedSnapshot(files, evolution, a), evolution, files);
  const after = await needSnapshot(await namedSnapshot(files, evolution, b), evolution, files);
  const diff = diffSnapshots(before, after);
  for (const one of diff.added) terminal.line(`added         ${versionFolder(one)}`);
  for (const one of diff.removed) terminal.line(`removed       ${versionFolder(one)}`);
  for (const one of [...diff.newVersion, ...diff.changedText]) terminal.line(changedLine(one));
  const count = Object.values(diff).reduce((sum, some) => sum + some.length, 0);
  if (count === 0) terminal.line("no difference between the skills that act");
  terminal.result({ evolution, from: a, to: b, ...diff });
  return EXIT.fine;
}

/** `hasp library diff`. */
export const diffCommand = defineCommand({
  name: "diff",
  about: "Compare the generated skills that act after two epochs of an evolution.",
  takes: [
    ["<evolution>", "the evolution's folder"],
    ["<from>", "an epoch, or before-<n>"],
    ["<to>", "another one"],
  ],
  examples: ["hasp library diff evolutions/web-1 0 3"],
  run: runDiff,
});

const ROLLBACK_OPTIONS = {
  library: text("--library <dir>", "the folder of generated skills (default: as the snapshot names it)"),
};

async function runRollback(
  { options, terminal, files }: Call<typeof ROLLBACK_OPTIONS>,
  folder: string,
  to: string,
): Promise<ExitCode> {
  const evolution = await evolutionAt(folder, files);
  const snapshot = await needSnapshot(await namedSnapshot(files, evolution, to), evolution, files);
  const named = {
    path: snapshot.library,
    field: "library",
    file: `${snapshotFolder(evolution, to) ?? ""}/${SNAPSHOT_FILE}`,
  };
  const next = "Name the folder of generated skills: --library <dir>.";
  const recorded = async () => recordedFolder(files, { ...named, next });
  const library = await libraryAt(options.library ?? need(await checked(recorded)), files);
  const ports = { files: libraryFiles(files), clock: systemClock, domains: allDomains() };
  const id = evolution.split(/[/\\]/).at(-1) ?? evolution;
  const done = await rollbackLibrary({ ...ports, folder: library }, { evolution, id, to });
  const { retired, restored, undo } = await needSnapshot(done, evolution, files);
  for (const name of retired) terminal.line(`retired   ${name}`);
  for (const name of restored) terminal.line(`restored  ${name}`);
  const words = ["hasp", "library", "rollback", evolution, undo, "--library", library];
  if (retired.length + restored.length === 0) terminal.line(`${library} is that of ${to} already`);
  else terminal.line(`undo with: ${shellLine(words)}`);
  terminal.result({ evolution, library, to, retired, restored, undo });
  return EXIT.fine;
}

/** `hasp library rollback`. */
export const rollbackCommand = defineCommand({
  name: "rollback",
  about:
    "Make the generated skills those of an epoch again. Others are retired into a hidden folder; nothing is deleted.",
  takes: [
    ["<evolution>", "the evolution's folder"],
    ["<epoch>", "an epoch (0: before the first one), or before-<n>"],
  ],
  options: ROLLBACK_OPTIONS,
  examples: ["hasp library rollback evolutions/web-1 2"],
  run: runRollback,
});
