import * as vscode from "vscode";
import { registerAssist } from "./assist/register.ts";
import { registerBacktestLens } from "./backtest/code-lens.ts";
import { registerBacktest } from "./backtest/command.ts";
import { registerOnFirstUse } from "./commands.ts";
import { COMMANDS, type CommandContribution, CONTEXT_KEYS } from "./contributions.ts";
import { registerDashboard } from "./dashboard/register.ts";
import { watchLibraryFindings } from "./diagnostics/across.ts";
import { registerCodeActions } from "./diagnostics/code-actions.ts";
import { registerEvolutionsTree } from "./evolve/tree.ts";
import { registerExperimentsTree } from "./experiments/tree.ts";
import { registerJobsTree } from "./jobs/tree.ts";
import { registerReasonHover } from "./diagnostics/hover.ts";
import { registerFailures } from "./failures/command.ts";
import { countFires } from "./language/fires.ts";
import { registerLanguage } from "./language/register.ts";
import { registerWhatIfLens } from "./replay/what-if-lens.ts";
import { registerReviewLens } from "./review/code-lens.ts";
import { registerOpenRun } from "./runs/open-run.ts";
import { registerStepLinks } from "./runs/step-uri.ts";
import { registerOpenSample } from "./sample/open-sample.ts";
import type { Services } from "./services.ts";
import { registerCaseTests } from "./tests/controller.ts";
import { registerReadonlyFiles } from "./workspace/readonly-files.ts";
import { registerInitialize } from "./workspace/initialize.ts";
import { registerSkillsTree } from "./workspace/skills-tree.ts";

type Register = (services: Services) => vscode.Disposable;

/** Features with something to show or to watch: they register as VS Code activates the extension. */
const AT_ACTIVATION: readonly Register[] = [
  watchLibraryFindings,
  countProblems,
  keepSkillFolderKey,
  ({ editorServices }) => registerReadonlyFiles(editorServices.builtIn),
  ({ findings }) => registerReasonHover(findings.publisher),
  registerCodeActions,
  registerInitialize,
  registerSkillsTree,
  registerEvolutionsTree,
  registerExperimentsTree,
  registerJobsTree,
  registerDashboard,
  registerCaseTests,
  registerOpenRun,
  registerOpenSample,
  registerStepLinks,
  registerBacktest,
  registerFailures,
  registerFires,
  registerLanguage,
  registerAssist,
  ({ findings }) => registerReviewLens(findings.reviews),
  registerWhatIfLens,
];

