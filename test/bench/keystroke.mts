import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { scaffoldSkill } from "../../src/skill/scaffold.ts";
import type { BenchRow } from "./measure.mts";

const run = promisify(execFile);
const SKILLS = 100;

async function writeSkills(workspace: string): Promise<void> {
  for (let i = 1; i <= SKILLS; i++) {
    const name = `skill-${i}`;
    const folder = path.join(workspace, "skills/web-search", name);
    await mkdir(folder, { recursive: true });
    const kind = i % 2 === 0 ? "rewrite" : "inject";
    const files = scaffoldSkill({ name, description: "Use when measured.", domain: "web-search", kind });
    for (const [file, text] of files) await writeFile(path.join(folder, file), text);
  }
}

/** From an edit of a `pf.ts` to its findings in VS Code, the pause of 150 ms in which more could be typed included. */
export async function benchKeystroke(root: string): Promise<BenchRow[]> {
  const workspace = await mkdtemp(path.join(tmpdir(), "hasp-hundred-"));
  try {
    await writeSkills(workspace);
    const args = [
      path.join(root, "test/host/run.mts"),
      "--workspace",
      workspace,
      "--grep",
      "Keystroke to diagnostics",
    ];
    const { stdout } = await run(process.execPath, args, { maxBuffer: 2 ** 26 });
    const found = [...stdout.matchAll(/keystroke lines=(\d+) median=(\d+) p95=(\d+) longest=(\d+)/g)];
    if (found.length !== 2) throw new Error(`The host did not say how long a keystroke takes:\n${stdout}`);
    return found.map(([, lines, median, p95, longest]) => ({
      name: `keystroke to diagnostics, ${lines}-line PF, median`,
      ours: Number(median),
      baseline: undefined,
      unit: "ms",
      method: `real VS Code (server host), ${SKILLS} skills, 80 edits, HASP202 comes and goes; 150 ms of it is the pause after typing; 95th percentile ${p95} ms; longest delay of the extension host's loop meanwhile ${longest} ms (monitorEventLoopDelay)`,
    }));
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}
