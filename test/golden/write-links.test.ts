import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ROOT } from "../support/core.ts";
import { openScene, type HookScene } from "../support/hook-process.ts";

/** What a command of the CLI writes where a link of a hostile clone leads elsewhere: nothing. */
let scene: HookScene;

const SAMPLES = path.join(ROOT, "samples");
const RUN = ".hasp/runs/first";
/** Made by `hasp run`: those of imports are not merged. */
const MADE = ".hasp/runs/made";
const SKILL = "skills/web-search/repeated-query";
const PROFILE = "export PATH=/bin\n";
const PATIENCE = 120_000;
const ANSWER = `${["CONCEPT", "TRIGGER", "INTERVENE", "EXEC", "VAL"]
  .map((name) => `${name}: 0.70\n${name} WHY: sound`)
  .join("\n")}\nSUGGESTIONS:\n- none\nDECISION: ACCEPT\n`;

const outside = (...names: string[]): string => path.join(scene.base, "outside", ...names);
const profile = (): string => outside("profile");

beforeEach(() => {
  scene = openScene("links");
  mkdirSync(outside("folder"), { recursive: true });
  writeFileSync(profile(), PROFILE);
  cpSync(path.join(SAMPLES, ".hasp/runs/first-look"), scene.at(RUN), { recursive: true });
  cpSync(path.join(SAMPLES, "questions.jsonl"), scene.at("questions.jsonl"));
  cpSync(path.join(SAMPLES, "corpus/passages.jsonl"), scene.at("passages.jsonl"));
  cpSync(path.join(SAMPLES, SKILL), scene.at(SKILL), { recursive: true });
  writeFileSync(scene.at("rows.jsonl"), '{"question":"q","answer":"a"}\n');
  writeFileSync(scene.at("script.json"), JSON.stringify(["Thought: known\nAction: FINAL[yes]"]));
  writeRun(MADE);
  writeFileSync(scene.at("teacher.json"), JSON.stringify([{ when: ["Review"], text: ANSWER }]));
});
afterEach(() => scene.close());

/** Puts a link at `at`, in place of what is there. */
function link(target: string, at: string): void {
  rmSync(scene.at(at), { recursive: true, force: true });
  mkdirSync(path.dirname(scene.at(at)), { recursive: true });
  symlinkSync(target, scene.at(at));
}

/** A run as `hasp run` records one. */
function writeRun(at: string): void {
  cpSync(scene.at(RUN), scene.at(at), { recursive: true });
  for (const name of ["run.json", "episodes.jsonl"]) {
    const text = readFileSync(scene.at(at, name), "utf8");
    const lines = name === "run.json" ? [text] : text.split("\n", 1);
    const made = lines.map((line) => JSON.stringify({ ...(JSON.parse(line) as object), source: "hasp" }));
    writeFileSync(scene.at(at, name), `${made.join("\n")}\n`);
  }
}

/** Moves what is at `at` out of the clone, and puts a link to it there. */
function moveOut(at: string): void {
  mkdirSync(scene.at(at), { recursive: true });
  cpSync(scene.at(at), outside("folder"), { recursive: true });
  link(outside("folder"), at);
}

function old(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "{}");
  utimesSync(file, 0, 0);
}

/** All that is in a folder: each name with its text, or where it leads. */
function treeOf(folder: string, prefix = ""): string[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const at = path.join(folder, name);
      const found = lstatSync(at);
      if (found.isDirectory()) return [`${prefix}${name}/`, ...treeOf(at, `${prefix}${name}/`)];
      if (found.isSymbolicLink()) return [`${prefix}${name} -> ${readlinkSync(at)}`];
      return [`${prefix}${name} ${found.mtimeMs} ${readFileSync(at, "utf8")}`];
    });
}

const NOTE = ["note", RUN, "--episode", "1", "--label", "good", "--text", "$(id)"];
const IMPORT = ["import", `${RUN}/episodes.jsonl`, "--from", "hasp", "-o", ".hasp/runs/new"];
const RUN_COMMAND =
  "run --questions questions.jsonl --corpus passages.jsonl --limit 1 --policy scripted:script.json --no-skills -o .hasp/runs/new".split(
    " ",
  );
