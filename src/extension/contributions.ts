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

export const COMMANDS = {
  newSkill: { id: "hasp.newSkill", title: "New Skill", icon: "$(add)", palette: true },
  backtestSkill: { id: "hasp.backtestSkill", title: "Backtest Skill", icon: "$(beaker)", palette: true },
  openSample: { id: "hasp.openSample", title: "Open Sample", palette: true },
  openSampleFolder: { id: "hasp.openSampleFolder", title: "Open Sample Folder", palette: true },
  openRun: { id: "hasp.openRun", title: "Open Run", icon: "$(folder-opened)", palette: true },
  compareRuns: { id: "hasp.compareRuns", title: "Compare Runs", icon: "$(compare-changes)", palette: true },
  exportRun: { id: "hasp.exportRun", title: "Export Run", icon: "$(export)", palette: true },
  renameRun: { id: "hasp.renameRun", title: "Rename Run", palette: true },
  runQuestions: { id: "hasp.runQuestions", title: "Run Questions", icon: "$(play)", palette: true },
  resumeRun: { id: "hasp.resumeRun", title: "Resume Run", icon: "$(debug-continue)", palette: true },
  teacherReview: {
    id: "hasp.teacherReview",
    title: "Teacher Review",
    icon: "$(mortar-board)",
    palette: true,
  },
  publishSkill: { id: "hasp.publishSkill", title: "Publish Skill", icon: "$(cloud-upload)", palette: true },
  configureModel: { id: "hasp.configureModel", title: "Configure Model", icon: "$(gear)", palette: true },
  importEpisodes: {
    id: "hasp.importEpisodes",
    title: "Import Episodes",
    icon: "$(cloud-download)",
    palette: true,
  },
  initializeWorkspace: { id: "hasp.initializeWorkspace", title: "Initialize Workspace", palette: true },
  clearBacktest: {
    id: "hasp.clearBacktest",
    title: "Clear Backtest Results",
    icon: "$(clear-all)",
    palette: true,
  },
  newSkillFromStep: {
    id: "hasp.newSkillFromStep",
    title: "New Skill from This Step",
    icon: "$(add)",
    palette: true,
  },
  newSkillFromPattern: {
    id: "hasp.newSkillFromPattern",
    title: "New Skill from This Pattern",
    icon: "$(add)",
    palette: true,
  },
  addStepAsCase: {
    id: "hasp.addStepAsCase",
    title: "Add Step as Case",
    icon: "$(checklist)",
    palette: true,
  },
  debugPf: { id: "hasp.debugPf", title: "Debug PF on This Step", icon: "$(debug-alt)", palette: true },
  branchFromHere: {
    id: "hasp.branchFromHere",
    title: "Branch from Here",
    icon: "$(git-branch)",
    palette: true,
  },
  labelStep: { id: "hasp.labelStep", title: "Label Step", icon: "$(tag)", palette: true },
  labelEpisode: { id: "hasp.labelEpisode", title: "Label Episode", icon: "$(tag)", palette: true },
  removeLabel: { id: "hasp.removeLabel", title: "Remove Label", palette: true },
  runCases: { id: "hasp.runCases", title: "Run Cases", icon: "$(run-all)", palette: true },
  findSkill: { id: "hasp.findSkill", title: "Find Skill", icon: "$(search)", palette: true },
  enableSkill: {
    id: "hasp.enableSkill",
    title: "Enable Skill",
    icon: "$(circle-large-outline)",
    palette: true,
  },
  disableSkill: { id: "hasp.disableSkill", title: "Disable Skill", icon: "$(circle-slash)", palette: true },
  compareSkill: { id: "hasp.compareSkill", title: "Compare Skill", icon: "$(diff)", palette: true },
  renameSkill: { id: "hasp.renameSkill", title: "Rename Skill", palette: true },
  enforceIn: { id: "hasp.enforceIn", title: "Enforce In…", icon: "$(shield)", palette: true },
  openLog: { id: "hasp.openLog", title: "Open Log", palette: true },
  openWalkthrough: { id: "hasp.openWalkthrough", title: "Open Walkthrough", palette: true },
  help: { id: "hasp.help", title: "Help", icon: "$(question)", palette: true },
  helpOnSkills: {
    id: "hasp.helpOnSkills",
    title: "Help on Skills",
    icon: "$(question)",
    palette: false,
  },
  helpOnRuns: { id: "hasp.helpOnRuns", title: "Help on Runs", icon: "$(question)", palette: false },
  helpOnBacktest: {
    id: "hasp.helpOnBacktest",
    title: "Help on Backtests",
    icon: "$(question)",
    palette: false,
  },
  revealStep: { id: "hasp.revealStep", title: "Reveal Step", palette: false },
  showReview: { id: "hasp.showReview", title: "Show Review", palette: false },
} as const satisfies Record<string, CommandContribution>;

