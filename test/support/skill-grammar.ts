import { createOnigScanner, createOnigString, loadWASM } from "vscode-oniguruma";
import { INITIAL, parseRawGrammar, Registry, type IGrammar } from "vscode-textmate";

/** Where ours is injected: into Markdown, and into what VS Code makes of it for skills. */
const HOSTS: readonly string[] = ["text.html.markdown", "text.html.markdown.prompt"];
const OURS = "markdown.hasp.skill";

interface Grammars {
  /** `onig.wasm`, loaded once a process. */
  readonly wasm: ArrayBufferView;
  /** The grammar of what is tokenized. */
  readonly root: string;
  /** The text of a grammar by its scope. */
  readonly textOf: (scope: string) => string | undefined;
}

/** A Markdown grammar with ours injected, as VS Code puts them together. */
export async function openGrammar({ wasm, root, textOf }: Grammars): Promise<IGrammar> {
  await loadWASM(wasm);
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner, createOnigString }),
    loadGrammar: async (scope) => {
      const text = textOf(scope);
      const kind = text?.startsWith("<") === true ? "plist" : "json";
      return text === undefined ? null : parseRawGrammar(text, `${scope}.${kind}`);
    },
    getInjections: (scope) => (HOSTS.includes(scope) ? [OURS] : undefined),
  });
  const loaded = await registry.loadGrammar(root);
  if (loaded === null) throw new Error(`There is no grammar ${root}.`);
  return loaded;
}

/** All scopes of `word` in each line that has it. */
export function allScopesOf(grammar: IGrammar, text: string, word: string): string[][] {
  let stack = INITIAL;
  const found: string[][] = [];
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    const at = line.indexOf(word);
    const token = at < 0 ? undefined : tokens.find((t) => t.startIndex <= at && t.endIndex > at);
    if (token !== undefined) found.push(token.scopes.flatMap((scope) => scope.split(" ")));
  }
  return found;
}

/** The same, our own only: one text a line. */
export function scopesOf(grammar: IGrammar, text: string, word: string): string[] {
  return allScopesOf(grammar, text, word).map((scopes) =>
    scopes.filter((scope) => scope.endsWith(".hasp") && scope !== "meta.hasp").join(" "),
  );
}

export const COLOURED_SKILL = `---
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

/** What ours adds to each line of that skill that has the word. */
export const COLOURS: readonly (readonly [word: string, scopes: readonly string[]])[] = [
  ["skill_id", ["support.type.property-name.hasp", ""]],
  ["author", [""]],
  ["few_steps_left", ["constant.language.condition.hasp"]],
  ["no_read_yet", ["constant.language.condition.hasp", ""]],
  ["answer_now", ["support.function.action.hasp"]],
  ["llm", ["constant.language.handler.hasp"]],
  ["pre_final", ["entity.name.section.phase.hasp", "meta.heading.hasp entity.name.section.phase.hasp"]],
  ["sometimes", ["meta.heading.hasp invalid.illegal.phase.hasp"]],
  ["Handler", ["meta.heading.hasp keyword.other.handler.hasp"]],
  ["post_read", [""]],
];
