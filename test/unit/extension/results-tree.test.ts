import { afterAll, expect, it, vi } from "vitest";
import type * as vscode from "vscode";
import { backtest } from "../../../src/analysis/backtest.ts";
import { openLibrary } from "../../../src/analysis/library.ts";
import { registerResultsTree } from "../../../src/extension/backtest/results-tree.ts";
import type { Row } from "../../../src/extension/tree.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { episodesIn, openCore, readFolders, SAMPLE_RUN } from "../../support/core.ts";
import { paperSkill } from "../../support/shipped.ts";
import { final } from "../../support/episodes.ts";
import { episodeOf, placedIn } from "../analysis/worth/support.ts";

const shown = vi.hoisted(() => ({ provider: undefined as unknown }));

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
  return {
    TreeItem,
    EventEmitter,
    TreeItemCollapsibleState: {},
    ThemeIcon: EventEmitter,
    ThemeColor: EventEmitter,
    Uri: { parse: (text: string) => ({ path: text }) },
    commands: { executeCommand: async () => undefined },
    window: {
      createTreeView(_id: string, { treeDataProvider }: { readonly treeDataProvider: unknown }) {
        shown.provider = treeDataProvider;
        return { reveal: async () => undefined, visible: false };
      },
    },
  };
});

const core = openCore();
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));

const HOLDS = `import { ProgramFunction, injectContext } from "hasp";
export default class Pf extends ProgramFunction {
  maxFires = 9;
  shouldActivate(ctx, actionType) { return actionType === "FINAL"; }
  intervene() { return injectContext("look again", "r"); }
}`;

/** So many pairs of a wrong and a right answer. */
async function report(pairs = 1) {
  const names = ["retrieval-failure", "insufficient-exploration"].map((name) => paperSkill(name));
  const folders = await readFolders(core.compiler, ...names);
  const skills = folders.map((one) => ({ ...one, program: { ...one.program!, code: HOLDS, phases: [] } }));
  const sample = (await episodesIn(SAMPLE_RUN))[0] as Episode;
  const answered = (id: string, outcome: "wrong" | "correct", answer: string): Episode =>
    episodeOf(sample, id, { outcome, answer, question: id }, [{ action: final(answer) }]);
  const episodes = Array.from({ length: pairs }, (_, i) => [
    answered(i === 0 ? "a" : `a${i}`, "wrong", "Danube"),
    answered(i === 0 ? "b" : `b${i}`, "correct", "Tisza"),
  ]).flat();
  return backtest(
    await openLibrary(skills, core.host),
    placedIn("file:///r/episodes.jsonl", episodes),
    core.host,
    { worth: core },
  );
}

const childrenOf = async (parent?: Row): Promise<readonly Row[]> =>
  (await (shown.provider as vscode.TreeDataProvider<Row>).getChildren(parent)) ?? [];
/** Each row of this tree has a text as its label. */
const labelOf = ({ item }: Row): string => item.label as string;

/** The row at a path of labels; fails with the labels that there are. */
async function rowAt(...labels: readonly RegExp[]): Promise<Row> {
  let at: Row | undefined;
  for (const label of labels) {
    const rows = await childrenOf(at);
    at = rows.find((one) => label.test(labelOf(one)));
    if (at === undefined) throw new Error(`no ${label.source} among ${rows.map(labelOf).join(", ")}`);
  }
  if (at === undefined) throw new Error("no label");
  return at;
}

it("shows what changes were worth under the library and each skill, and a step leads to its place", async () => {
  const results = registerResultsTree();
  await results.show({ report: await report(), runs: ["r"], took: 1, notes: [], cancelled: false });
  for (const above of [/^Library/, /^retrieval_failure/]) {
    const { item } = await rowAt(above, /^worth/);
    expect(item.description).toBe("could help 1, harmed 1");
    const answers = await rowAt(above, /^worth/, /^answers/);
    expect(answers.item.description).toBe("too few measured changes");
    expect(answers.item.tooltip).toContain("help in 1 of 1 wrong, harm in 1 of 1 right");
  }
  const step = await rowAt(/^retrieval_failure/, /^correct/, /^b · step 1/);
  expect(step.item.description).toContain("applied, harmed");
  expect(step.item.command).toMatchObject({
    command: "hasp.revealStep",
    arguments: [{ path: "file:///r/episodes.jsonl" }, { index: 1, t: 0 }],
  });
});

it("says of a skill that fires on every answer that there is nothing to separate", async () => {
  const results = registerResultsTree();
  await results.show({ report: await report(6), runs: ["r"], took: 1, notes: [], cancelled: false });
  const { item } = await rowAt(/^retrieval_failure/);
  expect(item.description).toBe("fires on every answer: nothing to separate · 6 wrong · 6 correct");
  expect(item.tooltip).toContain("It fires on every answer: nothing to separate.");
  const answers = await rowAt(/^retrieval_failure/, /^worth/, /^answers/);
  expect(answers.item.description).toBe("fires on every answer: nothing to separate");
});
