import { deepEqual, equal } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

import {
  differences,
  openAttacker,
  snapshot,
  watchProcess,
  type Attacker,
} from "../../support/border-watch.ts";
import * as files from "../../support/hostile-files.ts";
import { authorOf, writeExperiment } from "../../support/hostile-experiment.ts";
import { closePlace, ownPython, placeAround, type HostilePlace } from "../../support/hostile-place.ts";
import * as records from "../../support/hostile-records.ts";
import { activated, asInSamples, extensionApi, pause, root } from "./support.ts";

/** A command that asks nothing ends sooner; one that asks is declined until it ends. Milliseconds. */
const PATIENCE = 60_000;
const WHOLE = 300_000;

const at = (...path: readonly string[]): vscode.Uri => vscode.Uri.joinPath(root(), ...path);
const job = (id: string): vscode.Uri => at(".hasp/jobs", id);
const RUN = at(".hasp/runs/evil/episodes.jsonl");
const FIRST = at(".hasp/runs/first-look/episodes.jsonl");
const EVOLUTION = at(".hasp/evolutions/evil");
const SKILL = at("skills/web-search/evil");
const STEP = { run: ".hasp/runs/first-look", episode: 0, t: 1 };
const JOBS = [
  "evil-node",
  "evil-trust",
  "evil-lost",
  "evil-outputs",
  "evil-setup",
  "evil-host",
  "evil-python",
];
const CANDIDATES = ["e1-c1", "e1-c2", "e1-c3", "e1-c4"];

const jobs = (): readonly unknown[] => JOBS.map(job);
const candidates = (): readonly vscode.Uri[] => CANDIDATES.map((fragment) => EVOLUTION.with({ fragment }));
const decided = (): readonly unknown[] => candidates().map((subject) => ({ subject, reason: "good" }));
const targets = (): readonly unknown[] => ["lab", "gpu", undefined];
const steps = (more: object = {}): readonly unknown[] => [{ ...STEP, ...more }];
const none = (): readonly unknown[] => [undefined];

