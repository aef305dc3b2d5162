import { highlightTree, tagHighlighter, tags } from "@lezer/highlight";
import { parser } from "@lezer/python";
import type { CodeToken } from "../shared/code-pieces.ts";

/** What has a colour, by the classes of `webview/shared/code-styles.ts`; all else has that of the text. */
const COLOURED = tagHighlighter([
  { tag: tags.keyword, class: "keyword" },
  { tag: [tags.bool, tags.null, tags.self], class: "constant" },
  { tag: tags.string, class: "string" },
  { tag: tags.number, class: "number" },
  { tag: tags.comment, class: "comment" },
  {
    tag: [tags.definition(tags.className), tags.function(tags.definition(tags.variableName))],
    class: "name",
  },
  { tag: tags.meta, class: "name" },
]);

/** The coloured parts of a program in their order. What is no Python has those that its parser makes of it. */
export function pythonTokens(program: string): readonly CodeToken[] {
  const tokens: CodeToken[] = [];
  try {
    highlightTree(parser.parse(program), COLOURED, (from, to, kind) => tokens.push({ from, to, kind }));
  } catch {
    // Nesting that is too deep for the walk over its tree: a program without colours.
    return [];
  }
  return tokens;
}
