import * as vscode from "vscode";
import { coalesce } from "../coalesce.ts";
import { SETTINGS } from "../contributions.ts";
import { isCancelled } from "../failure.ts";
import { onSettingsChange, readSetting } from "../settings.ts";
import {
  isSkillFile,
  parentOf,
  readSkillFolder,
  type SkillFolder,
  type SkillFolders,
} from "../workspace/skill-folders.ts";
import type { Findings, Publisher } from "./publisher.ts";
import { track } from "../pending-work.ts";

/** Checks one skill as it stands in the editors and, where not open, on disk. Rejects only for bugs and broken workers. */
export type CheckSkill = (folder: SkillFolder) => Promise<Findings>;

export interface LiveDiagnostics extends vscode.Disposable {
  /** Checks every skill of the workspace, open or not; later calls do nothing while all is known. */
  checkAll(): Promise<void>;
  /** Settles once what is shown of a skill is of its files as they stand; at once where it already is. Never rejects. */
  settled(folder: vscode.Uri): Promise<void>;
}

interface Services {
  readonly folders: SkillFolders;
  readonly publisher: Publisher;
  readonly log: vscode.LogOutputChannel;
  readonly check: CheckSkill;
}

/** Checks single skill folders and publishes the findings. A newer check of a folder discards the result of an older one. */
interface FolderChecks extends vscode.Disposable {
  /** Checks a folder now. Never rejects. */
  check(folder: vscode.Uri): Promise<void>;
  /** Checks the folder of a skill's file after `delay` milliseconds in which nothing else in it is scheduled. */
  schedule(file: vscode.Uri, delay?: number): void;
  /** Folders with published diagnostics, as strings of their URIs. */
  shown(): readonly string[];
  settled: LiveDiagnostics["settled"];
}

function openFolderChecks({ publisher, log, check: checkSkill }: Services): FolderChecks {
  const timers = new Map<string, NodeJS.Timeout>();
  const generations = new Map<string, number>();
  const published = new Set<string>();
  /** Ends with the check of what is being typed, by folder. */
  const awaited = new Map<string, PromiseWithResolvers<void>>();

  function nextGeneration(key: string): number {
    const generation = (generations.get(key) ?? 0) + 1;
    generations.set(key, generation);
    return generation;
  }

  async function check(uri: vscode.Uri): Promise<void> {
    const key = uri.toString();
    const generation = nextGeneration(key);
    try {
      const folder = readSetting(SETTINGS.diagnosticsEnabled) ? await readSkillFolder(uri) : undefined;
      const findings: Findings = folder === undefined ? new Map() : await checkSkill(folder);
      if (generations.get(key) === generation) {
        publisher.setAll(key, findings);
        published.add(key);
      }
    } catch (error) {
      if (!isCancelled(error))
        log.error(`Checking ${uri.fsPath} failed`, error instanceof Error ? error : String(error));
    }
    if (generations.get(key) !== generation) return;
    awaited.get(key)?.resolve();
    awaited.delete(key);
  }

  function schedule(file: vscode.Uri, delay = readSetting(SETTINGS.diagnosticsDelay)): void {
    if (!isSkillFile(file) || file.scheme !== "file") return;
    const folder = parentOf(file);
    const key = folder.toString();
    clearTimeout(timers.get(key));
    // What is being checked now is already about older text.
    nextGeneration(key);
    if (!awaited.has(key)) {
      const waiting = Promise.withResolvers<void>();
      awaited.set(key, waiting);
      void track(waiting.promise);
    }
    const run = (): void => {
      timers.delete(key);
      void check(folder);
    };
    timers.set(key, setTimeout(run, delay));
  }

  return {
    check,
    schedule,
    shown: () => [...published],
    settled: async (folder) => awaited.get(folder.toString())?.promise,
    dispose() {
      for (const timer of timers.values()) clearTimeout(timer);
      for (const { resolve } of awaited.values()) resolve();
    },
  };
}

/** Keeps the diagnostics of skills current while they are edited. A result that was overtaken by an edit is dropped. */
export function startLiveDiagnostics(services: Services): LiveDiagnostics {
  const { folders } = services;
  const checks = openFolderChecks(services);
  let passed: Promise<void> | undefined;

  /** One pass at a time: of two side by side each would drop what the other finds, and both take longer. */
  const pass = coalesce(async () => {
    for (const folder of await folders.list()) await checks.check(folder.uri);
    await checkVanished();
  });

  /** Skills that are no longer there lose what was shown of them. */
  async function checkVanished(): Promise<void> {
    const there = new Set((await folders.list()).map((folder) => folder.uri.toString()));
    const gone = checks.shown().filter((key) => !there.has(key));
    for (const key of gone) await checks.check(vscode.Uri.parse(key, true));
  }

  const recheckAll = (): Promise<void> => (passed = track(pass()));

  const held = vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument((document) => checks.schedule(document.uri, 0)),
    vscode.workspace.onDidCloseTextDocument((document) => checks.schedule(document.uri, 0)),
    vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.contentChanges.length > 0) checks.schedule(event.document.uri);
    }),
    folders.onDidChangeFile((file) => checks.schedule(file)),
    folders.onDidChange(() => void (passed === undefined ? track(checkVanished()) : recheckAll())),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void recheckAll()),
    onSettingsChange(() => void recheckAll()),
  );
  for (const document of vscode.workspace.textDocuments) checks.schedule(document.uri, 0);

  return {
    checkAll: () => passed ?? recheckAll(),
    settled: (folder) => checks.settled(folder),
    dispose() {
      checks.dispose();
      held.dispose();
    },
  };
}
