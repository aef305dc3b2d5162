import { deepEqual, equal, match, ok } from "node:assert/strict";

import { before, describe, it } from "mocha";
import * as vscode from "vscode";

import { activated, eventually, open, pf, retype, root, skillMd, writeSkill } from "./support.ts";

const QUIET = `actionType === "SEARCH" && arg.length > ctx.maxSteps * 100`;
const CASES = `cases:
  - name: a short search of language_one
    context: { maxSteps: 8 }
    proposed: { type: SEARCH, arg: who }
    expect: { fires: false }
`;

/** Where a word stands in a document, `into` characters after its beginning. */
function at(document: vscode.TextDocument, word: string, into = 1): vscode.Position {
  const found = document.getText().indexOf(word);
  ok(found !== -1, `${word} stands in ${document.getText()}`);
  return document.positionAt(found + into);
}

async function labels({ document }: vscode.TextEditor, position: vscode.Position): Promise<string[]> {
  const list = await vscode.commands.executeCommand<vscode.CompletionList>(
    "vscode.executeCompletionItemProvider",
    document.uri,
    position,
  );
  return list.items.map(({ label }) => (typeof label === "string" ? label : label.label));
}

async function hovers({ document }: vscode.TextEditor, position: vscode.Position): Promise<string> {
  const found = await vscode.commands.executeCommand<vscode.Hover[]>(
    "vscode.executeHoverProvider",
    document.uri,
    position,
  );
  return found
    .flatMap(({ contents }) => contents.map((c) => (typeof c === "string" ? c : c.value)))
    .join("\n");
}

const locate = (command: string, uri: vscode.Uri, position: vscode.Position): Thenable<vscode.Location[]> =>
  vscode.commands.executeCommand<vscode.Location[]>(command, uri, position);

async function textOf(uri: vscode.Uri): Promise<string> {
  return (await vscode.workspace.openTextDocument(uri)).getText();
}

