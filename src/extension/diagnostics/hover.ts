import * as vscode from "vscode";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { toVsRange } from "./convert.ts";
import type { Publisher } from "./publisher.ts";

/** `appendText` of MarkdownString would make every space unbreakable. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+\-.!<>|~&]/g, "\\$&");
}

/** Text between backticks is code, which Markdown leaves alone; the rest is escaped. */
function asMarkdown({ message, next, code }: Diagnostic): vscode.MarkdownString {
  const parts = `${message} ${next ?? ""}`.trim().split("`");
  const written = parts.map((part, i) =>
    i % 2 === 1 && i < parts.length - 1 ? `\`${part}\`` : escaped(part),
  );
  return new vscode.MarkdownString(`**${code}** ${written.join("")}`);
}

/**
 * The reason and the next step of a complaint of ours that is held back because VS Code shows the same place, e.g. why a
 * PF may not read `Date`, where VS Code's own TypeScript only says that it cannot find the name.
 */
export function registerReasonHover(publisher: Publisher): vscode.Disposable {
  return vscode.languages.registerHoverProvider(
    { scheme: "file", pattern: "**/{pf.ts,SKILL.md}" },
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
