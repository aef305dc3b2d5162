import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ensureAtifValidator } from "../../scripts/lib/atif-validator.mts";
import { exportAtif } from "../../src/trace/export-atif.ts";
import { ATIF, importFiles } from "../unit/trace/formats-support.ts";
import { episode } from "../unit/trace/support.ts";
import type { Episode } from "../../src/model/episode.ts";

const DATA = path.resolve(import.meta.dirname, "../../../shared/data/formats");
const HERE = existsSync(DATA) ? "" : " (skipped: the shared files are not here)";
const FIRST_LOOK = path.resolve(import.meta.dirname, "../../samples/.hasp/runs/first-look/episodes.jsonl");
const folder = mkdtempSync(path.join(tmpdir(), "hasp-formats-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const REAL: readonly [string, Partial<Episode>, readonly string[]][] = [
  [
    "swe-agent/function-calling.traj",
    { length: 11, stopReason: "final" },
    ["Write", "Write", "Bash", "Bash", "Glob", "Read", "Edit", "Edit", "Bash", "Bash", "FINAL"],
  ],
  [
    "swe-agent/thought-action.traj",
    { length: 11, stopReason: "final" },
    ["Write", "Write", "Bash", "Bash", "Glob", "Read", "Edit", "Edit", "Bash", "Bash", "FINAL"],
  ],
  [
    "swe-agent/humanevalfix.traj",
    { length: 5, stopReason: "final" },
    ["Bash", "Read", "Edit", "Bash", "FINAL"],
  ],
  ["swe-agent/history-only.traj", { length: 5 }, ["Glob", "Read", "Edit", "Bash", "FINAL"]],
  ["inspect/log_read_sample.eval", { length: 1, outcome: "correct", answer: "Yes\n" }, ["FINAL"]],
  ["inspect/log_read_sample.json", { length: 1, outcome: "correct", answer: "Yes\n" }, ["FINAL"]],
  ["inspect/log_formats.eval", { length: 1, outcome: "wrong" }, ["FINAL"]],
  ["inspect/log_formats.json", { length: 1, outcome: "wrong" }, ["FINAL"]],
  ["inspect/log_tool_call_error.json", { length: 11, outcome: "unjudged" }, ["bash", "bash"]],
  [
    "claude-code/representative_messages.jsonl",
    { source: "claude-code", stopReason: "final" },
    ["FINAL", "Edit", "FINAL", "Bash", "FINAL"],
  ],
  [
    "claude-code/todowrite_examples.jsonl",
    { source: "claude-code", length: 3 },
    ["TodoWrite", "TodoWrite", "TodoWrite"],
  ],
];

test.skipIf(HERE !== "").each(REAL)(
  `%s is imported without a finding${HERE}`,
  async (name, expected, actions) => {
    const { episodes, diagnostics } = await importFiles(path.join(DATA, name));
    expect(diagnostics).toEqual([]);
    expect(episodes).toHaveLength(1);
    expect(episodes[0]).toMatchObject(expected);
    expect(episodes[0]?.steps.slice(0, actions.length).map(({ executed }) => executed.type)).toEqual(actions);
  },
);

test.skipIf(HERE !== "")(`a log as JSON and as .eval tells the same${HERE}`, async () => {
  const [json, zip] = await Promise.all(
    ["json", "eval"].map((ending) => importFiles(path.join(DATA, `inspect/log_read_sample.${ending}`))),
  );
  const told = (run: typeof zip): unknown =>
    run?.episodes.map(({ question, prelude, gold, outcome, steps }) => [
      question,
      prelude,
      gold,
      outcome,
      steps[0]?.executed,
    ]);
  // Two recordings of one sample: ids and times differ.
  expect(told(zip)).toEqual(told(json));
});

test.skipIf(HERE !== "")(
  `a log with NaN and no samples is read and says that it holds no episode${HERE}`,
  async () => {
    const { value, diagnostics } = await importFiles(path.join(DATA, "inspect/log_with_nan.txt"));
    expect(value).toBeUndefined();
    expect(diagnostics.map(({ code }) => code).toSorted()).toEqual(["HASP530", "HASP532", "HASP539"]);
  },
);

const VALIDATE = `
import sys
from nat.atif import Trajectory
for name in sys.argv[1:]:
    with open(name, "rb") as file:
        Trajectory.model_validate_json(file.read())
print("valid", len(sys.argv) - 1)
`;

describe("the export and NVIDIA NeMo Agent Toolkit's models of ATIF", () => {
  const ready = ensureAtifValidator();
  const note = "missing" in ready ? ` (skipped: ${ready.missing})` : "";

  test.skipIf(note !== "")(`every export is valid${note}`, { timeout: 60_000 }, async () => {
    if ("missing" in ready) return;
    const document = path.join(folder, "given.json");
    writeFileSync(document, JSON.stringify(ATIF));
    const sources = [
      document,
      FIRST_LOOK,
      ...(HERE === "" ? REAL.map(([name]) => path.join(DATA, name)) : []),
    ];
    const { episodes } = await importFiles(...sources);
    const hostile = "<script>\u001b[2J\u202e\ud800";
    const steps = [{ ...(episode("x").steps[0] as Episode["steps"][number]), observation: hostile }];
    const written = [...episodes, episode(hostile, { question: hostile, prelude: hostile, steps })].map(
      (one, i) => {
        const file = path.join(folder, `${i}.json`);
        writeFileSync(file, JSON.stringify(exportAtif(one, "1.0.0").document));
        return file;
      },
    );
    const said = execFileSync(ready.python, ["-c", VALIDATE, ...written], { encoding: "utf8" });
    expect(said.trim()).toBe(`valid ${written.length}`);
    expect(JSON.parse(readFileSync(path.join(folder, "0.json"), "utf8"))).toEqual(ATIF);
  });

  test.skipIf(note !== "")(
    `a document that is not ATIF is refused by them, so the check checks${note}`,
    () => {
      if ("missing" in ready) return;
      const bad = path.join(folder, "bad.json");
      writeFileSync(bad, JSON.stringify({ ...ATIF, steps: ATIF.steps.slice(1) }));
      expect(() => execFileSync(ready.python, ["-c", VALIDATE, bad], { stdio: "pipe" })).toThrow(
        /Command failed/,
      );
    },
  );
});
