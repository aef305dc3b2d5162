/**
 * Everything the manifest promises, once and typed. Code takes ids from here; a test compares this table with
 * `package.json`, so neither can drift.
 */
export interface CommandContribution {
  readonly id: `hasp.${string}`;
  /** Shown as `HASP: <title>`. */
  readonly title: string;
  readonly icon?: string;
  /** False for a command that needs arguments and would do nothing useful from the palette. */
  readonly palette: boolean;
}

type CommandTable = Record<
  string,
  Omit<CommandContribution, "id" | "palette"> & { readonly palette?: false }
>;

/** Commands by their name, which is the last part of their id: `newSkill` is `hasp.newSkill`. */
function commandTable<const T extends CommandTable>(table: T) {
  const entries = Object.entries(table).map(([name, command]) => [
    name,
    { palette: true, ...command, id: `hasp.${name}` },
  ]);
  return Object.fromEntries(entries) as {
    readonly [Name in keyof T & string]: T[Name] & { readonly id: `hasp.${Name}`; readonly palette: boolean };
  };
}

export const COMMANDS = commandTable({
  newSkill: { title: "New Skill", icon: "$(add)" },
  backtestSkill: { title: "Backtest Skill", icon: "$(beaker)" },
  openSample: { title: "Open Sample" },
  openSampleFolder: { title: "Open Sample Folder" },
  openRun: { title: "Open Run", icon: "$(folder-opened)" },
  compareRuns: { title: "Compare Runs", icon: "$(compare-changes)" },
  exportRun: { title: "Export Run", icon: "$(export)" },
  renameRun: { title: "Rename Run" },
  runQuestions: { title: "Run Questions", icon: "$(play)" },
  resumeRun: { title: "Resume Run", icon: "$(debug-continue)" },
  teacherReview: { title: "Teacher Review", icon: "$(mortar-board)" },
  showEvidence: { title: "Show Evidence", icon: "$(checklist)" },
  applySuggestion: { title: "Apply Suggestion", icon: "$(diff)" },
  acceptSuggestion: { title: "Accept Suggestion", icon: "$(check)" },
  dismissFeedback: { title: "Dismiss Feedback", icon: "$(close)", palette: false },
  publishSkill: { title: "Publish Skill", icon: "$(cloud-upload)" },
  configureModel: { title: "Configure Model", icon: "$(gear)" },
  importEpisodes: { title: "Import Episodes", icon: "$(cloud-download)" },
  showImportReport: { title: "Show Import Report", icon: "$(preview)" },
  initializeWorkspace: { title: "Initialize Workspace" },
  clearBacktest: { title: "Clear Backtest Results", icon: "$(clear-all)" },
  newSkillFromStep: { title: "New Skill from This Step", icon: "$(add)" },
  newSkillFromPattern: { title: "New Skill from This Pattern", icon: "$(add)" },
  addStepAsCase: { title: "Add Step as Case", icon: "$(checklist)" },
  debugPf: { title: "Debug PF on This Step", icon: "$(debug-alt)" },
  branchFromHere: { title: "Branch from Here", icon: "$(git-branch)" },
  judgeWithRunSkills: { title: "Judge with the Skills of the Run", icon: "$(history)" },
  judgeWithTodaysSkills: { title: "Judge with Today's Skills", icon: "$(law)" },
  analyseFailures: { title: "Analyse Failures", icon: "$(search-fuzzy)" },
  refreshFailures: { title: "Refresh Failures", icon: "$(refresh)" },
  clearFailures: { title: "Clear Failures", icon: "$(clear-all)" },
  newSkillFromCluster: { title: "New Skill from This Cluster", icon: "$(add)" },
  copyCluster: { title: "Copy Cluster as Markdown", icon: "$(copy)" },
  judgeAnswers: { title: "Judge Answers Again", icon: "$(law)" },
  buildTrainingData: { title: "Build Training Data", icon: "$(database)" },
  showDataCard: { title: "Show Data Card", icon: "$(preview)" },
  openStepOfRow: { title: "Open Step of Row", icon: "$(history)" },
  showSignals: { title: "Show Signals", icon: "$(graph)" },
  labelStep: { title: "Label Step", icon: "$(tag)" },
  labelEpisode: { title: "Label Episode", icon: "$(tag)" },
  removeLabel: { title: "Remove Label" },
  evolveLibrary: { title: "Evolve Library", icon: "$(sparkle)" },
  resumeEvolution: { title: "Resume Evolution", icon: "$(debug-continue)" },
  stopEvolution: { title: "Stop Evolution", icon: "$(debug-stop)" },
  cancelEvolution: { title: "Cancel Evolution", icon: "$(close)" },
  showEvolutionReport: { title: "Show Evolution Report", icon: "$(preview)" },
  runExperiment: { title: "Run Experiment", icon: "$(play)" },
  resumeExperiment: { title: "Resume Experiment", icon: "$(debug-continue)" },
  stopExperiment: { title: "Stop Experiment", icon: "$(debug-stop)" },
  detachExperiment: { title: "Detach Experiment", icon: "$(debug-disconnect)" },
  showExperimentReport: { title: "Show Experiment Report", icon: "$(preview)" },
  openDashboard: { title: "Open Dashboard", icon: "$(graph-line)" },
  useAdapter: { title: "Use Adapter as Policy", icon: "$(rocket)" },
  stopServing: { title: "Stop Serving", icon: "$(debug-stop)" },
  setUpContainment: { title: "Set Up Containment…", icon: "$(shield)" },
  installTrainer: { title: "Install Trainer", icon: "$(cloud-download)" },
  submitTrainingJob: { title: "Submit Training Job", icon: "$(cloud-upload)" },
  addTarget: { title: "Add Target", icon: "$(add)" },
  testTarget: { title: "Test Target", icon: "$(plug)" },
  cancelJob: { title: "Cancel Job", icon: "$(debug-stop)" },
  fetchJob: { title: "Fetch Outputs", icon: "$(cloud-download)" },
  submitJobAgain: { title: "Submit Job Again", icon: "$(debug-restart)" },
  attachJob: { title: "Attach to Job", icon: "$(plug)" },
  openJobLog: { title: "Open Log of Job", icon: "$(output)" },
  deleteJob: { title: "Delete Job", icon: "$(trash)" },
  copyJobId: { title: "Copy Job Id", icon: "$(copy)" },
  runCases: { title: "Run Cases", icon: "$(run-all)" },
  findSkill: { title: "Find Skill", icon: "$(search)" },
  enableSkill: { title: "Enable Skill", icon: "$(circle-large-outline)" },
  disableSkill: { title: "Disable Skill", icon: "$(circle-slash)" },
  compareSkill: { title: "Compare Skill", icon: "$(diff)" },
  renameSkill: { title: "Rename Skill" },
  enforceIn: { title: "Enforce In…", icon: "$(shield)" },
  openLog: { title: "Open Log" },
  openWalkthrough: { title: "Open Walkthrough" },
  help: { title: "Help", icon: "$(question)" },
  helpOnSkills: { title: "Help on Skills", icon: "$(question)", palette: false },
  helpOnRuns: { title: "Help on Runs", icon: "$(question)", palette: false },
  helpOnFailures: { title: "Help on Failures", icon: "$(question)", palette: false },
  helpOnEvolutions: { title: "Help on Evolutions", icon: "$(question)", palette: false },
  helpOnExperiments: { title: "Help on Experiments", icon: "$(question)", palette: false },
  helpOnJobs: { title: "Help on Jobs", icon: "$(question)", palette: false },
  helpOnBacktest: { title: "Help on Backtests", icon: "$(question)", palette: false },
  revealStep: { title: "Reveal Step", palette: false },
  openCandidate: { title: "Open Candidate", palette: false },
  acceptCandidate: { title: "Accept Candidate", icon: "$(check)", palette: false },
  rejectCandidate: { title: "Reject Candidate", icon: "$(circle-slash)", palette: false },
  showCandidateReviews: { title: "Show Reviews", icon: "$(mortar-board)", palette: false },
  compareCandidate: { title: "Open Diff", icon: "$(diff)", palette: false },
  revealExperiment: { title: "Reveal Folder", icon: "$(folder-opened)", palette: false },
  showReview: { title: "Show Review", palette: false },
  saveAsUtf8: { title: "Save as UTF-8", palette: false },
});

