import { beforeEach, expect, it, vi } from "vitest";
import type * as vscode from "vscode";
import { registerFailuresTree } from "../../../src/extension/failures/failures-tree.ts";
import type { FailuresResult } from "../../../src/extension/failures/result.ts";
import type { Row } from "../../../src/extension/tree.ts";
import { FAILURE_DETECTORS, type FailureReport, type FoundFailure } from "../../../src/model/failure.ts";
import { clusterOf, exampleOf } from "./failure-support.ts";

const shown = vi.hoisted(() => ({
  provider: undefined as unknown,
  view: { message: "", visible: false, reveal: async () => undefined },
  keys: new Map<unknown, unknown>(),
}));

/** The parts of VS Code that the tree uses. */
vi.mock("vscode", () => {
  class TreeItem {
    readonly label: string;
    constructor(label: string) {
      this.label = label;
    }
  }
  class EventEmitter {
    readonly event = (): void => undefined;
    fire(): void {}
  }
  class ThemeIcon {
    readonly id: string;
    constructor(id: string) {
      this.id = id;
    }
  }
  class MarkdownString {
    value = "";
    isTrusted: unknown;
    appendMarkdown(text: string): this {
      this.value += text;
      return this;
    }
  }
  return {
    TreeItem,
    EventEmitter,
    ThemeIcon,
    MarkdownString,
    TreeItemCollapsibleState: {},
    ThemeColor: EventEmitter,
    Uri: { parse: (text: string) => ({ path: text }) },
    commands: {
      executeCommand: async (_id: string, key: string, value: unknown) => void shown.keys.set(key, value),
    },
    window: {
      createTreeView(_id: string, { treeDataProvider }: { readonly treeDataProvider: unknown }) {
        shown.provider = treeDataProvider;
        return shown.view;
      },
    },
  };
});

const childrenOf = async (parent?: Row): Promise<readonly Row[]> =>
  (await (shown.provider as vscode.TreeDataProvider<Row>).getChildren(parent)) ?? [];
const labelsOf = (rows: readonly Row[]): unknown[] => rows.map(({ item }) => item.label);

const RUN = "file:///r/episodes.jsonl";
const OTHER = "file:///s/episodes.jsonl";

const failure = (run: string, index: number, outcome: FoundFailure["outcome"]): FoundFailure => {
  const { steps: _steps, ...example } = exampleOf({ run, index });
  return { ...example, domain: "web-search", outcome, length: 5, detected: [] };
};

const none = { wrong: 0, halted: 0, correct: 0, unjudged: 0 };

const report: FailureReport = {
  episodes: { wrong: 4, halted: 2, correct: 10, unjudged: 0 },
  leftOut: 0,
  detectors: {
    ...(Object.fromEntries(FAILURE_DETECTORS.map((name) => [name, none])) as FailureReport["detectors"]),
    premature_final: { ...none, wrong: 1, correct: 1 },
    repeated_search: { ...none, wrong: 2, halted: 2 },
  },
  failures: [failure(RUN, 0, "halted"), failure(RUN, 3, "wrong"), failure(OTHER, 0, "wrong")],
  clusters: [
    clusterOf({ examples: [exampleOf({}), exampleOf({ run: OTHER, question: "Where [x](y)?\n\u202E" })] }),
    clusterOf({ id: "detector:other", category: "other", isNewCategory: false }),
  ],
  smallClusters: 1,
  summaries: { made: 0, missing: 0, namesAnswer: 0 },
};

const result: FailuresResult = {
  plan: { runs: [], teacher: false },
  report,
  titles: new Map([
    [RUN, "first [run](command:x)"],
    [OTHER, "second"],
  ]),
  cost: undefined,
  lacks: [],
  cancelled: false,
};

beforeEach(() => {
  shown.keys.clear();
  shown.view.message = "";
});

it("shows clusters in the order of the analysis, and the detectors below them", async () => {
  const tree = registerFailuresTree();
  await tree.show(result);
  const rows = await childrenOf();
  expect(labelsOf(rows)).toEqual(["stale_query", "other", "Detectors"]);
  expect(rows.map(({ item }) => item.id)).toEqual(["detector:stale_query", "detector:other", undefined]);
  expect(rows[0]?.item.description).toBe("2 episodes · retrieval · new");
  expect(shown.view.message).toBe(
    "2 runs: 6 of 16 episodes failed. 2 clusters, 1 new. 1 small cluster left out.",
  );
  expect(shown.keys.get("hasp.hasFailures")).toBe(true);
});

it("opens an example at the step that shows the failure, with the outcome of its episode", async () => {
  const tree = registerFailuresTree();
  await tree.show(result);
  const [cluster] = await childrenOf();
  const rows = await childrenOf(cluster);
  expect(labelsOf(rows)).toEqual([
    "Trigger: A search equals the one before.",
    "Hint: Search for something else.",
    "Who?",
    "Where [x](y)?",
  ]);
  const [first, second] = rows.slice(2);
  expect(first?.item.iconPath).toMatchObject({ id: "debug-stop" });
  expect(first?.item.command).toMatchObject({
    command: "hasp.revealStep",
    arguments: [{ path: RUN }, { index: 0, t: 1 }],
  });
  expect(second?.item.description).toBe("step 2 · second");
  expect(second?.item.tooltip).toBe("Where [x](y)?\nwrong, episode 1 of second, step 2");
});

it("shows the shares of every detector, those of most failures first, and links to the help", async () => {
  const tree = registerFailuresTree();
  await tree.show(result);
  const node = (await childrenOf()).at(-1);
  expect(node?.item.description).toBe("wrong · halted · correct");
  const rows = await childrenOf(node);
  expect(rows).toHaveLength(14);
  expect(rows.slice(0, 2).map(({ item }) => [item.label, item.description])).toEqual([
    ["repeated_search", "50% · 100% · 0%"],
    ["premature_final", "25% · 0% · 10%"],
  ]);
  expect(rows.at(-1)?.item.description).toBe("found in no episode");
  const tooltip = rows[0]?.item.tooltip as vscode.MarkdownString;
  expect(tooltip.value).toContain("shares more than 80% of its words");
  expect(tooltip.value).toContain("2 of 4 wrong (50%)");
  expect(tooltip.isTrusted).toEqual({ enabledCommands: ["hasp.help"] });
});

it("is stale once a run of it changes, and empty once it is cleared", async () => {
  const tree = registerFailuresTree();
  await tree.show(result);
  tree.markStale("file:///t/episodes.jsonl");
  expect(shown.view.message).not.toContain("Stale");
  tree.markStale(RUN);
  expect(shown.view.message).toMatch(/^Stale: first \[run\] \(command:x\) has changed since\./);
  tree.clear();
  await vi.waitFor(() => expect(shown.keys.get("hasp.hasFailures")).toBe(false));
  expect(await childrenOf()).toEqual([]);
  expect(tree.shown()).toBeUndefined();
});
