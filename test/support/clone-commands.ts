import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { FAILING_RUN, AUTHOR } from "./evolution.ts";

type Lines = readonly (readonly string[])[];

/** Contents of a clone, as its commands name them. */
export interface Named {
  readonly runs: readonly string[];
  readonly jobs: readonly string[];
  readonly evolutions: readonly string[];
  readonly skills: readonly string[];
}

const FIRST = ".hasp/runs/first-look";
const FAILING = `.hasp/runs/${FAILING_RUN}`;
const SCRIPTED = ["--policy", "scripted:script.json"];
const QUESTIONS = ["--questions", "questions.jsonl", "--corpus", "corpus/passages.jsonl"];
const AT = ["--episode", "1", "--step", "1"];
const EVOLVED = ["--episodes", FAILING, "--author", AUTHOR];
const SKILL = "skills/web-search/repeated-query";
const HOSTS = ["claude-code", "vscode", "copilot", "codex"];
const TARGETS = ["lab", "gpu"];

export function namedIn(clone: string): Named {
  const below = (folder: string): readonly string[] => {
    const at = path.join(clone, folder);
    return existsSync(at) ? readdirSync(at).map((name) => `${folder}/${name}`) : [];
  };
  return {
    runs: below(".hasp/runs"),
    jobs: below(".hasp/jobs").map((folder) => path.basename(folder)),
    evolutions: below(".hasp/evolutions"),
    skills: below("skills/web-search").filter((folder) => !folder.endsWith("/generated")),
  };
}

const each = (names: readonly string[], ...lines: ((name: string) => readonly string[])[]): Lines =>
  names.flatMap((name) => lines.map((line) => line(name)));

/** The hosts, with the scopes of a project and that of the user; a scope that a host lacks is refused. */
const inScopes = (...words: string[]): Lines =>
  HOSTS.flatMap((host) => ["--project", "--user"].map((scope) => ["hook", ...words, "--host", host, scope]));

