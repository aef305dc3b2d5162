import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { registerSetUpContainment } from "../../../src/extension/judge/set-up-containment.ts";
import type { ContainmentState } from "../../../src/platform/containment/describe-containment.ts";
import { FETCH_NEXT } from "../../../src/platform/containment/pyodide-installed.ts";

interface Item {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}
type Ask = (items: readonly Item[]) => string | undefined;

/** What a person answers, list by list, and what is seen and done. */
const world = vi.hoisted(() => ({
  answers: [] as Ask[],
  typed: undefined as string | undefined,
  isTrusted: true,
  shown: [] as string[],
  done: [] as unknown[],
  refused: false,
  hasNothing: false,
  command: async (): Promise<unknown> => undefined,
}));

vi.mock("vscode", () => ({
  Uri: {
    joinPath: (uri: { fsPath: string }, ...parts: readonly string[]) => ({
      fsPath: [uri.fsPath, ...parts].join("/"),
    }),
  },
  QuickPickItemKind: { Separator: -1 },
  ProgressLocation: { Notification: 15 },
  CancellationError: class extends Error {},
  workspace: {
    get isTrusted() {
      return world.isTrusted;
    },
  },
  commands: {
    registerCommand: (_: string, run: () => Promise<unknown>) => {
      world.command = run;
      return { dispose: () => undefined };
    },
  },
  window: {
    showQuickPick: async (items: readonly Item[] | Promise<readonly Item[]>) => {
      const all = await items;
      const label = world.answers.shift()?.(all);
      return all.find((item) => item.label === label);
    },
    showInputBox: async () => world.typed,
    showInformationMessage: async (text: string) => void world.shown.push(text),
    showWarningMessage: async (text: string) => void world.shown.push(text),
    showErrorMessage: async (text: string) => void world.shown.push(text),
    withProgress: (_: unknown, work: (progress: unknown, token: unknown) => unknown) =>
      work({ report: () => undefined }, { onCancellationRequested: () => undefined }),
  },
}));

const STATE: ContainmentState = {
  bubblewrap: { works: false, why: "Bubblewrap is not installed", next: "Install it." },
  pyodide: { works: true, name: "pyodide", python: "3.14.2", packages: [] },
};
const NOTHING: ContainmentState = {
  ...STATE,
  pyodide: { works: false, why: "Pyodide is not installed", next: FETCH_NEXT },
};
vi.mock("../../../src/platform/containment/describe-containment.ts", async (original) => ({
  ...(await original<object>()),
  describeContainment: async () => (world.hasNothing ? NOTHING : STATE),
}));

const answer = (what: object) => {
  world.done.push(what);
  const diagnostic = { code: "HASP999", severity: "error", message: "It cannot be had.", next: "Wait." };
  return world.refused ? { diagnostics: [diagnostic] } : { value: {}, diagnostics: [] };
};
vi.mock("../../../src/platform/containment/pyodide-fetch.ts", () => ({
  fetchPyodide: async () => answer({ pyodide: true }),
}));
vi.mock("../../../src/platform/containment/packages.ts", () => ({
  makePackages: async ({ names, trainer }: { names: readonly string[]; trainer: string }) =>
    answer({ names, trainer }),
}));

beforeEach(() => {
  const log = { error: () => undefined, info: () => undefined, show: () => undefined };
  const context = { extensionUri: { fsPath: "/hasp" } };
  registerSetUpContainment({ editorServices: { log, context } as never });
});
afterEach(() =>
  Object.assign(world, {
    answers: [],
    typed: undefined,
    isTrusted: true,
    shown: [],
    done: [],
    refused: false,
    hasNothing: false,
  }),
);

const pick =
  (label: string): Ask =>
  () =>
    label;
const leave: Ask = () => undefined;

it("shows what was found, and does nothing for who leaves", async () => {
  let seen: readonly Item[] = [];
  world.answers = [(items) => void (seen = items)];
  await world.command();
  const found = seen.slice(-2).map(({ label, description, detail }) => [label, description, detail]);
  expect(found).toEqual([
    ["$(circle-slash) Bubblewrap", "Bubblewrap is not installed", "Install it."],
    ["$(check) Pyodide", "Python 3.14.2", undefined],
  ]);
  expect([world.done, world.shown]).toEqual([[], []]);
});

it("names its own row, and no command of a terminal, where Pyodide is to be fetched", async () => {
  let seen: readonly Item[] = [];
  world.hasNothing = true;
  world.answers = [(items) => void (seen = items)];
  await world.command();
  expect(seen.at(-1)).toMatchObject({
    label: "$(circle-slash) Pyodide",
    description: "Pyodide is not installed",
    detail: "Choose Fetch Pyodide above, which asks first.",
  });
});

it("fetches Pyodide after a yes alone, and says how answers are judged then", async () => {
  for (const no of [leave, pick("Leave everything as it is")]) {
    world.answers = [pick("Fetch Pyodide"), no];
    await world.command();
  }
  expect([world.done, world.shown]).toEqual([[], []]);
  world.answers = [pick("Fetch Pyodide"), pick("Download and install")];
  await world.command();
  expect(world.done).toEqual([{ pyodide: true }]);
  expect(world.shown).toEqual(["Pyodide is installed. Answers that are programs are judged in pyodide."]);
});

it("installs the packages that a person names, after a yes alone", async () => {
  world.typed = "numpy, pandas==2.2.3";
  world.answers = [pick("Install Python packages"), leave];
  await world.command();
  expect(world.done).toEqual([]);
  world.answers = [pick("Install Python packages"), pick("Download and install")];
  await world.command();
  expect(world.done).toEqual([
    { names: ["numpy", "pandas==2.2.3"], trainer: expect.stringMatching(/trainer$/) },
  ]);
  world.typed = undefined;
  world.answers = [pick("Install Python packages"), pick("Download and install")];
  await world.command();
  expect(world.done).toHaveLength(1);
});

it("says why something was not set up", async () => {
  world.refused = true;
  world.answers = [pick("Fetch Pyodide"), pick("Download and install")];
  await world.command();
  expect(world.shown).toEqual([expect.stringContaining("Set Up Containment failed: It cannot be had.")]);
});

it("asks nothing in a workspace without trust", async () => {
  world.isTrusted = false;
  world.answers = [pick("Fetch Pyodide"), pick("Download and install")];
  await world.command();
  expect(world.done).toEqual([]);
  expect(world.shown).toEqual([
    expect.stringContaining("Setting up containment needs your trust in this workspace."),
  ]);
});
