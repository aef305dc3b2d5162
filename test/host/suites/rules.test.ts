import { deepEqual, equal, ok } from "node:assert/strict";

import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

import { RULES } from "../../../src/skill/rule-table.ts";
import { type BrokenScene, type Files, SCENES } from "../../support/broken/scenes.ts";
import { GOOD_PF } from "../../support/broken/by-hand.ts";
import { skill } from "../../support/broken/parts.ts";
import { THOROUGH } from "../../support/thorough.ts";
import { activated, codeOf, eventually, ours, removeSkills, root, settled, within } from "./support.ts";

/** Rules that no edit of a skill's files makes an editor show. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  HASP313: "needs recorded episodes: said once they have been judged",
  HASP314: "needs recorded episodes: said once they have been judged",
  HASP315: "needs recorded episodes: said once they have been judged",
  HASP400:
    "a PF that does not load is HASP251 in the editor, which loads each alone; this is what a run says",
  HASP403:
    "a folder without a SKILL.md is no skill to the editor; this is for one that a person names to the CLI",
  HASP409: "needs recorded episodes: said once they have been judged",
  HASP432: "follows from the folder, which no edit of its files changes",
  HASP430: "follows from hasp.yaml, not from the skill's files",
};

/** VS Code lets go of documents that nobody shows once there are 50 of them. */
const AT_ONCE = 36;
/** All of a batch, on two cores that are busy. */
const BATCH_MS = 300_000;

/** A scene as it stands in the workspace. */
interface Staged {
  readonly scene: BrokenScene;
  /** `rule-12`. */
  readonly library: string;
  readonly uri: vscode.Uri;
}

/** What a person saw of a scene. */
interface Seen {
  /** Ours, where VS Code itself says nothing at the place. */
  readonly shown: vscode.Diagnostic | undefined;
  /** VS Code's own at the place, which stand for ours. */
  readonly theirs: readonly vscode.Diagnostic[];
  /** All that is said of the file. */
  readonly said: readonly string[];
  /** Two complaints at one place. */
  readonly doubles: readonly string[];
  readonly page: string;
  readonly way: string;
  readonly isGone: boolean;
}

const inWorkspace = (library: string, path: string): vscode.Uri =>
  vscode.Uri.joinPath(root(), "skills", "rules", library, ...path.split("/"));

const isText = (text: string): boolean => !text.includes("\0");

/** What cannot be opened as text is still a skill's file. */
const isOpened = ({ code }: BrokenScene, path: string): boolean =>
  path.split("/").length === 2 && !(code === "HASP402" && path.endsWith("cases.yaml"));

async function write(library: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = inWorkspace(library, path);
    if (text === undefined) await vscode.workspace.fs.delete(file, { recursive: true });
    else await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text.replaceAll("\0", "")));
  }
}

async function retypeFile(file: vscode.Uri, text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(file);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(file, new vscode.Range(0, 0, document.lineCount, 0), text);
  ok(await vscode.workspace.applyEdit(edit), "the edit was applied");
}

/** VS Code checks a SKILL.md once it is shown. */
async function show(file: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(file);
  await vscode.window.showTextDocument(document, { preview: false, preserveFocus: true });
}

/** Writes the files and opens them. No file on disk can have a NUL and be opened, so that one is typed. */
async function stage(scene: BrokenScene, library: string): Promise<Staged> {
  await write(library, scene.files);
  for (const [path, text = ""] of Object.entries(scene.files)) {
    const file = inWorkspace(library, path);
    if (isOpened(scene, path)) await vscode.workspace.openTextDocument(file);
    if (!isText(text)) await retypeFile(file, text);
  }
  return { scene, library, uri: inWorkspace(library, scene.file) };
}

function placeOf(range: vscode.Range, uri: vscode.Uri): string {
  const { line, character } = range.start;
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  const [marked = ""] = document?.getText(range).split("\n") ?? [];
  return `${line}:${character} ${marked.slice(0, 20)}`.trim();
}

const oursAt = ({ scene, uri }: Staged): vscode.Diagnostic | undefined =>
  ours(uri).find((d) => codeOf(d) === scene.code && placeOf(d.range, uri) === scene.at);

/** VS Code's hints fade what is not used; they are no complaint. */
const complaints = (uri: vscode.Uri): vscode.Diagnostic[] =>
  vscode.languages
    .getDiagnostics(uri)
    .filter((d) => d.source === "HASP" || d.severity <= vscode.DiagnosticSeverity.Warning);

function theirsAt({ scene, uri }: Staged): vscode.Diagnostic[] {
  const [line = 0, character = 0] = (scene.at.split(" ")[0] ?? "").split(":").map(Number);
  const at = new vscode.Position(line, character);
  // Two parsers of YAML stumble at different places over one mistake; a missing key is said at the fence, or below it.
  const isAnywhere = scene.code === "HASP106" || scene.code === "HASP110";
  return complaints(uri).filter((d) => d.source !== "HASP" && (isAnywhere || d.range.contains(at)));
}

