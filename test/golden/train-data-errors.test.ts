import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import { THOROUGH } from "../support/thorough.ts";
import { openSmallDisk } from "../support/full-disk.ts";
import type { Ended } from "../support/hook-process.ts";
import { ROOT } from "../support/core.ts";
import {
  FIXTURES,
  fixtureRun,
  folderOf,
  jsonl,
  linesOf,
  openTrainScene,
  placeOf,
  rowsOf,
  say,
  type Folder,
} from "../support/train-data.ts";

/** Bad input of hasp train-data is named with its place, and no folder is left half written. */
const scene = openTrainScene("train-errors");
afterAll(() => scene.close());

const PATIENCE = 120_000;
const MEGABYTE = 1024 * 1024;

/** `code file:line`, both as people count. */
const found = (list: readonly Diagnostic[]): readonly string[] =>
  list
    .filter(({ severity }) => severity !== "information")
    .map(({ code, file = "", range }) => `${code} ${file}:${range.start.line + 1}`);

/** A copy of the run with these lines of its episodes, and other changes. */
function copyOfRun(name: string, change: (lines: readonly string[]) => string): void {
  rmSync(scene.at(name), { recursive: true, force: true });
  cpSync(scene.at("run"), scene.at(name), { recursive: true });
  rmSync(scene.at(name, "episodes.index"), { force: true });
  scene.write(`${name}/episodes.jsonl`, change(linesOf(scene.at("run/episodes.jsonl"))));
}

const asText = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

let before: Folder;
beforeAll(async () => {
  await fixtureRun(scene);
  await scene.build(["run", "-o", "data"]);
  before = folderOf(scene.at("data"));
});

/** The command ends with 2 and these findings, and the folder of before is as it was. */
async function refused(args: readonly string[]): Promise<readonly Diagnostic[]> {
  const { diagnostics } = await scene.build(args, 2);
  expect(folderOf(scene.at("data"))).toEqual(before);
  return diagnostics;
}

describe("runs that are not whole", () => {
  it("are named by file and line, and their other episodes count", async () => {
    copyOfRun("torn", (lines) => asText(lines).slice(0, -300));
    mkdirSync(scene.at("torn/live"), { recursive: true });
    scene.write("torn/live/rest.jsonl", "{}\n");
    const { diagnostics, cards } = await scene.build(["torn", "-o", "of-torn"], 1);
    expect(found(diagnostics)).toEqual([
      expect.stringMatching(/^HASP\d+ torn\/episodes\.jsonl:4$/),
      "HASP624 torn/live/rest.jsonl:1",
    ]);
    expect(rowsOf(scene.at("of-torn/a-sft.jsonl")).map(placeOf)).toEqual([
      "fern#1:1",
      "fern#1:2",
      "fern#1:3",
      "lark#1:2",
      "pine#1:1",
      "pine#1:2",
      "pine#1:3",
    ]);
    expect(cards[0]?.sources).toEqual([{ run: "torn", episodes: 3, steps: 9, rows: 7 }]);
  });

  it("give no rows of an episode without a verdict, which is named (HASP626)", async () => {
    scene.write("asked.jsonl", jsonl([{ id: "q", question: "Who drew the plans of the Lark Bridge?" }]));
    const script = [say("SEARCH[Lark Bridge]"), say("READ[doc_0]"), say("FINAL[Ada Holm]")];
    await scene.run({ output: "open", questions: "asked.jsonl", script, args: ["--no-skills"] });
    const { diagnostics } = await scene.build(["run", "open", "-o", "of-open"]);
    expect(found(diagnostics)).toEqual(["HASP626 open/episodes.jsonl:1"]);
    const rows = rowsOf(scene.at("of-open/a-sft.jsonl"));
    expect(new Set(rows.map(({ run }) => run))).toEqual(new Set(["run"]));
    const steps = rowsOf(scene.at("of-open/steps.jsonl")).filter(({ run }) => run === "open");
    expect(steps.map(({ dropped }) => dropped)).toEqual(["no_outcome", "no_outcome", "no_outcome"]);
  });

  it("without the messages that the policy read give no row, with the reason", async () => {
    copyOfRun("mute", asText);
    rmSync(scene.at("mute/messages.jsonl"));
    const [last] = (await refused(["mute", "-o", "data"])).slice(-1);
    expect(last?.message).toContain("14: the messages that the policy read are missing");
  });

  it("give empty files where no row is needed", async () => {
    const { cards } = await scene.build(["mute", "-o", "of-mute", "--allow-empty"]);
    expect(cards.map(({ file, rows }) => [file, rows, scene.read(`of-mute/${file}`)])).toEqual([
      ["a-sft.jsonl", 0, ""],
      ["a-dpo.jsonl", 0, ""],
      ["a-prompt.jsonl", 0, ""],
    ]);
    expect(cards[0]?.dropped).toContainEqual(expect.objectContaining({ steps: 14 }));
  });

  it("of several domains are refused (HASP625)", async () => {
    copyOfRun("other", asText);
    scene.write("other/run.json", scene.read("other/run.json").replace('"web-search"', '"coding-agent"'));
    expect(found(await refused(["run", "other", "-o", "data"]))).toEqual(["HASP625 other/run.json:1"]);
  });

  it("and that are missing are refused", async () => {
    expect(found(await refused(["run", "nowhere", "-o", "data"]))).toEqual(["HASP572 nowhere:1"]);
  });
});

