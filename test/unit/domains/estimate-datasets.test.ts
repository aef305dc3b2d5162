import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { goldSource } from "../../../src/app/refuse-words.ts";
import { questionsLeft, resumeOrder } from "../../../src/app/run/resume.ts";
import { searchOf } from "../../../src/app/run-corpora.ts";
import { splitData, type DataOrder } from "../../../src/app/split-data.ts";
import { heldOut } from "../../../src/dataset/held-out.ts";
import { allDatasets, datasetNames, datasetsOf, domainOfDataset } from "../../../src/domains/registry.ts";
import { webSearch } from "../../../src/domains/web-search/web-search.ts";
import { datasetNamed } from "../../../src/evaluation/dataset-rows.ts";
import { parseDataset } from "../../../src/evaluation/datasets.ts";
import { parseQuestions } from "../../../src/evaluation/questions.ts";
import { parseRunInputs } from "../../../src/evaluation/run-inputs.ts";
import { splitOf, splitSizes } from "../../../src/evaluation/splits.ts";
import { recoveredIn } from "../../../src/evolve/recovered.ts";
import type { Run } from "../../../src/model/episode.ts";
import { SPLIT_DEFAULTS, type SplitName } from "../../../src/model/question-set.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { estimate } from "../../support/estimate-domain/estimate.ts";

vi.mock(import("../../../src/domains/registered.ts"), async (original) => {
  const { REGISTERED } = await original();
  const { estimate: added } = await import("../../support/estimate-domain/estimate.ts");
  return { REGISTERED: [...REGISTERED, added] };
});

const files = nodeFiles();
let root = "";
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "hasp-datasets-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const BRIDGES = [
  '{"nr": 1, "prompt": "How long is the old bridge?", "length": 42, "within": 0.50}',
  '{"nr": 2, "prompt": "How long is the new bridge?", "length": "1.5", "within": {"up": 12345678901234567890}}',
].join("\n");
const HEIGHTS = 'Rank,Peak,Metres,Off\r\n1,"Monte, Rosa",4634,10\r\n2,Eiger,3967,1.0\r\n';
const DATASETS = datasetsOf("estimate");
const plain = (...texts: readonly string[]): string =>
  texts.map((question, i) => JSON.stringify({ id: `q${i}`, question })).join("\n");

describe("The data sets of a domain", () => {
  it("are in the registry, under names that no other has", () => {
    expect(datasetNames()).toEqual(expect.arrayContaining(["hotpotqa", "bridges", "heights"]));
    const words = allDatasets().flatMap(({ name, shortNames = [] }) => [name, ...shortNames]);
    expect(new Set(words).size).toBe(words.length);
    expect(domainOfDataset("bridges")).toBe(estimate);
    expect(DATASETS.map(({ name }) => name)).toEqual(["bridges", "heights"]);
    expect(datasetsOf("nobody's")).toEqual(allDatasets());
  });

  it("are named within the domain of a run", () => {
    expect(datasetNamed("BR", DATASETS).value).toBe("bridges");
    expect(datasetNamed("hotpotqa", DATASETS).diagnostics).toMatchObject([
      {
        code: "HASP560",
        message: 'The data set "hotpotqa" belongs to the domain "web-search".',
        next: "Use one of: bridges, heights.",
      },
    ]);
    expect(datasetNamed("hotpotqa", []).diagnostics[0]?.next).toContain("has no data sets");
    const run = { domain: estimate, dataset: "hotpotqa", searchesPassages: false };
    expect(parseRunInputs({ file: "f", text: BRIDGES }, run).value).toBeUndefined();
  });

  it("give questions with what the judge needs, as it was written in another column", () => {
    const { value, diagnostics } = parseDataset(BRIDGES, "f");
    expect(diagnostics).toEqual([]);
    expect(value).toMatchObject({ dataset: "bridges", rows: 2, passages: [] });
    expect(value?.questions).toEqual([
      {
        id: "bridge-1",
        question: "How long is the old bridge?",
        gold: ["42"],
        dataset: "bridges",
        meta: { words: 6 },
        material: "0.50",
      },
      {
        id: "bridge-2",
        question: "How long is the new bridge?",
        gold: ["1.5"],
        dataset: "bridges",
        meta: { words: 6 },
        material: '{"up": 12345678901234567890}',
      },
    ]);
    expect(parseQuestions(BRIDGES, "f", DATASETS).value).toEqual(value?.questions);
    expect(parseQuestions(`[${BRIDGES.replace("\n", ",")}]`, "f").value).toEqual(value?.questions);
  });

  it("may have a layout of their own, such as CSV", () => {
    const { value, diagnostics } = parseDataset(HEIGHTS, "heights.csv");
    expect(diagnostics).toEqual([]);
    expect(value).toMatchObject({ dataset: "heights", rows: 2 });
    expect(value?.questions).toEqual([
      {
        id: "1",
        question: "How high is Monte, Rosa, in metres?",
        gold: ["4634"],
        dataset: "heights",
        material: "10",
      },
      {
        id: "2",
        question: "How high is Eiger, in metres?",
        gold: ["3967"],
        dataset: "heights",
        material: "1.0",
      },
    ]);
    expect(parseQuestions(HEIGHTS, "heights.csv").value).toEqual(value?.questions);
    expect(parseDataset(HEIGHTS, "f", "heights").value).toEqual(value);
    const broken = parseDataset(`${HEIGHTS}3,Mönch\n`, "f");
    expect(broken.value?.questions).toHaveLength(2);
    expect(broken.diagnostics).toMatchObject([
      { code: "HASP540", message: expect.stringContaining("Line 4") as string },
    ]);
  });

  it("are read again as our export wrote them", () => {
    for (const text of [BRIDGES, HEIGHTS]) {
      const { questions = [] } = parseDataset(text, "f").value ?? {};
      const again = questions.map((question) => JSON.stringify(question)).join("\n");
      expect(parseDataset(again, "g").value?.questions).toEqual(questions);
      expect(parseDataset(again, "g", questions[0]?.dataset).value?.questions).toEqual(questions);
      expect(parseQuestions(again, "g").value).toEqual(questions);
    }
  });

  it("say by themselves whether they ask for words", () => {
    expect(goldSource([["52"]], ["bamboogle"]).asksForWords).toBe(true);
    expect(goldSource([["52"]], ["bridges", undefined]).asksForWords).toBe(false);
  });
});

