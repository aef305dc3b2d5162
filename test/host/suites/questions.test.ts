import { deepEqual, equal, ok } from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";

import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

import type { RunArguments, RunOutcome } from "../../../src/extension/questions/command.ts";
import type { LoopbackCall, LoopbackModel } from "../../support/loopback-model.ts";
import { loopback, loopbackSearch } from "./loopback.ts";
import { activated, asInSamples, eventually, pause, root, skillMd, writeSkill } from "./support.ts";

/** Long enough that an episode is seen to arrive before the next. Milliseconds. */
const THINKS = 400;

/** Searches once and then answers, whatever it is asked. */
function policy({ request }: LoopbackCall): { kind: "text"; text: string; wait: number } {
  // The system text has an example with a search of its own.
  const seen = request.messages
    .filter(({ role }) => role !== "system")
    .map(({ content }) => content)
    .join("\n");
  const isFirst = !seen.includes("doc_0 ");
  const action = isFirst ? "SEARCH[Walton family]" : "FINAL[Sam Walton]";
  return { kind: "text", text: `Thought: as scripted.\nAction: ${action}`, wait: THINKS };
}

async function lines(file: vscode.Uri): Promise<{ id: string; questionId: string }[]> {
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { id: string; questionId: string });
}

type Settings = Readonly<Record<string, unknown>>;

/** `settings` of a run's `run.json`. */
async function settingsOf(file: vscode.Uri): Promise<Settings> {
  const runJson = vscode.Uri.joinPath(file, "..", "run.json");
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(runJson));
  return (JSON.parse(text) as { settings: Settings }).settings;
}

/** Runs the CLI that was built beside the extension, in the workspace; answers its exit code and what it printed. */
function hasp(...args: string[]): Promise<{ code: number; output: string }> {
  const cli = join(__dirname, "../../dist/hasp.cjs");
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: "1" };
  return new Promise((resolve) => {
    execFile(process.execPath, [cli, ...args], { cwd: root().fsPath, env }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), output: `${out}${err}` });
    });
  });
}

async function changeLimit(file: vscode.Uri, limit: number): Promise<void> {
  const runJson = vscode.Uri.joinPath(file, "..", "run.json");
  const run = JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(runJson))) as {
    settings: Record<string, unknown>;
  };
  run.settings["limit"] = limit;
  await vscode.workspace.fs.writeFile(runJson, new TextEncoder().encode(JSON.stringify(run)));
}

async function start(plan: RunArguments): Promise<RunOutcome | undefined> {
  return vscode.commands.executeCommand<RunOutcome | undefined>("hasp.runQuestions", plan);
}

/** Has another `hasp.yaml` for a while. */
async function withConfig(lines: string, work: () => Promise<void>): Promise<void> {
  const file = vscode.Uri.joinPath(root(), "hasp.yaml");
  const before = await vscode.workspace.fs.readFile(file);
  const text = `libraries: [builtin:web-search, skills]\n${lines}`;
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  try {
    await work();
  } finally {
    await vscode.workspace.fs.writeFile(file, before);
  }
}

async function exists(file: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
}

async function newestRun(known: ReadonlySet<string>): Promise<vscode.Uri | undefined> {
  const runs = vscode.Uri.joinPath(root(), ".hasp", "runs");
  const names = (await vscode.workspace.fs.readDirectory(runs)).map(([name]) => name);
  const name = names.find((one) => !known.has(one));
  return name === undefined ? undefined : vscode.Uri.joinPath(runs, name, "episodes.jsonl");
}

async function runNames(): Promise<Set<string>> {
  const runs = vscode.Uri.joinPath(root(), ".hasp", "runs");
  return new Set((await vscode.workspace.fs.readDirectory(runs)).map(([name]) => name));
}

function isShown(file: vscode.Uri): boolean {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .some(({ input }) => input instanceof vscode.TabInputCustom && input.uri.path === file.path);
}

