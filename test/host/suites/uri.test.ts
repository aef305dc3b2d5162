import { deepEqual, equal, match, ok } from "node:assert/strict";

import { before, describe, it } from "mocha";
import * as vscode from "vscode";

import { stepLinkHandler } from "../../../src/extension/runs/step-uri.ts";
import { watchRuns } from "../../../src/extension/runs/find-runs.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { activated, eventually, root } from "./support.ts";

interface Recorded {
  readonly id: string;
  readonly length: number;
}

/** What the handler of links did with one: where it led, or why it did not. */
interface Handled {
  readonly opened: readonly { readonly file: string; readonly index: number; readonly t: number }[];
  readonly failures: readonly string[];
}

const RUN = [".hasp", "runs", "first-look"] as const;

async function read(...path: readonly string[]): Promise<string> {
  const uri = vscode.Uri.joinPath(root(), ...path);
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

describe("A link to a step", () => {
  const opened: { file: string; index: number; t: number }[] = [];
  const failures: string[] = [];
  const log = vscode.window.createOutputChannel("Links of the suite", { log: true });
  const listening = { ...log, error: (what: string, why: string) => void failures.push(`${what}: ${why}`) };
  const runs = watchRuns(nodeFiles(), log);
  // Nobody can call the handler that the extension registered but VS Code itself, so the suite has one of its own; the
  // editor that it opens is the extension's.
  const handler = stepLinkHandler({
    log: listening,
    runs,
    editor: {
      async open(file, place) {
        opened.push({ file: file.path, index: place?.index ?? -1, t: place?.t ?? -1 });
        await vscode.commands.executeCommand("hasp.revealStep", file, place);
      },
    },
  });
  let run: string;
  let episode: Recorded;

  before(async () => {
    await activated();
    const about = JSON.parse(await read(...RUN, "run.json")) as { id: string };
    const [, second] = (await read(...RUN, "episodes.jsonl")).split("\n");
    run = about.id;
    episode = JSON.parse(second ?? "") as Recorded;
  });

  async function follow(rest: string): Promise<Handled> {
    opened.length = 0;
    failures.length = 0;
    const uri = vscode.Uri.parse(`${vscode.env.uriScheme}://hasp-studio.hasp-studio${rest}`);
    await handler.handleUri(uri);
    return { opened: [...opened], failures: [...failures] };
  }

  const link = (fields: Readonly<Record<string, string>>): string =>
    `/step?${new URLSearchParams({ run, episode: episode.id, ...fields }).toString()}`;

  it("opens the replay at the step", async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    const handled = await follow(link({ step: "2" }));
    deepEqual(handled.failures, []);
    const file = vscode.Uri.joinPath(root(), ...RUN, "episodes.jsonl");
    deepEqual(handled.opened, [{ file: file.path, index: 1, t: 1 }]);
    await eventually("the run editor", () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputCustom && input.uri.path === file.path;
    });
  });

  it("opens the first step where it names none", async () => {
    const { opened: places } = await follow(link({}).replace(/&step=[^&]*/, ""));
    equal(places[0]?.t, 0);
  });

  const HOSTILE = {
    "another path": "/command?run=x&episode=y",
    "an encoded slash in the path": "/step%2F..%2Fstep?run=x&episode=y",
    "no episode": "/step?run=x",
    nothing: "",
  };
  for (const [name, rest] of Object.entries(HOSTILE)) {
    it(`refuses a link with ${name}`, async () => {
      const handled = await follow(rest);
      deepEqual(handled.opened, []);
      match(handled.failures[0] ?? "", /This is no link to a step/);
    });
  }

  for (const step of ["0", "-1", "1.5", "0x1", "1e3", "", " 1", "9007199254740993", "1000000000", "NaN"]) {
    it(`refuses the step ${JSON.stringify(step)}`, async () => {
      const handled = await follow(link({ step }));
      deepEqual(handled.opened, []);
      match(handled.failures[0] ?? "", /no link to a step/);
    });
  }

  it("says how long the episode is where the step lies behind its end", async () => {
    const handled = await follow(link({ step: "999999999" }));
    deepEqual(handled.opened, []);
    match(handled.failures[0] ?? "", new RegExp(`has ${episode.length} steps`));
  });

  const PLACES = [
    "/etc/passwd",
    "../../../etc",
    "..%2F..%2Fetc",
    "\\\\198.51.100.1\\share",
    "//198.51.100.1/share",
    "file:///etc",
    ".hasp/runs/first-look",
    "[click](command:workbench.action.terminal.new)",
    `${"x".repeat(10_000)}\u001b[31m\u202e`,
  ];
  for (const place of PLACES) {
    it(`takes a run for a name and never for a place: ${place.slice(0, 40)}`, async () => {
      const handled = await follow(link({ run: place }));
      deepEqual(handled.opened, []);
      match(handled.failures[0] ?? "", /No run of this workspace is called/);
      ok((handled.failures[0] ?? "").length < 3_000);
    });
    it(`takes an episode for a name too: ${place.slice(0, 40)}`, async () => {
      const handled = await follow(link({ episode: place }));
      deepEqual(handled.opened, []);
      match(handled.failures[0] ?? "", /has no episode/);
    });
  }
});
