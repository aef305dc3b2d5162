import { describe, expect, it, vi } from "vitest";
import type * as vscode from "vscode";
import { openCaseItems } from "../../../src/extension/tests/items.ts";
import type { LibrarySource, LocatedSkill } from "../../../src/extension/workspace/library.ts";
import type { NodeFiles } from "../../../src/platform/files.ts";

/** What the items use of VS Code. */
vi.mock("vscode", () => {
  class Range {
    readonly places: readonly number[];
    constructor(...places: number[]) {
      this.places = places;
    }
  }
  return { Range, DiagnosticSeverity: {} };
});

type TextResult = Awaited<ReturnType<NodeFiles["readText"]>>;

interface FakeItem {
  readonly id: string;
  readonly label: string;
  readonly children: FakeItems;
  canResolveChildren: boolean;
}

class FakeItems extends Map<string, FakeItem> {
  add(item: FakeItem): void {
    this.set(item.id, item);
  }
}

const controller = () => ({
  items: new FakeItems(),
  createTestItem: (id: string, label: string): FakeItem => ({
    id,
    label,
    children: new FakeItems(),
    canResolveChildren: false,
  }),
});

const uri = (path: string): vscode.Uri => ({ path, fsPath: path }) as vscode.Uri;
const SKILL = {
  uri: uri("/w/skills/web-search/one"),
  skillMd: uri("/w/skills/web-search/one/SKILL.md"),
  cases: uri("/w/skills/web-search/one/cases.yaml"),
  domain: "web-search",
  skillId: "one",
  isBuiltIn: false,
  isDisabled: false,
} as LocatedSkill;

const caseNamed = (name: string): string =>
  `cases:\n  - name: ${name}\n    proposed: { type: SEARCH, arg: a }\n    expect: { fires: false }\n`;

/** A file whose reads answer when they are told to, each with the text that stood there when it began. */
function slowFile(text: string) {
  const file = { text, waiting: [] as (() => void)[] };
  const readText = (): Promise<TextResult> => {
    const found: TextResult = { kind: "text", text: file.text };
    return new Promise((resolve) => file.waiting.push(() => resolve(found)));
  };
  return { file, files: { readText } as unknown as NodeFiles };
}

describe("The cases of a skill as tests", () => {
  it("are those of the newest text, whichever read of it answers last", async () => {
    const { file, files } = slowFile(caseNamed("before"));
    const library = { list: () => Promise.resolve([SKILL]) } as unknown as LibrarySource;
    const tests = controller();
    const items = openCaseItems({
      controller: tests as unknown as vscode.TestController,
      files,
      library,
    });
    await items.refresh();
    const item = tests.items.get("web-search")?.children.get(SKILL.uri.path) as unknown as vscode.TestItem;
    const first = items.resolve(item);
    await expect.poll(() => file.waiting).toHaveLength(1);
    file.text = caseNamed("after");
    const second = items.leaves(item);
    // Whatever is being read by now answers in the opposite order, until nothing is.
    const answered = Promise.all([first, second]);
    const answering = setInterval(() => file.waiting.pop()?.(), 5);
    const [, leaves] = await answered;
    clearInterval(answering);
    expect(leaves.map(({ label }) => label)).toEqual(["after"]);
    expect([...item.children].map(([id]) => id)).toEqual(["after"]);
  });
});
