import { deepEqual, equal, match, ok } from "node:assert/strict";

import { before, describe, it } from "mocha";
import * as vscode from "vscode";

import type { Configured } from "../../../src/extension/models/configure.ts";
import type { Review } from "../../../src/model/review.ts";
import type { ReviewPage } from "../../../src/protocol/review.ts";
import { activated, eventually, open, pf, retype, root, skillMd, writeSkill } from "./support.ts";

const REPLY = `CONCEPT: 0.80
CONCEPT WHY: Agents do ask again.
TRIGGER: 0.70
TRIGGER WHY: It can be computed.
INTERVENE: 0.70
INTERVENE WHY: It says what to do.
EXEC: 0.90
EXEC WHY: It loads.
VAL: 0.60
VAL WHY: Some episodes would be saved.
SUGGESTIONS:
- Say which results to read.
DECISION: ACCEPT
`;

const QUIET = `actionType === "SEARCH" && arg.length > ctx.maxSteps * 100`;

/** What the fixture extension exports. */
interface SuiteModel {
  reply: string;
  error: unknown;
  requests: string[];
}

async function useTeacher(spec: string, test: boolean): Promise<Configured | undefined> {
  const answers = { role: "teacher", spec, key: { kind: "as-is" }, test };
  return vscode.commands.executeCommand<Configured | undefined>("hasp.configureModel", answers);
}

async function review(folder: vscode.Uri): Promise<Review | undefined> {
  return vscode.commands.executeCommand<Review | undefined>("hasp.teacherReview", folder);
}

async function newSkill(name: string): Promise<vscode.Uri> {
  const folder = await writeSkill(name, { "SKILL.md": skillMd(name), "pf.ts": pf(QUIET) });
  await open(vscode.Uri.joinPath(folder, "pf.ts"));
  return folder;
}

/** The skill is found by a watcher, so the first try may come before it. */
async function reviewed(folder: vscode.Uri): Promise<Review> {
  return eventually(`a review of ${folder.path}`, () => review(folder));
}

/** Opens the view of the skill's reviews; answers what it shows. */
async function page(folder: vscode.Uri): Promise<ReviewPage | undefined> {
  return vscode.commands.executeCommand<ReviewPage | undefined>("hasp.showReview", folder);
}

/** Titles of the tabs that show reviews. */
function reviewTabs(): string[] {
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: open }) => open);
  const isReview = ({ input }: vscode.Tab): boolean =>
    input instanceof vscode.TabInputWebview && input.viewType.endsWith("hasp.review");
  return tabs.filter(isReview).map(({ label }) => label);
}

async function lensTitles(folder: vscode.Uri): Promise<string[]> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    "vscode.executeCodeLensProvider",
    vscode.Uri.joinPath(folder, "pf.ts"),
    20,
  );
  return lenses.map(({ command }) => command?.title ?? "");
}

