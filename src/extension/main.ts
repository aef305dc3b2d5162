import * as vscode from "vscode";
import { systemClock } from "../platform/clock.ts";
import { rememberSkills } from "../skill/remember.ts";
import { createRedactor, type Redactor } from "../llm/redact.ts";
import { nodeFiles } from "../platform/files.ts";
import { httpClient } from "../platform/http-fetch.ts";
import { startCompiler } from "../platform/worker-compiler.ts";
import { startSearcher } from "../platform/worker-search.ts";
import { startPfHost } from "../platform/worker-pf-host.ts";
import type { PfHost } from "../sandbox/pf-host.ts";
import { registerAssist } from "./assist/register.ts";
import { registerBacktestLens } from "./backtest/code-lens.ts";
import { registerBacktest } from "./backtest/command.ts";
import { keepLatestBacktest } from "./backtest/latest.ts";
import { registerCommand, registerOnFirstUse } from "./commands.ts";
import { COMMANDS, CONTEXT_KEYS, WALKTHROUGH } from "./contributions.ts";
import { watchLibraryFindings } from "./diagnostics/across.ts";
import { createCheckSkill } from "./diagnostics/check-skill.ts";
import { registerCodeActions } from "./diagnostics/code-actions.ts";
import { registerReasonHover } from "./diagnostics/hover.ts";
import { startLiveDiagnostics } from "./diagnostics/live.ts";
import { createPublisher } from "./diagnostics/publisher.ts";
import { showRecordedHints } from "./diagnostics/recorded.ts";
import { refreshLauncher } from "./enforce/launcher.ts";
import { showFailure } from "./failure.ts";
import { registerHelp } from "./help/command.ts";
import { countFires } from "./language/fires.ts";
import { registerLanguage } from "./language/register.ts";
import { redactedLog } from "./models/log.ts";
import { modelOpener } from "./models/open-model.ts";
import { secretKeys } from "./models/secret-keys.ts";
import { openSkillDesk, registerNewSkill } from "./new-skill/command.ts";
import { registerRunEditor } from "./replay/editor.ts";
import { startRunSession } from "./replay/session.ts";
import { registerWhatIfLens } from "./replay/what-if-lens.ts";
import { registerReviewLens } from "./review/code-lens.ts";
import { registerReviewPanels } from "./review/panels.ts";
import { openReviews } from "./review/reviews.ts";
import { watchRuns } from "./runs/find-runs.ts";
import { registerNotes } from "./notes/command.ts";
import { openNotes } from "./notes/store.ts";
import { registerOpenRun } from "./runs/open-run.ts";
import { registerStepLinks } from "./runs/step-uri.ts";
import { registerRunsTree } from "./runs/runs-tree.ts";
import { showWalkthroughOnce } from "./sample/first-window.ts";
import { registerOpenSample } from "./sample/open-sample.ts";
import { createStatus } from "./status.ts";
import { registerCaseTests } from "./tests/controller.ts";
import { registerBuiltInFiles } from "./workspace/built-in.ts";
import { editorFiles } from "./workspace/editor-files.ts";
import { registerConfigHelp } from "./workspace/config-help.ts";
import { registerInitialize } from "./workspace/initialize.ts";
import { watchConfigs } from "./workspace/config.ts";
import { openLibrarySource } from "./workspace/library.ts";
import { openSkillFacts } from "./workspace/skill-facts.ts";
import { type SkillFolders, watchSkillFolders } from "./workspace/skill-folders.ts";
import { registerSkillsTree } from "./workspace/skills-tree.ts";

/** Composition root 1: builds what the features share, registers each, and leaves. No worker starts here. */
export function activate(context: vscode.ExtensionContext): void {
  const redactor = createRedactor();
  const log = redactedLog(vscode.window.createOutputChannel("HASP", { log: true }), redactor);
  context.subscriptions.push(log);
  context.subscriptions.push(registerCommand(log, COMMANDS.openLog, async () => log.show()));
  context.subscriptions.push(registerCommand(log, COMMANDS.openWalkthrough, () => openWalkthrough(context)));
  context.subscriptions.push(registerHelp(log, context.extensionUri));
  try {
    context.subscriptions.push(...compose(context, log, redactor));
    showWalkthroughOnce(context).catch((error: unknown) =>
      log.warn(`The walkthrough did not open: ${String(error)}`),
    );
  } catch (error) {
    showFailure(log, "HASP Studio did not start", error);
    throw error;
  }
}

