import { deepEqual, equal, ok } from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";

import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

import type { AddedTarget } from "../../../src/extension/jobs/add-target.ts";
import { checkTarget, waysFor, whyOf } from "../../../src/extension/jobs/check-target.ts";
import { watchJobs } from "../../../src/extension/jobs/jobs.ts";
import { jobRows } from "../../../src/extension/jobs/rows.ts";
import type { Submitted } from "../../../src/extension/jobs/submit/command.ts";
import type { Row } from "../../../src/extension/tree.ts";
import type { JobRecord } from "../../../src/model/job.ts";
import type { Target } from "../../../src/model/target.ts";
import { ownRecords } from "../../../src/platform/own-records.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { STUDENT, writeCountries, writeScriptedPython } from "../../support/experiment-world.ts";
import { writeHostileTarget } from "../../support/hostile-target.ts";
import { writeScriptedSsh } from "../../support/scripted-ssh.ts";
import { activated, eventually, PATIENCE_MS, root, within } from "./support.ts";

/** A job has processes of its own, and each look at a target is one, too. Milliseconds. */
const WHOLE = 180_000;

const at = (...path: readonly string[]): vscode.Uri => vscode.Uri.joinPath(root(), ...path);
const jobAt = (id: string): vscode.Uri => at(".hasp", "jobs", id);

const call = <T>(command: string, ...args: readonly unknown[]): Thenable<T | undefined> =>
  vscode.commands.executeCommand<T | undefined>(`hasp.${command}`, ...args);

async function exists(file: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
}

const targets = (): Readonly<Record<string, unknown>> =>
  vscode.workspace.getConfiguration().inspect<Record<string, unknown>>("hasp.targets")?.globalValue ?? {};

const setTargets = (value: unknown): Thenable<void> =>
  vscode.workspace.getConfiguration().update("hasp.targets", value, vscode.ConfigurationTarget.Global);

/** A row as a person reads it: `label | description`. */
const shown = ({ item: { label, description } }: Row): string =>
  [label, description].filter((part) => typeof part === "string").join(" | ");

/** The rows of the view, read by a watcher of its own. */
async function rowsNow(isAllowed = true): Promise<readonly Row[]> {
  const log = vscode.window.createOutputChannel("suite", { log: true });
  const jobs = watchJobs(nodeFiles(), log);
  try {
    const now = (): string => new Date().toISOString();
    return await jobRows({ jobs, isAllowed: () => isAllowed, isServed: () => false, now });
  } finally {
    jobs.dispose();
    log.dispose();
  }
}

const rowOf = async (id: string, isAllowed = true): Promise<Row | undefined> =>
  (await rowsNow(isAllowed)).find(({ subject }) => subject?.path === jobAt(id).path);

const isIn = async (id: string, words: RegExp): Promise<Row | undefined> => {
  const row = await rowOf(id);
  return row !== undefined && words.test(shown(row)) ? row : undefined;
};

/** Calls a command that asks in a list, and gives these keys to the list until the command ends. */
async function withKeys<T>(
  keys: readonly string[],
  command: string,
  subject: vscode.Uri,
): Promise<T | undefined> {
  let ended = false;
  const result = Promise.resolve(call<T>(command, subject)).finally(() => {
    ended = true;
  });
  await eventually("the command to end", async () => {
    for (const key of keys) await vscode.commands.executeCommand(`workbench.action.${key}`);
    return ended;
  });
  return result;
}

const declining = <T>(command: string, subject: vscode.Uri): Promise<T | undefined> =>
  withKeys<T>(["closeQuickOpen"], command, subject);

/** Enter alone, on the row that a list opens at. */
const entering = <T>(command: string, subject: vscode.Uri): Promise<T | undefined> =>
  withKeys<T>(["acceptSelectedQuickOpenItem"], command, subject);

/** The second row. A list that opens between the two keys is asked again. */
const allowing = <T>(command: string, subject: vscode.Uri): Promise<NonNullable<T>> =>
  eventually("the yes", async () =>
    withKeys<NonNullable<T>>(["quickOpenSelectNext", "acceptSelectedQuickOpenItem"], command, subject),
  );

interface Kept {
  /** Whether this user has made it. */
  readonly isOwn?: boolean;
  readonly target?: Target;
  readonly status?: JobRecord;
  readonly tasks?: number;
  readonly args?: readonly string[];
  readonly outputs?: readonly string[];
}