/** Command lines by command. Those that only a process of its own can run are in `PROCESS_COMMANDS`. */
export const CLONE_COMMANDS: Readonly<Record<string, (named: Named) => Lines>> = {
  init: () => [["init"], ["init", "out"]],
  new: () => [
    ["new", "my-skill", "--kind", "inject"],
    ["new", "other", "--kind", "inject", "--domain", "coding-agent"],
    ["new", "third", "--kind", "prompt", "--in", "out"],
  ],
  validate: ({ runs }) => [
    ["validate"],
    ["validate", "skills", "--fix"],
    ["validate", "skills", "--runs", ...runs],
  ],
  test: () => [["test"], ["test", "skills", "--junit", "out.json"]],
  import: () => [
    ["import", "chat.jsonl", "-o", ".hasp/runs/made"],
    ["import", "chat.jsonl", "-o", "out/run"],
    ["import", "--portable", SKILL, "-o", "skills/web-search/generated"],
  ],
  export: ({ runs, skills }) => [
    ...each(
      runs,
      (run) => ["export", run, "--to", "atif", "-o", "out/"],
      (run) => ["export", run, "--to", "html", "--recorded-skills", "-o", "page.html"],
    ),
    ...each(skills, (skill) => ["export", "--portable", skill, "-o", "out"]),
  ],
  data: () => [["data", "questions.jsonl", "-o", "out.json", "--corpus-out", "page.html"]],
  run: () => [
    ["run", ...QUESTIONS, ...SCRIPTED, "-o", ".hasp/runs/made"],
    ["run", "--questions", "questions.jsonl", ...SCRIPTED, "-o", "out/run"],
    ["run", ...QUESTIONS, ...SCRIPTED, "-o", ".hasp/runs/evil", "--resume"],
    ["run", ...QUESTIONS, ...SCRIPTED, "-o", ".hasp/runs/linked", "--resume"],
  ],
  branch: ({ runs }) =>
    each(
      runs,
      (run) => ["branch", run, ...AT, ...SCRIPTED, "-o", "out/branch"],
      (run) => ["branch", run, ...AT, "--policy", `recorded:${run}`, "-o", ".hasp/runs/branched"],
    ),
  merge: ({ runs }) => [["merge", ...runs, "-o", "out/merged"]],
  score: ({ runs }) =>
    each(
      runs,
      (run) => ["score", run],
      (run) => ["score", run, "answers.jsonl"],
    ),
  judge: ({ runs }) => each(runs, (run) => ["judge", run, "--judge", "f1"]),
  serve: () => [
    ["serve"],
    ["serve", "-o", ".hasp/runs/made"],
    ["serve", "--resume", "-o", ".hasp/runs/evil"],
  ],
  "mcp trust": () => [["mcp", "trust"]],
  "hook install": () => inScopes("install"),
  "hook uninstall": () => inScopes("uninstall"),
  "hook status": () => [
    ["hook", "status"],
    ["hook", "status", "--json"],
  ],
  "hook trust": () => [
    ["hook", "trust"],
    ["hook", "trust", "--json"],
  ],
  "hook explain": () => [["hook", "explain", "rm -rf ~/", "--all"]],
  backtest: ({ runs }) => [
    ["backtest", "--episodes", FIRST, FAILING],
    ...each(runs, (run) => ["backtest", "--recorded-skills", "--episodes", run]),
  ],
  failures: ({ runs }) => each(runs, (run) => ["failures", run]),
  signals: ({ runs }) => each(runs, (run) => ["signals", run]),
  "train-data": ({ runs }) => [
    ...each(runs, (run) => ["train-data", run, "-o", ".hasp/data/made", "--allow-empty"]),
    ["train-data", "--refresh", ".hasp/data/evil"],
    ["train-data", FIRST, "-o", "out/data", "--allow-empty"],
  ],
  containment: () => [
    ["containment"],
    ["containment", "--json"],
    ["containment", "--pyodide", "--packages", "numpy"],
  ],
  "trainer install": () => [["trainer", "install"]],
  "trainer check": () => [["trainer", "check"]],
  "trainer path": () => [["trainer", "path"]],
  bootstrap: () => [["bootstrap", FAILING, "--author", AUTHOR, "-o", "skills/web-search/generated"]],
  evolve: ({ evolutions }) => [
    ["evolve", "-o", ".hasp/evolutions/made", ...EVOLVED, "--estimate"],
    ...each(evolutions, (folder) => [
      "evolve",
      "-o",
      folder,
      ...EVOLVED,
      "--gate",
      "exec-only",
      "--epochs",
      "9",
    ]),
  ],
  experiment: () => [
    ["experiment", "e1", "--status"],
    ["experiment", "e1"],
    ["experiment", "e1", "--stop"],
    ["experiment", "e1", "--dry-run"],
  ],
  "job submit": ({ jobs }) => [
    ...each(
      jobs,
      (job) => ["job", "submit", job],
      (job) => ["job", "submit", "--target", "local", `.hasp/jobs/${job}`],
    ),
    ...each(TARGETS, (target) => [
      "job",
      "submit",
      "--target",
      target,
      "--",
      "run",
      ...QUESTIONS,
      "-o",
      "out/run",
    ]),
  ],
  "job list": () => [
    ["job", "list"],
    ["job", "list", "--refresh"],
  ],
  "job status": ({ jobs }) => each(jobs, (job) => ["job", "status", job]),
  "job logs": ({ jobs }) =>
    each(
      jobs,
      (job) => ["job", "logs", job],
      (job) => ["job", "logs", "-f", job],
    ),
  "job follow": ({ jobs }) => each(jobs, (job) => ["job", "follow", job]),
  "job cancel": ({ jobs }) => each(jobs, (job) => ["job", "cancel", job]),
  "job fetch": ({ jobs }) =>
    each(
      jobs,
      (job) => ["job", "fetch", job],
      (job) => ["job", "fetch", job, "--to", "out"],
    ),
  "job target list": () => [["job", "target", "list"]],
  "job target test": () => each(TARGETS, (name) => ["job", "target", "test", name]),
  "job target allow": () => each(TARGETS, (name) => ["job", "target", "allow", name]),
  "job target prepare": () =>
    each(TARGETS, (name) => ["job", "target", "prepare", name, "--model", "./evil-model"]),
  "job preset": () => [
    ["job", "preset"],
    ["job", "preset", "e4", "--target", "lab"],
  ],
  "job-runner": ({ jobs }) =>
    each(
      jobs,
      (job) => ["job-runner", `.hasp/jobs/${job}`, "--attempt", "1"],
      (job) => ["job-runner", `.hasp/jobs/${job}`, "--submission", "1"],
    ),
  explain: ({ runs }) =>
    each(runs, (run) => ["explain", run, ...AT, "--skill", "repeated_query", "--recorded-skills"]),
  find: ({ runs }) => each(runs, (run) => ["find", run, "the"]),
  replay: ({ runs }) => [
    ...each(runs, (run) => ["replay", run, "--episode", "1", "--skills", "skills"]),
    ["replay", FIRST, "--follow"],
  ],
  note: ({ runs }) =>
    each(
      runs,
      (run) => ["note", run],
      (run) => ["note", run, "--episode", "1", "--label", "good"],
    ),
  compare: ({ runs }) => each(runs, (run) => ["compare", FIRST, run]),
  internalised: ({ runs }) => [
    ...each(runs, (run) => ["internalised", "--before-on", FIRST, "--after-on", run, "--page", "page.html"]),
    ["internalised", "--experiment", ".hasp/experiments/e1"],
  ],
  review: ({ skills }) =>
    each(
      skills,
      (skill) => ["review", skill, "--show"],
      (skill) => ["review", skill, "--teacher", "scripted:teacher.json", "--episodes", FIRST],
    ),
  "library history": () => [
    ["library", "history"],
    ["library", "history", "--library", "skills/web-search/generated"],
  ],
  "library diff": ({ evolutions }) =>
    each(evolutions, (evolution) => ["library", "diff", evolution, "0", "1"]),
  "library rollback": ({ evolutions }) =>
    each(
      evolutions,
      (evolution) => ["library", "rollback", evolution, "0"],
      (evolution) => ["library", "rollback", evolution, "1"],
    ),
  "library gate": ({ evolutions }) =>
    each(evolutions, (evolution) => ["library", "gate", evolution, "--gate", "exec-only"]),
  "library accept": ({ evolutions }) =>
    evolutions.flatMap((evolution) =>
      ["e1-c1", "e1-c2", "e1-c3", "e1-c4"].map((id) => [
        "library",
        "accept",
        evolution,
        id,
        "--reason",
        "good",
      ]),
    ),
  "library reject": ({ evolutions }) =>
    each(evolutions, (evolution) => ["library", "reject", evolution, "e1-c1", "--reason", "bad"]),
  "links list": () => [["links", "list"]],
  "links allow": () => [
    ["links", "allow", ".hasp/jobs"],
    ["links", "allow", ".hasp/runs/made"],
  ],
  "links forget": () => [["links", "forget", ".hasp/jobs"]],
  gc: () => [
    ["gc", "--older-than", "0", "--live"],
    ["gc", ".hasp/jobs"],
  ],
};
