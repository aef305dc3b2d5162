import { ok } from "node:assert/strict";
import { monitorEventLoopDelay } from "node:perf_hooks";

import { describe, it } from "mocha";
import * as vscode from "vscode";

import { REPORT_PREFIX } from "../report-prefix.mts";
import { activated, codeOf, eventually, open, ours, pause, pf, root } from "./support.ts";

const ROUNDS = 40;
/** The clock is no word of a PF: HASP202 stands where it is typed. */
const CLOCK = "    Date.now();\n";

/** A PF of about so many lines, all of them in use. */
function pfOf(lines: number): string {
  const extra = Math.max(0, Math.floor((lines - 12) / 4));
  const helpers = Array.from(
    { length: extra },
    (_, i) => `
/** Part ${i}. */
function part${i}(text: string): number {
  return text.length > ${i} ? text.split(" ").filter((word) => word.length > ${i % 7}).length : ${i};
}`,
  );
  const uses = Array.from({ length: extra }, (_, i) => `part${i}(arg)`).join(" + ");
  return `${pf(`ctx.searchCount < 3 && (${uses || "0"}) >= 0 && actionType === "SEARCH" && arg.length > 3`)}${helpers.join("\n")}\n`;
}

function hasClock(uri: vscode.Uri): boolean {
  return ours(uri).some((diagnostic) => codeOf(diagnostic) === "HASP202");
}

/** Milliseconds from an edit to the findings that belong to it. */
async function told(uri: vscode.Uri, wanted: boolean, edit: () => Thenable<boolean>): Promise<number> {
  const start = performance.now();
  const seen = new Promise<number>((resolve) => {
    const watching = vscode.languages.onDidChangeDiagnostics(() => {
      if (hasClock(uri) !== wanted) return;
      watching.dispose();
      resolve(performance.now() - start);
    });
  });
  ok(await edit());
  return seen;
}

async function measure(lines: number, name: string): Promise<string> {
  const uri = vscode.Uri.joinPath(root(), "skills", "web-search", name, "pf.ts");
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(pfOf(lines)));
  const editor = await open(uri);
  const at =
    editor.document
      .getText()
      .split("\n")
      .findIndex((line) => line.includes("shouldActivate")) + 1;
  const type = (): Thenable<boolean> => editor.edit((edit) => edit.insert(new vscode.Position(at, 0), CLOCK));
  const undo = (): Thenable<boolean> =>
    editor.edit((edit) => edit.delete(new vscode.Range(at, 0, at + 1, 0)));
  await type();
  await eventually("the first findings", () => hasClock(uri));
  await told(uri, false, undo);
  await pause(2_000);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    times.push(await told(uri, true, type), await told(uri, false, undo));
  }
  delay.disable();
  const sorted = times.toSorted((a, b) => a - b);
  const quantile = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0);
  const count = editor.document.lineCount;
  const longest = (delay.max / 1e6).toFixed(0);
  return `keystroke lines=${count} median=${quantile(0.5)} p95=${quantile(0.95)} longest=${longest}`;
}

/** `npm run bench -- keystroke` reads these lines, from a workspace of 100 skills. */
describe("Keystroke to diagnostics [bench]", () => {
  it("is measured on a small and on a large PF", async () => {
    await activated();
    for (const [lines, name] of [
      [60, "skill-1"],
      [600, "skill-2"],
    ] as const)
      console.log(`${REPORT_PREFIX}${await measure(lines, name)}`);
  }).timeout(280_000);
});
