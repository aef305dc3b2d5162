import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { webSearchRules } from "../../../src/domains/web-search/context-rules.ts";
import { parseCorpus } from "../../../src/domains/passages/corpus.ts";
import { indexPassages } from "../../../src/domains/passages/search-index.ts";
import { openWebSearch } from "../../../src/domains/web-search/tools.ts";

const text = readFileSync(new URL("../../../samples/corpus/passages.jsonl", import.meta.url), "utf8");
const index = indexPassages(parseCorpus(text, "passages.jsonl").value ?? []);
const run = async (...actions: readonly (readonly [string, string])[]): Promise<string> => {
  const tools = openWebSearch(index);
  let last = "";
  for (const [type, arg] of actions) last = (await tools.execute({ type, arg })).observation;
  return last;
};

describe("SEARCH", () => {
  it("lists documents with ids, titles and their first words", async () => {
    const observation = await run(["SEARCH", "Helen Walton death date"]);
    expect(observation.split("\n")).toHaveLength(5);
    expect(observation).toMatch(/^doc_0 {2}Helen Walton: Helen Robson Walton \(December 3, 1919 .* …$/m);
  });

  it("finds a misspelt name only because nothing matches as written", async () => {
    expect(await run(["SEARCH", "Straus"])).toContain("Joseph Strauss");
  });

  it.each(["xyzzy qqqq", "", "   ", "?!"])(
    "says that %j found nothing, in words that count as empty",
    async (query) => {
      const observation = await run(["SEARCH", query]);
      expect(webSearchRules.isEmptySearch(observation)).toBe(true);
    },
  );
});

describe("READ", () => {
  const searched = ["SEARCH", "Helen Walton death date"] as const;

  it.each(["doc_0", "DOC 0", "[doc_0]", "0", "Helen Walton", "helen walton", "married Sam Walton in 1943"])(
    "%j opens the document",
    async (arg) => {
      expect(await run(searched, ["READ", arg])).toMatch(
        /^Helen Walton\nHelen Robson Walton .* at the age of 87\.$/s,
      );
    },
  );

  it("opens a title that the latest search did not list", async () => {
    expect(await run(searched, ["READ", "Golden Gate Bridge"])).toContain("Marin County");
  });

  it.each(["doc_9", "Nobody", "", "...", "1943"])(
    "%j is not there, and does not count as read",
    async (arg) => {
      const observation = await run(searched, ["READ", arg]);
      expect(webSearchRules.isEmptySearch(observation)).toBe(true);
      expect(observation).toContain("doc_0 to doc_4");
    },
  );

  it("opens documents of the latest search alone", async () => {
    expect(await run(searched, ["SEARCH", "xyzzy"], ["READ", "doc_0"])).toBe(
      "Could not find [doc_0]. Search first.",
    );
  });
});

describe("a corpus file", () => {
  it.each([
    ["JSONL of passages", '{"id":"a","title":"T","text":"x"}\n{"id":"b","text":"y"}'],
    ["an array of passages", '[{"title":"T","text":"x"},\n{"title":"b","text":"y"}]'],
    ["an object from titles to sentences", '{"T":["x"],"b":["y"]}'],
    [
      "HotpotQA rows, with repeats",
      '{"context":[["T",["x"]],["b",["y"]]]}\n{"context":{"title":["T"],"sentences":[["x"]]}}',
    ],
    [
      "MuSiQue rows",
      '[{"paragraphs":[{"title":"T","paragraph_text":"x"},{"title":"b","paragraph_text":"y"}]}]',
    ],
  ])("%s", (_name, source) => {
    expect(parseCorpus(source, "c")).toEqual({
      value: [
        { title: "T", text: "x" },
        { title: "b", text: "y" },
      ],
      diagnostics: [],
    });
  });

  it("says which lines are no passages", () => {
    const { value, diagnostics } = parseCorpus('{"text":"x"}\n{oops\n{"a":1}', "c");
    expect(value).toHaveLength(1);
    expect(diagnostics.map((d) => `${d.code} ${d.range.start.line}`)).toEqual(["HASP545 1", "HASP545 2"]);
    expect(parseCorpus("[]", "c")).toMatchObject({ value: undefined, diagnostics: [{ code: "HASP546" }] });
  });

  const data = new URL("../../../../shared/data/", import.meta.url);
  it.skipIf(!existsSync(data)).each([
    ["hotpotqa/distractor-100.jsonl", 900],
    ["multihop/hotpotqa_train.json", 900],
    ["multihop/hotpotqa_train_corpus.json", 900],
    ["multihop/musique_train.json", 1_500],
    ["multihop/musique_train_corpus.json", 1_800],
    ["multihop/2wikimultihopqa_corpus.json", 6_000],
  ])("%s (skipped without ../shared/data)", (file, least) => {
    const { value, diagnostics } = parseCorpus(readFileSync(new URL(file, data), "utf8"), file);
    expect(diagnostics).toEqual([]);
    expect(value?.length).toBeGreaterThan(least);
  });
});