const RESUME = [...RUN_COMMAND.map((one) => (one === "1" ? "2" : one)), "--resume"];
const MERGE = ["merge", MADE, "-o", ".hasp/runs/new"];
const ATIF = ["export", RUN, "--to", "atif", "--episode", "1", "-o", "out/one.json"];
const ATIF_ALL = ["export", RUN, "--to", "atif", "-o", "out/"];
const HTML = ["export", RUN, "--to", "html", "-o", "out/run.html"];
const PORTABLE = ["export", "--portable", SKILL, "-o", "out"];
const REVIEW = ["review", SKILL, "--teacher", "scripted:teacher.json"];
const INSTALL = ["hook", "install", "--host", "claude-code", "--yes"];
const DATA = ["data", "rows.jsonl", "--dataset", "bamboogle", "-o", "out/test.jsonl"];
const JUNIT = ["test", SKILL, "--junit", "out/report.xml"];

type Layout = readonly [what: string, command: readonly string[], plant: () => void];

const LAYOUTS: readonly Layout[] = [
  ["note: .hasp leads out", NOTE, () => moveOut(".hasp")],
  ["note: the runs lead out", NOTE, () => moveOut(".hasp/runs")],
  ["note: the run leads out", NOTE, () => moveOut(RUN)],
  ["note: the notes are a link", NOTE, () => link(profile(), `${RUN}/notes.jsonl`)],
  ["note: by a relative link", NOTE, () => link("../../../../outside/profile", `${RUN}/notes.jsonl`)],
  ["note: by a chain", NOTE, () => (link(profile(), "a"), link(scene.at("a"), `${RUN}/notes.jsonl`))],
  ["note: the notes lead to nothing", NOTE, () => link(outside("nothing"), `${RUN}/notes.jsonl`)],
  ["note: a second name", NOTE, () => linkSync(profile(), scene.at(RUN, "notes.jsonl"))],
  ["note: a pipe", NOTE, () => void execFileSync("mkfifo", [scene.at(RUN, "notes.jsonl")])],
  ["import: the run leads out", IMPORT, () => link(outside("folder"), ".hasp/runs/new")],
  ["import: the run leads to nothing", IMPORT, () => link(outside("nothing"), ".hasp/runs/new")],
  ["import: the runs lead out", IMPORT, () => moveOut(".hasp/runs")],
  ["import: .hasp leads out", IMPORT, () => moveOut(".hasp")],
  ["run: the runs lead out", RUN_COMMAND, () => moveOut(".hasp/runs")],
  ["run: the run leads out", RUN_COMMAND, () => link(outside("folder"), ".hasp/runs/new")],
  ["merge: the run leads out", MERGE, () => link(outside("folder"), ".hasp/runs/new")],
  ["merge: the run leads to nothing", MERGE, () => link(outside("nothing"), ".hasp/runs/new")],
  ["merge: the runs lead out", MERGE, () => moveOut(".hasp/runs")],
  ["export: the file is a link", ATIF, () => link(profile(), "out/one.json")],
  ["export: the file leads to nothing", ATIF, () => link(outside("nothing"), "out/one.json")],
  ["export: the folder leads out", ATIF_ALL, () => link(outside("folder"), "out")],
  [
    "export: a folder in the middle",
    [...ATIF.slice(0, -1), "a/b/c/one.json"],
    () => link(outside("folder"), "a/b"),
  ],
  ["export: the page is a link", HTML, () => link(profile(), "out/run.html")],
  ["export: the folder of a skill", PORTABLE, () => link(outside("folder"), "out")],
  ["export: the skill leads to nothing", PORTABLE, () => link(outside("nothing"), "out/repeated-query")],
  ["init: .hasp leads out", ["init"], () => moveOut(".hasp")],
  ["init: the skills lead out", ["init"], () => moveOut("skills")],
  ["init: hasp.yaml leads to nothing", ["init"], () => link(outside("nothing"), "hasp.yaml")],
  ["init: the types lead out", ["init"], () => link(profile(), ".hasp/types/hasp.d.ts")],
  ["new: the skills lead out", ["new", "mine"], () => moveOut("skills")],
  ["new: tsconfig leads to nothing", ["new", "mine"], () => link(outside("nothing"), "skills/tsconfig.json")],
  ["install: .claude leads out", [...INSTALL, "--project"], () => link(outside("folder"), ".claude")],
  [
    "install: the settings lead out",
    [...INSTALL, "--local"],
    () => {
      writeFileSync(outside("settings"), "{}");
      link(outside("settings"), ".claude/settings.local.json");
    },
  ],
  [
    "install: they lead to nothing",
    [...INSTALL, "--project"],
    () => link(outside("nothing"), ".claude/settings.json"),
  ],
  ["review: the skill leads out", REVIEW, () => moveOut(SKILL)],
  [
    "review: the file leads out",
    REVIEW,
    () => {
      writeFileSync(outside("metadata.json"), "{}");
      link(outside("metadata.json"), `${SKILL}/metadata.json`);
    },
  ],
  [
    "review: the lock leads to nothing",
    REVIEW,
    () => link(outside("nothing"), `${SKILL}/metadata.json.lock`),
  ],
  ["data: the questions lead out", DATA, () => link(profile(), "out/test.jsonl")],
  ["test: the report leads out", JUNIT, () => link(profile(), "out/report.xml")],
  [
    "serve: the socket's folder leads out",
    ["serve", "--socket", "out/s"],
    () => link(outside("folder"), "out"),
  ],
];