/** Writes the folder of a job as an earlier window left it. */
function writeJob(
  id: string,
  { isOwn = false, target, status, tasks, args = ["--version"], outputs }: Kept = {},
): void {
  const folder = jobAt(id).fsPath;
  mkdirSync(join(folder, "metrics"), { recursive: true });
  const spec = {
    schema: "hasp.job/1",
    id,
    title: `Job ${id}`,
    cwd: "../../..",
    env: {},
    passEnv: [],
    commands: [{ program: "hasp", args, about: "Say the version" }],
    metrics: ["out/metrics.jsonl"],
    ...(tasks !== undefined && { tasks }),
    ...(outputs !== undefined && { outputs }),
  };
  const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
  if (isOwn) ownRecords().keep(join(folder, "job.json"), line(spec));
  writeFileSync(join(folder, "job.json"), line(spec));
  const when = "2026-01-02T03:04:05.000Z";
  const lines = [
    { kind: "target", at: when, name: "lab", target, root: "/home/me/hasp" },
    ...(status === undefined ? [] : [{ kind: "submitted", at: when, number: 1, job: "4711" }]),
  ];
  if (target !== undefined) writeFileSync(join(folder, "target.jsonl"), lines.map(line).join(""));
  if (status !== undefined) writeFileSync(join(folder, "status.json"), line(status));
}

function isGone(pid: number): boolean {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
}

const STRANGER: Target = { kind: "slurm", host: "stranger", folder: "~/hasp" };

