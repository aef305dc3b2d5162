import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { ROOT } from "../../support/core.ts";

const STAGES = JSON.stringify(pathToFileURL(path.join(ROOT, "scripts/lib/stages.mts")).href);
const SCRIPT = `import { prepare } from ${STAGES};
const names = ["unit", "golden", "cluster", "webview"];
const ready = prepare(names);
for (const name of names) console.log(name + ": " + (await ready(name).then(() => "ready", ({ message }) => message)));
`;

test("without apt, Chromium, Python and SLURM only the stage that has no use without them is refused, in words", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "hasp-bare-"));
  try {
    const file = path.join(folder, "script.mts");
    writeFileSync(file, SCRIPT);
    const env = { PATH: folder, CI: "" };
    const said = execFileSync(process.execPath, [file], { env, encoding: "utf8" });
    const missing =
      /Missing: bubblewrap, python3, chromium-headless-shell \(their Debian names\)\. Install them/;
    const about = (name: string) =>
      expect.stringMatching(new RegExp(`^${name} ${missing.source}`)) as unknown;
    // Unit and golden tests that contain programs are skipped, which is said before each.
    expect(said.trim().split("\n")).toEqual([
      about("\\[hasp\\]"),
      "unit: ready",
      about("\\[hasp\\]"),
      "golden: ready",
      "cluster: ready",
      about("webview:"),
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
