import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findInEpisode, type EpisodeHit } from "../../../src/model/episode-hit.ts";
import type { Episode, Step } from "../../../src/model/episode.ts";
import { narrows, textQuery, type TextQuery } from "../../../src/model/text-query.ts";
import { searchFiles } from "../../../src/platform/search-files.ts";
import { serialiseEpisode } from "../../../src/trace/episode-file.ts";
import { openIndex } from "../../../src/trace/episode-index.ts";
import { searchEpisodes, type EpisodeLine } from "../../../src/trace/search-episodes.ts";
import { episode, files, step, temporaryFolder } from "./support.ts";

const MOST_PLACES = 5;

function queryOf(typed: string): TextQuery {
  const query = textQuery(typed);
  if (query === undefined) throw new Error(`no query: ${JSON.stringify(typed)}`);
  return query;
}

async function linesIn(path: string): Promise<EpisodeLine[]> {
  const { entries } = await openIndex(files, path, { save: false });
  return entries.map(({ offset, bytes }, index) => ({ index, offset, bytes }));
}

async function searchFile(path: string, typed: string): Promise<EpisodeHit[]> {
  const hits: EpisodeHit[] = [];
  const options = { mostPlaces: MOST_PLACES };
  for await (const block of searchEpisodes(searchFiles(), path, await linesIn(path), queryOf(typed), options))
    hits.push(...block.hits);
  return hits;
}

async function search(lines: readonly string[], typed: string): Promise<EpisodeHit[]> {
  const path = join(temporaryFolder(), "episodes.jsonl");
  writeFileSync(path, `${lines.join("\n")}\n`);
  return searchFile(path, typed);
}

/** Python's `json.dumps`, and a writer that escapes all there is, in capitals. */
const asciiOnly = (line: string): string =>
  line.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
