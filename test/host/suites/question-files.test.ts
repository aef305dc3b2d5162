import { deepEqual, equal, ok } from "node:assert/strict";

import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

import { passageFiles, questionFiles } from "../../../src/extension/questions/plan.ts";
import { root } from "./support.ts";

describe("Files offered for a run", () => {
  const folder = (): vscode.Uri => vscode.Uri.joinPath(root(), "offered");
  const named = (files: readonly vscode.Uri[]): string[] =>
    files.map(({ path }) => path).flatMap((path) => path.split("/offered/")[1] ?? []);

  before(async () => {
    for (const name of ["table.csv", "rows.jsonl", "settings.json", "bamboogle.json", "the-questions.csv"])
      await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder(), name), new Uint8Array());
  });
  after(() => vscode.workspace.fs.delete(folder(), { recursive: true }));

  it("are tables, too, those that say questions or name a data set first, and of JSON only these", async () => {
    const offered = named(await questionFiles(root()));
    deepEqual(offered, ["bamboogle.json", "the-questions.csv", "rows.jsonl", "table.csv"]);
  });

  it("are no tables for passages", async () => {
    const offered = named(await passageFiles(root()));
    equal(
      offered.some((name) => name.endsWith(".csv")),
      false,
    );
    ok(offered.includes("rows.jsonl"));
  });
});