describe("orders that cannot be", () => {
  it("name the misspelt slot of a file of weights by line and column", async () => {
    scene.write("weights.yaml", "families: { timing: 0.2 }\nslots:\n  s1.tpp: 1\n");
    const ended = await scene.hasp("train-data", "run", "-o", "never", "--weights", "weights.yaml");
    expect(ended.code).toBe(2);
    expect(ended.err).toContain("weights.yaml:3:3  error  HASP620  Unknown key `s1.tpp`");
    expect(ended.err).toContain('Did you mean "s1.tp"?');
    expect(existsSync(scene.at("never"))).toBe(false);
  });

  it("refuse another filter than the one of the experiment (HASP634)", async () => {
    const codes = (await refused(["run", "-o", "data", "--experiment", "e5", "--filter", "opd"])).map(
      ({ code, message }) => [code, message],
    );
    expect(codes).toEqual([["HASP634", "E5 takes the filter rs, not opd."]]);
  });

  it.each([
    ["without data.yaml", undefined],
    ["with a data.yaml that is no YAML", "order: [\n"],
    ["with a data.yaml of another schema", "schema: hasp.other/1\n"],
    ["with an empty data.yaml", ""],
  ])("refuse to refresh a folder %s (HASP633)", async (_which, text) => {
    rmSync(scene.at("plain"), { recursive: true, force: true });
    mkdirSync(scene.at("plain"));
    if (text !== undefined) scene.write("plain/data.yaml", text);
    const files = folderOf(scene.at("plain"));
    expect(found(await refused(["--refresh", "plain"]))).toEqual(["HASP633 plain/data.yaml:1"]);
    expect(folderOf(scene.at("plain"))).toEqual(files);
  });

  it("name the broken line of a file of candidates (HASP629), and take the others", async () => {
    const lines = linesOf(path.join(FIXTURES, "candidates.jsonl"));
    scene.write("candidates.jsonl", asText(["{", lines[0] ?? "", '{"schema":"hasp.candidate/1","id":""}']));
    const args = ["--objective", "b", "--candidates", "candidates.jsonl", "-o", "of-broken"];
    const { diagnostics } = await scene.build(args, 1);
    expect(found(diagnostics)).toEqual(["HASP629 candidates.jsonl:1", "HASP629 candidates.jsonl:3"]);
    expect(linesOf(scene.at("of-broken/b-sft.jsonl"))).toHaveLength(1);
  });
});

describe("hasp train-data --row", () => {
  const show = (row: string): Promise<Ended> => scene.hasp("train-data", "--row", row);

  it("shows the step of a row of each file", async () => {
    for (const row of ["a-sft.jsonl:2", "a-dpo.jsonl:1", "a-prompt.jsonl:2", "steps.jsonl:2"]) {
      const { code, out } = await show(`data/${row}`);
      expect([code, out]).toEqual([0, expect.stringContaining("proposed  FINAL")]);
      expect(out).toContain("hasp replay run --episode fern#1 --step 2");
    }
  });

  it.each<[string, () => void, string]>([
    ["run is deleted", () => undefined, "Its run gone is gone."],
    [
      "episode is gone",
      () => copyOfRun("gone", (lines) => asText(lines.slice(1))),
      "Its episode fern#1 is gone from gone.",
    ],
    [
      "episode has fewer steps",
      () =>
        copyOfRun("gone", ([line = ""]) => {
          const episode = JSON.parse(line) as { steps: unknown[]; length: number };
          return asText([JSON.stringify({ ...episode, steps: episode.steps.slice(0, 1), length: 1 })]);
        }),
      "episode fern#1 of gone has 1 steps, not 2.",
    ],
  ])("says by file and line that the %s (HASP628)", async (_what, change, message) => {
    copyOfRun("gone", asText);
    await scene.build(["gone", "-o", "of-gone"]);
    rmSync(scene.at("gone"), { recursive: true });
    change();
    const { code, out, err } = await show("of-gone/a-sft.jsonl:2");
    expect(code).toBe(2);
    expect(`${out}${err}`).toContain(message);
    expect(`${out}${err}`).toContain("of-gone/a-sft.jsonl:2:1  error  HASP628");
    expect(`${out}${err}`).toContain("--refresh");
  });

  it("says that a line is none, or no row", async () => {
    expect((await show("data/a-sft.jsonl:99")).err).toContain("The file has no such line.");
    expect((await show("data/data.yaml:1")).err).toContain("This line is no row of a step.");
    expect((await show("data/none.jsonl:1")).err).toContain("There is no file data/none.jsonl.");
    expect((await show("data/a-sft.jsonl")).err).toContain("names no row");
  });
});

