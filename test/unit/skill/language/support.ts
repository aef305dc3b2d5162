import { REGISTERED } from "../../../../src/domains/registered.ts";
import { domainOf } from "../../../../src/domains/registry.ts";
import type { Position } from "../../../../src/model/diagnostic.ts";
import type { Proposal } from "../../../../src/skill/language/complete-yaml.ts";
import type { LanguageFacts } from "../../../../src/skill/language/facts.ts";
import { sourceText } from "../../../../src/skill/source-text.ts";

export const FACTS: LanguageFacts = {
  folder: "late-read",
  scope: { own: domainOf("web-search"), all: REGISTERED },
  others: [{ skillId: "early_read", title: "Read early", description: "Use when nothing was read." }],
};
export const CODING: LanguageFacts = {
  ...FACTS,
  scope: { own: domainOf("coding-agent"), all: REGISTERED },
};

/** A text with `|` where the cursor stands. */
export function atCursor(marked: string): { text: string; position: Position } {
  const at = marked.indexOf("|");
  const text = marked.slice(0, at) + marked.slice(at + 1);
  return { text, position: sourceText(text).positionAt(at) };
}

/** What a snippet writes when its places are left as they are. */
export function plain(snippet: string): string {
  return snippet
    .replaceAll(/\$\{\d+\|([^,|]*)[^|]*\|\}/g, "$1")
    .replaceAll(/\$\{\d+:([^}]*)\}/g, "$1")
    .replaceAll(/\$\d+/g, "");
}

/** The text after a proposal was accepted, as VS Code inserts it. */
export function accepted(text: string, { insert, range, append = "" }: Proposal): string {
  const source = sourceText(text);
  const start = source.offsetAt(range.start);
  const line = text.split("\n")[range.start.line] ?? "";
  const blanks = /^\s*/.exec(line)?.[0] ?? "";
  const written = plain(insert).replaceAll("\n", `\n${blanks}`);
  return text.slice(0, start) + written + text.slice(source.offsetAt(range.end)) + append;
}