describe("A file that is of no data set and has no questions", () => {
  const messageOf = (text: string): string | undefined =>
    parseDataset(text, "f").diagnostics.find(({ code }) => code === "HASP542")?.message;

  it("is told the nearest data set, and what is missing", () => {
    expect(messageOf('{"nr": 1, "prompt": "How long?", "length": 3}')).toBe(
      "The file holds no questions. The nearest data set is bridges: its rows share `nr`, `prompt`, `length`; missing: `within`.",
    );
    expect(messageOf("Rank,Peak,Metres\n1,Eiger,3967\n")).toContain(
      "nearest data set is heights: its rows share `Rank`, `Peak`, `Metres`; missing: `Off`.",
    );
    expect(messageOf('{"prompt": [], "length": 1, "within": 1, "nr": 1}')).toContain(
      "nothing is missing, but the values are others",
    );
    expect(parseQuestions('{"prompt": "How long?"}', "f").diagnostics.at(-1)?.message).toContain("bridges");
  });

  it("is told none where its rows share no key", () => {
    expect(messageOf('{"x": 1}')).toBe("The file holds no questions.");
  });
});

describe("Splits", () => {
  const many = (dataset: string, rows: number) =>
    Array.from({ length: rows }, (_, i) => ({ id: String(i), question: `How long is ${i}?`, dataset }));

  it("of a data set that is all test name the one that its seed and validation come from", () => {
    expect(splitSizes(many("bridges", 30), { dataset: "bridges" })).toMatchObject({ test: 30, pool: 0 });
    const { value, diagnostics } = splitOf(many("bridges", 30), { dataset: "bridges", split: "seed" });
    expect(value).toEqual([]);
    expect(diagnostics).toMatchObject([
      { code: "HASP565", next: expect.stringContaining("of the data set heights") as string },
    ]);
  });

  it("of a pool have no test rows, and seed and validation of all rows", () => {
    const options = { dataset: "heights" };
    expect(splitSizes(many("heights", 900), options)).toEqual({
      test: 0,
      pool: 900,
      train: 800,
      seed: 50,
      val: 50,
      all: 900,
    });
    expect(splitOf(many("heights", 900), { ...options, split: "seed" }).diagnostics).toEqual([]);
    expect(splitOf(many("heights", 900), { ...options, split: "test" }).value).toBeUndefined();
    const boundaries = { test: 10 };
    expect(splitSizes(many("heights", 900), { ...options, boundaries })).toMatchObject({
      test: 10,
      pool: 890,
    });
  });
});