describe("A clone with a link that leads out of it", () => {
  it.each(LAYOUTS)(
    "is written nowhere else, and the message says what to do: %s",
    async (_what, command, plant) => {
      plant();
      const before = treeOf(outside());
      const { code, out, err } = await scene.hasp(...command);
      expect(treeOf(outside())).toEqual(before);
      expect(`${out}${err}`).toMatch(/is a link and leads to|hard link|is no plain file/);
      expect(err).toMatch(/→ (?:If you made it .*hasp links allow|Remove the link|Make it a file|Move it)/);
      expect(err).not.toMatch(/^ +at /m);
      expect(code).toBe(2);
    },
    PATIENCE,
  );

  it.each<[string, readonly string[], readonly string[], string]>([
    ["run: the episodes", RUN_COMMAND, RESUME, "episodes.jsonl"],
    ["run: the live files", RUN_COMMAND, RESUME, "live"],
    ["import: the episodes", IMPORT, IMPORT, "episodes.jsonl"],
    ["import: the description", IMPORT, IMPORT, "run.json"],
  ])(
    "is written nowhere else when the run goes on: %s",
    async (_what, command, again, name) => {
      const first = await scene.hasp(...command);
      expect([first.code, first.err]).toEqual([0, ""]);
      const file = scene.at(".hasp/runs/new", name);
      if (existsSync(file)) cpSync(file, outside("moved"), { recursive: true });
      else mkdirSync(outside("moved"));
      link(outside("moved"), `.hasp/runs/new/${name}`);
      const before = treeOf(outside());
      const { err } = await scene.hasp(...again);
      expect(treeOf(outside())).toEqual(before);
      expect(err).toContain("is a link and leads to");
    },
    PATIENCE,
  );

  it.each<[string, () => void]>([
    [".hasp", () => (old(outside("folder/cache/replies/ab/x.json")), link(outside("folder"), ".hasp"))],
    ["the cache", () => (old(outside("folder/replies/ab/x.json")), link(outside("folder"), ".hasp/cache"))],
    ["a folder", () => (old(outside("folder/x.json")), link(outside("folder"), ".hasp/cache/replies/ab"))],
    ["a file", () => (old(outside("x.json")), link(outside("x.json"), ".hasp/cache/replies/ab/x.json"))],
    ["the runs", () => (old(outside("folder/a/x.tmp")), link(outside("folder"), ".hasp/runs"))],
  ])(
    "loses nothing elsewhere by hasp gc: %s",
    async (_what, plant) => {
      plant();
      const before = treeOf(outside());
      await scene.hasp("gc", "--older-than", "0", "--live");
      expect(treeOf(outside())).toEqual(before);
    },
    PATIENCE,
  );
});

