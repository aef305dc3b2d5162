import * as vscode from "vscode";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { toVsRange } from "./convert.ts";
import type { Publisher } from "./publisher.ts";

/** `appendText` of MarkdownString would make every space unbreakable. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+\-.!<>|~&]/g, "\\$&");
}

/** What stands between backticks is code, which Markdown leaves alone; the rest is text and is escaped. */
function asMarkdown({ message, next, code }: Diagnostic): vscode.MarkdownString {
  const parts = `${message} ${next ?? ""}`.trim().split("`");
  const written = parts.map((part, i) =>
    i % 2 === 1 && i < parts.length - 1 ? `\`${part}\`` : escaped(part),
  );
  return new vscode.MarkdownString(`**${code}** ${written.join("")}`);
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
