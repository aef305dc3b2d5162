import { deepEqual, equal, ok } from "node:assert/strict";

import { before, describe, it } from "mocha";
import * as vscode from "vscode";

import { THOROUGH } from "../../support/thorough.ts";
import {
  activated,
  asInSamples,
  eventually,
  everyones,
  open,
  root,
  skillsSettled,
  typescriptSettled,
} from "./support.ts";

/** Ours checks every kind in test/unit/skill/scaffold-kinds.test.ts. */
const KINDS = THOROUGH ? ["rewrite", "inject", "final-code", "final-llm", "prompt"] : ["inject", "prompt"];

/** VS Code's own TypeScript starts, and looks at files one after the other. */
const ALL_KINDS_MS = 180_000;

const FILES = ["SKILL.md", "pf.ts", "cases.yaml"];

async function newSkill(name: string, kind: string): Promise<vscode.Uri | undefined> {
  const description = "Use when the suite asks for a skill.";
  return vscode.commands.executeCommand<vscode.Uri | undefined>("hasp.newSkill", {
    domain: "web-search",
    name,
    description,
    kind,
  });
}

async function read(uri: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

describe("HASP: New Skill", () => {
  before(activated);
  before(asInSamples);

  it("writes a skill of each kind that has no problem and whose cases hold", async () => {
    const written = new Map<string, readonly vscode.Uri[]>();
    for (const kind of KINDS) {
      const folder = await newSkill(`suite-${kind}`, kind);
      ok(folder, "the command gives the new folder");
      const names = (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name).toSorted();
      const hasCode = kind !== "final-llm" && kind !== "prompt";
      deepEqual(names, hasCode ? FILES.toSorted() : ["SKILL.md"], kind);
      written.set(
        kind,
        names.map((name) => vscode.Uri.joinPath(folder, name)),
      );
    }
    const files = [...written.values()].flat();
    // VS Code checks what is shown once, and keeps it checked.
    for (const file of files) await open(file);
    for (const file of files.filter(({ path }) => path.endsWith(".ts"))) await typescriptSettled(file);
    await skillsSettled();
    for (const [kind, ofKind] of written) {
      const problems = ofKind.flatMap((file) => everyones(file).map((d) => d.message.split("\n")[0]));
      deepEqual(new Set(problems), new Set(["Still the template's text."]), kind);
    }
  }).timeout(ALL_KINDS_MS);

  it("opens pf.ts beside SKILL.md", async () => {
    const folder = await newSkill("suite-beside", "inject");
    ok(folder);
    const shown = await eventually("two editors", () => {
      const paths = vscode.window.visibleTextEditors.map((editor) => editor.document.uri.path);
      return FILES.slice(0, 2).every((file) => paths.includes(`${folder.path}/${file}`)) && paths;
    });
    equal(new Set(shown).size >= 2, true);
  });

  it("never writes over a skill that is there", async () => {
    const folder = await newSkill("suite-twice", "inject");
    ok(folder);
    const file = vscode.Uri.joinPath(folder, "pf.ts");
    const before = (await vscode.workspace.openTextDocument(file)).getText();
    // VS Code empties a file before it writes it, and may save one twice: on request, and after the delay of its own.
    await eventually("the file as it was saved", async () => (await read(file)) === before);
    equal(await newSkill("suite-twice", "rewrite"), undefined);
    equal(await read(file), before);
  });

  it("writes the types that VS Code's own TypeScript needs", async () => {
    const types = vscode.Uri.joinPath(root(), ".hasp", "types", "hasp.d.ts");
    await eventually("the types", async () => (await read(types)).includes("ProgramFunction"));
    ok((await read(vscode.Uri.joinPath(root(), "skills", "tsconfig.json"))).includes("hasp"));
  });
});
