import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { contextsOf } from "../../../src/trace/context-at.ts";
import { webSearchRules } from "../../../src/domains/web-search/context-rules.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { parseEpisode, readEpisodes, serialiseEpisode } from "../../../src/trace/episode-file.ts";
import { importRun } from "../../../src/trace/import-run.ts";
import { lineImporter } from "../../../src/trace/import-react.ts";
import { openRun } from "../../../src/trace/run-folder.ts";
import { stripVerdict } from "../../../src/trace/verdict.ts";
import { TRAJ } from "./formats-fixtures.ts";
import { ATIF, importContent } from "./formats-support.ts";
import { files, temporaryFolder } from "./support.ts";
import { sha256 } from "../../../src/platform/sha256.ts";

const VERDICTS = /Answer is (?:IN)?CORRECT|reward = (?:True|False)/;
const clock = { now: () => "2026-01-01T00:00:00.000Z" };
const DATA = "../shared/data/trajectories";

const reflexion = {
  source: "reflexion",
  strategy: "react+reflexion",
  trial: 2,
  status: "incorrect",
  question: "Where is it?",
  gold: "Paris",
  pred: "Rome",
  reflection: "Look twice.",
  also_listed_in_trials: [3, 4],
  id: "r1",
  steps: [
    {
      n: 1,
      thought: "a",
      action: "Search",
      arg: "it",
      action_raw: "Search[it]",
      observation: "It is there.",
    },
    {
      n: 2,
      thought: "b",
      action: "Lookup",
      arg: "there",
      action_raw: "Lookup[there]",
      observation: "No Results",
    },
    {
      n: 3,
      thought: "c",
      action: "Compare",
      arg: "x",
      action_raw: "Compare[x]",
      observation: "Invalid Action.",
    },
    { n: 4, thought: "d", action: null, arg: null, action_raw: "Search[it] now", observation: null },
    {
      n: 5,
      thought: "e",
      action: "Finish",
      arg: "Rome",
      action_raw: "Finish[Rome]",
      observation: "Answer is INCORRECT",
    },
  ],
};

function importOne(row: unknown, format: "reflexion" | "fireact" = "reflexion"): Episode {
  const { value, diagnostics } = lineImporter(
    format,
    "x.jsonl",
  )({ line: 0, text: JSON.stringify(row), readBytes: 0 });
  expect(diagnostics).toEqual([]);
  if (value === undefined) throw new Error("an episode expected");
  return value;
}

test("the actions are mapped, and what is no action keeps its words", () => {
  const episode = importOne(reflexion);
  expect(episode.steps.map((step) => step.executed)).toEqual([
    { type: "SEARCH", arg: "it" },
    { type: "READ", arg: "there" },
    { type: "other", arg: "x", raw: "Compare[x]" },
    { type: "invalid", arg: "Search[it] now", raw: "Search[it] now" },
    { type: "FINAL", arg: "Rome" },
  ]);
  expect(episode).toMatchObject({
    id: "r1",
    outcome: "wrong",
    answer: "Rome",
    stopReason: "final",
    gold: ["Paris"],
  });
  expect(episode.prelude).toBe("Look twice.");
  expect(parseEpisode(serialiseEpisode(episode), "x", 0).value).toEqual(episode);
});

test("a step without the text of an action keeps its thought as the reply", () => {
  const step = { n: 1, thought: "I look.", action: null, arg: null, action_raw: "", observation: null };
  const episode = importOne({ ...reflexion, steps: [step] });
  expect(episode.steps[0]?.executed).toEqual({ type: "invalid", arg: "I look.", raw: "I look." });
});

test("the judgement is the outcome and stands in no other field", () => {
  const { outcome, ...rest } = importOne(reflexion);
  expect(outcome).toBe("wrong");
  expect(rest.steps[4]?.observation).toBe("");
  const right = importOne({
    ...reflexion,
    status: "correct",
    em: true,
    f1: 1,
    pred: "Paris",
    also_listed_in_trials: [],
  });
  expect({ ...right, outcome: undefined }).toEqual({ ...rest, outcome: undefined });
});

test("an episode that never answered stopped at its limit, or was halted before it", () => {
  const search = reflexion.steps[0];
  const halted = { ...reflexion, status: "halted", steps: Array(6).fill(search) };
  expect(importOne(halted)).toMatchObject({ outcome: "halted", stopReason: "max_steps" });
  expect(importOne(halted).answer).toBeUndefined();
  expect(importOne({ ...halted, steps: [search] }).stopReason).toBe("halted");
});

