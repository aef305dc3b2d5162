import * as vscode from "vscode";
import { toVsRange } from "./convert.ts";
import type { Publisher } from "./publisher.ts";

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
        const texts = here.map(({ message, next, code }) => {
          const text = new vscode.MarkdownString();
          text.appendMarkdown(`**HASP** ${code}: `);
          text.appendText(next === undefined ? message : `${message} ${next}`);
          return text;
        });
        return new vscode.Hover(texts, toVsRange(first.range));
      },
    },
  );
}
