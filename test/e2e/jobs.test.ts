import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";

import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";

import { DASHBOARD_PANEL } from "../../src/extension/contributions.ts";
import { missingForCluster } from "../../scripts/lib/cluster.mts";
import { ROOT } from "../../scripts/lib/paths.mts";
import {
  CORPUS,
  COUNTRIES,
  STUDENT,
  writeCountries,
  writeScriptedPython,
} from "../support/experiment-world.ts";
import { type Slurm, startSlurm } from "../support/slurm.ts";
import { type Sshd, startSshd } from "../support/sshd.ts";
import { clearNotices, notice } from "./support/notices.ts";
import { accept, answer, fromMenu, pick, runCommand, screenshotInBoth } from "./support/palette.ts";
import { furtherStory } from "./support/story.ts";
import { openWorkbench, screenshot, untilStored, viewWith, type Workbench } from "./support/workbench.ts";

const ENDS = 120_000;
/** Slow enough that a training is seen at work, and that a window can be reloaded meanwhile. */
const SLOW = { steps: 240, stepMs: 300 };

/** Why it is not told here. */
const missing = missingForCluster();

furtherStory("A person sends trainings to a cluster, and uses an adapter that comes back", (chapter) => {
  let slurm: Slurm | undefined;
  let sshd: Sshd | undefined;
  let workbench: Workbench;
  let workspace: string;

  beforeAll(async () => {
    if (missing !== undefined) return;
    slurm = await startSlurm();
    sshd = await startSshd({ env: slurm.env });
    workspace = mkdtempSync(join(tmpdir(), "hasp-jobs-"));
    cpSync(join(ROOT, "samples"), workspace, { recursive: true });
    writeCountries(workspace);
    writeFileSync(join(workspace, "rows.jsonl"), "{}\n");
    for (const name of ["first", "second"]) {
      const config = {
        method: "sft",
        model: STUDENT,
        data: "rows.jsonl",
        output: `out/${name}`,
        iteration: 1,
      };
      writeFileSync(join(workspace, `train-${name}.json`), JSON.stringify(config));
    }
    // The person's own home folder, with the host as they call it.
    const home = mkdtempSync(join(tmpdir(), "hasp-home-"));
    mkdirSync(join(home, ".ssh"), { mode: 0o700 });
    writeFileSync(join(home, ".ssh/config"), `Host ${sshd.host}\nHost *.example.org\n`);
    // VS Code's server asks a login shell for the PATH.
    const path = sshd.clientEnv["PATH"] ?? "";
    for (const name of [".profile", ".bashrc"])
      writeFileSync(join(home, name), `export PATH='${sshd.bin}':"$PATH"\n`);
    const program = join(ROOT, "test/support/scripted-trainer.ts");
    const environment = writeScriptedPython(join(slurm.folder, "python"), program, SLOW);
    const setup = [`PATH=${dirname(process.execPath)}:$PATH`];
    const lab = { kind: "slurm", host: sshd.host, folder: "~/hasp", setup, environment };
    // Of the workspace, as a team shares it: it asks for a yes once.
    appendFileSync(join(workspace, "hasp.yaml"), `\ntargets:\n  lab: ${JSON.stringify(lab)}\n`);
    workbench = await openWorkbench({
      workspace,
      theme: "dark",
      size: { width: 1500, height: 950 },
      env: {
        PATH: path,
        HOME: home,
        HASP_TRAINER_PYTHON: writeScriptedPython(join(workspace, "trainer"), program),
      },
    });
  });
  afterAll(async () => {
    if (missing !== undefined) return;
    await workbench.close();
    await sshd?.stop();
    await slurm?.stop();
    rmSync(workspace, { recursive: true, force: true });
  });

  const row = (text: string | RegExp): Locator =>
    workbench.page
      .locator(".pane", { has: workbench.page.locator('.pane-header[aria-label^="Jobs"]') })
      .locator(".monaco-list-row", { hasText: text })
      .first();

  /** Makes room for the view of jobs. */
  async function showJobs(): Promise<void> {
    await runCommand(workbench, "HASP: Focus on Jobs View");
    for (const name of ["Skills", "Runs", "Failures", "Backtest", "Evolutions", "Experiments"]) {
      const header = workbench.page.locator(`.pane-header[aria-label^="${name}"]`);
      await header.waitFor();
      if ((await header.getAttribute("aria-expanded")) === "true") await header.click();
    }
  }

  async function reload(): Promise<void> {
    await workbench.page.reload();
    await workbench.page.locator(".monaco-workbench .part.statusbar").waitFor({ timeout: 60_000 });
    await showJobs();
  }

  /** The last number of tokens that the dashboard shows of the first training; 0 before its first point. */
  async function tokensShown(): Promise<number> {
    const dashboard = await viewWith(workbench, "hasp-dashboard");
    const values = dashboard.locator(".readout tbody tr", { hasText: "train-first" });
    const [, size = "0", unit = ""] = /([\d.]+)( k)?$/.exec((await values.innerText()).trim()) ?? [];
    return Number(size) * (unit === "" ? 1 : 1000);
  }

  /** Waits until the curves have grown twice. */
  async function curvesGrow(): Promise<void> {
    await expect.poll(tokensShown, { timeout: ENDS }).toBeGreaterThan(0);
    const seen = await tokensShown();
    await expect.poll(tokensShown, { timeout: ENDS }).toBeGreaterThan(seen);
  }

  async function submit(name: string, isFirst = false): Promise<void> {
    await runCommand(workbench, "HASP: Submit Training Job");
    await pick(workbench, "Work of the job", "A training");
    await pick(workbench, "Configuration of the training", `train-${name}.json`);
    await pick(workbench, "Target that runs the job", "lab");
    if (isFirst) await pick(workbench, "may HASP start programs there", "Allow this target");
    await pick(workbench, "GPUs, hours and memory", "Others");
    await answer(workbench, "GPUs of a node", "0");
    await answer(workbench, "Hours until", "1");
    await answer(workbench, "Memory of a node", "1");
    await workbench.page
      .locator(".quick-input-list .monaco-list-row", { hasText: "Submit to lab" })
      .waitFor();
  }

  chapter("finds the view with the buttons that begin", async () => {
    await showJobs();
    await workbench.page.locator(".monaco-button", { hasText: "Submit Training Job" }).waitFor();
    await screenshotInBoth(workbench, "jobs-empty");
  });

  chapter("adds the cluster, which is tested before it is kept", async () => {
    await runCommand(workbench, "HASP: Add Target");
    await pick(workbench, "Kind of target", "A SLURM cluster over ssh");
    await screenshot(workbench, "jobs-hosts-dark");
    await pick(workbench, "Host, as ssh knows it", "cluster");
    await accept(workbench, "Folder there");
    await answer(workbench, "Line of sh", "true");
    await answer(workbench, "Partition", "main");
    await accept(workbench, "Account");
    await accept(workbench, "Kind of GPU");
    await accept(workbench, "Name of the target");
    await screenshot(workbench, "jobs-test-or-save-dark");
    await accept(workbench, "SLURM · cluster");
    await notice(workbench, /cluster works: .*SLURM 2/, ENDS);
    await screenshotInBoth(workbench, "jobs-target-works");
    await clearNotices(workbench);
  });

  chapter("reads why a partition is refused, before anything is booked", async () => {
    await runCommand(workbench, "HASP: Add Target");
    await pick(workbench, "Kind of target", "A SLURM cluster over ssh");
    await pick(workbench, "Host, as ssh knows it", "cluster");
    await accept(workbench, "Folder there");
    await accept(workbench, "Line of sh");
    await answer(workbench, "Partition", "nowhere");
    await accept(workbench, "Account");
    await accept(workbench, "Kind of GPU");
    await answer(workbench, "Name of the target", "wrong");
    await accept(workbench, "SLURM · cluster");
    await notice(workbench, /wrong was not saved, because its test failed: .*partition/i, ENDS);
    await screenshot(workbench, "jobs-target-refused-dark");
    await clearNotices(workbench);
  });

  chapter("sees what is sent, and sends a training", async () => {
    await submit("first", true);
    await screenshot(workbench, "jobs-preview-dark");
    expect(existsSync(join(workbench.folder, "out"))).toBe(false);
    await accept(workbench, "Submit the job");
    await notice(workbench, /is submitted to lab/, ENDS);
    await clearNotices(workbench);
    await row("train-first").filter({ hasText: "loss" }).waitFor({ timeout: ENDS });
    await screenshotInBoth(workbench, "jobs-running");
  });

  chapter("watches its curves grow in the dashboard", async () => {
    await fromMenu(workbench, row("train-first"), "Open Dashboard");
    await curvesGrow();
    await screenshotInBoth(workbench, "jobs-dashboard");
  });

  chapter("reloads the window meanwhile, and finds the training and its curves followed again", async () => {
    await untilStored(workbench, DASHBOARD_PANEL);
    await reload();
    await curvesGrow();
    await screenshot(workbench, "jobs-reloaded");
    const stepOf = async (): Promise<number> =>
      Number(/step (\d+)/.exec(await row("train-first").innerText())?.[1] ?? 0);
    await row("train-first").filter({ hasText: "loss" }).waitFor({ timeout: ENDS });
    const seen = await stepOf();
    await expect.poll(stepOf, { timeout: ENDS }).toBeGreaterThan(seen);
  });

  chapter("cancels another one", async () => {
    await submit("second");
    await accept(workbench, "Submit the job");
    await notice(workbench, /is submitted to lab/, ENDS);
    await clearNotices(workbench);
    await row("train-second").filter({ hasText: "running" }).waitFor({ timeout: ENDS });
    await fromMenu(workbench, row("train-second"), "Cancel Job");
    await row("train-second").filter({ hasText: "cancelled" }).waitFor({ timeout: ENDS });
    await screenshot(workbench, "jobs-cancelled-dark");
  });

  chapter("hears of the end, and fetches the adapter", async () => {
    await notice(
      workbench,
      /Training of train-first\.json is done on lab\. Last: step 240 · loss 0\.008\./,
      ENDS,
    );
    await screenshotInBoth(workbench, "jobs-done");
    await clearNotices(workbench);
    await fromMenu(workbench, row("train-first"), "Fetch Outputs");
    await notice(workbench, /The outputs of .* are here/, ENDS);
    expect(existsSync(join(workbench.folder, "out/first/adapter/adapter_config.json"))).toBe(true);
    await clearNotices(workbench);
    await screenshotInBoth(workbench, "jobs-fetched");
  });

  chapter("uses the adapter as the policy", async () => {
    await row("train-first").click();
    await workbench.page.keyboard.press("ArrowRight");
    await fromMenu(workbench, row(/^Adapter/), "Use Adapter as Policy");
    await notice(workbench, /The adapter of first is the policy/, ENDS);
    await screenshot(workbench, "jobs-served-dark");
    await clearNotices(workbench);
  });

  chapter("runs questions with the adapter, which answers each of them", async () => {
    await runCommand(workbench, "HASP: Run Questions");
    await accept(workbench, "Domain: the kind of task");
    await pick(workbench, "File with the questions", COUNTRIES);
    await pick(workbench, "Corpus to search", CORPUS);
    await screenshot(workbench, "jobs-policy-dark");
    await accept(workbench, "Policy: the model that works");
    await accept(workbench, "Setting: parts of the harness");
    await pick(workbench, "Teacher for Program Functions", "No teacher");
    await answer(workbench, "How many of the 150 questions", "5");
    // Without its adapter, the student answers every second one.
    await notice(workbench, /5 episodes: 5 correct/, ENDS);
    await screenshotInBoth(workbench, "jobs-questions");
    await clearNotices(workbench);
  });

  chapter("stops serving it", async () => {
    await runCommand(workbench, "HASP: Stop Serving");
    await notice(workbench, /no longer served/, ENDS);
  });

  chapter("has this machine evaluate the adapter, which the job serves itself", async () => {
    await runCommand(workbench, "HASP: Submit Training Job");
    await pick(workbench, "Work of the job", "An evaluation");
    await pick(workbench, "Model that answers", "One that the job serves");
    await pick(workbench, "Model that the job serves", STUDENT);
    await pick(workbench, "Adapter on it", "train-first");
    await accept(workbench, "Domain: the kind of task");
    await pick(workbench, "File with the questions", COUNTRIES);
    await pick(workbench, "Corpus to search", CORPUS);
    await accept(workbench, "Setting: parts of the harness");
    await answer(workbench, "How many of the 150 questions", "4");
    await answer(workbench, "Folder of the run", "runs/evaluated");
    await accept(workbench, "Tasks that the questions");
    await pick(workbench, "Target that runs the job", "This machine");
    await workbench.page
      .locator(".quick-input-list .monaco-list-row", { hasText: "Submit to this machine" })
      .waitFor();
    await screenshot(workbench, "jobs-evaluation-dark");
    await accept(workbench, "Submit the job");
    const done = await notice(workbench, /runs\/evaluated: .* is done on this machine/, ENDS);
    await done.locator(".monaco-button", { hasText: "Open Run" }).waitFor();
    await screenshotInBoth(workbench, "jobs-evaluated");
    const episodes = readFileSync(join(workbench.folder, "runs/evaluated/episodes.jsonl"), "utf8");
    expect(episodes.trimEnd().split("\n")).toHaveLength(4);
    await clearNotices(workbench);
  });

  chapter("sees what an experiment would send, and leaves", async () => {
    const jobs = (): number => readdirSync(join(workbench.folder, ".hasp/jobs")).length;
    const before = jobs();
    await runCommand(workbench, "HASP: Submit Training Job");
    await pick(workbench, "Work of the job", "An experiment");
    await accept(workbench, "Experiment");
    await accept(workbench, "Settings of the experiment");
    await pick(workbench, "Student: the model that is trained", STUDENT);
    await accept(workbench, "Domain: the kind of task");
    await pick(workbench, "Questions: the train split trains", COUNTRIES);
    await pick(workbench, "Text that searches find", CORPUS);
    await accept(workbench, "Teacher for Program Functions");
    await accept(workbench, "Name of the experiment");
    await pick(workbench, "Target that runs the job", "lab");
    await accept(workbench, "GPUs, hours and memory");
    await workbench.page
      .locator(".quick-input-list .monaco-list-row", { hasText: "Submit to lab" })
      .waitFor();
    await screenshot(workbench, "jobs-experiment-dark");
    await workbench.page.keyboard.press("Escape");
    await expect.poll(jobs).toBe(before);
  });

  return { name: "jobs", workbench: () => workbench, skipped: () => missing };
});