const told = (d: vscode.Diagnostic): string => `${d.source ?? "?"} ${codeOf(d)} ${d.message}`;

/** Pairs of complaints that mark the same: of two sources, or one of ours that is said twice. */
function doublesIn(uri: vscode.Uri): string[] {
  const all = complaints(uri);
  return all.flatMap((one, i) =>
    all
      .slice(i + 1)
      .filter(({ range, source, message }) =>
        source === one.source
          ? range.isEqual(one.range) && message === one.message
          : range.intersection(one.range) !== undefined,
      )
      .map((other) => `${told(one)} | ${told(other)}`),
  );
}

function pageOf({ code }: vscode.Diagnostic): string {
  if (typeof code !== "object") return "";
  const [page] = JSON.parse(decodeURIComponent(code.target.query)) as [{ path: string }];
  return page.path.split("/").slice(-3).join("/");
}

async function fixesAt({ scene, uri }: Staged, range: vscode.Range): Promise<vscode.CodeAction[]> {
  const all = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    uri,
    range,
    vscode.CodeActionKind.QuickFix.value,
  );
  return all.filter(
    ({ title, edit, command }) =>
      (edit !== undefined || command !== undefined) && "fix" in scene.way && title === scene.way.fix,
  );
}

async function hoversAt(uri: vscode.Uri, position: vscode.Position): Promise<string> {
  const found = await vscode.commands.executeCommand<vscode.Hover[]>(
    "vscode.executeHoverProvider",
    uri,
    position,
  );
  return found
    .flatMap(({ contents }) => contents.map((c) => (typeof c === "string" ? c : c.value)))
    .join("\n");
}

function rangeOf({ scene }: Staged): vscode.Range {
  const [line = 0, character = 0] = (scene.at.split(" ")[0] ?? "").split(":").map(Number);
  return new vscode.Range(line, character, line, character);
}

/** Takes the fix, or does by hand what the scene says; answers what was done. */
async function fix(staged: Staged, shown: vscode.Diagnostic | undefined): Promise<string> {
  const { scene, library, uri } = staged;
  if ("fix" in scene.way) {
    const [action] = await fixesAt(staged, shown?.range ?? rangeOf(staged));
    if (action === undefined) return "no such fix is offered";
    if (action.edit === undefined) {
      const { command = "", arguments: given = [] } = action.command ?? {};
      await vscode.commands.executeCommand(command, ...(given as unknown[]));
      return action.title;
    }
    return (await vscode.workspace.applyEdit(action.edit)) ? action.title : "the fix could not be applied";
  }
  // What ours has to say of a place that VS Code marks stands in the hover.
  const reason = shown === undefined ? await hoversAt(uri, rangeOf(staged).start) : scene.code;
  for (const [path, text] of Object.entries(scene.way.fixed)) {
    const file = inWorkspace(library, path);
    if (text === undefined) await vscode.workspace.fs.delete(file, { recursive: true });
    else await retypeFile(file, text);
  }
  return reason.includes(scene.code)
    ? "by hand"
    : `VS Code's own complaint, and no reason of ours: ${reason}`;
}

const countOf = ({ scene, uri }: Staged): number => ours(uri).filter((d) => codeOf(d) === scene.code).length;

/** What is seen of a scene before anything is fixed. */
interface Look extends Omit<Seen, "way" | "isGone"> {
  /** Complaints of ours by its code. */
  readonly count: number;
}

function lookAt(one: Staged): Look {
  const shown = oursAt(one);
  return {
    shown,
    theirs: shown === undefined ? theirsAt(one) : [],
    said: complaints(one.uri).map((d) => `${placeOf(d.range, one.uri)}: ${told(d)}`),
    doubles: doublesIn(one.uri),
    page: shown === undefined ? "" : pageOf(shown),
    count: countOf(one),
  };
}

/** Fewer of ours than before, and none of VS Code's that stood for it. */
const isFixed = (staged: Staged, { count, theirs }: Look): boolean =>
  theirs.length > 0
    ? !complaints(staged.uri).some((d) => theirs.some((old) => old.message === d.message)) &&
      oursAt(staged) === undefined
    : countOf(staged) < count;

/** Two files that VS Code itself complains of: once it does, it has seen what was opened before them. */
async function canary(library: string): Promise<void> {
  await write(library, {
    "canary/SKILL.md": skill("").replace("name: late-read", "name: other"),
    "canary/pf.ts": `${GOOD_PF}export const wrong: number = "text";\n`,
  });
  for (const path of ["canary/SKILL.md", "canary/pf.ts"]) {
    const file = inWorkspace(library, path);
    await show(file);
    await eventually(`VS Code's own complaint about ${path}`, () =>
      complaints(file).some(({ source }) => source !== "HASP"),
    );
  }
  await settled();
}