/** Features that are nothing but commands, each with the module that loads with the first of them. */
const ON_FIRST_USE: readonly (readonly [readonly CommandContribution[], () => Promise<Register>])[] = [
  [[COMMANDS.newSkill], async () => (await import("./new-skill/command.ts")).registerNewSkill],
  [[COMMANDS.findSkill], async () => (await import("./workspace/find-skill.ts")).registerFindSkill],
  [
    [COMMANDS.enableSkill, COMMANDS.disableSkill],
    async () => (await import("./workspace/switch-skill.ts")).registerSwitchSkill,
  ],
  [[COMMANDS.compareSkill], async () => (await import("./workspace/compare-skill.ts")).registerCompareSkill],
  [[COMMANDS.renameRun], async () => (await import("./runs/rename-run.ts")).registerRenameRun],
  [[COMMANDS.compareRuns], async () => (await import("./compare/command.ts")).registerCompareRuns],
  [
    [COMMANDS.importEpisodes, COMMANDS.showImportReport],
    async () => (await import("./runs/import-episodes.ts")).registerImportEpisodes,
  ],
  [[COMMANDS.exportRun], async () => (await import("./runs/export-run.ts")).registerExportRun],
  [[COMMANDS.configureModel], async () => (await import("./models/configure.ts")).registerConfigureModel],
  [
    [COMMANDS.runQuestions, COMMANDS.resumeRun],
    async () => (await import("./questions/command.ts")).registerRunQuestions,
  ],
  [
    [
      COMMANDS.teacherReview,
      COMMANDS.showReview,
      COMMANDS.showEvidence,
      COMMANDS.applySuggestion,
      COMMANDS.acceptSuggestion,
      COMMANDS.dismissFeedback,
    ],
    async () => (await import("./review/command.ts")).registerTeacherReview,
  ],
  [
    [COMMANDS.labelStep, COMMANDS.labelEpisode, COMMANDS.removeLabel],
    async () => (await import("./notes/command.ts")).registerNotes,
  ],
  [[COMMANDS.publishSkill], async () => (await import("./publish/command.ts")).registerPublishSkill],
  [
    [COMMANDS.newSkillFromStep],
    async () => (await import("./from-step/new-skill.ts")).registerNewSkillFromStep,
  ],
  [
    [COMMANDS.newSkillFromPattern],
    async () => (await import("./from-step/pattern-skill.ts")).registerNewSkillFromPattern,
  ],
  [[COMMANDS.addStepAsCase], async () => (await import("./from-step/add-case.ts")).registerAddStepAsCase],
  [[COMMANDS.debugPf], async () => (await import("./debug/command.ts")).registerDebugPf],
  [[COMMANDS.enforceIn], async () => (await import("./enforce/command.ts")).registerEnforceIn],
  [
    [COMMANDS.judgeWithRunSkills, COMMANDS.judgeWithTodaysSkills],
    async () => (await import("./replay/run-skills-command.ts")).registerJudgeWithRunSkills,
  ],
  [
    [COMMANDS.setUpContainment],
    async () => (await import("./judge/set-up-containment.ts")).registerSetUpContainment,
  ],
  [[COMMANDS.judgeAnswers], async () => (await import("./judge/command.ts")).registerJudgeAnswers],
  [
    [COMMANDS.buildTrainingData, COMMANDS.showDataCard, COMMANDS.openStepOfRow, COMMANDS.showSignals],
    async () => (await import("./train-data/command.ts")).registerTrainingData,
  ],
  [
    [
      COMMANDS.evolveLibrary,
      COMMANDS.resumeEvolution,
      COMMANDS.stopEvolution,
      COMMANDS.cancelEvolution,
      COMMANDS.showEvolutionReport,
      COMMANDS.openCandidate,
      COMMANDS.acceptCandidate,
      COMMANDS.rejectCandidate,
      COMMANDS.showCandidateReviews,
      COMMANDS.compareCandidate,
    ],
    async () => (await import("./evolve/command.ts")).registerEvolve,
  ],
  [
    [
      COMMANDS.runExperiment,
      COMMANDS.resumeExperiment,
      COMMANDS.stopExperiment,
      COMMANDS.detachExperiment,
      COMMANDS.showExperimentReport,
      COMMANDS.revealExperiment,
      COMMANDS.useAdapter,
      COMMANDS.stopServing,
      COMMANDS.installTrainer,
    ],
    async () => (await import("./experiments/command.ts")).registerExperiments,
  ],
  [
    [
      COMMANDS.submitTrainingJob,
      COMMANDS.addTarget,
      COMMANDS.testTarget,
      COMMANDS.cancelJob,
      COMMANDS.fetchJob,
      COMMANDS.submitJobAgain,
      COMMANDS.attachJob,
      COMMANDS.openJobLog,
      COMMANDS.deleteJob,
      COMMANDS.copyJobId,
    ],
    async () => (await import("./jobs/command.ts")).registerJobs,
  ],
  [[COMMANDS.saveAsUtf8], async () => (await import("./diagnostics/save-as-utf8.ts")).registerSaveAsUtf8],
  [[COMMANDS.branchFromHere], async () => (await import("./branch/command.ts")).registerBranchFromHere],
];

/** Registers every feature of the extension. */
export function registerFeatures(services: Services): vscode.Disposable[] {
  const { log } = services.editorServices;
  const loaded = ON_FIRST_USE.map(([commands, load]) =>
    registerOnFirstUse(log, commands, async () => {
      const register = await load();
      return () => register(services);
    }),
  );
  return [...AT_ACTIVATION.map((register) => register(services)), ...loaded];
}

/** The count of all problems in the status bar. */
function countProblems({
  editorServices: { status },
  findings: { publisher },
}: Pick<Services, "editorServices" | "findings">): vscode.Disposable {
  return publisher.onDidChange(() => status.showProblems(publisher.counts()));
}

function registerFires(services: Services): vscode.Disposable {
  const fires = countFires(services);
  return vscode.Disposable.from(fires, registerBacktestLens(fires));
}

/** Menus show their skill commands in skill folders only. */
function keepSkillFolderKey({ editorServices }: Pick<Services, "editorServices">): vscode.Disposable {
  const { folders, log } = editorServices;
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
