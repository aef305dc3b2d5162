import { deepEqual, equal, match, ok } from "node:assert/strict";

import { before, describe, it } from "mocha";
import * as vscode from "vscode";

import type { Configured } from "../../../src/extension/models/configure.ts";
import type { Review } from "../../../src/model/review.ts";
import type { ReviewPage } from "../../../src/protocol/review.ts";
import {
  activated,
  asInSamples,
  eventually,
  open,
  pf,
  retype,
  root,
  skillMd,
  writeSkill,
} from "./support.ts";

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

/** The fixture extension's model, as the teacher. */
async function suiteTeacher(reply: string): Promise<SuiteModel> {
  const extension = vscode.extensions.getExtension<SuiteModel>("hasp-suite.suite-chat-model");
  ok(extension, "the suite's own extension is installed");
  const model = await extension.activate();
  model.reply = reply;
  await useTeacher("vscode:hasp-suite/suite-teacher", false);
  return model;
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
    await asInSamples();
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

  it("marks the review as stale once the skill is edited, and current again when that is undone [thorough]", async () => {
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

  it("shows the teacher where the skill would have acted, and what people noted there [thorough]", async () => {
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

  it("stores nothing of a reply that is no review, and nothing of a model that fails [thorough]", async () => {
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

/** Line 5 of `pf` is what shouldActivate returns, line 8 what intervene does. */
const WITH_EDIT = `${REPLY.replace("It can be computed.", "The condition of pf.ts:5 is never true.").replace(
  "- Say which results to read.",
  "- Name the results, see line 3 of SKILL.md.",
)}EDITS:
EDIT pf.ts 8-8: be specific
WAS: return injectContext(\`Look again. \${arg}\`, "the suite says so");
\`\`\`
    // The teacher asked for this.
    return injectContext(\`Open a document about \${arg}.\`, "the suite says so");
\`\`\`
EDIT pf.ts 1-1: no such line
WAS: nothing of the kind
\`\`\`
gone
\`\`\`
`;

interface Place {
  readonly file: string;
  readonly first: number;
  readonly last: number;
}

const apply = (): Thenable<Place | undefined> => vscode.commands.executeCommand("hasp.applySuggestion");
const accept = (): Thenable<Place | undefined> => vscode.commands.executeCommand("hasp.acceptSuggestion");

function putCursor(editor: vscode.TextEditor, line: number): void {
  editor.selection = new vscode.Selection(line - 1, 0, line - 1, 0);
}

/** The 1-based lines to which VS Code's own command leads, from the start of the file to the last thread in it. */
async function threadLines(file: vscode.Uri, count: number): Promise<number[]> {
  const editor = await open(file);
  putCursor(editor, 1);
  const lines: number[] = [];
  for (let i = 0; i < count; i += 1) {
    await open(file);
    await vscode.commands.executeCommand("editor.action.nextCommentThreadAction");
    lines.push(editor.selection.active.line + 1);
  }
  return lines;
}

function diffTab(): vscode.TabInputTextDiff | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff ? input : undefined;
}

describe("Feedback beside the lines", () => {
  let folder: vscode.Uri;
  let pfFile: vscode.Uri;

  before(async () => {
    await activated();
    await suiteTeacher(WITH_EDIT);
    folder = await newSkill("with-threads");
    pfFile = vscode.Uri.joinPath(folder, "pf.ts");
    const result = await reviewed(folder);
    deepEqual(
      result.edits?.map(({ file, first, last }) => [file, first, last]),
      [["pf.ts", 8, 8]],
    );
    ok(
      result.suggestions.some((text) => text.startsWith("pf.ts 1")),
      "an edit that does not fit is a suggestion in words",
    );
  });

  it("stands as a thread at each line that it speaks of", async () => {
    deepEqual(await threadLines(pfFile, 2), [5, 8]);
    deepEqual(await threadLines(vscode.Uri.joinPath(folder, "SKILL.md"), 1), [3]);
  });

  it("is applied through a diff that a person accepts, and undone", async () => {
    const editor = await open(pfFile);
    const before = editor.document.getText();
    putCursor(editor, 8);
    deepEqual(await apply(), { file: "pf.ts", first: 8, last: 8 });
    const tab = await eventually("the diff", diffTab);
    equal(tab.original.toString(), pfFile.toString());
    equal(editor.document.getText(), before, "nothing is changed before a person accepts");
    const right = await vscode.workspace.openTextDocument(tab.modified);
    match(right.getText(), /Open a document about/);
    deepEqual(await accept(), { file: "pf.ts", first: 8, last: 8 });
    equal(diffTab(), undefined);
    match(editor.document.lineAt(7).text, /The teacher asked for this/);
    match(editor.document.lineAt(8).text, /Open a document about/);
    equal(editor.document.lineCount, before.split("\n").length + 1);
    ok(editor.document.isDirty, "it is left to be saved");
    await open(pfFile);
    await vscode.commands.executeCommand("undo");
    equal(editor.document.getText(), before);
    await editor.document.save();
  });

  it("follows its lines, and is stale once they are changed [thorough]", async () => {
    await suiteTeacher(WITH_EDIT);
    const skill = await newSkill("goes-stale");
    const file = vscode.Uri.joinPath(skill, "pf.ts");
    await reviewed(skill);
    const editor = await open(file);
    const before = editor.document.getText();
    ok(await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "// One line more.\n")));
    putCursor(editor, 9);
    deepEqual(await apply(), { file: "pf.ts", first: 9, last: 9 });
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    await open(file);
    await retype(vscode.window.activeTextEditor ?? editor, before.replace("Look again.", "Look twice."));
    putCursor(vscode.window.activeTextEditor ?? editor, 8);
    equal(await apply(), undefined, "it is refused");
    equal(diffTab(), undefined);
    await retype(vscode.window.activeTextEditor ?? editor, before);
    putCursor(vscode.window.activeTextEditor ?? editor, 8);
    deepEqual(await apply(), { file: "pf.ts", first: 8, last: 8 });
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    await vscode.commands.executeCommand("workbench.action.files.save");
  });

  it("gives way to that of a new review, and to Dismiss [thorough]", async () => {
    await suiteTeacher(REPLY.replace("It loads.", "It loads, see pf.ts:6."));
    await reviewed(folder);
    deepEqual(await threadLines(pfFile, 1), [6]);
    const editor = await open(pfFile);
    putCursor(editor, 8);
    equal(await apply(), undefined, "the suggestion of the old review is gone");
    putCursor(editor, 6);
    equal(await vscode.commands.executeCommand("hasp.dismissFeedback"), true);
    equal(await vscode.commands.executeCommand("hasp.dismissFeedback"), false);
  });
});

interface Several {
  readonly reviews: readonly Review[];
  readonly summary: string;
}

describe("Teacher Review of several skills", () => {
  it("reviews one after another and sums up; cancelled, it keeps what is finished [thorough]", async () => {
    const model = await suiteTeacher(REPLY);
    const folders = [await newSkill("several-a"), await newSkill("several-b"), await newSkill("several-c")];
    const all = await eventually("three reviews", async () =>
      vscode.commands.executeCommand<Several | undefined>("hasp.teacherReview", { folders }),
    );
    equal(all.summary, "3 skills: 3 accepted.");
    deepEqual(
      all.reviews.map(({ skillId }) => skillId),
      ["several_a", "several_b", "several_c"],
    );
    const source = new vscode.CancellationTokenSource();
    const { requests } = model;
    model.requests = new Proxy<string[]>([], {
      get(target, key, self) {
        // The teacher is being asked for the first skill.
        if (key === "push") source.cancel();
        return Reflect.get(target, key, self) as unknown;
      },
    });
    const order = { folders, token: source.token };
    const some = await vscode.commands.executeCommand<Several>("hasp.teacherReview", order);
    equal(some.summary, "3 skills: 1 accepted, 2 not begun.");
    equal(model.requests.length, 1);
    model.requests = requests;
    const pages = await Promise.all(folders.map(page));
    deepEqual(
      pages.map((one) => one?.reviews.length),
      [2, 1, 1],
    );
  });
});

describe("Show Evidence", () => {
  it("measures a skill without a teacher, and stores no review", async () => {
    await activated();
    const configuration = vscode.workspace.getConfiguration("hasp.models");
    await configuration.update("teacher", "", vscode.ConfigurationTarget.Global);
    const folder = await newSkill("no-teacher");
    equal(await review(folder), undefined, "there is no teacher to review it");
    interface Section {
      readonly title: string;
      readonly lines: readonly { readonly text: string }[];
    }
    const sections = await eventually("the evidence", async () =>
      vscode.commands.executeCommand<Section[] | undefined>("hasp.showEvidence", folder),
    );
    const titles = sections.map(({ title }) => title);
    deepEqual(titles.slice(0, 3), ["Executable checks", "Cases", "Recorded episodes"]);
    equal(sections[0]?.lines[0]?.text, "4 of 4 passed");
    const shown = await page(folder);
    deepEqual(shown?.measured?.sections, sections);
    deepEqual(shown.reviews, []);
    const names = (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name);
    ok(!names.includes("metadata.json"), names.join(", "));
  });
});