export interface SettingContribution<T> {
  readonly key: `hasp.${string}`;
  readonly default: T;
  readonly scope: "window" | "resource" | "machine" | "machine-overridable";
  /** Read from the workspace only once a person trusts it. */
  readonly restricted: boolean;
}

function setting<T>(
  key: SettingContribution<T>["key"],
  otherwise: T,
  scope: SettingContribution<T>["scope"],
): SettingContribution<T> {
  return { key, default: otherwise, scope, restricted: false };
}

const restricted = <T>(contribution: SettingContribution<T>): SettingContribution<T> => ({
  ...contribution,
  restricted: true,
});

export const SETTINGS = {
  diagnosticsEnabled: setting<boolean>("hasp.diagnostics.enabled", true, "window"),
  diagnosticsDelay: setting<number>("hasp.diagnostics.delay", 150, "window"),
  runCases: restricted(setting<boolean>("hasp.diagnostics.runCases", true, "window")),
  writeTypes: restricted(setting<boolean>("hasp.workspace.writeTypes", true, "machine-overridable")),
  policyModel: setting<string>("hasp.models.policy", "", "machine"),
  teacherModel: setting<string>("hasp.models.teacher", "", "machine"),
  modelPrices: setting<Readonly<Record<string, string>>>("hasp.models.prices", {}, "machine"),
  plainHttp: setting<readonly string[]>("hasp.models.plainHttp", [], "machine"),
  runBudget: setting<number>("hasp.run.budget", 0, "machine"),
  runConcurrency: setting<number>("hasp.run.concurrency", 4, "machine"),
  debugNode: setting<string>("hasp.debug.node", "", "machine"),
  trainerPython: setting<string>("hasp.trainer.python", "", "machine"),
  targets: setting<Readonly<Record<string, unknown>>>("hasp.targets", {}, "machine"),
} as const;

