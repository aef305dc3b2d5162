import { deepEqual, equal } from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

import {
  activated,
  codeOf,
  eventually,
  open,
  ours,
  PATIENCE_MS,
  pf,
  removeSkills,
  root,
  skillMd,
  within,
  writeSkill,
} from "./support.ts";

/** With this many VS Code's own watcher misses some, on an idle machine too. */
const SKILLS = 24;

const folderOf = (index: number): string =>
  vscode.Uri.joinPath(root(), "skills", "made", `made-${index}`, `quick-${index}`).fsPath;
const casesOf = (index: number): vscode.Uri => vscode.Uri.file(`${folderOf(index)}/cases.yaml`);

/** As `mkdir -p` and a checkout do: a folder in a folder at once, and then the files. */
function checkOut(index: number, cases: string): void {
  const folder = folderOf(index);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/SKILL.md`, skillMd(`quick-${index}`));
  writeFileSync(`${folder}/pf.ts`, pf('actionType === "FINAL"'));
  writeFileSync(`${folder}/cases.yaml`, cases);
}

const all = Array.from({ length: SKILLS }, (_, index) => index);
const told = (): string[] => all.map((index) => ours(casesOf(index)).map(codeOf).join(" "));

async function eventuallyTold(expected: readonly string[]): Promise<void> {
  await within(PATIENCE_MS, () => isDeepStrictEqual(told(), expected));
  deepEqual(told(), expected);
}

describe("Skills that another program writes", () => {
  before(async () => {
    await activated();
    // Skills that nobody opened are checked once a person looks at the list of them.
    await vscode.commands.executeCommand("hasp.skills.focus");
  });
  after(removeSkills);

  it("are found in folders that were made all at once, and heard of when their files change or go", async () => {
    for (const index of all) checkOut(index, "- expects: nothing\n");
    await eventuallyTold(all.map(() => "HASP301"));
    rmSync(casesOf(0).fsPath);
    for (const index of all.slice(1)) writeFileSync(casesOf(index).fsPath, "cases: []\n");
    await eventuallyTold(all.map((index) => (index === 0 ? "" : "HASP307")));
  });
});

/** How many episodes the lens above a PF counts on, once it does. */
async function episodesAbove(uri: vscode.Uri): Promise<number | undefined> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    "vscode.executeCodeLensProvider",
    uri,
    20,
  );
  const counts = lenses.map(({ command }) => /fires in \d+ of (\d+)/.exec(command?.title ?? "")?.[1]);
  const known = counts.find((count) => count !== undefined);
  return known === undefined ? undefined : Number(known);
}

async function eventuallyCounted(uri: vscode.Uri, expected: number | undefined): Promise<void> {
  await within(PATIENCE_MS, async () => (await episodesAbove(uri)) === expected);
  equal(await episodesAbove(uri), expected);
}

describe("Runs that another program writes", () => {
  const hasp = vscode.Uri.joinPath(root(), ".hasp").fsPath;
  const away = `${hasp}-away`;
  const runs = Array.from({ length: 8 }, (_, index) => `${hasp}/runs/quick-${index}`);
  before(activated);
  after(async () => {
    if (existsSync(away)) {
      rmSync(hasp, { recursive: true, force: true });
      renameSync(away, hasp);
    }
    await removeSkills();
  });

  it("are counted on where the workspace had none before, and as long as there is something in them [thorough]", async () => {
    const folder = await writeSkill("count-me", {
      "SKILL.md": skillMd("count-me"),
      "pf.ts": pf('actionType === "FINAL"'),
    });
    const { document } = await open(vscode.Uri.joinPath(folder, "pf.ts"));
    const copyTo = (run: string): void => cpSync(`${away}/runs/first-look`, run, { recursive: true });
    const [first = "", ...others] = runs;
    await eventually("a count of fires", () => episodesAbove(document.uri));
    renameSync(hasp, away);
    await eventuallyCounted(document.uri, undefined);
    copyTo(first);
    const count = await eventually("a count on the first", () => episodesAbove(document.uri));
    for (const run of others) copyTo(run);
    await eventuallyCounted(document.uri, count * runs.length);
    for (const run of others) writeFileSync(`${run}/episodes.jsonl`, "");
    await eventuallyCounted(document.uri, count);
  });
});