describe("A link that the person allowed", () => {
  const allow = async (at: string): Promise<void> => {
    expect(await scene.hasp("links", "allow", "--yes", scene.at(at))).toMatchObject({ code: 0 });
  };

  it.each<[string, string, readonly string[], string]>([
    ["note through .hasp", ".hasp", NOTE, "runs/first/notes.jsonl"],
    ["note through the run", RUN, NOTE, "notes.jsonl"],
    ["import through .hasp", ".hasp", IMPORT, "runs/new/episodes.jsonl"],
    ["run through the runs", ".hasp/runs", RUN_COMMAND, "new/episodes.jsonl"],
    ["merge through .hasp", ".hasp", MERGE, "runs/new/episodes.jsonl"],
    ["export to a folder", "out", ATIF_ALL, ""],
    ["init through .hasp", ".hasp", ["init"], "types/hasp.d.ts"],
    ["new through the skills", "skills", ["new", "mine"], "web-search/mine/SKILL.md"],
    ["install through .claude", ".claude", [...INSTALL, "--project"], "settings.json"],
    ["review through the skill", SKILL, REVIEW, "metadata.json"],
  ])(
    "is written through, until it leads elsewhere: %s",
    async (_what, at, command, made) => {
      moveOut(at);
      await allow(at);
      const ended = await scene.hasp(...command);
      expect([ended.code, ended.err]).toEqual([0, ""]);
      expect(existsSync(outside("folder", made))).toBe(true);
      expect(readdirSync(outside("folder")).length).toBeGreaterThan(0);
      cpSync(outside("folder"), outside("other"), { recursive: true });
      for (const name of ["runs/new", "new", "settings.json"])
        rmSync(outside("other", name), { recursive: true, force: true });
      link(outside("other"), at);
      const before = treeOf(outside());
      const again = await scene.hasp(...command.map((one) => (one === "mine" ? "mine-too" : one)));
      expect(treeOf(outside())).toEqual(before);
      expect(again.err).toContain("hasp links allow");
      expect(again.code).toBe(2);
    },
    PATIENCE,
  );

  it(
    "is cleaned by hasp gc, listed, and forgotten",
    async () => {
      old(outside("folder/cache/replies/ab/x.json"));
      link(outside("folder"), ".hasp");
      await allow(".hasp");
      expect((await scene.hasp("gc", "--older-than", "0")).out).toContain("removed 1 file (cached)");
      expect(existsSync(outside("folder/cache/replies/ab"))).toBe(false);
      expect((await scene.hasp("links")).out).toBe(`${scene.at(".hasp")} -> ${outside("folder")}\n`);
      expect(JSON.parse((await scene.hasp("links", "--json")).out)).toMatchObject({
        links: [{ link: scene.at(".hasp"), target: outside("folder"), state: "allowed" }],
      });
      expect((await scene.hasp("links", "forget", ".hasp")).code).toBe(0);
      expect((await scene.hasp("gc", "--older-than", "0")).code).toBe(2);
      expect((await scene.hasp("links", "forget", ".hasp")).code).toBe(1);
    },
    PATIENCE,
  );

  it(
    "needs a yes: nobody is there to ask, no link, or one that leads to nothing",
    async () => {
      link(outside("folder"), "a");
      const unasked = await scene.hasp("links", "allow", "a");
      expect([unasked.code, unasked.err]).toEqual([2, expect.stringContaining("Add --yes")]);
      const plain = await scene.hasp("links", "allow", "--yes", "script.json");
      expect([plain.code, plain.err]).toEqual([2, expect.stringContaining("script.json is no link.")]);
      link(outside("nothing"), "b");
      const dangling = await scene.hasp("links", "allow", "--yes", "b");
      expect([dangling.code, dangling.err]).toEqual([2, expect.stringContaining("leads to nothing")]);
      expect((await scene.hasp("links")).out).toContain("No link is allowed.");
    },
    PATIENCE,
  );
});

describe("A link of the user's own, outside every workspace", () => {
  const home = (...names: string[]): string => path.join(scene.base, "home", ...names);

  it.each<[string, () => void, string]>([
    ["the folder", () => symlinkSync(outside("folder"), home(".claude")), "folder/settings.json"],
    [
      "the file",
      () => {
        mkdirSync(home(".claude"));
        writeFileSync(outside("settings.json"), "{}");
        symlinkSync(outside("settings.json"), home(".claude/settings.json"));
      },
      "settings.json",
    ],
  ])(
    "is followed for the user's own settings of a coding agent, and stays: %s",
    async (_what, plant, made) => {
      plant();
      const { code, err } = await scene.hasp(...INSTALL, "--user");
      expect([code, err]).toEqual([0, ""]);
      expect(readFileSync(outside(made), "utf8")).toContain("PreToolUse");
      expect(treeOf(home()).some((line) => line.includes(" -> "))).toBe(true);
    },
    PATIENCE,
  );

  it(
    "is followed for HASP's own folders",
    async () => {
      symlinkSync(outside("folder"), path.join(scene.base, "state"));
      link(outside(), ".hasp");
      expect((await scene.hasp("links", "allow", "--yes", ".hasp")).code).toBe(0);
      expect(existsSync(outside("folder/hasp/links.json"))).toBe(true);
      expect((await scene.hasp("init")).code).toBe(0);
    },
    PATIENCE,
  );
});