describe("HASP: jobs and targets", function suite() {
  this.timeout(WHOLE);
  let folder: string;
  let path: string | undefined;
  let good: Target;
  const extension = vscode.extensions.getExtension("hasp-studio.hasp-studio");

  before(async () => {
    await activated();
    folder = mkdtempSync(join(tmpdir(), "hasp-jobs-"));
    const { bin } = writeScriptedSsh(folder);
    path = process.env["PATH"];
    process.env["PATH"] = [bin, path].join(delimiter);
    const program = join(__dirname, "../../test/support/scripted-trainer.ts");
    const environment = writeScriptedPython(folder, program);
    good = { kind: "ssh", host: "good", folder: "~/hasp", environment };
    writeCountries(root().fsPath);
  });
  after(async () => {
    process.env["PATH"] = path;
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await setTargets(undefined);
    const made = [at(".hasp", "jobs"), at("trained"), at("train-small.json"), at("rows.jsonl"), at("models")];
    for (const one of [...made, at("countries.jsonl"), at("corpus", "atlas.jsonl")])
      if (await exists(one)) await vscode.workspace.fs.delete(one, { recursive: true });
    rmSync(folder, { recursive: true, force: true });
  });

  it("does not take a host that ssh would read as an option", async () => {
    const target = { ...good, host: "-oProxyCommand=touch" };
    equal(await call("addTarget", { name: "bad", target, test: false }), undefined);
    deepEqual(targets(), {});
  });

  it("adds a target after a test, and keeps it in the person's settings", async () => {
    const added = await call<AddedTarget>("addTarget", { name: "box", target: good, test: true });
    ok(added?.found, "the test found it");
    equal(added.found.probe.fault, null);
    ok(added.found.probe.root.startsWith(join(folder, "there")), added.found.probe.root);
    deepEqual(targets()["box"], good);
  });

  it("says why a target cannot be reached, with the terminal where a person helps by hand", async () => {
    ok(extension);
    const context = { extensionUri: extension.extensionUri } as vscode.ExtensionContext;
    const bundles = { editorServices: { context } } as Parameters<typeof checkTarget>[0];
    const seen: [string, readonly string[]][] = [];
    for (const host of ["stranger", "closed", "locked", "nowhere"]) {
      const named = { name: host, target: { ...good, host } };
      const why = whyOf(await checkTarget(bundles, named));
      seen.push([why.code, waysFor(named, why).map(({ label }) => label)]);
    }
    deepEqual(seen, [
      ["HASP772", ["Open Terminal", "Open log"]],
      ["HASP773", ["Open log"]],
      ["HASP774", ["Open Terminal", "Open log"]],
      ["HASP770", ["Open log"]],
    ]);
  });

  it("shows jobs by what their folders have, without asking anybody", async () => {
    writeJob("never", {});
    writeJob("waits", {
      target: STRANGER,
      status: { status: "submitted", reason: "It waits for resources." },
    });
    writeJob("tasks", {
      target: STRANGER,
      tasks: 8,
      status: { status: "running", tasks: { total: 8, succeeded: 3, running: 2, failed: 1 } },
    });
    writeJob("failed", {
      target: STRANGER,
      status: {
        status: "failed",
        attempt: 1,
        command: 0,
        exitCode: 3,
        lastLines: ["no room", "it fell over"],
      },
    });
    writeJob("cut", { target: STRANGER, status: { status: "lost", reason: "Nobody knows." } });
    writeJob("away", {
      target: STRANGER,
      status: { status: "running", unreachable: "stranger does not answer." },
    });
    writeFileSync(
      join(jobAt("away").fsPath, "metrics", "1.jsonl"),
      '{"step":120,"iteration":1,"loss":0.4321}\n',
    );
    const seen = new Map<string, Row>();
    for (const row of await rowsNow(false)) seen.set(shown(row).split(" | ")[0] ?? "", row);
    const wordsOf = (id: string): string => shown(seen.get(`Job ${id}`) as Row);
    equal(wordsOf("never"), "Job never | this machine · not submitted");
    equal(wordsOf("waits"), "Job waits | lab · not attached · queued: waits for resources");
    equal(wordsOf("tasks"), "Job tasks | lab · not attached · running · 3 of 8 tasks done, 1 failed");
    equal(wordsOf("failed"), "Job failed | lab · failed · it fell over");
    equal(wordsOf("cut"), "Job cut | lab · cut off");
    ok(
      wordsOf("away").startsWith(
        "Job away | lab · not attached · running · step 120 · loss 0.432 · cannot be reached, last news ",
      ),
      wordsOf("away"),
    );
    const contextOf = (id: string): unknown => seen.get(`Job ${id}`)?.item.contextValue;
    equal(contextOf("never"), "hasp.remoteJob.prepared.submit.delete");
    equal(contextOf("waits"), "hasp.remoteJob.submitted.attach.trains");
    equal(contextOf("failed"), "hasp.remoteJob.failed.submit.trains.delete");
    ok(JSON.stringify(seen.get("Job failed")?.item.tooltip).includes("exit code 3"));
    const tasks = (await seen.get("Job tasks")?.children?.()) ?? [];
    equal(tasks.length, 9);
    equal(shown(tasks[8] as Row), "Target | lab · SLURM · stranger · ~/hasp");
  });

  it("sends a training, follows it by itself to the end, and fetches the adapter", async () => {
    writeFileSync(at("rows.jsonl").fsPath, "{}\n");
    const config = { method: "sft", model: STUDENT, data: "rows.jsonl", output: "trained", iteration: 1 };
    writeFileSync(at("train-small.json").fsPath, JSON.stringify(config));
    const order = { args: ["train", "train-small.json"], target: "box", resources: { gpus: 0 } };
    const submitted = await call<Submitted>("submitTrainingJob", order);
    const id = submitted?.folders[0]?.path.split("/").at(-1);
    ok(id, "it was submitted");
    await within(PATIENCE_MS, () => isIn(id, /· (?:done|failed)/));
    const done = await rowOf(id);
    ok(
      done && /\| box · done · step 4/.test(shown(done)),
      `${done && shown(done)} ${JSON.stringify(done?.item.tooltip)}`,
    );
    ok(/\.fetch\./.test(String(done.item.contextValue)), String(done.item.contextValue));
    equal(await exists(at("trained")), false);
    ok(await call("fetchJob", jobAt(id)), "it was fetched");
    ok(await exists(at("trained", "adapter", "adapter_config.json")));
    const below = ((await (await rowOf(id))?.children?.()) ?? []).map(shown);
    deepEqual(below.slice(0, 3), [
      "See whether model and data fit this machine | done",
      "Train the student | done",
      "Target | box · ssh · good · ~/hasp",
    ]);
    ok(below.includes("Adapter | trained/adapter"), below.join("\n"));
    const log = await call<vscode.Uri>("openJobLog", jobAt(id));
    ok(log?.path.endsWith("/log.txt"), String(log));
    equal(await call("copyJobId", jobAt(id)), id);
  });

  it("submits nothing where an input is missing, and leaves no folder behind", async () => {
    const before = (await rowsNow()).length;
    equal(await call("submitTrainingJob", { args: ["train", "nowhere.json"], target: "box" }), undefined);
    equal((await rowsNow()).length, before);
  });

  it("asks about a job that the person did not make, once for its content", async () => {
    writeJob("found", {});
    equal(await declining("submitJobAgain", jobAt("found")), undefined);
    equal(await entering("submitJobAgain", jobAt("found")), undefined);
    ok(await isIn("found", /· not submitted/));
    ok(await allowing("submitJobAgain", jobAt("found")));
    await eventually("the job to be done", () => isIn("found", /· done/));
    writeJob("found", { args: ["--help"] });
    equal(await declining("cancelJob", jobAt("found")), false);
  });

  it("cancels a job that runs, and submits it again [thorough]", async () => {
    writeJob("serves", {
      target: good,
      args: ["serve", "--domain", "web-search", "--no-skills", "--http", "0"],
    });
    ok(await allowing("submitJobAgain", jobAt("serves")));
    const runs = await within(PATIENCE_MS, () => isIn("serves", /· running/));
    ok(runs, JSON.stringify((await rowOf("serves"))?.item.tooltip));
    equal(await call("cancelJob", jobAt("serves")), true);
    await eventually("the job to be cancelled", () => isIn("serves", /· cancelled/));
    equal((await rowOf("serves"))?.item.contextValue?.includes(".submit."), true);
  });

  it("leaves a job alone whose target nobody has allowed", async () => {
    equal(await exists(vscode.Uri.joinPath(jobAt("waits"), "follow.lock")), false);
    ok(await isIn("waits", /queued: waits for resources/));
  });

  it("follows no job by itself that the person did not make, although its target is theirs", async () => {
    writeJob("sent", { target: good, status: { status: "running" } });
    const row = await eventually("the job to be shown", () => rowOf("sent"));
    ok(/ · not attached · running/.test(shown(row)), shown(row));
    ok(/\.attach\./.test(String(row.item.contextValue)), String(row.item.contextValue));
    equal(await declining("attachJob", jobAt("sent")), false);
    equal(await exists(vscode.Uri.joinPath(jobAt("sent"), "follow.lock")), false);
  });

  it("is not harmed by a target that means ill: the follower and a fetch write nothing, and stay small", async () => {
    const program = join(__dirname, "../../test/support/hostile-target.py");
    const hostile = writeHostileTarget(folder, program);
    const { environment: _environment, ...plain } = good;
    const ill: Target = { ...plain, setup: [hostile.setup] };
    await setTargets({ box: good, ill });
    const size = 5;
    const named = { size, hash: "0".repeat(64), path: "workspace/out/../.vscode/tasks.json" };
    hostile.answer({
      look: { endless: '{"bytes":100}\n'.padEnd(114, "x") },
      manifest: { frames: [[named, ""]] },
    });
    const before = process.memoryUsage().rss;
    let peak = before;
    const sampling = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 20);
    try {
      writeJob("ill-runs", { target: ill, status: { status: "running" }, outputs: ["out"], isOwn: true });
      writeJob("ill-done", { target: ill, status: { status: "succeeded" }, outputs: ["out"], isOwn: true });
      const answers = (op: string): readonly number[] =>
        hostile.asked().flatMap((one) => (one.op === op ? [one.pid] : []));
      await eventually("the follower to ask by itself", async () => answers("look").length > 0);
      equal(await call("fetchJob", jobAt("ill-done")), undefined);
      ok(answers("manifest").length > 0, "it was asked for its outputs");
      await eventually("the answer to be cut off", async () => answers("look").every(isGone));
    } finally {
      clearInterval(sampling);
    }
    equal(await exists(at(".vscode", "tasks.json")), false);
    equal(await exists(at("out")), false);
    deepEqual(
      ["ill-runs", "ill-done"]
        .flatMap((id) => readdirSync(jobAt(id).fsPath))
        .filter((name) => name.endsWith(".part")),
      [],
    );
    ok(peak - before < 200e6, `${Math.round((peak - before) / 1e6)} MB more than before`);
  });

  it("tells of targets in the settings that cannot be used, and offers the others", async () => {
    await setTargets({ box: good, "wrong one": good, typo: { ...good, fodler: "~/x" } });
    const chosen = await within(10_000, async () => (await call("testTarget", "box")) !== undefined);
    ok(chosen, "the readable one is tested");
  });
});
