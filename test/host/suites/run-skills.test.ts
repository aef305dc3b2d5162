import { deepEqual, equal, ok } from "node:assert/strict";

import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

import type { JudgedRun } from "../../../src/app/judge-run.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { activated, eventually, root } from "./support.ts";

const runFolder = (name: string): vscode.Uri => vscode.Uri.joinPath(root(), ".hasp", "runs", name);
const episodesOf = (name: string): vscode.Uri => vscode.Uri.joinPath(runFolder(name), "episodes.jsonl");

/** A run of this window, whose folder keeps the skills that it had. */
async function ownRun(): Promise<vscode.Uri> {
  const file = (path: string): vscode.Uri => vscode.Uri.joinPath(root(), path);
  const ran = await vscode.commands.executeCommand<{ file: vscode.Uri } | undefined>("hasp.runQuestions", {
    root: root(),
    questions: file("questions.jsonl"),
    corpus: file("corpus/passages.jsonl"),
    policy: "recorded:.hasp/runs/first-look",
    teacher: undefined,
    limit: 2,
  });
  ok(ran, "the run was made");
  return ran.file;
}

async function episodes(file: vscode.Uri): Promise<Episode[]> {
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Episode);
}

const judge = (argument: object): Thenable<JudgedRun | undefined> =>
  vscode.commands.executeCommand("hasp.judgeAnswers", argument);

/** Runs of one suite are no answers to what the next one asks. */
const made: vscode.Uri[] = [];
async function removeMade(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  for (const run of made.splice(0)) await vscode.workspace.fs.delete(run, { recursive: true });
}

describe("HASP: Judge Answers Again", () => {
  before(activated);
  after(removeMade);

  it("adds the verdicts of another judge, once, and keeps the outcomes", async () => {
    const file = episodesOf("judged-again");
    await vscode.workspace.fs.copy(runFolder("first-look"), runFolder("judged-again"), { overwrite: true });
    made.push(runFolder("judged-again"));
    const before = await episodes(file);
    const judged = await judge({ run: file, judge: "f1:0.8" });
    const answered = before.filter(({ answer, gold }) => answer !== undefined && gold !== undefined).length;
    equal(judged?.added, answered);
    const after = await episodes(file);
    deepEqual(
      after.map(({ outcome }) => outcome),
      before.map(({ outcome }) => outcome),
    );
    equal(after.filter(({ verdicts }) => verdicts?.at(-1)?.judge === "f1>=0.8").length, answered);
    const again = await judge({ run: file, judge: "f1:0.8" });
    deepEqual([again?.added, again?.had], [0, answered]);
    const ofDomain = await judge({ run: file, judge: "domain" });
    deepEqual([ofDomain?.judge, ofDomain?.added], ["exact_match", answered]);
    ok((ofDomain?.drafts.added ?? 0) > 0, "drafts are judged, too");
  });
});

describe("HASP: Judge with the Skills of the Run", () => {
  before(activated);
  after(removeMade);

  it("judges with the skills that the run's folder keeps, after a yes that is remembered", async () => {
    const file = await ownRun();
    made.push(vscode.Uri.joinPath(file, ".."));
    const [first] = await episodes(file);
    ok(first !== undefined && first.library.length > 0, "the run had skills");
    await vscode.commands.executeCommand("hasp.openRun", { subject: file });
    const step = { run: file, episode: 0, t: 0 };
    const asked = vscode.commands.executeCommand<boolean>("hasp.judgeWithRunSkills", step);
    let isOver = false;
    void asked.then(() => (isOver = true));
    await eventually("the question to be left", async () => {
      await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
      return isOver;
    });
    equal(await asked, false);
    equal(await vscode.commands.executeCommand("hasp.judgeWithRunSkills", { ...step, allowed: true }), true);
    // The yes holds: nobody is asked again.
    equal(await vscode.commands.executeCommand("hasp.judgeWithRunSkills", step), true);
    await vscode.commands.executeCommand("hasp.judgeWithTodaysSkills", step);
  });

  it("says what is missing where the folder keeps no texts", async () => {
    const step = { run: episodesOf("first-look"), episode: 0, t: 0 };
    const failed = vscode.commands.executeCommand<boolean | undefined>("hasp.judgeWithRunSkills", step);
    equal(await failed, undefined);
  });
});
