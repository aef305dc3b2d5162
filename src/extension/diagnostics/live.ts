import * as vscode from "vscode";
import { coalesce } from "../coalesce.ts";
import { SETTINGS } from "../contributions.ts";
import { isCancelled } from "../failure.ts";
import { onSettingsChange, readSetting } from "../settings.ts";
import {
  isSkillFile,
  parentOf,
  readAnySkillFolder,
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

interface FolderState {
  timer: NodeJS.Timeout | undefined;
  generation: number;
  /** Ends with the check of what is being typed. */
  awaited: PromiseWithResolvers<void> | undefined;
}

/** Checks single skill folders and publishes the findings. A newer check of a folder discards the result of an older one. */
function openFolderChecks({ publisher, log, check: checkSkill }: Services) {
  const states = new Map<string, FolderState>();
  const published = new Set<string>();

  function stateOf(folder: vscode.Uri): FolderState {
    const key = folder.toString();
    const state = states.get(key) ?? { timer: undefined, generation: 0, awaited: undefined };
    states.set(key, state);
    return state;
  }

  /** Checks a folder now. Never rejects. */
  async function check(uri: vscode.Uri): Promise<void> {
    const state = stateOf(uri);
    const generation = ++state.generation;
    try {
      const folder = readSetting(SETTINGS.diagnosticsEnabled) ? await readAnySkillFolder(uri) : undefined;
      const findings: Findings = folder === undefined ? new Map() : await checkSkill(folder);
      if (state.generation === generation) {
        publisher.setAll(uri.toString(), findings);
        published.add(uri.toString());
      }
    } catch (error) {
      if (!isCancelled(error))
        log.error(`Checking ${uri.fsPath} failed`, error instanceof Error ? error : String(error));
    }
    if (state.generation !== generation) return;
    state.awaited?.resolve();
    state.awaited = undefined;
  }

  /** Checks the folder of a skill's file after `delay` milliseconds in which nothing else in it is scheduled. */
  function schedule(file: vscode.Uri, delay = readSetting(SETTINGS.diagnosticsDelay)): void {
    if (!isSkillFile(file) || file.scheme !== "file") return;
    const folder = parentOf(file);
    const state = stateOf(folder);
    clearTimeout(state.timer);
    // The check under way is already about older text.
    state.generation++;
    if (state.awaited === undefined) {
      state.awaited = Promise.withResolvers<void>();
      void track(state.awaited.promise);
    }
    state.timer = setTimeout(() => void check(folder), delay);
  }

  return {
    check,
    schedule,
    /** Folders with published diagnostics, as strings of their URIs. */
    shown: (): readonly string[] => [...published],
    settled: async (folder: vscode.Uri) => states.get(folder.toString())?.awaited?.promise,
    dispose() {
      for (const { timer, awaited } of states.values()) {
        clearTimeout(timer);
        awaited?.resolve();
      }
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
    settled: checks.settled,
    dispose() {
      checks.dispose();
      held.dispose();
    },
  };
}