export interface SettingContribution<T> {
  readonly key: `hasp.${string}`;
  readonly default: T;
  readonly scope: "window" | "resource" | "machine" | "machine-overridable";
  /** Read from the workspace only once a person trusts it. */
  readonly restricted: boolean;
}

const setting = <T>(contribution: SettingContribution<T>): SettingContribution<T> => contribution;

export const SETTINGS = {
  diagnosticsEnabled: setting<boolean>({
    key: "hasp.diagnostics.enabled",
    default: true,
    scope: "window",
    restricted: false,
  }),
  diagnosticsDelay: setting<number>({
    key: "hasp.diagnostics.delay",
    default: 150,
    scope: "window",
    restricted: false,
  }),
  runCases: setting<boolean>({
    key: "hasp.diagnostics.runCases",
    default: true,
    scope: "window",
    restricted: true,
  }),
  writeTypes: setting<boolean>({
    key: "hasp.workspace.writeTypes",
    default: true,
    scope: "machine-overridable",
    restricted: true,
  }),
  policyModel: setting<string>({
    key: "hasp.models.policy",
    default: "",
    scope: "machine",
    restricted: false,
  }),
  teacherModel: setting<string>({
    key: "hasp.models.teacher",
    default: "",
    scope: "machine",
    restricted: false,
  }),
  modelPrices: setting<Readonly<Record<string, string>>>({
    key: "hasp.models.prices",
    default: {},
    scope: "machine",
    restricted: false,
  }),
  plainHttp: setting<readonly string[]>({
    key: "hasp.models.plainHttp",
    default: [],
    scope: "machine",
    restricted: false,
  }),
  runBudget: setting<number>({
    key: "hasp.run.budget",
    default: 0,
    scope: "machine",
    restricted: false,
  }),
  runConcurrency: setting<number>({
    key: "hasp.run.concurrency",
    default: 4,
    scope: "machine",
    restricted: false,
  }),
  debugNode: setting<string>({
    key: "hasp.debug.node",
    default: "",
    scope: "machine",
    restricted: false,
  }),
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
  questionsRunning: "hasp.questionsRunning",
} as const;

export const VIEW_CONTAINER = "hasp";

export const VIEWS = {
  skills: { id: "hasp.skills", name: "Skills" },
  runs: { id: "hasp.runs", name: "Runs" },
  backtest: { id: "hasp.backtest", name: "Backtest" },
} as const;

/** Two ids for one editor: runs of this workspace open in it by themselves, episode files elsewhere on request. */
export const RUN_EDITORS = { run: "hasp.run", elsewhere: "hasp.runElsewhere" } as const;

/** The type of the tabs that show reviews. */
export const REVIEW_PANEL = "hasp.review";

export const WALKTHROUGH = "hasp.firstLook";

/** Tools that assistants of this editor can call; the same names over MCP (src/agents/assist/tools.ts). */
export const ASSIST_TOOL_NAMES = [
  "hasp_list_skills",
  "hasp_validate_skill",
  "hasp_backtest_skill",
  "hasp_explain_step",
] as const;

export const MCP_PROVIDER = "hasp.mcp";
