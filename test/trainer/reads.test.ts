import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { STEPS_FILE } from "../../src/model/train-data.ts";
import {
  answered,
  asTranscript,
  calls,
  changedRun,
  type Chat,
  chatOf,
  importChats,
  QUESTION,
  toolCall,
} from "../support/sessions.ts";
import { fixtureRun, openTrainScene } from "../support/train-data.ts";
import { ensureTrainer } from "../../scripts/lib/trainer-env.mts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const SCRIPT = path.join(import.meta.dirname, "read_with_trl.py");
const FIXTURES = path.join(import.meta.dirname, "fixtures");
const place = mkdtempSync(path.join(tmpdir(), "hasp-trainer-"));
const scene = openTrainScene("train-reads");
afterAll(() => {
  scene.close();
  rmSync(place, { recursive: true, force: true });
});

/** One line of read_with_trl.py. */
interface Read {
  readonly file: string;
  readonly rows: number;
  readonly columns: readonly string[];
  readonly ok: boolean;
  readonly error?: string;
}

const ready = await ensureTrainer();
const note = "missing" in ready ? ` (skipped: ${ready.missing})` : "";

/** Folders of which every file must be read in full. A function, because a command may have to write one first. */
const FOLDERS: readonly (readonly [name: string, folder: () => string | Promise<string>])[] = [
  ["test/trainer/fixtures", () => FIXTURES],
  [
    "hasp train-data --experiment e7, both objectives",
    async () => {
      await fixtureRun(scene);
      const candidates = path.join(ROOT, "test/fixtures/train-data/candidates.jsonl");
      await scene.build(["run", "-o", "built", "--experiment", "e7", "--candidates", candidates]);
      return scene.at("built");
    },
  ],
  [
    "hasp train-data on imported sessions, with exact prompts and those of transcripts",
    async () => {
      const looks = calls(
        "Two looks.",
        toolCall("p", "look", { bed: 1 }),
        toolCall("q", "look", { bed: "\u2028" }),
      );
      // Words of the agent that it goes on after: the prompt of its next reply ends with them.
      const words = { role: "assistant", content: "Let me see \u{1f33b}." };
      const together: Chat = {
        id: "together",
        messages: [
          { role: "user", content: QUESTION },
          words,
          looks,
          answered("p", "wet"),
          answered("q", "dry"),
          { role: "assistant", content: "Bed 2." },
        ],
      };
      const chats = [together, chatOf("short", 3), chatOf("long", 40)];
      await importChats(scene, "exact", chats, ["together,true", "short,true", "long,true"]);
      changedRun(scene, "exact", "transcripts", asTranscript);
      await scene.build(["exact", "transcripts", "-o", "sessions", "--floor", "0.2"]);
      return scene.at("sessions");
    },
  ],
];

/** Files that TRL would read otherwise than they were meant, and the reason why read_with_trl.py refuses each. */
const REFUSED: readonly (readonly [name: string, change: Change, reason: string])[] = [
  [
    "missing-sft.jsonl",
    ({ completion, ...row }, i) => (i === 1 ? row : { ...row, completion }),
    "missing-sft.jsonl:2: `completion` is missing or has no message",
  ],
  [
    "message-sft.jsonl",
    (row, i) => (i === 2 ? { ...row, prompt: [{ role: "user" }] } : row),
    "message-sft.jsonl:3: a message of `prompt` lacks its role or content",
  ],
  [
    "column-sft.jsonl",
    ({ outcome, ...row }, i) => (i === 1 ? row : { ...row, outcome }),
    "column-sft.jsonl:2: `outcome` is missing, which other rows have",
  ],
  [
    // Arrow takes a column of nothing but dates for times.
    "dates-sft.jsonl",
    (row) => ({ ...row, run: "2026-11-26" }),
    "dates-sft.jsonl:1: `run`: '2026-11-26' is read as datetime.datetime(2026, 11, 26, 0, 0)",
  ],
  [
    "other.jsonl",
    (row) => row,
    "other.jsonl: the name must end with one of -sft.jsonl, -dpo.jsonl, -prompt.jsonl, -context.jsonl",
  ],
];

type Row = Readonly<Record<string, unknown>>;
type Change = (row: Row, index: number) => Row;

const rowsOf = (file: string): Row[] =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);

function write(name: string, change: Change): string {
  const file = path.join(place, name);
  const rows = rowsOf(path.join(FIXTURES, "a-sft.jsonl")).map(change);
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return file;
}

async function filesIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".jsonl") && name !== STEPS_FILE);
  return names.toSorted().map((name) => path.join(folder, name));
}

describe("files of training data and TRL", () => {
  const reads = new Map<string, Read>();
  const filesOf = new Map<string, readonly string[]>();

  // One process reads them all: its imports alone take ten seconds.
  beforeAll(async () => {
    if ("missing" in ready) return;
    for (const [name, folder] of FOLDERS) filesOf.set(name, await filesIn(await folder()));
    const files = [...REFUSED.map(([name, change]) => write(name, change)), ...[...filesOf.values()].flat()];
    const env = { OMP_NUM_THREADS: "1" };
    const { stdout, stderr } = await execa(ready.python, [SCRIPT, ...files], { reject: false, env });
    const lines = stdout.split("\n").filter((line) => line !== "");
    expect(lines, stderr).toHaveLength(files.length);
    for (const [i, line] of lines.entries()) reads.set(files[i] ?? "", JSON.parse(line) as Read);
  }, 300_000);

  test.skipIf(note !== "").each(FOLDERS)(
    `the trainers read every row and column of %s, and train a step on each file${note}`,
    (name) => {
      const files = filesOf.get(name) ?? [];
      expect(files).not.toEqual([]);
      const wanted = files.map((file) => {
        const rows = rowsOf(file);
        return {
          file: path.basename(file),
          rows: rows.length,
          columns: Object.keys(rows[0] ?? {}),
          ok: true,
        };
      });
      expect(files.map((file) => reads.get(file))).toEqual(wanted);
    },
  );

  test.skipIf(note !== "").each(REFUSED)(`%s is refused${note}`, (name, _, error) => {
    expect(reads.get(path.join(place, name))).toMatchObject({ file: name, ok: false, error });
  });
});

test("trainer/ has exact versions with hashes, and names no registry", () => {
  const project = readFileSync(path.join(ROOT, "trainer/pyproject.toml"), "utf8");
  const [, wanted = ""] = /^dependencies = \[([^\]]*)\]/m.exec(project) ?? [];
  // PyYAML's only use is a file of settings, so any version from 6 is taken.
  const [yaml, ...exact] = (wanted.match(/"[^"]*"/g) ?? []).toReversed();
  expect(yaml).toBe('"pyyaml>=6"');
  expect(exact).toHaveLength(4);
  expect(exact.filter((one) => !/^"[a-z]+==[\d.]+"$/.test(one))).toEqual([]);
  const all = readFileSync(path.join(ROOT, "trainer/requirements.txt"), "utf8");
  for (const version of wanted.match(/[a-z]+==[\d.]+/g) ?? []) expect(all).toContain(`\n${version} \\\n`);
  // Every package has a version and a hash; none comes from an address.
  const packages = all.split("\n").filter((line) => /^[^\s#]/.test(line));
  expect(packages.filter((line) => !/^[\w.-]+==[\w.]+.* \\$/.test(line))).toEqual([]);
  expect(all.match(/--hash=sha256:[0-9a-f]{64}/g)?.length).toBeGreaterThanOrEqual(packages.length);
  expect(all).not.toContain("://");
});
