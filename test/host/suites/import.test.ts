import { deepEqual, equal, match, ok } from "node:assert/strict";

import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

import type { Episode } from "../../../src/model/episode.ts";
import type { ImportPage, TrainingPage } from "../../../src/protocol/training.ts";
import { activated, eventually, root } from "./support.ts";

const at = (...path: readonly string[]): vscode.Uri => vscode.Uri.joinPath(root(), ...path);

async function write(file: vscode.Uri, ...lines: readonly object[]): Promise<void> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
}

/** A session of Claude Code: a question, one command with its result, and the last words. */
function session(sessionId: string, question: string): readonly object[] {
  const line = (n: number, type: string, message: object): object => ({
    type,
    sessionId,
    uuid: `${sessionId}-${n}`,
    parentUuid: n === 0 ? null : `${sessionId}-${n - 1}`,
    cwd: "/work",
    version: "2.1.332",
    timestamp: `2026-11-20T09:00:0${n}.000Z`,
    message,
  });
  const call = { type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } };
  return [
    line(0, "user", { role: "user", content: question }),
    line(1, "assistant", { id: "m1", role: "assistant", content: [{ type: "text", text: "I look." }, call] }),
    line(2, "user", {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "t1", content: "parser.py" }],
    }),
    line(3, "assistant", { id: "m2", role: "assistant", content: [{ type: "text", text: "Done." }] }),
  ];
}

const call = <T>(command: string, ...given: readonly unknown[]): Thenable<T | undefined> =>
  vscode.commands.executeCommand<T | undefined>(command, ...given);

const isImport = (page: TrainingPage | undefined): page is ImportPage => page?.kind === "import";

const tabs = (): readonly string[] =>
  vscode.window.tabGroups.all.flatMap((group) => group.tabs).map(({ label }) => label);

/** The lines of an `episodes.jsonl`. */
async function episodesOf(file: vscode.Uri): Promise<readonly Episode[]> {
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Episode);
}

describe("HASP: Import Episodes of a folder", () => {
  const folder = vscode.Uri.joinPath(root(), "sessions");
  const made: vscode.Uri[] = [];
  before(activated);
  before(async () => {
    await write(vscode.Uri.joinPath(folder, "s1.jsonl"), ...session("s1", "Read the parser."));
    await write(vscode.Uri.joinPath(folder, "later/s2.jsonl"), ...session("s2", "Write the parser."));
    await write(vscode.Uri.joinPath(folder, "notes.json"), { theme: "dark" });
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, "out.txt"), new Uint8Array([65]));
  });
  after(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    for (const one of [folder, ...made]) await vscode.workspace.fs.delete(one, { recursive: true });
  });

  async function imported(source: vscode.Uri): Promise<vscode.Uri> {
    const file = await call<vscode.Uri>("hasp.importEpisodes", { source });
    ok(file, "the command gives the imported file");
    made.push(vscode.Uri.joinPath(file, ".."));
    return file;
  }

  it("makes a run of all its sessions, and a report of them", async () => {
    const file = await imported(folder);
    deepEqual(
      (await episodesOf(file)).map(({ question }) => question),
      ["Read the parser.", "Write the parser."],
    );
    const page = await call<TrainingPage>("hasp.showImportReport", { run: file });
    ok(isImport(page), "the page is that of an import");
    deepEqual([page.read, page.odd, page.report.episodes, page.report.unread.files], [2, 0, 2, 2]);
    match(page.run, /^\.hasp\/runs\/sessions/);
    await eventually("the tab of the report", () => tabs().includes("Import of sessions"));
  });

  it("shows the report of the run of a row, and says where there is none", async () => {
    const file = await imported(vscode.Uri.joinPath(folder, "s1.jsonl"));
    // As a row of the Runs view names it.
    const page = await call<TrainingPage>("hasp.showImportReport", { subject: file });
    ok(isImport(page) && page.report.episodes === 1, "the report of that run");
    const sample = at(".hasp/runs/first-look/episodes.jsonl");
    // A failure is shown to the person, and the command answers nothing.
    equal(await call("hasp.showImportReport", { run: sample }), undefined);
  });

  it("keeps an abandoned branch with the episode that it left", async () => {
    const [first] = await episodesOf(await imported(vscode.Uri.joinPath(folder, "s1.jsonl")));
    ok(first, "an episode");
    const branch = {
      ...first,
      id: "s1~branch-1",
      outcome: "abandoned",
      question: "Delete it.",
      origin: { as: "branch", episode: "s1", t: 0 },
    };
    const source = vscode.Uri.joinPath(folder, "rewound.jsonl");
    await write(source, first, branch);
    const file = await imported(source);
    const page = await call<TrainingPage>("hasp.showImportReport", { run: file });
    ok(isImport(page));
    deepEqual(
      page.report.branches.map(({ episode, origin }) => [episode, origin]),
      [["s1~branch-1", { as: "branch", episode: "s1", t: 0 }]],
    );
    deepEqual(page.report.outcomes, { correct: 0, wrong: 0, halted: 0, unjudged: 1, abandoned: 1 });
  });
});