describe("a build that is stopped in the middle", () => {
  const COPIES = 600;
  const FEWER = 150;
  const copied = (copies: number) => (lines: readonly string[]) =>
    Array.from({ length: copies }, (_, i) =>
      asText(lines.map((line) => line.replace(/"id":"(\w+)#1"/, `"id":"$1-${i}#1"`))),
    ).join("");
  beforeAll(() => {
    copyOfRun("long", copied(COPIES));
    copyOfRun("shorter", copied(FEWER));
  });
  beforeEach(() => {
    for (const name of readdirSync(scene.at("data")))
      if (name.endsWith(".tmp")) rmSync(scene.at("data", name));
  });

  /** Stops the build once the first of its files is on the disk beside the old one. */
  async function stopped(signal: "SIGINT" | "SIGKILL"): Promise<Ended> {
    const args = ["train-data", "long", "-o", "data"];
    const { child, ended } = scene.start([path.join(ROOT, "dist/hasp.cjs"), ...args], "");
    const watch = setInterval(() => {
      if (readdirSync(scene.at("data")).some((name) => name.endsWith(".tmp"))) {
        clearInterval(watch);
        child.kill(signal);
      }
    }, 1);
    const end = await ended;
    clearInterval(watch);
    return end;
  }

  it(
    "by SIGINT leaves the files of before, and nothing beside them",
    async () => {
      const { code, err } = await stopped("SIGINT");
      expect([code, err]).toEqual([2, "hasp: Interrupted\n"]);
      expect(folderOf(scene.at("data"))).toEqual(before);
      expect(readdirSync(scene.at("data")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    },
    PATIENCE,
  );

  it(
    "by SIGKILL leaves the files of before; the next build does not mind what lies beside them",
    async () => {
      expect((await stopped("SIGKILL")).signal).toBe("SIGKILL");
      expect(folderOf(scene.at("data"))).toEqual(before);
      await scene.build(["run", "-o", "data"]);
      expect(folderOf(scene.at("data"))["a-sft.jsonl"]).toBe(before["a-sft.jsonl"]);
      before = folderOf(scene.at("data"));
    },
    PATIENCE,
  );

  it(
    "by a full disk leaves the files of before",
    async () => {
      const disk = await openSmallDisk(scene.at("disk"), 32 * MEGABYTE);
      try {
        mkdirSync(disk.reach("clone/.git"), { recursive: true });
        for (const run of ["run", "shorter"])
          cpSync(scene.at(run), disk.reach("clone", run), { recursive: true });
        const hasp = (...args: readonly string[]) => disk.hasp("clone", scene.env, "train-data", ...args);
        expect((await hasp("run", "-o", "data")).code).toBe(0);
        const files = folderOf(disk.reach("clone/data"));
        disk.fill(600_000);
        const { code, out, err } = await hasp("shorter", "-o", "data");
        expect([code, `${out}${err}`]).toEqual([2, expect.stringContaining("the disk is full")]);
        expect(folderOf(disk.reach("clone/data"))).toEqual(files);
        expect(readdirSync(disk.reach("clone/data")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
        writeFileSync(disk.reach("filler"), "");
        expect((await hasp("run", "-o", "data")).code).toBe(0);
      } finally {
        await disk.close();
      }
    },
    PATIENCE,
  );

  it.each(THOROUGH ? [16_384, 65_536, 98_304] : [65_536])(
    "by a disk that is full at the end of the build leaves the files of before (%d bytes left)",
    async (left) => {
      const disk = await openSmallDisk(scene.at("disk"), 4 * MEGABYTE);
      try {
        mkdirSync(disk.reach("clone/.git"), { recursive: true });
        cpSync(scene.at("run"), disk.reach("clone/run"), { recursive: true });
        const hasp = (...args: readonly string[]) =>
          disk.hasp("clone", scene.env, "train-data", "run", ...args);
        expect((await hasp("-o", "data")).code).toBe(0);
        const files = folderOf(disk.reach("clone/data"));
        disk.fill(left);
        const { code, out, err } = await hasp("-o", "data", "--drop", "timing");
        expect([code, `${out}${err}`]).toEqual([2, expect.stringContaining("the disk is full")]);
        expect(folderOf(disk.reach("clone/data"))).toEqual(files);
        expect(readdirSync(disk.reach("clone/data")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
      } finally {
        await disk.close();
      }
    },
    PATIENCE,
  );
});
