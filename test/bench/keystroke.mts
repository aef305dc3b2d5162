import { webSearch } from "../../src/domains/web-search/web-search.ts";
import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { scaffoldSkill } from "../../src/skill/scaffold.ts";
import { authored } from "../support/authored.ts";
import { LAST_CHECKED, WRONG, type KeystrokeReport } from "../host/keystroke-report.mts";
import type { BenchRow } from "./measure.mts";

const SKILLS = 100;

/** A hundred skills, and the recorded run of the samples. */
async function writeWorkspace(root: string, workspace: string): Promise<void> {
  for (let i = 1; i <= SKILLS; i++) {
    const name = `skill-${i}`;
    const folder = path.join(workspace, "skills/web-search", name);
    await mkdir(folder, { recursive: true });
    const kind = i % 2 === 0 ? "rewrite" : "inject";
    const files = scaffoldSkill({ name, description: "Use when measured.", domain: webSearch, kind });
    for (const [file, text] of files) await writeFile(path.join(folder, file), authored(text));
    if (name === LAST_CHECKED)
      await writeFile(path.join(folder, "pf.ts"), `${WRONG}${authored(files.get("pf.ts") ?? "")}`);
  }
  await cp(path.join(root, "samples/.hasp/runs"), path.join(workspace, ".hasp/runs"), { recursive: true });
}

/** All that the host printed; what it prints while it runs also goes to stderr, so that a person sees how far it is. */
async function runHost(root: string, workspace: string): Promise<string> {
  const args = ["test/host/run.mts", "--workspace", workspace, "--grep", "Keystroke to diagnostics"];
  const host = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const printed: string[] = [];
  for await (const chunk of host.stdout.setEncoding("utf8")) {
    printed.push(String(chunk));
    process.stderr.write(String(chunk));
  }
  return printed.join("");
}

const whole = (value: number | undefined): string => (value === undefined ? "not known" : value.toFixed(0));

function rowsOf(report: KeystrokeReport): BenchRow[] {
  const { lines, median, p95, slowest, longest, over50, longestCpu, over50Cpu, elsewhere, load } = report;
  const name = `keystroke to diagnostics, ${lines}-line PF`;
  const row = (what: string, ours: number, unit: string, method: string, baseline?: number): BenchRow => ({
    name: `${name}: ${what}`,
    ours,
    baseline,
    unit,
    method,
  });
  const edits = `real VS Code (server host), ${SKILLS} skills, the list of skills open, 60 edits, HASP208 comes and goes; 150 ms of it is the pause after typing; load ${load.toFixed(1)}`;
  const cpu = `by the thread's own CPU time at most ${whole(longestCpu)} ms, ${whole(over50Cpu)} over 50`;
  return [
    row("median", median, "ms", edits),
    row("95th percentile", p95, "ms", `the slowest ${whole(slowest)} ms`),
    row(
      "longest delay of the extension host's loop",
      longest,
      "ms",
      `monitorEventLoopDelay; ${over50} over 50; ${cpu}; baseline: the same typing in a file that is no skill's`,
      elsewhere,
    ),
  ];
}

/** From an edit of a `pf.ts` to its findings in VS Code, and what it costs the thread of the extension host. */
export async function benchKeystroke(root: string): Promise<BenchRow[]> {
  const workspace = await mkdtemp(path.join(tmpdir(), "hasp-hundred-"));
  try {
    await writeWorkspace(root, workspace);
    const printed = await runHost(root, workspace);
    const found = [...printed.matchAll(/keystroke (\{.*\})/g)];
    if (found.length !== 2) throw new Error(`The host did not say how long a keystroke takes:\n${printed}`);
    return found.flatMap(([, report]) => rowsOf(JSON.parse(report ?? "") as KeystrokeReport));
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}
