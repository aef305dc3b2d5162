interface PageInfo {
  readonly title: string;
  /** One line for a list of pages. */
  readonly about: string;
}

/** The pages of `docs/` that ship with the extension and open from within it, the most wanted first. */
export const HELP_PAGES = {
  replay: { title: "The replay", about: "Modes, keys, statuses, outcomes, filters and reasons" },
  skills: { title: "Skills", about: "Files of a skill, the Skills view, from an idea to a proof" },
  "from-a-failure": {
    title: "From a failed step to a skill",
    about: "New skill, case, debugger and branch on a recorded step",
  },
  signals: {
    title: "Signals and rewards",
    about: "Fifteen signals of a step, its reward, the reward of an episode",
  },
  failures: {
    title: "Failures",
    about: "Detectors by outcome, clusters of failures, summaries by a teacher",
  },
  backtest: { title: "Backtest", about: "Where a skill would have acted on recorded episodes" },
  worth: {
    title: "Worth of the shipped skills",
    about: "Help and harm of each skill, 40 changes read by hand, an example",
  },
  firing: { title: "How often skills fire", about: "The shipped web-search skills on two data sets" },
  handlers: {
    title: "Votes and budgets, measured",
    about: "Handlers and rollout budgets on recorded questions",
  },
  formats: {
    title: "Files of runs and episodes",
    about: "Run folders, episodes, notes, cases, imports, exports",
  },
  settings: {
    title: "Settings and configuration",
    about: "VS Code settings, models, hasp.yaml, switches, budgets",
  },
  teacher: { title: "Teacher review", about: "Scores, the decision, unusable replies, stored reviews" },
  rules: { title: "Rules", about: "Every code in Problems, with a page of its own" },
  hooks: {
    title: "Skills that act in a coding agent",
    about: "Hooks of Claude Code, VS Code, Copilot and Codex",
  },
  "coding-agent": {
    title: "Skills of coding agents",
    about: "The shipped skills that change, refuse or inform",
  },
  math: { title: "Math", about: "Problems solved in one step: the domain, and how answers are judged" },
  code: { title: "Code", about: "Programs judged by tests: the domain, containment, pass@k" },
  serve: { title: "hasp serve", about: "Skill decisions for an external agent" },
  datasets: {
    title: "Data sets, splits and scores",
    about: "Files of questions, parts of them, exact match and F1",
  },
  containment: {
    title: "Containment",
    about: "Programs as answers: Bubblewrap, Pyodide, and what each of them holds",
  },
  limits: { title: "Limits of judging programs", about: "What a containment and a verdict cannot promise" },
  "real-model": {
    title: "A real model, measured",
    about: "A small open model in each setting, beside a plain loop",
  },
  "training-data": {
    title: "Training data",
    about: "Rows for SFT and DPO of recorded runs, data cards, signals by skill",
  },
  internalisation: {
    title: "Internalised skills",
    about: "Skills that training has made needless, and the gain that stays without them",
  },
  miniature: {
    title: "The paper in miniature",
    about: "A small student goes through E1 to E7 on one machine: npm run demo:train",
  },
  trainer: {
    title: "The trainer's environment",
    about: "Python for training and serving, jobs on this machine",
  },
  evolution: {
    title: "Evolve a library",
    about: "Epochs of failures, proposals, reviews and admissions; gates and held-out worth",
  },
  library: {
    title: "The library of generated skills",
    about: "Gates, versions, history, snapshots and rollback",
  },
  experiments: {
    title: "Experiments",
    about: "E1 to E7: jobs, evaluations before and after, an adapter as the policy",
  },
  dashboard: {
    title: "The training dashboard",
    about: "Curves of trainings: runs, axes, zoom, keys, points as CSV",
  },
  jobs: {
    title: "Jobs",
    about: "Commands on this machine, over ssh or on a SLURM cluster: targets, keys, following",
  },
  tools: { title: "Search tools", about: "Retrievers behind SEARCH and READ" },
  assistants: {
    title: "Skills and your coding agent",
    about: "Skill folders, publishing, tools for assistants",
  },
  ci: { title: "Skills in continuous integration", about: "hasp validate, hasp test and their exit codes" },
  links: { title: "Files that are links, disks that are full", about: "Links that HASP may write through" },
} as const satisfies Readonly<Record<string, PageInfo>>;

export type HelpPage = keyof typeof HELP_PAGES;

/** Headings that views link to, by page; a test finds each of them in the page. */
export const HELP_ANCHORS = {
  replay: [
    "modes",
    "keys",
    "the-list",
    "filters",
    "failure-patterns",
    "why",
    "diverged",
    "with-your-change",
    "correct",
    "wrong",
    "halted",
    "unjudged",
    "abandoned",
    "gold",
    "proposed",
    "executed",
    "observation",
    "step-context",
    "prompt-and-completion",
    "prelude",
    "decisions",
    "fired",
    "applied",
    "overridden",
    "limited",
    "skipped",
    "noop",
    "error",
    "prompt-equivalent",
    "full",
    "pf-only",
    "teacher-only",
    "prompt-only",
    "ra-agent",
  ],
  signals: [
    "timing",
    "modality",
    "correctness",
    "outcome",
    "step-reward",
    "fine-score",
    "episode-reward",
    "corrections",
  ],
  failures: ["the-detectors"],
  formats: ["a-run-folder", "stop-reasons", "failure-patterns", "comparing"],
  settings: ["models", "haspyaml", "the-five-settings", "knobs"],
  teacher: ["scores-and-decision", "an-unusable-reply", "in-the-editor"],
  "from-a-failure": ["what-if", "debug-pf-on-this-step", "branch-from-here"],
} as const satisfies Partial<Record<HelpPage, readonly string[]>>;

export type HelpAnchor = (typeof HELP_ANCHORS)[keyof typeof HELP_ANCHORS][number];

/** A page, at its start or at one of its headings. */
export interface HelpPlace {
  readonly page: HelpPage;
  readonly anchor?: HelpAnchor;
}

export function isHelpPage(name: unknown): name is HelpPage {
  return typeof name === "string" && Object.hasOwn(HELP_PAGES, name);
}

/** The page's file, from the root of the repository and of the extension. */
export function helpFile(page: HelpPage): string {
  return `docs/${page}.md`;
}
