import { describe, expect, it, vi } from "vitest";
import type * as vscode from "vscode";

interface At {
  readonly line: number;
  readonly character: number;
}

/** What completion uses of VS Code. */
vi.mock("vscode", () => {
  /** Stands for the classes that are only made and handed on. */
  class Held {
    readonly held: unknown;
    constructor(held: unknown) {
      this.held = held;
    }
  }
  class Range {
    readonly start: At;
    readonly end: At;
    constructor(startLine: number, start: number, endLine: number, end: number) {
      this.start = { line: startLine, character: start };
      this.end = { line: endLine, character: end };
    }
  }
  const joinPath = (uri: { path: string }, part: string): { path: string } => ({
    path: part === ".." ? uri.path.replace(/\/[^/]*$/, "") : `${uri.path}/${part}`,
  });
  return {
    Position: Held,
    Range,
    Uri: { joinPath },
    CompletionItemKind: {},
    DiagnosticSeverity: {},
    CompletionItem: Held,
    SnippetString: Held,
    MarkdownString: Held,
    TextEdit: { insert: () => undefined },
    extensions: { getExtension: () => undefined },
    languages: new Proxy({}, { get: () => register }),
    workspace: { registerTextDocumentContentProvider: register },
    commands: { registerCommand: register },
    Disposable: { from: () => undefined },
  };
});

const providers: Partial<vscode.CompletionItemProvider>[] = [];
function register(_selector: unknown, provider: Partial<vscode.CompletionItemProvider>): void {
  if (provider.provideCompletionItems !== undefined) providers.push(provider);
}

const head =
  "---\nname: late-read\nmetadata:\n  hasp:\n    phases:\n      post_search:\n        conditions: ";

describe("Completion while a person types on", () => {
  it("takes the place of what was there when it was asked for, and of no later character", async () => {
    const { registerLanguage } = await import("../../../src/extension/language/register.ts");
    const listed = Promise.withResolvers<never[]>();
    const services = { editorServices: { library: { list: () => listed.promise } }, findings: {} };
    registerLanguage(services as unknown as Parameters<typeof registerLanguage>[0]);
    let text = `${head}[n]\n---\n`;
    const uri = { path: "/w/skills/web-search/late-read/SKILL.md" } as vscode.Uri;
    const document = { uri, getText: () => text } as vscode.TextDocument;
    const at: At = { line: 6, character: "        conditions: [n".length };
    const position = at as vscode.Position;
    const asked = providers[0]?.provideCompletionItems?.(document, position, {} as never, {} as never);
    text = `${head}[no_re]\n---\n`;
    listed.resolve([]);
    const items = (await asked) as unknown as { held: string; range: { end: At } }[];
    expect(items.map(({ held }) => held)).toContain("no_read_yet");
    expect(items.map(({ range }) => range.end)).toEqual(items.map(() => at));
  });
});
