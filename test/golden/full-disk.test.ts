import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ROOT } from "../support/core.ts";
import { openSmallDisk, type SmallDisk } from "../support/full-disk.ts";
import { openScene, type HookScene } from "../support/hook-process.ts";
import { THOROUGH } from "../support/thorough.ts";

const MEGABYTE = 1024 * 1024;
const SAMPLES = path.join(ROOT, "samples");
const RUN = ".hasp/runs/first";
const SKILL = "skills/web-search/repeated-query";
const PATIENCE = 120_000;
const REVIEW = `${["CONCEPT", "TRIGGER", "INTERVENE", "EXEC", "VAL"]
  .map((name) => `${name}: 0.70\n${name} WHY: ${"sound ".repeat(2000)}`)
  .join("\n")}\nSUGGESTIONS:\n- none\nDECISION: ACCEPT\n`;

let scene: HookScene;
let disk: SmallDisk;
const clone = (...names: string[]): string => disk.reach("clone", ...names);

beforeEach(async () => {
  scene = openScene("disk");
  disk = await openSmallDisk(path.join(scene.base, "disk"), 4 * MEGABYTE);
  mkdirSync(clone(".git"), { recursive: true });
  cpSync(path.join(SAMPLES, ".hasp/runs/first-look"), clone(RUN), { recursive: true });
  cpSync(path.join(SAMPLES, SKILL), clone(SKILL), { recursive: true });
  for (const name of ["questions.jsonl", "corpus/passages.jsonl"])
    cpSync(path.join(SAMPLES, name), clone(path.basename(name)));
  writeFileSync(clone("script.json"), JSON.stringify(["Thought: known\nAction: FINAL[yes]"]));
  writeFileSync(clone("teacher.json"), JSON.stringify([{ when: ["Review"], text: REVIEW }]));
}, PATIENCE);
afterEach(async () => {
  await disk.close();
  scene.close();
});

const hasp = (...args: readonly string[]) => disk.hasp("clone", scene.env, ...args);

/** Temporary files that a failed write left. */
const leftovers = (): string[] =>
  (readdirSync(clone(), { recursive: true }) as string[]).filter((name) => name.endsWith(".tmp"));

const NOTE = ["note", RUN, "--episode", "1", "--label", "good", "--text"];

/** They write through the same port as the others. */
const MORE_COMMANDS: [string, string, readonly string[]][] = [
  ["review", "metadata.json", ["review", SKILL, "--teacher", "scripted:teacher.json"]],
  ["export of a page", "out/run.html", ["export", RUN, "--to", "html", "-o", "out/run.html"]],
  ["export of a skill", "repeated-query", ["export", "--portable", SKILL, "-o", "out"]],
  ["init", "hasp", ["init"]],
  ["new", "skills", ["new", "mine"]],
];

describe("A full disk", () => {
  it.each<[string, string, readonly string[]]>([
    ["note", "notes.jsonl", [...NOTE, "x".repeat(9000)]],
    [
      "import",
      ".hasp/runs/new",
      ["import", `${RUN}/episodes.jsonl`, "--from", "hasp", "-o", ".hasp/runs/new"],
    ],
    [
      "run",
      ".hasp/runs/new",
      "run --questions questions.jsonl --corpus passages.jsonl --policy scripted:script.json --no-skills -o .hasp/runs/new".split(
        " ",
      ),
    ],
    ["export", "out/one.json", ["export", RUN, "--to", "atif", "--episode", "1", "-o", "out/one.json"]],
    ...(THOROUGH ? MORE_COMMANDS : []),
  ] as [string, string, readonly string[]][])(
    "is named by the file that does not fit, with what to do, and leaves no half of it: %s",
    async (_what, named, command) => {
      disk.fill();
      const { code, out, err } = await hasp(...command);
      expect(`${out}${err}`).toMatch(/ cannot be (?:written|made): the disk is full\./);
      expect(`${out}${err}`).toContain(named);
      expect(err).toMatch(/→ Make room on the disk of .*`hasp gc` empties the cache\./);
      expect(`${out}${err}`).not.toMatch(/^ +at /m);
      expect(code).toBe(2);
      expect(leftovers()).toEqual([]);
    },
    PATIENCE,
  );

  it(
    "takes no part of a line: the notes before are as they were, and the next one is whole",
    async () => {
      expect((await hasp(...NOTE, "first")).code).toBe(0);
      const before = readFileSync(clone(RUN, "notes.jsonl"), "utf8");
      disk.fill(4096);
      const torn = await hasp(...NOTE, "x".repeat(9000));
      expect([torn.code, torn.err]).toEqual([2, expect.stringContaining("the disk is full")]);
      expect(readFileSync(clone(RUN, "notes.jsonl"), "utf8")).toBe(before);
      expect((await hasp(...NOTE, "second")).code).toBe(0);
      const lines = readFileSync(clone(RUN, "notes.jsonl"), "utf8").trimEnd().split("\n");
      expect(lines.map((line) => (JSON.parse(line) as { text?: string }).text)).toEqual(["first", "second"]);
    },
    PATIENCE,
  );

  it(
    "loses no episode of a run that fills it: the run goes on when there is room",
    async () => {
      const answer = `Thought: ${"known ".repeat(1000)}\nAction: FINAL[yes]`;
      writeFileSync(clone("script.json"), JSON.stringify(Array.from({ length: 40 }, () => answer)));
      const command =
        "run --questions questions.jsonl --corpus passages.jsonl --policy scripted:script.json --no-skills --concurrency 1 -o .hasp/runs/new".split(
          " ",
        );
      disk.fill(40_000);
      const full = await hasp(...command);
      expect([full.code, `${full.out}${full.err}`]).toEqual([2, expect.stringContaining("the disk is full")]);
      const kept = readFileSync(clone(".hasp/runs/new/episodes.jsonl"), "utf8");
      expect(kept === "" || kept.endsWith("\n")).toBe(true);
      writeFileSync(disk.reach("filler"), "");
      const { code, err } = await hasp(...command, "--resume");
      expect([code, err]).toEqual([0, ""]);
      expect(readFileSync(clone(".hasp/runs/new/episodes.jsonl"), "utf8").startsWith(kept)).toBe(true);
      const episodes = readFileSync(clone(".hasp/runs/new/episodes.jsonl"), "utf8").trimEnd().split("\n");
      const questions = readFileSync(clone("questions.jsonl"), "utf8").trimEnd().split("\n");
      const asked = episodes.map((line) => (JSON.parse(line) as { questionId: string }).questionId);
      expect([new Set(asked).size, asked.length]).toEqual([questions.length, questions.length]);
    },
    PATIENCE,
  );
});
