import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { importOrdered } from "../../../src/app/import-ordered.ts";
import { EPISODE_SCHEMA, type Episode } from "../../../src/model/episode.ts";
import { sha256 } from "../../../src/platform/sha256.ts";
import { readEpisodes } from "../../../src/trace/episode-file.ts";
import { readGivenVerdicts, withGivenVerdict } from "../../../src/trace/given-verdicts.ts";
import { openRun } from "../../../src/trace/run-folder.ts";
import { files, temporaryFolder } from "./support.ts";

const read = (text: string) => {
  const { value, diagnostics } = readGivenVerdicts(text, "results/verdicts.csv");
  return {
    judge: value?.judge,
    passed: value && Object.fromEntries(value.passed),
    found: diagnostics.map(({ code, severity, range }) => [code, severity, range.start.line + 1]),
  };
};

test.each([
  ["CSV", "instance_id,resolved\r\na,True\r\nb,False\r\n"],
  ["CSV with other columns and quotes", '\uFEFFid,note,passed\n"a","x, y",1\nb,"",no\n'],
  ["JSON lines", '{"id": "a", "passed": true, "more": 1}\n{"session_id": "b", "correct": 0}\n'],
  ["a JSON array", '[\n  {"episode": "a", "passed": "yes"},\n  {"episode_id": "b", "passed": "FALSE"}\n]'],
])("verdicts are read from %s", (_kind, text) => {
  expect(read(text)).toEqual({ judge: "verdicts.csv", passed: { a: true, b: false }, found: [] });
});

test("a row without an episode or a verdict is named by its line and left out", () => {
  const rows = ["id,passed", "a,true", ",true", "c,perhaps", "d,", "a,false", "a,true", "e"];
  expect(read(rows.join("\n"))).toEqual({
    judge: "verdicts.csv",
    passed: { a: true },
    found: [3, 4, 5, 6, 8].map((line) => ["HASP519", "warning", line]),
  });
});

test.each(["", "\n", "id,passed\n", "{", "[]", "nothing here", '{"id": {}, "passed": true}'])(
  "a file without any verdict is refused: %j",
  (text) => {
    const { passed, found } = read(text);
    expect(passed).toBeUndefined();
    expect(found.at(-1)).toEqual(["HASP519", "error", 1]);
  },
);

const EPISODE: Episode = {
  schema: EPISODE_SCHEMA,
  id: "a",
  questionId: "q",
  sample: 1,
  outcome: "unjudged",
  length: 0,
  question: "?",
  source: "test",
  facts: { domain: "agent", actionTypes: [], searchReturnsText: false, maxSteps: 10 },
  library: [],
  steps: [],
  stopReason: "final",
};

test("a verdict makes the outcome of an episode that had none, and stands behind those that it has", () => {
  const given = { file: "v.csv", judge: "v.csv", passed: new Map([["a", false]]) };
  const verdict = { judge: "v.csv", score: 0, passed: false };
  expect(withGivenVerdict(EPISODE, given)).toEqual({ ...EPISODE, outcome: "wrong", verdicts: [verdict] });
  const judged: Episode = {
    ...EPISODE,
    outcome: "correct",
    verdicts: [{ judge: "exact_match", score: 1, passed: true }],
  };
  expect(withGivenVerdict(judged, given)).toEqual({
    ...judged,
    verdicts: [...(judged.verdicts ?? []), verdict],
  });
  const halted: Episode = { ...EPISODE, outcome: "halted" };
  expect(withGivenVerdict(halted, given)).toMatchObject({ outcome: "halted", verdicts: [verdict] });
});

test("an abandoned branch and an episode of another id get none", () => {
  const given = { file: "v.csv", judge: "v.csv", passed: new Map([["a", true]]) };
  const abandoned: Episode = { ...EPISODE, outcome: "abandoned" };
  expect(withGivenVerdict(abandoned, given)).toBe(abandoned);
  const subAgent = { ...EPISODE, id: "a~1" };
  expect(withGivenVerdict(subAgent, given)).toBe(subAgent);
});

/** Imports two chats, `a` and `b`, with a file of verdicts. */
async function importWith(verdicts: string | undefined) {
  const folder = temporaryFolder();
  const chat = (id: string) => ({ id, messages: [say("user", "Hi"), say("assistant", "Hello")] });
  const say = (role: string, content: string) => ({ role, content });
  writeFileSync(`${folder}/chats.jsonl`, ["a", "b"].map((id) => JSON.stringify(chat(id))).join("\n"));
  if (verdicts !== undefined) writeFileSync(`${folder}/verdicts.csv`, verdicts);
  const clock = { now: () => "2026-01-01T00:00:00.000Z" };
  const run = `${folder}/run`;
  const { value, diagnostics } = await importOrdered(
    files,
    { clock, sha256 },
    { sources: [`${folder}/chats.jsonl`], folder: run, verdicts: `${folder}/verdicts.csv` },
  );
  const outcomes: string[] = [];
  if (value !== undefined)
    for await (const { value: episode } of readEpisodes(files, (await openRun(files, run)).index))
      outcomes.push(`${episode?.id} ${episode?.outcome}`);
  return { value, outcomes, codes: diagnostics.map(({ code }) => code), diagnostics };
}

test("an import gives episodes the verdicts of a file, and names ids that no episode has", async () => {
  const { value, outcomes, codes, diagnostics } = await importWith("id,passed\na,true\nx,false\ny,true\n");
  expect(outcomes).toEqual(["a correct", "b unjudged"]);
  expect(value?.outcomes).toMatchObject({ correct: 1, unjudged: 1 });
  expect(value?.files[0]?.mapped).toContainEqual({
    what: "verdicts of verdicts.csv",
    to: "outcome, verdicts",
    times: 1,
  });
  expect(value?.order.verdicts).toMatch(/verdicts\.csv$/);
  expect(codes).toEqual(["HASP517"]);
  expect(diagnostics[0]?.message).toBe("2 of 3 verdicts are on no imported episode: x, y.");
  expect(diagnostics[0]?.severity).toBe("information");
});

test("an import of which no episode has an id of the file warns", async () => {
  const { outcomes, diagnostics } = await importWith("id,passed\nx,false\n");
  expect(outcomes).toEqual(["a unjudged", "b unjudged"]);
  expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([["HASP517", "warning"]]);
});

test("a file of verdicts that is missing or holds none ends the import before anything is written", async () => {
  expect(await importWith(undefined)).toMatchObject({ value: undefined, codes: ["HASP578"] });
  expect(await importWith("id,passed\n")).toMatchObject({ value: undefined, codes: ["HASP519"] });
});