test("without an id, the same line gets the same id", () => {
  const { id: _id, ...anonymous } = reflexion;
  expect(importOne(anonymous).id).toBe(importOne(anonymous).id);
  expect(importOne({ ...anonymous, question: "Where else?" }).id).not.toBe(importOne(anonymous).id);
});

test("a verdict is removed wherever it stands, and two halves do not make a new one", () => {
  expect(stripVerdict("I look.\nObservation: Episode finished, reward = False")).toBe("I look.");
  expect(stripVerdict("reward = reward = TrueTrue")).not.toMatch(VERDICTS);
  expect(stripVerdict("to be sure the answer is correct")).toBe("to be sure the answer is correct");
});

test("property: no text of a row carries a verdict into the episode", () => {
  const noise = fc
    .array(
      fc.oneof(
        fc.constantFrom("Answer is ", "CORRECT", "IN", "reward = ", "True", "False", "Episode finished, "),
        fc.string({ maxLength: 5 }),
      ),
    )
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(noise, noise, noise, (a, b, c) => {
      const row = { ...reflexion, id: a, question: `Q ${b}`, gold: c, reflection: a, strategy: b };
      const steps = [{ thought: a, action: b || "x", arg: c, action_raw: a + b, observation: c }];
      expect(serialiseEpisode(importOne({ ...row, steps }))).not.toMatch(VERDICTS);
    }),
  );
});

test("property: no line makes an importer throw", () => {
  const anything = fc.oneof(
    fc.string(),
    fc.json(),
    fc.anything().map((value) => JSON.stringify(value) ?? ""),
  );
  fc.assert(
    fc.property(anything, (text) => {
      const { value, diagnostics } = lineImporter("fireact", "x")({ line: 3, text, readBytes: 0 });
      expect(value === undefined).toBe(diagnostics.length > 0);
    }),
  );
});

function prepare(lines: readonly string[]): { sources: [string]; folder: string } {
  const root = temporaryFolder();
  const source = `${root}/source.jsonl`;
  writeFileSync(source, lines.join("\n"));
  return { sources: [source], folder: `${root}/run` };
}
const good = JSON.stringify(reflexion);

test("an import makes a run that opens, and names the lines that were no trajectories", async () => {
  const paths = prepare([
    good,
    good.slice(0, 99),
    "",
    good.replace('"r1"', '"r2"'),
    good,
    '{"source":"fireact"}',
  ]);
  const progress: number[] = [];
  const result = await importRun(
    files,
    { clock, sha256 },
    {
      format: "reflexion",
      ...paths,
      onProgress: (p) => progress.push(p.episodes),
    },
  );
  expect(result.value).toMatchObject({ episodes: 3, outcomes: { wrong: 3 }, invalidSteps: 3 });
  expect(result.diagnostics.map((d) => [d.code, d.range.start.line])).toEqual([
    ["HASP530", 1],
    ["HASP531", 4],
    ["HASP530", 5],
  ]);
  expect(progress.at(-1)).toBe(3);
  const opened = await openRun(files, paths.folder);
  expect(opened.title).toBe("source.jsonl (imported)");
  expect(opened.diagnostics).toEqual([]);
  expect(opened.index.entries.map((entry) => entry.head.id)).toEqual(["r1", "r2", "r1~2"]);
});

test("importing again replaces the run; a folder of somebody else is refused", async () => {
  const paths = prepare([good]);
  await importRun(files, { clock, sha256 }, { format: "reflexion", ...paths });
  writeFileSync(paths.sources[0], good.replace('"r1"', '"again"'));
  await importRun(files, { clock, sha256 }, { format: "reflexion", ...paths });
  expect((await openRun(files, paths.folder)).index.entries.map((e) => e.head.id)).toEqual(["again"]);

  const other = await importRun(files, { clock, sha256 }, { format: "fireact", ...paths });
  expect(other.diagnostics.map((d) => d.code)).toEqual(["HASP533"]);
  const foreign = `${temporaryFolder()}/docs`;
  mkdirSync(foreign);
  writeFileSync(`${foreign}/mine.txt`, "mine");
  const refused = await importRun(
    files,
    { clock, sha256 },
    {
      format: "reflexion",
      sources: paths.sources,
      folder: foreign,
    },
  );
  expect(refused.diagnostics.map((d) => d.code)).toEqual(["HASP533"]);
  expect(readdirSync(foreign)).toEqual(["mine.txt"]);
});

