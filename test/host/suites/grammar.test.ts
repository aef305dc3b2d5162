import { deepEqual, ok } from "node:assert/strict";

import { before, describe, it } from "mocha";
import * as vscode from "vscode";
import type { IGrammar } from "vscode-textmate";

import { allScopesOf, COLOURED_SKILL, COLOURS, openGrammar, scopesOf } from "../../support/skill-grammar.ts";

const ID = "hasp-studio.hasp-studio";

interface Contributed {
  readonly language?: string;
  readonly scopeName: string;
  readonly path: string;
}

const read = async (uri: vscode.Uri): Promise<Uint8Array> => vscode.workspace.fs.readFile(uri);

/** Every grammar of the extensions that this VS Code has, ours among them. */
async function installed(): Promise<{ readonly texts: Map<string, string>; readonly ofSkill: string }> {
  const texts = new Map<string, string>();
  let ofSkill = "";
  for (const { extensionUri, packageJSON } of vscode.extensions.all) {
    const { contributes } = packageJSON as { contributes?: { grammars?: readonly Contributed[] } };
    for (const { language, scopeName, path } of contributes?.grammars ?? []) {
      const bytes = await read(vscode.Uri.joinPath(extensionUri, path));
      texts.set(scopeName, new TextDecoder().decode(bytes));
      if (language === "skill") ofSkill = scopeName;
    }
  }
  return { texts, ofSkill };
}

describe("The colours of a SKILL.md, with VS Code's own grammars", () => {
  let grammar: IGrammar;
  before(async () => {
    const { texts, ofSkill } = await installed();
    for (const needed of ["text.html.markdown", "source.yaml", "source.ts"])
      ok(texts.has(needed), `VS Code brings ${needed}`);
    const root = vscode.extensions.getExtension(ID)?.extensionUri;
    ok(root);
    const wasm = await read(vscode.Uri.joinPath(root, "node_modules/vscode-oniguruma/release/onig.wasm"));
    // Where VS Code has no language of its own for skills, they are Markdown.
    grammar = await openGrammar({
      wasm: new Uint8Array(wasm),
      root: ofSkill === "" ? "text.html.markdown" : ofSkill,
      textOf: (scope) => texts.get(scope),
    });
  });

  it("are those of HASP's own parts, and of nothing beside them", () => {
    deepEqual(
      COLOURS.map(([word]) => [word, scopesOf(grammar, COLOURED_SKILL, word)]),
      COLOURS.map(([word, scopes]) => [word, scopes]),
    );
  });

  it("leave YAML, Markdown and TypeScript as VS Code colours them", () => {
    const text = `---\nname: a # why\nmetadata:\n  hasp:\n    title: "a b" # why\n---\n# Title\n\n\`\`\`ts\nconst n = 1;\n\`\`\`\n`;
    const scopes = (word: string): string[] => allScopesOf(grammar, text, word).at(-1) ?? [];
    ok(scopes("name").includes("entity.name.tag.yaml"), scopes("name").join(" "));
    ok(scopes("a b").includes("string.quoted.double.yaml"), scopes("a b").join(" "));
    ok(scopes("why").includes("comment.line.number-sign.yaml"), scopes("why").join(" "));
    ok(scopes("Title").includes("heading.1.markdown"), scopes("Title").join(" "));
    ok(scopes("const").includes("storage.type.ts"), scopes("const").join(" "));
  });

  it("are those of the document that VS Code opens", async () => {
    const file = vscode.Uri.joinPath(
      vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file("/"),
      "skills/web-search/repeated-query/SKILL.md",
    );
    const { languageId } = await vscode.workspace.openTextDocument(file);
    ok(["skill", "markdown"].includes(languageId), languageId);
  });
});