/** Arguments of each command, one call each. What opens pages, and reads nothing of a workspace, is called as it is. */
const CALLS: Readonly<Record<string, () => readonly unknown[]>> = {
  newSkill: () => [{ domain: "web-search", name: "made", description: "Made.", kind: "inject" }],
  backtestSkill: () => [{ skills: [SKILL] }],
  openSample: none,
  openSampleFolder: () => [],
  openRun: () => [RUN, FIRST, at(".hasp/runs/outside"), at(".hasp/runs/linked")],
  compareRuns: () => [{ a: FIRST, b: RUN }],
  exportRun: () => [RUN, FIRST],
  renameRun: () => [RUN, at(".hasp/runs/outside/episodes.jsonl")],
  runQuestions: () => [
    { root: root(), questions: at("questions.jsonl"), policy: "recorded:.hasp/runs/evil" },
  ],
  resumeRun: () => [RUN, at(".hasp/runs/linked/episodes.jsonl")],
  teacherReview: () => [SKILL],
  showEvidence: () => [SKILL],
  applySuggestion: none,
  acceptSuggestion: none,
  dismissFeedback: none,
  publishSkill: () => [SKILL],
  configureModel: none,
  importEpisodes: none,
  showImportReport: () => [RUN, FIRST],
  initializeWorkspace: () => [root()],
  clearBacktest: none,
  newSkillFromStep: () => steps({ kind: "inject", name: "from-step" }),
  newSkillFromPattern: none,
  addStepAsCase: () => steps({ skillId: "evil", fires: true }),
  debugPf: () => steps({ skillId: "evil" }),
  branchFromHere: () => steps({ policy: "recorded:.hasp/runs/evil" }),
  judgeWithRunSkills: () => steps(),
  judgeWithTodaysSkills: () => steps(),
  analyseFailures: () => [{ runs: [FIRST, RUN] }],
  refreshFailures: none,
  clearFailures: none,
  newSkillFromCluster: none,
  copyCluster: none,
  judgeAnswers: () => [{ run: RUN, judge: "f1" }],
  buildTrainingData: () => [{ runs: [FIRST], output: "../victim/data" }, at(".hasp/data/evil/data.yaml")],
  showDataCard: () => [at(".hasp/data/evil")],
  openStepOfRow: () => [{ file: at(".hasp/data/evil/data.yaml"), line: 1 }],
  showSignals: () => [{ run: FIRST }],
  labelStep: () => steps({ kind: "good" }),
  labelEpisode: () => steps({ kind: "good" }),
  removeLabel: () => steps({ id: "none" }),
  evolveLibrary: none,
  resumeEvolution: () => [EVOLUTION, at(".hasp/evolutions/inside")],
  stopEvolution: () => [EVOLUTION],
  cancelEvolution: () => [EVOLUTION],
  showEvolutionReport: () => [EVOLUTION],
  runExperiment: none,
  resumeExperiment: () => [at(".hasp/experiments/e1")],
  stopExperiment: () => [at(".hasp/experiments/e1")],
  detachExperiment: () => [at(".hasp/experiments/e1")],
  showExperimentReport: () => [at(".hasp/experiments/e1")],
  openDashboard: () => [at(".hasp/experiments/e1"), undefined],
  useAdapter: () => [at(".hasp/experiments/e1"), undefined],
  stopServing: none,
  setUpContainment: none,
  installTrainer: none,
  submitTrainingJob: none,
  addTarget: none,
  testTarget: targets,
  cancelJob: jobs,
  fetchJob: jobs,
  submitJobAgain: jobs,
  attachJob: jobs,
  openJobLog: jobs,
  deleteJob: jobs,
  copyJobId: jobs,
  runCases: () => [SKILL],
  saveAsUtf8: () =>
    ["evil", "generated/foreign__v1/foreign"].map((one) => ({
      uri: at("skills/web-search", one, "SKILL.md"),
    })),
  findSkill: none,
  enableSkill: () => [SKILL],
  disableSkill: () => [SKILL],
  compareSkill: () => [SKILL],
  renameSkill: none,
  enforceIn: none,
  openLog: none,
  openWalkthrough: none,
  help: none,
  helpOnSkills: none,
  helpOnRuns: none,
  helpOnFailures: none,
  helpOnEvolutions: none,
  helpOnExperiments: none,
  helpOnJobs: none,
  helpOnBacktest: none,
  revealStep: none,
  openCandidate: candidates,
  acceptCandidate: decided,
  rejectCandidate: decided,
  showCandidateReviews: candidates,
  compareCandidate: candidates,
  revealExperiment: () => [at(".hasp/experiments/e1")],
  showReview: () => [SKILL],
};

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

/** Calls a command and says no to each of its questions, until it ends. */
async function declined(command: string, argument: unknown): Promise<void> {
  const over = new AbortController();
  const end = (): void => over.abort();
  const ended = Promise.resolve(vscode.commands.executeCommand(`hasp.${command}`, argument)).then(end, end);
  await Promise.race([ended, pause(200)]);
  const last = Date.now() + PATIENCE;
  while (!over.signal.aborted && Date.now() < last) {
    await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
    await vscode.commands.executeCommand("notifications.clearAll");
    await Promise.race([ended, pause(100)]);
  }
  equal(over.signal.aborted, true, `${command} does not end`);
}

/** The stranger's HASP begins an experiment in the clone. */
function writeOwnExperiment(place: HostilePlace): void {
  const cli = join(__dirname, "../../dist/hasp.cjs");
  const env = { ...authorOf(place), ELECTRON_RUN_AS_NODE: "1" };
  const { status } = spawnSync(process.execPath, [cli, ...writeExperiment(place)], { cwd: place.clone, env });
  equal(status, 2, "its first job fails");
}