test("an aborted import leaves the earlier run as it was, and no new one behind", async () => {
  const paths = prepare([good]);
  await importRun(files, { clock, sha256 }, { format: "reflexion", ...paths });
  const before = readFileSync(`${paths.folder}/episodes.jsonl`, "utf8");
  writeFileSync(paths.sources[0], `${good}\n${good}`);
  const request = { format: "reflexion", ...paths, signal: AbortSignal.abort() } as const;
  await expect(importRun(files, { clock, sha256 }, request)).rejects.toThrow("abort");
  expect(readFileSync(`${paths.folder}/episodes.jsonl`, "utf8")).toBe(before);
  await expect(
    importRun(files, { clock, sha256 }, { ...request, folder: `${paths.folder}2` }),
  ).rejects.toThrow("abort");
  expect(existsSync(`${paths.folder}2`)).toBe(false);
});

test("a file with nothing to import, and one that is not there, make no run", async () => {
  const paths = prepare(["nothing", '{"a":1}']);
  const nothing = await importRun(files, { clock, sha256 }, { format: "reflexion", ...paths });
  expect(nothing.value).toBeUndefined();
  expect(nothing.diagnostics.map((d) => d.code)).toEqual(["HASP530", "HASP530", "HASP532"]);
  expect(readdirSync(paths.folder)).toEqual([]);
  const absent = await importRun(
    files,
    { clock, sha256 },
    {
      format: "reflexion",
      ...paths,
      sources: [`${paths.sources[0]}x`],
    },
  );
  expect(absent.diagnostics.map((d) => d.code)).toEqual(["HASP534"]);
});

const REAL = [
  { format: "reflexion", file: "reflexion-hotpotqa.jsonl", counts: [87, 342, 98], invalid: 0, empty: 683 },
  { format: "fireact", file: "fireact-hotpotqa-even.jsonl", counts: [239, 478, 0], invalid: 49, empty: 103 },
] as const;

for (const real of REAL) {
  const source = `${DATA}/${real.file}`;
  const note = existsSync(source) ? "" : ` (skipped: ${source} is not here)`;
  test.skipIf(note !== "")(
    `the real ${real.format} file is imported in full, without its verdicts${note}`,
    async () => {
      const folder = `${temporaryFolder()}/run`;
      const { value, diagnostics } = await importRun(
        files,
        { clock, sha256 },
        {
          format: real.format,
          sources: [source],
          folder,
        },
      );
      expect(diagnostics).toEqual([]);
      const [correct, wrong, halted] = real.counts;
      expect(value?.outcomes).toEqual({ correct, wrong, halted, unjudged: 0, abandoned: 0 });
      expect(value?.invalidSteps).toBe(real.invalid);

      const written = readFileSync(`${folder}/episodes.jsonl`, "utf8");
      expect(written).not.toMatch(VERDICTS);
      expect(written).not.toMatch(/"(?:em|f1|pred|status|reflection|also_listed_in_trials)":/);
      const { index } = await openRun(files, folder);
      expect(index.diagnostics).toEqual([]);
      let empty = 0;
      for await (const read of readEpisodes(files, index)) {
        if (read.value === undefined) throw new Error(read.diagnostics[0]?.message);
        expect(contextsOf(read.value, webSearchRules)).toHaveLength(read.value.length);
        const searches = read.value.steps.filter((step) => step.executed.type === "SEARCH");
        empty += searches.filter((step) => webSearchRules.isEmptySearch(step.observation)).length;
      }
      expect(empty).toBe(real.empty);
    },
  );
}

test("ids of episodes have no blanks around them, in whatever format they come", async () => {
  const documents = (id: string): readonly (readonly [string, unknown])[] => [
    ["react.jsonl", { ...reflexion, id }],
    ["atif.json", { ...ATIF, trajectory_id: id, session_id: id }],
    [
      "chat.json",
      {
        id,
        messages: [
          { role: "user", content: "Hi?" },
          { role: "assistant", content: "Ho." },
        ],
      },
    ],
    ["agent.traj", { ...TRAJ, replay_config: { problem_statement: { id } } }],
  ];
  const idsOf = async (id: string): Promise<string[][]> =>
    Promise.all(
      documents(id).map(async ([name, document]) => {
        const { episodes } = await importContent(JSON.stringify(document), name);
        return episodes.flatMap((episode) => [episode.id, episode.questionId]);
      }),
    );
  const blanks = fc.stringMatching(/^[ \t\n\u00a0]{0,3}$/);
  await fc.assert(
    fc.asyncProperty(blanks, fc.stringMatching(/^\w([\w -]{0,8}\w)?$/), blanks, async (before, id, after) => {
      const ids = await idsOf(`${before}${id}${after}`);
      expect(ids).toEqual(await idsOf(id));
      expect(ids.flat().filter((one) => one.trim() !== one || one === "")).toEqual([]);
    }),
    { numRuns: 15 },
  );
  expect((await idsOf("  ")).flat().filter((one) => one.trim() !== one || one === "")).toEqual([]);
});