describe("Two questions that are one to a reader of words", () => {
  const [one, other] = ["Compute arccos 1.", "Compute arccos (-1)."];
  /** The first is test, the second in the pool. */
  const text = plain(one, ...Array.from({ length: 9 }, (_, i) => `How long is ${i}?`), other);
  const outsideTest = (domain: typeof estimate): readonly string[] =>
    (["train", "seed", "val"] satisfies SplitName[]).flatMap((split) =>
      (
        parseRunInputs({ file: "f", text }, { domain, split, searchesPassages: false }).value?.questions ?? []
      ).map(({ question }) => question),
    );

  it("are two where the domain's keys say so, and one in web search", () => {
    expect(outsideTest(estimate)).toContain(other);
    expect(outsideTest(webSearch)).not.toContain(other);
    const held = (domain: typeof estimate): boolean => heldOut([one], domain.keys.question).has(other);
    expect([held(estimate), held(webSearch)]).toEqual([false, true]);
  });

  it("are recovered by the same keys", () => {
    const entries = [
      { head: { question: one, outcome: "correct" } },
      { head: { question: other, outcome: "wrong" } },
    ];
    const runs = [{ run: "a", index: { entries } }] as unknown as Parameters<typeof recoveredIn>[0];
    const recovered = (domain: typeof estimate): number =>
      recoveredIn(runs, domain.keys.question).questions.size;
    expect([recovered(estimate), recovered(webSearch)]).toEqual([0, 1]);
  });
});

describe("Plain questions with material", () => {
  it("keep a text as it is, and any other value as it was written", () => {
    const rows = [
      '{"id": "a", "question": "A?", "gold": 7, "material": "assert f(1) == 2"}',
      '{"id": "b", "question": "B?", "gold": ["x", 1.5], "material": 1.0}',
      '{"id": "c", "question": "C?", "material": {"n": 12345678901234567890, "x": [1.0]}}',
      '{"id": "d", "question": "D?", "material": null}',
    ].join("\n");
    const { value = [] } = parseQuestions(rows, "f");
    expect(value.map(({ gold, material }) => [gold, material])).toEqual([
      [["7"], "assert f(1) == 2"],
      [["x", "1.5"], "1.0"],
      [undefined, '{"n": 12345678901234567890, "x": [1.0]}'],
      [undefined, undefined],
    ]);
  });

  it("refuse a number as gold that lost digits when it was read", () => {
    const { diagnostics } = parseQuestions('{"question": "A?", "gold": 12345678901234567890}', "f");
    expect(diagnostics[0]).toMatchObject({
      code: "HASP540",
      message: expect.stringContaining("of so many digits as a text") as string,
    });
  });

  it("are exported with it, also where it has 50 MB", async () => {
    const large = "assert f(1) == 2\n".repeat(Math.ceil((50 * 1024 * 1024) / 17));
    const [input, output] = [path.join(root, "large.jsonl"), path.join(root, "out.jsonl")];
    await writeFile(
      input,
      [large, "1"]
        .map((material, i) => JSON.stringify({ id: `q${i}`, question: `${i}?`, material }))
        .join("\n"),
    );
    const order: DataOrder = {
      ...SPLIT_DEFAULTS,
      file: input,
      domain: "estimate",
      dataset: undefined,
      split: undefined,
      boundaries: {},
      output,
      corpusOut: undefined,
    };
    const services = {
      files,
      absolute: (name: string) => name,
      folderOf: (name: string) => path.dirname(name),
    };
    const { value } = await splitData(order, services);
    expect(value).toMatchObject({ described: { questions: 2, withoutGold: 0 } });
    expect((await stat(output)).size).toBeGreaterThan(large.length);
    const again = parseQuestions(await readFile(output, "utf8"), "out.jsonl").value ?? [];
    expect(again[0]?.material === large).toBe(true);
    expect(again[1]?.material).toBe("1");
  });
});

describe("A recorded run", () => {
  const recorded = (settings: object, domain = "estimate"): Run =>
    ({
      id: "r",
      title: "r",
      domain,
      createdAt: "2026-01-01T00:00:00Z",
      source: "hasp",
      settings: { policy: "scripted:s", questions: { file: "q.jsonl" }, ...settings },
    }) as unknown as Run;

  async function left(settings: object) {
    const questions = path.join(root, "bridges.jsonl");
    await writeFile(questions, BRIDGES);
    const order = resumeOrder(recorded(settings));
    if (order === undefined) throw new Error("no order");
    return questionsLeft(files, order, { name: "q.jsonl", path: questions }, { entries: [] });
  }

  it("goes on with a data set of its domain", async () => {
    expect(await left({ dataset: "bridges", split: "test" })).toEqual({ value: 2, diagnostics: [] });
  });

  it("whose data set no domain knows is opened, and cannot go on: it is said why", async () => {
    const { value, diagnostics } = await left({ dataset: "towers" });
    expect(value).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: "HASP560", message: 'No data set is called "towers".' }]);
  });

  it("of a domain that searches nothing has no corpus, whatever hasp.yaml names", async () => {
    const usual = { corpus: { name: "c.jsonl", path: "/c.jsonl", hash: undefined }, topK: 3 };
    const pathOf = async (file: string): Promise<string> => file;
    expect(await searchOf(recorded({}), pathOf, usual)).toEqual({});
    expect(await searchOf(recorded({}, "web-search"), pathOf, usual)).toEqual(usual);
  });
});