describe("A skill as in a typed language", () => {
  let folder: vscode.Uri;
  let md: vscode.TextEditor;
  const file = (name: string): vscode.Uri => vscode.Uri.joinPath(folder, name);
  before(async () => {
    await activated();
    folder = await writeSkill("language-one", {
      "SKILL.md": skillMd("language-one"),
      "pf.ts": pf(QUIET).replace("class SuitePf", "class LanguageOne"),
      "cases.yaml": CASES,
    });
    const other = skillMd("language-two").replace("    title:", "    supersedes: [language_one]\n    title:");
    await writeSkill("language-two", { "SKILL.md": other });
    md = await open(file("SKILL.md"));
  });

  it("completes keys, values and cases, each once", async () => {
    const text = skillMd("language-one");
    await retype(md, text.replace("    title:", "    ph\n    title:").replace("[search]", "[search, ]"));
    const keys = await eventually("keys of HASP", async () => {
      const found = await labels(md, at(md.document, "    ph\n", 6));
      return found.includes("phases") && found;
    });
    deepEqual(
      keys.filter((key) => key === "handler" || key === "title"),
      ["handler"],
    );
    const words = await labels(md, at(md.document, "[search, ]", 9));
    ok(words.includes("answer") && !words.includes("search"), words.join());
    await retype(md, text);
    await md.document.save();
    const cases = await open(file("cases.yaml"));
    const types = await labels(cases, at(cases.document, "SEARCH", 2));
    equal(types.filter((one) => one === "FINAL").length, 1, types.join());
    const code = await open(file("pf.ts"));
    const body = at(code.document, "return injectContext", 0);
    ok(await code.edit((edit) => edit.insert(body, "ha\n    ")), "the edit was applied");
    const snippets = await labels(code, body.translate(0, 2));
    equal(snippets.filter((one) => one === "hasp: inject a context").length, 1);
    ok(snippets.includes("injectContext"), "TypeScript still completes what is its");
    await vscode.commands.executeCommand("workbench.action.files.revert");
  });

  it("explains keys in hovers", async () => {
    match(await hovers(md, at(md.document, "priority:")), /Without it: 0\.5/);
    const cases = await open(file("cases.yaml"));
    match(await hovers(cases, at(cases.document, "maxSteps")), /Without it: 15/);
  });

  it("goes from id to class, from class to id, from a case to the method, from supersedes to the skill", async () => {
    const go = "vscode.executeDefinitionProvider";
    const toPf = await eventually("the class is found", async () => {
      const found = await locate(go, md.document.uri, at(md.document, "language_one"));
      return found.some(({ uri }) => uri.path.endsWith("language-one/pf.ts")) && found;
    });
    ok(toPf.length > 0);
    const code = await open(file("pf.ts"));
    const back = await locate(go, code.document.uri, at(code.document, "LanguageOne"));
    ok(
      back.some(({ uri }) => uri.path.endsWith("SKILL.md")),
      String(back.length),
    );
    const cases = await open(file("cases.yaml"));
    const [method] = await locate(go, cases.document.uri, at(cases.document, "proposed"));
    equal(code.document.getText(method?.range), "shouldActivate");
    const two = await open(vscode.Uri.joinPath(root(), "skills/web-search/language-two/SKILL.md"));
    const [one] = await locate(go, two.document.uri, at(two.document, "language_one"));
    ok(one?.uri.path.endsWith("language-one/SKILL.md"), String(one?.uri));
  });

  it("finds references, and the recorded steps of a shipped skill as links", async () => {
    const find = "vscode.executeReferenceProvider";
    const found = await locate(find, md.document.uri, at(md.document, "language_one"));
    const files = found.map(({ uri }) => uri.path.split("/").slice(-2).join("/"));
    for (const wanted of ["language-one/SKILL.md", "language-one/pf.ts", "language-two/SKILL.md"])
      ok(files.includes(wanted), files.join());
    const page = vscode.Uri.parse("hasp-events:/recorded steps/repeated_query.md");
    match(await textOf(page), /^# Where repeated_query fired/);
    const sample = await open(vscode.Uri.joinPath(root(), "skills/web-search/repeated-query/SKILL.md"));
    const steps = await eventually("the recorded step of the sample's run", async () => {
      const all = await locate(find, sample.document.uri, at(sample.document, "repeated_query"));
      const events = all.filter(({ uri }) => uri.scheme === "hasp-events");
      return events.length > 0 && events;
    });
    const lines = await Promise.all(
      steps.map(async ({ uri, range }) => (await vscode.workspace.openTextDocument(uri)).getText(range)),
    );
    match(lines.join("\n"), /^step \d+ · \w+ · applied · /m);
  });

  it("says above a class how often it fires, beside Backtest, Debug and Teacher Review, on one line", async () => {
    const code = await open(file("pf.ts"));
    const titles = await eventually("a count of fires", async () => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        "vscode.executeCodeLensProvider",
        code.document.uri,
        20,
      );
      const own = lenses.filter(({ command }) => /pulse|beaker|debug-alt|mortar/.test(command?.title ?? ""));
      equal(new Set(own.map(({ range }) => range.start.line)).size, 1);
      const shown = own.map(({ command }) => command?.title ?? "");
      return shown.some((title) => title.includes("fires in")) && shown;
    });
    for (const wanted of [/fires in \d+ of \d+/, /Backtest/, /Debug/, /Teacher Review/])
      ok(
        titles.some((title) => wanted.test(title)),
        titles.join(" | "),
      );
  });

  it("renames a skill everywhere, with its folder, and refuses a name that is taken", async () => {
    const rename = (name: string): Thenable<vscode.WorkspaceEdit> =>
      vscode.commands.executeCommand<vscode.WorkspaceEdit>(
        "vscode.executeDocumentRenameProvider",
        md.document.uri,
        at(md.document, "language_one"),
        name,
      );
    const refused = await rename("language_two").then(
      () => "",
      (error: unknown) => String(error),
    );
    match(refused, /Another skill is called language_two/);
    const edits = (await rename("language_renamed"))
      .entries()
      .map(([uri]) => uri.path.split("/").slice(-2).join("/"));
    // The folder moves first, so its files change where they will be.
    for (const wanted of ["language-renamed/SKILL.md", "language-renamed/pf.ts", "language-two/SKILL.md"])
      ok(edits.includes(wanted), edits.join());
    // What VS Code hands back to a test has its files moved before their texts change: the command gives the edit as it was made.
    ok(await vscode.commands.executeCommand("hasp.renameSkill", folder, "language_renamed"));
    const moved = vscode.Uri.joinPath(root(), "skills/web-search/language-renamed");
    await eventually("the folder has moved", async () => {
      const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(moved, ".."));
      return entries.some(([name]) => name === "language-renamed");
    });
    await vscode.workspace.saveAll(false);
    match(
      await textOf(vscode.Uri.joinPath(moved, "SKILL.md")),
      /name: language-renamed[^]*skill_id: language_renamed/,
    );
    match(await textOf(vscode.Uri.joinPath(moved, "pf.ts")), /class LanguageRenamed/);
    match(await textOf(vscode.Uri.joinPath(moved, "cases.yaml")), /of language_renamed/);
    const two = vscode.Uri.joinPath(root(), "skills/web-search/language-two/SKILL.md");
    match(await textOf(two), /supersedes: \[language_renamed\]/);
  });
});
