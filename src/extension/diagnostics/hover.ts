import * as vscode from "vscode";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { toVsRange } from "./convert.ts";
import type { Publisher } from "./publisher.ts";

/** What stands between backticks is code, which Markdown leaves alone; the rest is text and is escaped. */
function asMarkdown({ message, next, code }: Diagnostic): vscode.MarkdownString {
  const text = new vscode.MarkdownString(`**${code}** `);
  const parts = `${message} ${next ?? ""}`.trim().split("`");
  for (const [i, part] of parts.entries()) {
    const isCode = i % 2 === 1 && i < parts.length - 1;
    if (isCode) text.appendMarkdown(`\`${part}\``);
    else text.appendText(part);
  }
  return text;
}

/**
 * Why a name is refused, where VS Code's own TypeScript only says that it cannot find it: our complaint is held back
 * there so that a person sees one squiggle, and its reason stands in the hover.
 */
export function registerRefusalHover(publisher: Publisher): vscode.Disposable {
  return vscode.languages.registerHoverProvider(
    { scheme: "file", pattern: "**/pf.ts" },
    {
      provideHover(document, position) {
        const here = publisher.heldBack(document.uri).filter((d) => toVsRange(d.range).contains(position));
        const [first] = here;
        if (first === undefined) return undefined;
        return new vscode.Hover(here.map(asMarkdown), toVsRange(first.range));
      },
    },
  );
}
