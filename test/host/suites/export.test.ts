import { equal, match, ok } from "node:assert/strict";

import { before, describe, it } from "mocha";
import * as vscode from "vscode";

import { activated, root } from "./support.ts";

const RUN = vscode.Uri.joinPath(root(), ".hasp", "runs", "first-look", "episodes.jsonl");

async function exported(judged: boolean): Promise<string> {
  const to = vscode.Uri.joinPath(root(), `exported-${judged}.html`);
  const done = await vscode.commands.executeCommand<vscode.Uri>("hasp.exportRun", { run: RUN, to, judged });
  equal(done.toString(), to.toString());
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(to));
}

describe("HASP: Export Run", () => {
  before(activated);

  it("writes one page that needs nothing else", async () => {
    const page = await exported(false);
    match(page, /Content-Security-Policy/);
    ok(page.includes("hasp-episode-1"));
    ok(!/src="http/.test(page));
  });

  it("says what today's library decides where that is asked for", async () => {
    const [recorded, judged] = [await exported(false), await exported(true)];
    ok(judged.length > recorded.length);
    match(judged, /"snapshot":\{/);
  });
});
