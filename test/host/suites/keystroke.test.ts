import { ok } from "node:assert/strict";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { loadavg } from "node:os";

import { describe, it } from "mocha";
import * as vscode from "vscode";

import { type KeystrokeReport, LAST_CHECKED, WRONG } from "../keystroke-report.mts";
import { REPORT_PREFIX } from "../report-prefix.mts";
import { activated, codeOf, eventually, open, ours, pause, pf, root, within } from "./support.ts";

/** Each is a line typed and the same line deleted again. */
const ROUNDS = 30;
/** After this long without a key the library, the views and the tests look at what was typed; every second round meets them. */
const BREATH_MS = 600;
/** VS Code's own TypeScript has nothing to say about it: its errors would hide ours. */
const RULE = "HASP208";
/** A timer that is late by more than this was held up by one task, or by a machine that is busy elsewhere. */
const LONG_MS = 50;
const TICK_MS = 5;

/** A PF of about so many lines, all of them in use. */
function pfOf(lines: number): string {
  const parts = Array.from({ length: Math.max(1, Math.floor((lines - 16) / 5)) }, (_, i) => `part${i}`);
  const helpers = parts.map(
    (name, i) => `
/** Words of a text that are longer than ${i % 7}. */
function ${name}(text: string): number {
  return text.length > ${i} ? text.split(" ").filter((word) => word.length > ${i % 7}).length : ${i};
}`,
  );
  const list = `const PARTS = [${parts.join(", ")}];`;
  const condition = `actionType === "SEARCH" && arg.length > 3 && PARTS.some((part) => part(arg) > ctx.maxSteps)`;
  return `${pf(condition)}${helpers.join("\n")}\n\n${list}\n`;
}

interface Watch {
  end(): Pick<KeystrokeReport, "longest" | "over50" | "longestCpu" | "over50Cpu">;
}

/** Milliseconds that this thread has computed, where Node can tell. */
function threadCpu(): number | undefined {
  const { threadCpuUsage } = process as { threadCpuUsage?: () => { user: number; system: number } };
  if (threadCpuUsage === undefined) return undefined;
  const { user, system } = threadCpuUsage.call(process);
  return (user + system) / 1000;
}

function watchLoop(): Watch {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const held: { readonly wall: number; readonly cpu: number }[] = [];
  let last = { wall: performance.now(), cpu: threadCpu() };
  const timer = setInterval(() => {
    const now = { wall: performance.now(), cpu: threadCpu() };
    held.push({ wall: now.wall - last.wall - TICK_MS, cpu: (now.cpu ?? 0) - (last.cpu ?? 0) });
    last = now;
  }, TICK_MS);
  return {
    end() {
      delay.disable();
      clearInterval(timer);
      const cpu = last.cpu === undefined ? undefined : held.map((one) => one.cpu);
      return {
        longest: delay.max / 1e6,
        over50: held.filter(({ wall }) => wall > LONG_MS).length,
        longestCpu: cpu && Math.max(...cpu),
        over50Cpu: cpu?.filter((ms) => ms > LONG_MS).length,
      };
    },
  };
}

const isWrong = (uri: vscode.Uri): boolean => ours(uri).some((diagnostic) => codeOf(diagnostic) === RULE);

/** Milliseconds from an edit to the findings that belong to it. */
async function told(uri: vscode.Uri, wanted: boolean, edit: () => Thenable<boolean>): Promise<number> {
  const start = performance.now();
  const seen = Promise.withResolvers<number>();
  const look = (): void => {
    if (isWrong(uri) === wanted) seen.resolve(performance.now() - start);
  };
  const watching = vscode.languages.onDidChangeDiagnostics(look);
  try {
    ok(await edit());
    look();
    const found = await Promise.race([seen.promise, pause(30_000)]);
    if (typeof found === "number") return found;
    throw new Error(`Half a minute after an edit ${RULE} is ${wanted ? "not there" : "still there"}`);
  } finally {
    watching.dispose();
  }
}

interface Typist {
  readonly wrong: () => Thenable<boolean>;
  readonly right: () => Thenable<boolean>;
}

async function typistIn(uri: vscode.Uri): Promise<Typist> {
  const editor = await open(uri);
  const at = editor.document.lineCount - 1;
  return {
    wrong: () => editor.edit((edit) => edit.insert(new vscode.Position(at, 0), WRONG)),
    right: () => editor.edit((edit) => edit.delete(new vscode.Range(at, 0, at + 1, 0))),
  };
}

async function write(uri: vscode.Uri, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}

/** The same typing where nothing is ours. */
async function typeElsewhere(lines: number): Promise<number> {
  const uri = vscode.Uri.joinPath(root(), `elsewhere-${lines}.ts`);
  await write(uri, pfOf(lines).replace(/^import.*\n/, ""));
  const { wrong, right } = await typistIn(uri);
  const watch = watchLoop();
  for (let round = 0; round < ROUNDS / 4; round++) {
    await wrong();
    await pause(200);
    await right();
    await pause(200);
  }
  return watch.end().longest;
}

async function measure(lines: number, name: string): Promise<KeystrokeReport> {
  const elsewhere = await typeElsewhere(lines);
  const uri = vscode.Uri.joinPath(root(), "skills", "web-search", name, "pf.ts");
  await write(uri, pfOf(lines));
  const { wrong, right } = await typistIn(uri);
  await wrong();
  await eventually("the first findings", () => isWrong(uri));
  await told(uri, false, right);
  const watch = watchLoop();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    times.push(await told(uri, true, wrong), await told(uri, false, right));
    if (round % 2 === 0) await pause(BREATH_MS);
  }
  const loop = watch.end();
  const sorted = times.toSorted((a, b) => a - b);
  const share = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  const { document } = await open(uri);
  return {
    lines: document.lineCount,
    median: share(0.5),
    p95: share(0.95),
    slowest: sorted.at(-1) ?? Number.NaN,
    ...loop,
    elsewhere,
    load: loadavg()[0] ?? 0,
  };
}

/** `npm run bench -- keystroke` reads these lines, from a workspace of 100 skills. */
describe("Keystroke to diagnostics [bench]", () => {
  it("is measured on a small and on a large PF", async () => {
    await activated();
    // The list of skills is open beside the editor, as it is when somebody works on them, and everything has been checked once.
    await vscode.commands.executeCommand("hasp.skills.focus");
    const began = performance.now();
    const last = vscode.Uri.joinPath(root(), "skills", "web-search", LAST_CHECKED, "pf.ts");
    ok(await within(240_000, () => isWrong(last)), "all skills are checked once");
    console.log(`${REPORT_PREFIX}all checked in ${(performance.now() - began).toFixed(0)} ms`);
    for (const [lines, name] of [
      [60, "skill-1"],
      [600, "skill-2"],
    ] as const)
      console.log(`${REPORT_PREFIX}keystroke ${JSON.stringify(await measure(lines, name))}`);
  }).timeout(780_000);
});
