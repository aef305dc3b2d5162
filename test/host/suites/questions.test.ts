import { deepEqual, equal, ok } from "node:assert/strict";

import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

import type { RunArguments, RunOutcome } from "../../../src/extension/questions/command.ts";
import type { LoopbackCall, LoopbackModel } from "../../support/loopback-model.ts";
import { loopback } from "./loopback.ts";
import { activated, eventually, pause, root } from "./support.ts";

/** Long enough that an episode is seen to arrive before the next. Milliseconds. */
const THINKS = 400;

/** Searches once and then answers, whatever it is asked. */
function policy({ request }: LoopbackCall): { kind: "text"; text: string; wait: number } {
  const seen = request.messages.map(({ content }) => content).join("\n");
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

  before(async () => {
    await activated();
    server = await (await loopback()).loopbackModel(policy);
    spec = `${server.url}#suite`;
    const key = { kind: "as-is" };
    await vscode.commands.executeCommand("hasp.configureModel", {
      role: "policy",
      spec,
      key,
      price: "1/1",
      test: false,
    });
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
    deepEqual(outcome.summary.outcomes, { correct: 1, wrong: 4, halted: 0, unjudged: 0 });
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
    const runJson = vscode.Uri.joinPath(file, "..", "run.json");
    const run = JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(runJson))) as {
      settings: Record<string, unknown>;
    };
    run.settings["limit"] = 4;
    await vscode.workspace.fs.writeFile(runJson, new TextEncoder().encode(JSON.stringify(run)));
    const calls = server.calls.length;
    const outcome = await vscode.commands.executeCommand<RunOutcome | undefined>("hasp.resumeRun", file);
    equal(outcome?.summary.finished, 2);
    equal(outcome.skipped, 2);
    const ids = (await lines(file)).map(({ questionId }) => questionId);
    deepEqual([ids.length, new Set(ids).size], [4, 4]);
    equal(server.calls.length, calls, "equal requests were answered from the cache");
  });

  it("does not mix a run with one that another model would make", async () => {
    const known = await runNames();
    await vscode.commands.executeCommand("hasp.runQuestions", { ...plan, limit: 1 });
    const file = await newestRun(known);
    ok(file);
    const other = { role: "policy", spec: `${server.url}#another`, key: { kind: "as-is" }, test: false };
    await vscode.commands.executeCommand("hasp.configureModel", other);
    equal(await vscode.commands.executeCommand("hasp.resumeRun", file), undefined);
    equal((await lines(file)).length, 1);
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