/** Keys for `when` clauses. */
export const CONTEXT_KEYS = {
  /** Paths of the folders that hold a skill, for `resourceDirname in …`. */
  skillFolders: "hasp.skillFolders",
  /** Known to be empty: a view that still loads must not show its welcome text. */
  noSkills: "hasp.noSkills",
  noRuns: "hasp.noRuns",
  /** A folder of the workspace holds a skill. */
  hasOwnSkill: "hasp.hasOwnSkill",
  /** A run editor in sight shows a step. */
  stepShown: "hasp.stepShown",
  hasBacktest: "hasp.hasBacktest",
  backtestRunning: "hasp.backtestRunning",
  /** Threads of a review are shown beside a skill's lines. */
  hasFeedback: "hasp.hasFeedback",
  questionsRunning: "hasp.questionsRunning",
  /** The view shows an analysis of failures. */
  hasFailures: "hasp.hasFailures",
  failuresRunning: "hasp.failuresRunning",
  noEvolutions: "hasp.noEvolutions",
  evolutionRunning: "hasp.evolutionRunning",
  noExperiments: "hasp.noExperiments",
  experimentRunning: "hasp.experimentRunning",
  noJobs: "hasp.noJobs",
  /** This window serves an adapter. */
  serving: "hasp.serving",
} as const;

export const VIEW_CONTAINER = "hasp";

export const VIEWS = {
  skills: { id: "hasp.skills", name: "Skills" },
  runs: { id: "hasp.runs", name: "Runs" },
  failures: { id: "hasp.failures", name: "Failures" },
  backtest: { id: "hasp.backtest", name: "Backtest" },
  evolutions: { id: "hasp.evolutions", name: "Evolutions" },
  experiments: { id: "hasp.experiments", name: "Experiments" },
  jobs: { id: "hasp.jobs", name: "Jobs" },
} as const;

/** Two ids for one editor: runs of this workspace open in it by themselves, episode files elsewhere on request. */
export const RUN_EDITORS = { run: "hasp.run", elsewhere: "hasp.runElsewhere" } as const;

/** The type of the tabs that show reviews. */
export const REVIEW_PANEL = "hasp.review";

/** The controller of the comment threads of reviews, and its comments by what can be done with them. */
export const REVIEW_COMMENTS = "hasp.review";
export const FEEDBACK_KINDS = { edit: "edit", note: "note", stale: "stale" } as const;

/** Scheme of the documents that show a file with a suggestion in it. */
export const SUGGESTION_SCHEME = "hasp-suggestion";

/** The type of the tabs that show training data and signals. */
export const TRAINING_PANEL = "hasp.training";

/** The type of the tab that shows the training dashboard. */
export const DASHBOARD_PANEL = "hasp.dashboard";

export const WALKTHROUGH = "hasp.firstLook";

/** Tools that assistants of this editor can call; the same names over MCP (src/agents/assist/tools.ts). */
export const ASSIST_TOOL_NAMES = [
  "hasp_list_skills",
  "hasp_validate_skill",
  "hasp_backtest_skill",
  "hasp_explain_step",
] as const;

export const MCP_PROVIDER = "hasp.mcp";