async function openWalkthrough({ extension }: vscode.ExtensionContext): Promise<void> {
  await vscode.commands.executeCommand(
    "workbench.action.openWalkthrough",
    `${extension.id}#${WALKTHROUGH}`,
    false,
  );
}

function compose(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  redactor: Redactor,
): vscode.Disposable[] {
  const workerFile = vscode.Uri.joinPath(context.extensionUri, "dist", "worker.js").fsPath;
  const startHost = (): PfHost => startPfHost({ workerFile });
  // Neither starts its worker before it is first asked.
  const compiler = rememberSkills(startCompiler({ workerFile }));
  const caseHost = startHost();
  const searcher = startSearcher({ workerFile });

  const disk = nodeFiles();
  const files = editorFiles(disk);
  const folders = watchSkillFolders(log);
  const runs = watchRuns(disk, log);
  const publisher = createPublisher();
  const status = createStatus();
  const builtIn = vscode.Uri.joinPath(context.extensionUri, "skills");
  const configs = watchConfigs(files, publisher, log);
  const library = openLibrarySource({ files, disk, compiler, folders, configs, builtIn });
  const facts = openSkillFacts({ files, compiler, log });
  const check = createCheckSkill({ files, compiler, host: caseHost });
  const live = startLiveDiagnostics({ folders, publisher, log, check });
  const clock = systemClock;
  const notes = openNotes({ files: disk, clock });
  const session = { files: disk, runs, library, compiler, startHost, log, notes, searcher };
  const editor = registerRunEditor({ context, log, startSession: (file) => startRunSession(file, session) });
  const keys = secretKeys(context.secrets);
  const http = httpClient();
  const models = modelOpener({ log, files: disk, keys, post: http.post, redactor });
  const reviews = openReviews(disk, files);
  const panels = registerReviewPanels({ extension: context.extensionUri, reviews, library, files });
  const running = { files: disk, clock, library, models, startHost };
  const skillDesk = openSkillDesk({ log, files: disk, library });
  const onStep = { log, files: disk, runs, editor, library, startHost, memory: context.workspaceState };
  const latest = keepLatestBacktest();
  const recorded = showRecordedHints({ files, library, publisher, log });
  const counting = { files: disk, log, library, runs, latest, recorded, startHost, compiler };
  const fires = countFires(counting);
  const onFirstUse = (): void => void live.checkAll();
  const runsTree = registerRunsTree(runs);
  refreshLauncher(context).catch((error: unknown) =>
    log.warn(`The file that hooks start is old: ${String(error)}`),
  );

  return [
    folders,
    runs,
    publisher,
    status,
    configs,
    library,
    facts,
    live,
    editor,
    reviews,
    panels,
    { dispose: () => http.close() },
    { dispose: () => Promise.all([compiler.close(), caseHost.close(), searcher.close()]) },
    watchLibraryFindings({ files, folders, library, publisher, log }),
    publisher.onDidChange(() => status.showProblems(publisher.counts())),
    keepSkillFolderKey(folders, log),
    registerBuiltInFiles(builtIn),
    registerReasonHover(publisher),
    registerCodeActions({ publisher, live, files, compiler }),
    registerConfigHelp(),
    registerInitialize({ log, files: disk, folders }),
    registerNewSkill(log, skillDesk),
    latest,
    registerSkillsTree({ library, publisher, reviews, facts, latest, onFirstUse }),
    registerCaseTests({ ...onStep, disk, files, compiler }),
    registerOnFirstUse(log, [COMMANDS.findSkill], async () => {
      const { registerFindSkill } = await import("./workspace/find-skill.ts");
      return () => registerFindSkill({ log, library, facts });
    }),
    registerOnFirstUse(log, [COMMANDS.enableSkill, COMMANDS.disableSkill], async () => {
      const { registerSwitchSkill } = await import("./workspace/switch-skill.ts");
      return () => registerSwitchSkill({ log, library });
    }),
    registerOnFirstUse(log, [COMMANDS.compareSkill], async () => {
      const { registerCompareSkill } = await import("./workspace/compare-skill.ts");
      return () => registerCompareSkill({ log, library, builtIn });
    }),
    runsTree,
    registerOnFirstUse(log, [COMMANDS.renameRun], async () => {
      const { registerRenameRun } = await import("./runs/rename-run.ts");
      return () => registerRenameRun({ log, files: disk, runs, editor, selected: runsTree.selected });
    }),
    notes,
    registerNotes({ log, runs, editor, notes }),
    registerOpenRun({ log, runs, editor }),
    registerOpenSample({ context, log, files: disk, editor }),
    registerOnFirstUse(log, [COMMANDS.compareRuns], async () => {
      const { registerCompareRuns } = await import("./compare/command.ts");
      return () => registerCompareRuns({ log, runs, editor });
    }),
    registerStepLinks({ log, runs, editor }),
    registerOnFirstUse(log, [COMMANDS.importEpisodes], async () => {
      const { registerImportEpisodes } = await import("./runs/import-episodes.ts");
      return () => registerImportEpisodes({ log, files: disk, workerFile, editor });
    }),
    registerOnFirstUse(log, [COMMANDS.exportRun], async () => {
      const { registerExportRun } = await import("./runs/export-run.ts");
      const { extensionUri: extension } = context;
      return () =>
        registerExportRun({ extension, log, files: disk, clock, runs, library, compiler, startHost });
    }),
    registerBacktest({ ...counting, status }),
    recorded,
    fires,
    registerBacktestLens(fires),
    registerLanguage({ log, files, library, runs, latest }),
    registerOnFirstUse(log, [COMMANDS.configureModel], async () => {
      const { registerConfigureModel } = await import("./models/configure.ts");
      return () => registerConfigureModel({ log, keys, models, get: http.get, redactor });
    }),
    registerOnFirstUse(log, [COMMANDS.runQuestions, COMMANDS.resumeRun], async () => {
      const { registerRunQuestions } = await import("./questions/command.ts");
      return () => registerRunQuestions({ ...running, log, runs, editor, status });
    }),
    registerOnFirstUse(log, [COMMANDS.teacherReview, COMMANDS.showReview], async () => {
      const { registerTeacherReview } = await import("./review/command.ts");
      return () => registerTeacherReview({ ...running, files, log, compiler, runs, reviews, panels });
    }),
    registerOnFirstUse(log, [COMMANDS.publishSkill], async () => {
      const { registerPublishSkill } = await import("./publish/command.ts");
      return () => registerPublishSkill({ log, library });
    }),
    registerAssist({ extension: context.extension, log, files, folders, runs, compiler, startHost }),
    registerReviewLens(reviews),
    registerWhatIfLens(editor, library),
    registerOnFirstUse(log, [COMMANDS.newSkillFromStep], async () => {
      const { registerNewSkillFromStep } = await import("./from-step/new-skill.ts");
      return () => registerNewSkillFromStep({ ...onStep, desk: skillDesk });
    }),
    registerOnFirstUse(log, [COMMANDS.newSkillFromPattern], async () => {
      const { registerNewSkillFromPattern } = await import("./from-step/pattern-skill.ts");
      return () => registerNewSkillFromPattern({ ...onStep, desk: skillDesk });
    }),
    registerOnFirstUse(log, [COMMANDS.addStepAsCase], async () => {
      const { registerAddStepAsCase } = await import("./from-step/add-case.ts");
      return () => registerAddStepAsCase(onStep);
    }),
    registerOnFirstUse(log, [COMMANDS.debugPf], async () => {
      const { registerDebugPf } = await import("./debug/command.ts");
      return () => registerDebugPf({ ...onStep, compiler });
    }),
    registerOnFirstUse(log, [COMMANDS.enforceIn], async () => {
      const { registerEnforceIn } = await import("./enforce/command.ts");
      return () => registerEnforceIn({ context, log });
    }),
    registerOnFirstUse(log, [COMMANDS.branchFromHere], async () => {
      const { registerBranchFromHere } = await import("./branch/command.ts");
      return () => registerBranchFromHere({ ...running, log, runs, editor, status });
    }),
  ];
}

/** Menus show their skill commands in skill folders only. */
function keepSkillFolderKey(folders: SkillFolders, log: vscode.LogOutputChannel): vscode.Disposable {
  async function update(): Promise<void> {
    const paths = (await folders.list()).map((folder) => folder.uri.fsPath);
    await vscode.commands.executeCommand("setContext", CONTEXT_KEYS.skillFolders, paths);
    await vscode.commands.executeCommand("setContext", CONTEXT_KEYS.hasOwnSkill, paths.length > 0);
  }
  const updateOrLog = (): void =>
    void update().catch((error: unknown) => log.error("Finding skills failed", String(error)));
  updateOrLog();
  return folders.onDidChange(updateOrLog);
}