describe("HASP: Teacher Review", () => {
  before(async () => {
    await activated();
    const script = vscode.Uri.joinPath(root(), "teacher.json");
    const entry = { when: ["Review the skill"], text: REPLY };
    await vscode.workspace.fs.writeFile(script, new TextEncoder().encode(JSON.stringify([entry])));
    await useTeacher("scripted:teacher.json", false);
  });

  it("stores what a scripted teacher says, beside the skill, and shows it", async () => {
    const folder = await newSkill("reviewed");
    const result = await reviewed(folder);
    equal(result.decision, "accept");
    ok(Math.abs(result.qSkill - 0.75) < 0.011, String(result.qSkill));
    const text = new TextDecoder().decode(
      await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, "metadata.json")),
    );
    const stored = JSON.parse(text) as { reviews: Review[] };
    deepEqual(stored.reviews.at(-1)?.scores, result.scores);
    equal(stored.reviews.at(-1)?.teacher.id, "scripted:teacher.json");
    const shown = await page(folder);
    deepEqual(
      shown?.reviews.map(({ decision, index }) => [decision, index]),
      [["accept", 0]],
    );
    equal(shown?.unusable, undefined);
    await eventually("the tab", () => reviewTabs().includes("Review of reviewed"));
    ok((await lensTitles(folder)).some((title) => title.includes("accept 0.7")));
  });

  it("marks the review as stale once the skill is edited, and current again when that is undone", async () => {
    const folder = await newSkill("edited-later");
    await reviewed(folder);
    const editor = await open(vscode.Uri.joinPath(folder, "pf.ts"));
    const before = editor.document.getText();
    await retype(editor, before.replace("Look again.", "Look once more."));
    await eventually("stale in the CodeLens", async () =>
      (await lensTitles(folder)).some((title) => title.includes("stale")),
    );
    await retype(editor, before);
    await eventually(
      "not stale any more",
      async () => !(await lensTitles(folder)).some((title) => title.includes("stale")),
    );
    await editor.document.save();
  });

  it("asks a chat model of VS Code", async () => {
    const extension = vscode.extensions.getExtension<SuiteModel>("hasp-suite.suite-chat-model");
    ok(extension, "the suite's own extension is installed");
    const model = await extension.activate();
    model.reply = "ready";
    const spec = "vscode:hasp-suite/suite-teacher";
    equal((await useTeacher(spec, true))?.reply?.text, "ready");
    model.reply = REPLY.replace("DECISION: ACCEPT", "DECISION: REVISE");
    const folder = await newSkill("asked-elsewhere");
    const result = await reviewed(folder);
    equal(result.decision, "revise");
    equal(result.teacher.id, spec);
    ok(model.requests.at(-1)?.includes("asked_elsewhere"), "the teacher saw the skill");
  });

  it("shows the teacher where the skill would have acted, and what people noted there", async () => {
    const extension = vscode.extensions.getExtension<SuiteModel>("hasp-suite.suite-chat-model");
    ok(extension);
    const model = await extension.activate();
    model.reply = REPLY;
    await useTeacher("vscode:hasp-suite/suite-teacher", false);
    const run = vscode.Uri.joinPath(root(), ".hasp", "runs", "first-look");
    const [line = ""] = new TextDecoder()
      .decode(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(run, "episodes.jsonl")))
      .split("\n");
    const { id } = JSON.parse(line) as { id: string };
    const note = { schema: "hasp.note/1", op: "add", id: "suite", when: "2026-11-20T09:00:00Z" };
    const said = { ...note, episodeId: id, kind: "went_wrong_here", text: "the suite saw it fail here" };
    const notes = new TextEncoder().encode(`${JSON.stringify(said)}\n`);
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(run, "notes.jsonl"), notes);
    const name = "measured";
    const folder = await writeSkill(name, {
      "SKILL.md": skillMd(name),
      "pf.ts": pf(`actionType === "SEARCH" && arg !== ctx.question`),
    });
    await reviewed(folder);
    const request = model.requests.findLast((text) => text.includes("skill_id: measured")) ?? "";
    match(request, /the suite saw it fail here/);
    match(request, /episodes/i);
  });

  it("stores nothing of a reply that is no review, and nothing of a model that fails", async () => {
    const extension = vscode.extensions.getExtension<SuiteModel>("hasp-suite.suite-chat-model");
    ok(extension);
    const model = await extension.activate();
    await useTeacher("vscode:hasp-suite/suite-teacher", false);
    const folder = await newSkill("not-reviewed");
    model.reply = "I would rather not.";
    const asked = model.requests.length;
    await eventually("the teacher was asked twice", async () => {
      equal(await review(folder), undefined);
      return model.requests.length >= asked + 2;
    });
    const shown = await page(folder);
    equal(shown?.unusable?.text, "I would rather not.");
    ok(shown.unusable.problems.some(({ message }) => message === "TRIGGER has no score."));
    await eventually("the tab", () => reviewTabs().includes("Review of not-reviewed"));
    model.error = vscode.LanguageModelError.Blocked("The quota is used up.");
    equal(await review(folder), undefined);
    model.error = undefined;
    const names = (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name);
    ok(!names.includes("metadata.json"), names.join(", "));
  });

  it("does not touch a metadata.json that it cannot read", async () => {
    const folder = await newSkill("foreign-metadata");
    await useTeacher("scripted:teacher.json", false);
    const file = vscode.Uri.joinPath(folder, "metadata.json");
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode("not json"));
    equal(await review(folder), undefined);
    equal(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)), "not json");
  });
});