/** Sees all of a batch at once: laid out, marked, fixed, gone. */
async function watch(scenes: readonly BrokenScene[], batch: string): Promise<Map<BrokenScene, Seen>> {
  const all = await Promise.all(scenes.map((scene, i) => stage(scene, `${batch}-${i}`)));
  // One after the other: of two at once VS Code shows one.
  for (const { uri } of all) if (uri.path.endsWith(".md")) await show(uri);
  await within(BATCH_MS / 3, () => all.every((one) => oursAt(one) !== undefined || theirsAt(one).length > 0));
  await canary(`${batch}-canary`);
  const marked = new Map(all.map((one) => [one, lookAt(one)]));
  const ways = new Map<Staged, string>();
  for (const [one, { shown }] of marked) ways.set(one, await fix(one, shown));
  const isGone = (one: Staged): boolean => {
    const look = marked.get(one);
    return look !== undefined && isFixed(one, look);
  };
  await within(BATCH_MS / 3, () => all.every(isGone));
  return new Map(
    all.map((one) => {
      const { said = [], theirs = [], doubles = [], shown, page = "" } = marked.get(one) ?? {};
      return [
        one.scene,
        { shown, theirs, said, doubles, page, way: ways.get(one) ?? "", isGone: isGone(one) },
      ];
    }),
  );
}

const { Error: error, Warning: warning, Information: information, Hint: hint } = vscode.DiagnosticSeverity;
const SEVERITIES = { error, warning, information, hint };
const severityOf = (code: string): vscode.DiagnosticSeverity =>
  SEVERITIES[RULES.find((rule) => rule.code === code)?.severity ?? "hint"];

/** VS Code's own TypeScript ends on such a file, and the rest of its batch would wait for it. Shown in diagnostics.test.ts, with --thorough. */
const SHOWN_ALONE = "HASP220";
/** Scenes of one kind take one way through VS Code. */
const kindOf = ({ file, way }: BrokenScene): string =>
  [file.split("/").at(-1), "fix" in way ? "fixed" : "by hand"].join();
const all = SCENES.filter(({ code }) => code !== SHOWN_ALONE);
/** One scene of each kind. The others, each with its place and its fix, are in test/unit/skill/fixes.test.ts. */
const batched = THOROUGH ? all : [...Map.groupBy(all, kindOf).values()].flatMap(([first]) => first ?? []);
const batches = Array.from({ length: Math.ceil(batched.length / AT_ONCE) }, (_, i) =>
  batched.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
);

describe("Every rule", () => {
  const severities = new Map<string, vscode.DiagnosticSeverity>();
  before(async () => {
    await activated();
    // Each open run would be judged anew with every skill that is written here.
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("is broken here, or named with the reason why no edit of a skill shows it", () => {
    const driven = new Set<string>(SCENES.map(({ code }) => code));
    const both = Object.keys(ELSEWHERE).filter((code) => driven.has(code));
    deepEqual(both, []);
    deepEqual(
      [...driven, ...Object.keys(ELSEWHERE)].toSorted(),
      RULES.map(({ code }) => code),
    );
  });

  for (const [n, scenes] of batches.entries()) {
    describe(`shown and fixed, part ${n + 1}`, function () {
      this.timeout(BATCH_MS);
      let seen: ReadonlyMap<BrokenScene, Seen>;
      before(async () => {
        seen = await watch(scenes, `rule-${n}`);
      });
      after(removeSkills);

      for (const [i, scene] of scenes.entries()) {
        it(`${scene.code} in ${scene.file.split("/").at(-1)} (${n + 1}.${i + 1})`, () => {
          const found = seen.get(scene);
          ok(found, "it was looked at");
          const { shown, theirs, said, doubles, page, way, isGone } = found;
          ok(shown !== undefined || theirs.length > 0, `nothing at ${scene.at}, but ${said.join("\n")}`);
          if (shown !== undefined) {
            ok(shown.severity >= severityOf(scene.code), "no worse than the table of rules says");
            if (shown.severity <= (severities.get(scene.code) ?? hint))
              severities.set(scene.code, shown.severity);
            equal(page, `docs/rules/${scene.code}.md`);
          }
          deepEqual(doubles, []);
          equal(way, "fix" in scene.way ? scene.way.fix : "by hand");
          ok(isGone, "it is gone once it is fixed");
        });
      }
    });
  }

  // Mocha runs what stands in a suite itself before the suites in it.
  describe("in the end", () => {
    it("is shown as bad as the table of rules says, in one of its forms", () => {
      deepEqual(
        [...severities].filter(([code, worst]) => worst !== severityOf(code)),
        [],
      );
    });

    it("is not in the editor where it is said not to be", async () => {
      await write("rule-none", { "no-skill/pf.ts": GOOD_PF });
      await vscode.workspace.openTextDocument(inWorkspace("rule-none", "no-skill/pf.ts"));
      await settled();
      const codes = vscode.languages.getDiagnostics().flatMap(([, list]) => list.map(codeOf));
      deepEqual(
        codes.filter((code) => code in ELSEWHERE),
        [],
      );
      await removeSkills();
    });
  });
});
