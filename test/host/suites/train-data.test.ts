import { deepEqual, equal, ok } from "node:assert/strict";

import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

import type { TrainingPage } from "../../../src/protocol/training.ts";
import { activated, eventually, open, root } from "./support.ts";

const FOLDER = ".hasp/data/suite";

const at = (...path: readonly string[]): vscode.Uri => vscode.Uri.joinPath(root(), ...path);

const call = (command: string, argument?: unknown): Thenable<TrainingPage | undefined> =>
  vscode.commands.executeCommand<TrainingPage | undefined>(command, argument);

async function text(file: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
}

interface RowOfFile {
  readonly run: string;
  readonly episode: string;
  readonly step: number;
}

/** The question of an episode in the text of its run. */
function questionOf(run: string, episode: string): string {
  const all = run.trim().split("\n");
  const found = all.map((one) => JSON.parse(one) as { id: string; question: string });
  return found.find(({ id }) => id === episode)?.question ?? "no such episode";
}

/** Titles of the tabs that show training data. */
const tabs = (): string[] =>
  vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.includes("hasp.training"),
    )
    .map(({ label }) => label);

/** The runs that the editors of runs show. */
const shownRun = (): string | undefined => {
  const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
  return input instanceof vscode.TabInputCustom ? input.uri.toString() : undefined;
};

/** Records a run whose prompts and completions are there: the import that it re-drives has none. */
async function record(): Promise<vscode.Uri> {
  const ran = await vscode.commands.executeCommand<{ file: vscode.Uri } | undefined>("hasp.runQuestions", {
    root: root(),
    questions: at("questions.jsonl"),
    corpus: at("corpus/passages.jsonl"),
    policy: "recorded:.hasp/runs/first-look",
    teacher: undefined,
    limit: undefined,
  });
  ok(ran, "the run was made");
  return ran.file;
}

describe("HASP: Build Training Data", () => {
  let run: vscode.Uri;
  const made: vscode.Uri[] = [];
  before(async () => {
    await activated();
    run = await record();
  });
  after(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    for (const one of [...made, vscode.Uri.joinPath(run, ".."), at(".hasp", "data")])
      await vscode.workspace.fs.delete(one, { recursive: true });
  });

  it("shows a preview and writes nothing", async () => {
    const page = await call("hasp.buildTrainingData", { runs: [run] });
    ok(page?.kind === "data");
    equal(page.folder, undefined);
    deepEqual(
      page.cards.map(({ file }) => file),
      ["a-sft.jsonl", "a-dpo.jsonl", "a-prompt.jsonl"],
    );
    ok((page.cards[0]?.rows ?? 0) > 0, "the run has rows");
    await eventually("the tab of the preview", () => tabs().includes("Training data: preview"));
    equal(
      await vscode.workspace.fs.stat(at(".hasp", "data")).then(
        () => "there",
        () => "none",
      ),
      "none",
    );
  });

  it("asks for objective, runs and filter, with the run of the menu ticked", async () => {
    let page: TrainingPage | undefined;
    void call("hasp.buildTrainingData", run).then((answer) => (page = answer));
    await eventually("the preview", async () => {
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
      return page;
    });
    ok(page?.kind === "data");
    deepEqual(
      page.cards[0]?.sources.map((source) => vscode.Uri.joinPath(root(), source.run, "episodes.jsonl").path),
      [run.path],
    );
    equal(page.cards[0]?.order.filter, "none");
  });

  it("leaves the preview as it is where the person leaves the questions", async () => {
    const before = tabs();
    let isOver = false;
    const asked = call("hasp.buildTrainingData", run);
    void asked.then(() => (isOver = true));
    await eventually("the questions to be left", async () => {
      await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
      return isOver;
    });
    equal(await asked, undefined);
    deepEqual(tabs(), before);
  });

  it("writes the files, and each row opens its step", async () => {
    const page = await call("hasp.buildTrainingData", { runs: [run], output: FOLDER });
    ok(page?.kind === "data");
    equal(page.folder, FOLDER);
    await eventually("the tab of the folder", () => tabs().includes("Data of suite"));
    const file = at(FOLDER, "a-sft.jsonl");
    const rows = (await text(file)).trim().split("\n");
    equal(rows.length, page.cards[0]?.rows);
    const parsed = rows.map((row) => JSON.parse(row) as RowOfFile);
    const line = parsed.findLastIndex(({ step }) => step > 1) + 1;
    const last = parsed[line - 1];
    ok(last, "a row is of a later step");
    equal(vscode.Uri.joinPath(root(), last.run, "episodes.jsonl").toString(), run.toString());
    const editor = await open(file);
    editor.selection = new vscode.Selection(line - 1, 0, line - 1, 0);
    await call("hasp.openStepOfRow", file);
    await eventually("the run of the row", () => shownRun() === run.toString());
    // A skill that names no step is of the one that the replay shows; the replay may still be on its way to the row's.
    const cases = await eventually("the step of the row in the replay", async () => {
      const folder = await vscode.commands.executeCommand<vscode.Uri | undefined>("hasp.newSkillFromStep", {
        kind: "inject",
        name: `suite-row-${Date.now()}`,
      });
      if (folder === undefined) return undefined;
      made.push(folder);
      const found = await text(vscode.Uri.joinPath(folder, "cases.yaml"));
      return found.includes(`step ${last.step} of “`) ? found : undefined;
    });
    ok(cases.includes(questionOf(await text(run), last.episode).slice(0, 20)), cases);
  });

  it("shows a card, and says of a foreign one why it is none", async () => {
    const page = await call("hasp.showDataCard", at(FOLDER, "a-dpo.card.json"));
    ok(page?.kind === "data");
    equal(page.cards[page.shown]?.kind, "a-dpo");
    const foreign = at(FOLDER, "other.card.json");
    await vscode.workspace.fs.writeFile(foreign, new TextEncoder().encode(`{"schema":"other/1"}`));
    const broken = await call("hasp.showDataCard", foreign);
    ok(broken?.kind === "broken");
    ok(broken.message.includes("other/1"));
    equal(broken.file, `${FOLDER}/other.card.json`);
  });

  it("answers nothing for a row whose run is gone, and for runs that are none", async () => {
    const rows = at(FOLDER, "gone.jsonl");
    const row = { run: ".hasp/runs/gone", episode: "e", question_id: "q", sample: 1, step: 1 };
    await vscode.workspace.fs.writeFile(rows, new TextEncoder().encode(JSON.stringify(row)));
    const before = shownRun();
    equal(await call("hasp.openStepOfRow", { file: rows, line: 1 }), undefined);
    equal(shownRun(), before);
    equal(await call("hasp.buildTrainingData", { runs: [at("none", "episodes.jsonl")] }), undefined);
  });

  it("shows the signals of a run", async () => {
    const page = await call("hasp.showSignals", { run });
    ok(page?.kind === "signals");
    equal(page.report.episodes, 12);
    ok(page.report.all.steps > 0);
    await eventually("the tab of the signals", () => tabs().some((label) => label.startsWith("Signals of ")));
  });
});
