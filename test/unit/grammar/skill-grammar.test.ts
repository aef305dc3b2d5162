import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { IGrammar } from "vscode-textmate";
import { HASP_KEYS, PHASE_KEYS } from "../../../src/skill/skill-keys.ts";
import { ACTIONS, CONDITIONS } from "../../../src/skill/vocabulary.ts";
import { ROOT } from "../../support/core.ts";
import { COLOURED_SKILL, COLOURS, openGrammar, scopesOf as scopesIn } from "../../support/skill-grammar.ts";

const INJECTED = "markdown.hasp.skill";
const ours = readFileSync(path.join(ROOT, "syntaxes/hasp-skill.tmLanguage.json"), "utf8");

/** As much of VS Code's own Markdown and YAML as an injection meets: a frontmatter, headings, fences. A host test takes VS Code's own. */
const MARKDOWN = {
  scopeName: "text.html.markdown",
  patterns: [
    {
      begin: "\\A-{3}\\s*$",
      contentName: "meta.embedded.block.frontmatter",
      end: "(?:^|\\G)-{3}|\\.{3}\\s*$",
      patterns: [{ include: "source.yaml" }],
    },
    { begin: "^```", end: "^```", name: "markup.fenced_code.block.markdown" },
    { match: "^#+ .*$", name: "markup.heading.plain" },
  ],
};
const YAML = {
  scopeName: "source.yaml",
  patterns: [
    { match: "#.*$", name: "comment.line.yaml" },
    { match: "[\\w-]+(?=:)", name: "entity.name.tag.yaml" },
    { match: "[\\w-]+", name: "string.unquoted.yaml" },
  ],
};

let grammar: IGrammar;

beforeAll(async () => {
  const wasm = createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm");
  const raw: Readonly<Record<string, string>> = {
    "text.html.markdown": JSON.stringify(MARKDOWN),
    "source.yaml": JSON.stringify(YAML),
    [INJECTED]: ours,
  };
  const root = "text.html.markdown";
  grammar = await openGrammar({ wasm: readFileSync(wasm), root, textOf: (scope) => raw[scope] });
});

const scopesOf = (text: string, word: string): string[] => scopesIn(grammar, text, word);

test.each(COLOURS)(
  "of HASP's own parts %s is coloured, an unknown phase stands out, and nothing beside them",
  (word, scopes) => {
    expect(scopesOf(COLOURED_SKILL, word)).toEqual(scopes);
  },
);

test("every key, condition and action of the vocabulary has its colour", () => {
  const of = (lines: string): string => `---\nmetadata:\n  hasp:\n${lines}\n---\n`;
  for (const key of [...HASP_KEYS, ...PHASE_KEYS])
    expect(scopesOf(of(`    ${key}: x`), key)).not.toEqual([""]);
  for (const key of HASP_KEYS)
    expect(scopesOf(`---\nmetadata:\n  hasp_${key}: x\n---\n`, `hasp_${key}`)).not.toEqual([""]);
  for (const word of Object.keys(CONDITIONS))
    expect(scopesOf(of(`    conditions:\n      - ${word}`), word)).toEqual([
      "constant.language.condition.hasp",
    ]);
  for (const word of Object.keys(ACTIONS))
    expect(scopesOf(of(`    action: ${word}`), word)).toEqual(["support.function.action.hasp"]);
});

test("no shipped skill has a phase that looks unknown", () => {
  const files = readdirSync(path.join(ROOT, "skills"), { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => path.basename(name) === "SKILL.md"))
    expect(
      scopesOf(readFileSync(path.join(ROOT, "skills", file), "utf8"), "## Phase:").join(" "),
      file,
    ).not.toContain("invalid");
});
