import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createOnigScanner, createOnigString, loadWASM } from "vscode-oniguruma";
import { INITIAL, Registry, parseRawGrammar, type IGrammar } from "vscode-textmate";
import { HASP_KEYS, PHASE_KEYS } from "../../../src/skill/skill-keys.ts";
import { ACTIONS, CONDITIONS } from "../../../src/skill/vocabulary.ts";
import { ROOT } from "../../support/core.ts";

const INJECTED = "markdown.hasp.skill";
const ours = readFileSync(path.join(ROOT, "syntaxes/hasp-skill.tmLanguage.json"), "utf8");

/** As much of VS Code's own Markdown and YAML as an injection meets: a frontmatter, headings, fences. */
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
  await loadWASM(readFileSync(wasm));
  const raw: Readonly<Record<string, string>> = {
    "text.html.markdown": JSON.stringify(MARKDOWN),
    "source.yaml": JSON.stringify(YAML),
    [INJECTED]: ours,
  };
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner, createOnigString }),
    loadGrammar: async (scope) => {
      const text = raw[scope];
      return text === undefined ? null : parseRawGrammar(text, `${scope}.json`);
    },
    getInjections: (scope) => (scope === "text.html.markdown" ? [INJECTED] : undefined),
  });
  const loaded = await registry.loadGrammar("text.html.markdown");
  if (loaded === null) throw new Error("no grammar");
  grammar = loaded;
});

/** The scopes of `word` in each line that has it, our own only. */
function scopesOf(text: string, word: string): string[] {
  let stack = INITIAL;
  const found: string[] = [];
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    const at = line.indexOf(word);
    const token = at < 0 ? undefined : tokens.find((t) => t.startIndex <= at && t.endIndex > at);
    if (token !== undefined)
      found.push(
        token.scopes
          .flatMap((scope) => scope.split(" "))
          .filter((scope) => scope.endsWith(".hasp") && scope !== "meta.hasp")
          .join(" "),
      );
  }
  return found;
}

const SKILL = `---
name: a
metadata:
  author: me
  hasp:
    skill_id: a_b
    handler: llm

    phases:
      pre_final:
        conditions: [no_read_yet, few_steps_left]
        action: answer_now
  other:
    skill_id: not ours
---
# Title

## Phase: pre_final
## Phase: sometimes
## Handler
\`\`\`
## Phase: post_read
\`\`\`
no_read_yet
`;

test("HASP's own part of the frontmatter is coloured, and nothing beside it", () => {
  expect(scopesOf(SKILL, "skill_id")).toEqual(["support.type.property-name.hasp", ""]);
  expect(scopesOf(SKILL, "author")).toEqual([""]);
  expect(scopesOf(SKILL, "few_steps_left")).toEqual(["constant.language.condition.hasp"]);
  expect(scopesOf(SKILL, "no_read_yet")).toEqual(["constant.language.condition.hasp", ""]);
  expect(scopesOf(SKILL, "answer_now")).toEqual(["support.function.action.hasp"]);
  expect(scopesOf(SKILL, "llm")).toEqual(["constant.language.handler.hasp"]);
});

test("headings of phases and the handler are, an unknown phase stands out, and code is left alone", () => {
  expect(scopesOf(SKILL, "pre_final")).toEqual([
    "entity.name.section.phase.hasp",
    "meta.heading.hasp entity.name.section.phase.hasp",
  ]);
  expect(scopesOf(SKILL, "sometimes")).toEqual(["meta.heading.hasp invalid.illegal.phase.hasp"]);
  expect(scopesOf(SKILL, "Handler")).toEqual(["meta.heading.hasp keyword.other.handler.hasp"]);
  expect(scopesOf(SKILL, "post_read")).toEqual([""]);
});

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
      [file, ...scopesOf(readFileSync(path.join(ROOT, "skills", file), "utf8"), "## Phase:")].join(" "),
    ).not.toContain("invalid");
});