describe("HASP: Run Questions", () => {
  let server: LoopbackModel;
  let spec: string;
  let plan: RunArguments;

  async function configure(): Promise<void> {
    const key = { kind: "as-is" };
    const policyModel = { role: "policy", spec, key, price: "1/1", test: false };
    await vscode.commands.executeCommand("hasp.configureModel", policyModel);
  }

  before(async () => {
    await activated();
    await asInSamples();
    server = await (await loopback()).loopbackModel(policy);
    spec = `${server.url}#suite`;
    await configure();
    await vscode.workspace
      .getConfiguration()
      .update("hasp.run.concurrency", 1, vscode.ConfigurationTarget.Global);
    plan = {
      root: root(),
      questions: vscode.Uri.joinPath(root(), "questions.jsonl"),
      corpus: vscode.Uri.joinPath(root(), "corpus", "passages.jsonl"),
      policy: spec,
      teacher: undefined,
      limit: 5,
    };
  });
  after(async () => server.close());

  it("opens the run at once, which grows while episodes finish", async () => {
    const known = await runNames();
    const state = { ended: false };
    const running = vscode.commands
      .executeCommand<RunOutcome | undefined>("hasp.runQuestions", plan)
      .then((outcome) => {
        state.ended = true;
        return outcome;
      });
    const file = await eventually("a new run", async () => {
      const found = await newestRun(known);
      return found !== undefined && (await exists(found)) && found;
    });
    equal(await vscode.commands.executeCommand("hasp.resumeRun", file), undefined, "it runs already");
    const counts = new Set<number>();
    let shownWith: number | undefined;
    while (!state.ended) {
      const count = (await lines(file)).length;
      counts.add(count);
      if (isShown(file)) shownWith ??= count;
      await pause(50);
    }
    const outcome = await running;
    equal(outcome?.summary.finished, 5);
    equal(outcome.summary.left, 0);
    deepEqual(outcome.summary.outcomes, { correct: 1, wrong: 4, halted: 0, unjudged: 0, abandoned: 0 });
    ok((outcome.summary.dollars ?? 0) > 0, "what it cost is known");
    ok(counts.size >= 4, `seen with ${[...counts].join(", ")} episodes`);
    ok((shownWith ?? 5) < 5, "the editor was open before the last episode");
    equal(new Set((await lines(file)).map(({ questionId }) => questionId)).size, 5);
  });

  it("goes on with a run that ended early, and asks every question exactly once", async () => {
    const known = await runNames();
    await vscode.commands.executeCommand("hasp.runQuestions", { ...plan, limit: 2 });
    const file = await newestRun(known);
    ok(file);
    // As a killed run leaves it: more questions to ask, and one of them cut off in the middle.
    await changeLimit(file, 4);
    const calls = server.calls.length;
    const outcome = await vscode.commands.executeCommand<RunOutcome | undefined>("hasp.resumeRun", file);
    equal(outcome?.summary.finished, 2);
    equal(outcome.skipped, 2);
    const ids = (await lines(file)).map(({ questionId }) => questionId);
    deepEqual([ids.length, new Set(ids).size], [4, 4]);
    equal(server.calls.length, calls, "equal requests were answered from the cache");
  });

  it("does not mix a run with one that another model would make [thorough]", async () => {
    const known = await runNames();
    await vscode.commands.executeCommand("hasp.runQuestions", { ...plan, limit: 1 });
    const file = await newestRun(known);
    ok(file);
    const other = { role: "policy", spec: `${server.url}#another`, key: { kind: "as-is" }, test: false };
    await vscode.commands.executeCommand("hasp.configureModel", other);
    equal(await vscode.commands.executeCommand("hasp.resumeRun", file), undefined);
    equal((await lines(file)).length, 1);
    await configure();
  });

  it("obeys hasp.yaml: its setting, its switches and its number of results", async () => {
    const lines = "setting: prompt-only\nruntime:\n  max_rounds: 3\ntools:\n  top_k: 2\n";
    await withConfig(lines, async () => {
      const known = await runNames();
      const outcome = await start({ ...plan, limit: 1 });
      equal(outcome?.summary.finished, 1);
      const settings = await settingsOf((await newestRun(known)) ?? root());
      const control = settings["control"] as Record<string, unknown>;
      equal(settings["setting"], "prompt-only");
      deepEqual([control["enableProgramFunctions"], control["maxRounds"]], [false, 3]);
      deepEqual(settings["retriever"], { kind: "corpus", topK: 2 });
    });
  });

  it("lets what is asked for go before hasp.yaml [thorough]", async () => {
    await withConfig("setting: prompt-only\n", async () => {
      const outcome = await start({ ...plan, limit: 1, setting: "ra-agent" });
      equal((await settingsOf(outcome?.file ?? root()))["setting"], "ra-agent");
    });
  });

  it("runs nothing while hasp.yaml contradicts itself, or names a retriever that nobody has", async () => {
    const bad = "switches:\n  pf_only_mode: true\n  enable_program_functions: false\n";
    for (const lines of [bad, "seting: full\n", "tools:\n  retriever: wikipdia\n"]) {
      await withConfig(lines, async () => {
        const known = await runNames();
        equal(await start({ ...plan, limit: 1 }), undefined);
        equal(await newestRun(known), undefined);
      });
    }
  });

  it("asks the retriever over http that its caller names, and records its address", async () => {
    const search = await (await loopbackSearch()).loopbackRetriever();
    try {
      const tools = { retriever: "http", url: search.origin, language: "en", concurrency: 0, topK: 2 };
      const outcome = await start({ ...plan, corpus: undefined, limit: 1, setting: "ra-agent", tools });
      equal(outcome?.summary.finished, 1);
      // One call asks whether it is there, one is the episode's search.
      equal(search.calls.length, 2);
      const { retriever } = await settingsOf(outcome?.file ?? root());
      deepEqual(retriever, { kind: "http", url: `${search.origin}/retrieve`, topK: 2 });
    } finally {
      await search.close();
    }
  });

  it("refuses a domain without an environment, and leaves no folder", async () => {
    const known = await runNames();
    equal(await start({ ...plan, limit: 1, domain: "coding-agent" }), undefined);
    equal(await newestRun(known), undefined);
  });

  it("takes every skill of the library, also one without a Program Function [thorough]", async () => {
    await writeSkill("words-alone", { "SKILL.md": skillMd("words-alone") });
    const ids = await eventually("a run with the new skill", async () => {
      const outcome = await start({ ...plan, limit: 1 });
      const library = (await settingsOf(outcome?.file ?? root()))["library"] as { skillId: string }[];
      return library.some(({ skillId }) => skillId === "words_alone") && library;
    });
    ok(ids.length > 1);
  });

  it("makes runs that `hasp run --resume` goes on with, and goes on with those of `hasp run` [thorough]", async () => {
    const files = ["--questions", "questions.jsonl", "--corpus", "corpus/passages.jsonl"];
    const made = ["run", ...files, "--policy", spec, "--setting", "pf-only", "--price", "1/1"];
    const own = await start({ ...plan, limit: 1, setting: "pf-only" });
    const folder = vscode.Uri.joinPath(own?.file ?? root(), "..").fsPath;
    const resumed = await hasp(...made, "-o", folder, "--resume", "--limit", "2");
    equal(resumed.code, 0, resumed.output);
    equal((await lines(own?.file ?? root())).length, 2);

    const theirs = vscode.Uri.joinPath(root(), ".hasp", "runs", "by-cli", "episodes.jsonl");
    const first = await hasp(
      ...made,
      "-o",
      ".hasp/runs/by-cli",
      "--limit",
      "1",
      "--seed",
      "7",
      "--top-k",
      "3",
    );
    equal(first.code, 0, first.output);
    await changeLimit(theirs, 2);
    const outcome = await vscode.commands.executeCommand<RunOutcome | undefined>("hasp.resumeRun", theirs);
    deepEqual([outcome?.summary.finished, outcome?.skipped], [1, 1]);
  });

  it("tells of an endpoint that refuses, and keeps what is there", async () => {
    const refusing = await (await loopback()).loopbackModel([{ kind: "status", status: 401 }]);
    try {
      const outcome = await vscode.commands.executeCommand<RunOutcome | undefined>("hasp.runQuestions", {
        ...plan,
        policy: `${refusing.url}#suite`,
      });
      equal(outcome?.summary.endedBy, "model_unauthorised");
      ok((outcome?.summary.left ?? 0) > 0);
      equal(refusing.calls.length, 1);
    } finally {
      await refusing.close();
    }
  });
});