/** Of VS Code and its extensions: searches, language servers, git, and a look at open ports. */
const OF_VSCODE = [/\/vscode\//, /^git /, /^\/bin\/sh -c (?:ls -l \/proc|ps -F)/];

/**
 * Whether a stranger may have had it started. `HASP: Debug PF on This Step` asks each Node on the user's PATH for its version, and `HASP: Set Up
 * Containment` tries the system's own Bubblewrap.
 */
function isFault(command: string, line: string): boolean {
  if (OF_VSCODE.some((own) => own.test(line))) return false;
  if (command === "setUpContainment" && line.startsWith("/usr/bin/bwrap ")) return false;
  return command !== "debugPf" || !line.endsWith("/node --version") || line.includes(root().fsPath);
}

async function tryAll(place: HostilePlace, attacker: Attacker): Promise<readonly string[]> {
  const look = (): ReadonlyMap<string, string> =>
    new Map([place.base, place.victim].flatMap((folder) => [...snapshot(folder, () => false)]));
  const watch = watchProcess();
  const faults: string[] = [];
  let before = look();
  try {
    for (const [command, argumentsOf] of Object.entries(CALLS))
      for (const argument of argumentsOf()) {
        await declined(command, argument);
        const now = look();
        const found = [
          ...watch.started().flatMap((line) => (isFault(command, line) ? [`started ${line}`] : [])),
          ...attacker.asked.splice(0).map((one) => `asked ${one}`),
          ...differences(before, now),
        ];
        faults.push(...found.map((fault) => `${command}: ${fault}`));
        before = now;
      }
  } finally {
    watch.close();
  }
  return faults;
}

/** Makes a folder as its copy is, and leaves alone what is the same. */
function restore(folder: string, copy: string): void {
  const was = snapshot(copy, () => false);
  for (const name of snapshot(folder, () => false).keys())
    if (!was.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
  const now = snapshot(folder, () => false);
  for (const [name, what] of was)
    if (now.get(name) !== what)
      cpSync(join(copy, name), join(folder, name), { recursive: true, verbatimSymlinks: true });
}

for (const title of ["A stranger's clone", "A stranger's clone [restricted] [thorough]"])
  describe(title, function suite() {
    this.timeout(WHOLE);
    let place: HostilePlace;
    let attacker: Attacker;
    let copy: string;
    const python = vscode.workspace.getConfiguration("hasp");

    before(async () => {
      await activated();
      attacker = await openAttacker();
      copy = mkdtempSync(join(tmpdir(), "hasp-copy-"));
      cpSync(root().fsPath, copy, { recursive: true, verbatimSymlinks: true });
      const base = realpathSync(mkdtempSync(join(tmpdir(), "hasp-clone-")));
      place = placeAround(root().fsPath, base, attacker.origin);
      await python.update("trainer.python", ownPython(place), vscode.ConfigurationTarget.Global);
    });
    after(async () => {
      await python.update("trainer.python", undefined, vscode.ConfigurationTarget.Global);
      restore(root().fsPath, copy);
      rmSync(copy, { recursive: true, force: true });
      await asInSamples();
      await attacker.close();
      rmSync(place.victim, { recursive: true, force: true });
      closePlace(place);
    });

    it("has an entry for each command", async () => {
      await extensionApi();
      const manifest = vscode.extensions.getExtension("hasp-studio.hasp-studio")?.packageJSON as Manifest;
      const names = manifest.contributes.commands.map(({ command }) => command.replace("hasp.", ""));
      deepEqual(Object.keys(CALLS).toSorted(), names.toSorted());
    });

    it("has nothing run, written elsewhere or sent", async () => {
      const { haspYaml, hookFiles, skills, toolSettings } = files;
      const { evolutions, experiments, jobFolders, runs, targetJobs } = records;
      const all = [
        hookFiles,
        jobFolders,
        targetJobs,
        haspYaml,
        evolutions,
        experiments,
        runs,
        skills,
        toolSettings,
      ];
      for (const writeHostile of all) writeHostile(place);
      writeOwnExperiment(place);
      // VS Code itself asks about these.
      for (const name of [".git", ".githooks", ".vscode/tasks.json"])
        rmSync(at(name).fsPath, { recursive: true, force: true });
      const setting = vscode.workspace.getConfiguration("hasp");
      equal(setting.get("trainer.python"), ownPython(place));
      deepEqual(setting.get("targets"), {});
      deepEqual(await tryAll(place, attacker), []);
    });
  });