const escaped = (unit: string): string =>
  `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
const allEscaped = (episode: Episode): string => {
  const escapeTexts = (value: unknown): string => {
    if (typeof value === "string") return `"${value.split("").map(escaped).join("")}"`;
    if (Array.isArray(value)) return `[${value.map(escapeTexts).join(",")}]`;
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    const members = Object.entries(value).filter(([, one]) => one !== undefined);
    return `{${members.map(([key, one]) => `${JSON.stringify(key)}: ${escapeTexts(one)}`).join(", ")}}`;
  };
  return escapeTexts(episode);
};
const WRITERS: readonly ((episode: Episode) => string)[] = [
  serialiseEpisode,
  (one) => asciiOnly(serialiseEpisode(one)),
  (one) => serialiseEpisode(one).replaceAll("/", "\\/"),
  allEscaped,
];

describe("a text is found in every field, with its place", () => {
  const said: Step = {
    ...step(2, "SEARCH", "action"),
    prompts: ["a prompt"],
    instructions: [{ skillId: "s", phase: "pre_final", text: "an instruction" }],
    proposals: [{ thought: "a thought", action: { type: "SEARCH", arg: "proposed action" } }],
    executed: { type: "READ", arg: "executed action" },
    injected: [{ skillId: "s", text: "an injected text" }],
    observation: "an observation",
    documents: [{ id: "d", title: "a title", text: "a document" }],
  };
  const one = episode("a", {
    question: "a question",
    answer: "an answer",
    gold: ["no", "a gold one"],
    steps: [step(0, "SEARCH", "x"), step(1, "SEARCH", "y"), said],
  });
  test.each([
    ["A QUESTION", "question", undefined],
    ["an answer", "answer", undefined],
    ["gold one", "gold", undefined],
    ["a prompt", "prompt", 2],
    ["instruction", "injected", 2],
    ["thought", "thought", 0],
    ["a thought", "thought", 2],
    ["search proposed", "action", 2],
    ["read executed", "action", 2],
    ["injected", "injected", 2],
    ["observation", "observation", 2],
    ["title", "document", 2],
    ["document", "document", 2],
  ])("%s", async (typed, field, t) => {
    const [hit] = await search([serialiseEpisode(one)], typed);
    const place = hit?.places[0];
    expect(place?.field).toBe(field);
    expect(place?.t).toBe(t);
    expect(place?.excerpt.slice(place.at, place.at + place.length).toLowerCase()).toBe(typed.toLowerCase());
  });

  test("an action that ran as it was proposed counts once", async () => {
    const [hit] = await search(
      [serialiseEpisode(episode("a", { steps: [step(0, "SEARCH", "once")] }))],
      "once",
    );
    expect(hit?.fields).toEqual({ action: 1 });
  });
});

describe("a text is found however it is written", () => {
  test.each([
    ["walton", "Helen WALTON"],
    ["new york city", "in New\n  York\tCity"],
    ["straße", "die STRAẞE"],
    ["ΟΔΟΣ", "η οδος"],
    ["kelvin", "\u212Aelvin"],
    ["sine", "\u017Fine"],
    ["naïve", "NAÏVE"],
    ["𐐀", "𐐨"],
    ["😀", "so 😀!"],
    ['say "hi"', 'They say "Hi"'],
    ["c:\\temp/x", "in C:\\Temp/x"],
    ["a.*b", "an a.*b"],
    ["\uFFFD", "a \uFFFD"],
    ["日本", "日本語"],
  ])("%s in %s", async (typed, observation) => {
    const one = episode("a", { steps: [step(0, "SEARCH", "x", observation)] });
    const other = episode("b");
    for (const write of WRITERS) {
      const hits = await search([write(other), write(one)], typed);
      expect(hits.map(({ index, fields }) => [index, fields])).toEqual([[1, { observation: 1 }]]);
    }
  });

  test("the names of fields, and texts between two fields, are no hits", async () => {
    const line = serialiseEpisode(episode("a", { question: "one", answer: "two" }));
    expect(await search([line], "observation")).toEqual([]);
    expect(await search([line], "one two")).toEqual([]);
  });
});

test("an excerpt is one line around the first occurrence, cut between characters", async () => {
  const observation = `${"😀 ".repeat(40)}\n\nthe Walton\nfamily ${"😀".repeat(80)}walton`;
  const [hit] = await search(
    [serialiseEpisode(episode("a", { steps: [step(0, "SEARCH", "x", observation)] }))],
    "walton family",
  );
  const place = hit?.places[0];
  expect(place?.excerpt).toMatch(/^…😀.* the Walton family 😀+…$/u);
  expect(place?.excerpt.slice(place.at, place.at + place.length)).toBe("Walton family");
  expect(place?.excerpt.isWellFormed()).toBe(true);
  expect(hit?.count).toBe(1);
});

test("lines that are no episodes are skipped", async () => {
  const good = serialiseEpisode(episode("a", { question: "Walton?" }));
  const torn = good.slice(0, -40);
  const foreign = `{"schema":"other/1","question":"Walton?"}`;
  const unfit = good.replace('"stopReason":"final"', '"stopReason":7');
  const hits = await search([torn, foreign, unfit, "", "Walton", good], "walton");
  expect(hits.map(({ count }) => count)).toEqual([1]);
});

test("lines of an older index that the file no longer has are skipped", async () => {
  const path = join(temporaryFolder(), "episodes.jsonl");
  writeFileSync(path, "short\n");
  const lines = [{ index: 0, offset: 900, bytes: 500 }];
  const options = { mostPlaces: 1 };
  for await (const { hits } of searchEpisodes(searchFiles(), path, lines, queryOf("short"), options))
    expect(hits).toEqual([]);
});

test("a file larger than a block gives its hits in order, and only the lines that are asked for", async () => {
  const path = join(temporaryFolder(), "episodes.jsonl");
  const lines = Array.from({ length: 90 }, (_, i) =>
    serialiseEpisode(
      episode(`e${i}`, {
        steps: [step(0, "SEARCH", "x", `${"filler ".repeat(20_000)}${i % 7 === 0 ? "Walton" : ""}`)],
      }),
    ),
  );
  writeFileSync(path, lines.join("\n"));
  expect((await searchFile(path, "walton")).map(({ index }) => index)).toEqual(
    Array.from({ length: 13 }, (_, i) => i * 7),
  );
  const some = (await linesIn(path)).filter(({ index }) => index % 14 === 0 || index === 3);
  const found: number[] = [];
  let searched = 0;
  for await (const block of searchEpisodes(searchFiles(), path, some, queryOf("walton"), { mostPlaces: 1 })) {
    found.push(...block.hits.map(({ index }) => index));
    searched = block.searched;
  }
  expect(found).toEqual([0, 14, 28, 42, 56, 70, 84]);
  expect(searched).toBe(8);
});

test("an aborted search ends before its next block", async () => {
  const path = join(temporaryFolder(), "episodes.jsonl");
  const line = serialiseEpisode(episode("a", { steps: [step(0, "SEARCH", "x", "y".repeat(3_000_000))] }));
  writeFileSync(path, [line, line, line].join("\n"));
  const stop = new AbortController();
  const blocks = searchEpisodes(searchFiles(), path, await linesIn(path), queryOf("y"), {
    mostPlaces: 1,
    signal: stop.signal,
  });
  expect((await blocks.next()).done).toBe(false);
  stop.abort();
  await expect(blocks.next()).rejects.toThrow("abort");
});

describe("any episode, any writer, any query", () => {
  /** Few characters, so that a random query occurs; each is escaped, folded or encoded in another way. */
  const CHARACTERS = [
    ...Array.from("aAkK\u212AsS\u017FßẞéÉσςΣİıI"),
    ...Array.from('"\\/\b\n\t \u0001\u007f\u00a0\u2028日\uFFFD\uFEFF<&u0'),
    "😀",
    "𐐀",
    "𐐨",
    "\ud83d",
    "\ude00",
  ];
  const text = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 12 }).map((units) => units.join(""));
  const anyStep = fc.record({ arg: text, observation: text, thought: text, injected: text, prompt: text });
  const anyEpisode = fc
    .record({
      question: text,
      answer: text,
      gold: text,
      steps: fc.array(anyStep, { minLength: 1, maxLength: 3 }),
    })
    .map(({ question, answer, gold, steps }, id = "e") =>
      episode(id, {
        question,
        answer,
        gold: [gold],
        steps: steps.map((one, t) => ({
          ...step(t, "SEARCH", one.arg, one.observation, one.thought),
          injected: [{ skillId: "s", text: one.injected }],
          prompts: [one.prompt],
        })),
      }),
    );
  const query = fc
    .array(fc.constantFrom(...CHARACTERS), { minLength: 1, maxLength: 3 })
    .map((units) => units.join(""))
    .filter((typed) => textQuery(typed) !== undefined);

  test("the file's hits are those of its parsed episodes", async () => {
    const path = join(temporaryFolder(), "episodes.jsonl");
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(anyEpisode, fc.constantFrom(...WRITERS)), { minLength: 1, maxLength: 5 }),
        query,
        async (written, typed) => {
          const lines = written.map(([one, write]) => write(one));
          writeFileSync(path, `${lines.join("\n")}\n`);
          const parsed = lines.map((line) => JSON.parse(line) as Episode);
          const naive = parsed.flatMap(
            (one, index) => findInEpisode(one, index, queryOf(typed), MOST_PLACES) ?? [],
          );
          expect(await searchFile(path, typed)).toEqual(naive);
        },
      ),
      { numRuns: 400 },
    );
  });

  test("a query that narrows another one finds nothing that the other does not", () => {
    fc.assert(
      fc.property(anyEpisode, query, query, (one, typed, more) => {
        const [shorter, longer] = [queryOf(typed), queryOf(typed + more)];
        if (!narrows(longer, shorter) || findInEpisode(one, 0, longer, 1) === undefined) return;
        expect(findInEpisode(one, 0, shorter, 1)).toBeDefined();
      }),
      { numRuns: 2_000 },
    );
  });
});
