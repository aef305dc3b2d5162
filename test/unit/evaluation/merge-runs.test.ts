import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { mergeRuns, type MergeRequest } from "../../../src/evaluation/merge-runs.ts";
import { inShard } from "../../../src/evaluation/in-shard.ts";
import { shardText } from "../../../src/model/shard.ts";
import type { Episode, Run } from "../../../src/model/episode.ts";
import { newFolder } from "../../../src/platform/new-folder.ts";
import { encodeEpisode } from "../../../src/trace/episode-file.ts";
import { hashText } from "../../../src/trace/hash.ts";
import { createRun } from "../../../src/trace/create-run.ts";
import { final, play, search } from "../../support/episodes.ts";
import { files, temporaryFolder } from "../trace/support.ts";

const QUESTIONS = ["zoo", "ape", "cat", "dog", "elk", "fox", "gnu", "hen"].map((id) => ({
  id,
  question: `${id}?`,
}));
const QUESTIONS_TEXT = QUESTIONS.map((question) => `${JSON.stringify(question)}\n`).join("");

const played = await play({ script: [search("x"), final("y")], gold: ["y"] });
const template: Episode = {
  ...played,
  steps: played.steps.map((step) => ({
    ...step,
    proposals: step.proposals.map(({ messages: _messages, ...proposal }) => proposal),
  })),
};
const episodeOf = (id: string, more: Partial<Episode> = {}): Episode => ({
  ...template,
  id,
  questionId: id,
  question: `${id}?`,
  ...more,
});

interface Made {
  readonly place: string;
  /** The run folders of these shards of `of`. */
  readonly folders: readonly string[];
}

/** Shard runs in a new folder; `settings` are added to each run's. */
async function shards(
  of: number,
  settings: (index: number) => Record<string, unknown> = () => ({}),
  domain = "web-search",
): Promise<Made> {
  const place = temporaryFolder();
  const file = path.join(place, "questions.jsonl");
  writeFileSync(file, QUESTIONS_TEXT);
  const folders: string[] = [];
  for (let index = 1; index <= of; index++) {
    const folder = path.join(place, `part-${index}`);
    await createRun(files, folder, {
      id: `part-${index}`,
      title: `part-${index}`,
      domain,
      createdAt: `2026-01-0${index}T00:00:00.000Z`,
      source: "hasp",
      settings: {
        policy: "p",
        budgets: { maxSteps: 3 },
        shard: shardText({ index, of }),
        questions: { file, hash: hashText(QUESTIONS_TEXT) },
        ...settings(index),
      },
    });
    const mine = QUESTIONS.filter((question) => inShard(question, { index, of }));
    for (const { id } of mine.toReversed())
      appendFileSync(path.join(folder, "episodes.jsonl"), encodeEpisode(episodeOf(id)));
    folders.push(folder);
  }
  return { place, folders };
}

const merge = (folders: readonly string[], output: string, more: Partial<MergeRequest> = {}) =>
  mergeRuns({ ...files, newFolder }, { folders, output, ...more });
const idsIn = (folder: string): string[] =>
  readFileSync(path.join(folder, "episodes.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as Episode).questionId);
const runIn = (folder: string): Run => JSON.parse(readFileSync(path.join(folder, "run.json"), "utf8")) as Run;
/** What stands in a folder, with times: nothing may change. */
const stateOf = (folder: string): unknown =>
  readdirSync(folder).map((name) => {
    const { size, mtimeMs } = statSync(path.join(folder, name));
    return [name, size, mtimeMs];
  });

describe("hasp merge", () => {
  it("puts each question once, in the order of the questions, and is the same whatever the order of the runs", async () => {
    const { place, folders } = await shards(4);
    const before = folders.map(stateOf);
    const [one, other] = [path.join(place, "a/merged"), path.join(place, "b/merged")];
    const { value, diagnostics } = await merge(folders, one);
    await merge(folders.toReversed(), other);
    expect(diagnostics).toEqual([]);
    expect(value).toMatchObject({
      episodes: 8,
      repeated: 0,
      order: "questions",
      shards: ["1/4", "2/4", "3/4", "4/4"],
    });
    expect(idsIn(one)).toEqual(QUESTIONS.map(({ id }) => id));
    expect(readdirSync(one)).toEqual(["episodes.jsonl", "run.json"]);
    for (const name of readdirSync(one))
      expect(readFileSync(path.join(other, name)).equals(readFileSync(path.join(one, name)))).toBe(true);
    expect(folders.map(stateOf)).toEqual(before);
  });

  it("reads the questions that are given as the domain of the runs does, and merges nothing where there are none", async () => {
    const { place, folders } = await shards(2, undefined, "agent");
    // A row of HotpotQA, a data set of web search, is called by its `_id`.
    const text = QUESTIONS.map(({ id, question }) =>
      JSON.stringify({ id, question, _id: `hotpot-${id}`, context: [["T", ["S."]]] }),
    ).join("\n");
    const order = { file: "order.jsonl", text };
    const { value, diagnostics } = await merge(folders, path.join(place, "merged"), { questions: order });
    expect([value?.order, diagnostics]).toEqual(["questions", []]);
    expect(idsIn(path.join(place, "merged"))).toEqual(QUESTIONS.map(({ id }) => id));

    const nothing = await merge(folders, path.join(place, "none"), { questions: { ...order, text: "" } });
    expect(nothing).toMatchObject({ value: undefined, diagnostics: [{ code: "HASP542" }] });
    expect(existsSync(path.join(place, "none"))).toBe(false);
  });

  it("makes a run of all questions: no shard, so that it can be resumed and merged again", async () => {
    const { place, folders } = await shards(2);
    const merged = path.join(place, "merged");
    await merge(folders, merged);
    expect(runIn(merged)).toMatchObject({
      id: "merged",
      createdAt: "2026-01-01T00:00:00.000Z",
      source: "hasp",
    });
    expect(runIn(merged).settings).toMatchObject({ policy: "p", merged: ["1/2", "2/2"] });
    expect(runIn(merged).settings).not.toHaveProperty("shard");
    expect((await merge([merged], path.join(place, "again"))).diagnostics).toEqual([]);
  });

  it("orders by id where the questions file is gone or another one by now", async () => {
    const { place, folders } = await shards(2);
    writeFileSync(path.join(place, "questions.jsonl"), "changed");
    const merged = path.join(place, "merged");
    expect((await merge(folders, merged)).value).toMatchObject({ order: "id" });
    expect(idsIn(merged)).toEqual(QUESTIONS.map(({ id }) => id).toSorted());
  });

  it("names the shards that are missing, and merges what is there", async () => {
    const { place, folders } = await shards(4);
    const { value, diagnostics } = await merge(
      [folders[3] ?? "", folders[0] ?? ""],
      path.join(place, "merged"),
    );
    expect(value).toMatchObject({ shards: ["1/4", "4/4"] });
    expect(diagnostics).toMatchObject([
      {
        code: "HASP556",
        severity: "warning",
        message: expect.stringContaining("2 of 4 shards are missing: 2, 3"),
      },
    ]);
    const later = await merge(
      [path.join(place, "merged"), folders[1] ?? "", folders[2] ?? ""],
      path.join(place, "whole"),
    );
    expect(later).toMatchObject({ value: { episodes: 8 }, diagnostics: [] });
  });

  it("says which questions of the shards have no episode", async () => {
    const { place, folders } = await shards(2);
    const file = path.join(folders[0] ?? "", "episodes.jsonl");
    const [first = "", ...rest] = readFileSync(file, "utf8").split("\n");
    writeFileSync(file, rest.join("\n"));
    const { diagnostics } = await merge(folders, path.join(place, "merged"));
    const { questionId } = JSON.parse(first) as Episode;
    expect(diagnostics).toMatchObject([
      {
        code: "HASP557",
        severity: "warning",
        message: expect.stringContaining(`1 questions have no episode, e.g. "${questionId}"`),
      },
    ]);
  });
});

describe("hasp merge, given the same question twice", () => {
  it("keeps one of two that say the same, and always the same one", async () => {
    const { place, folders } = await shards(2);
    const [a = "", b = ""] = folders;
    appendFileSync(path.join(a, "episodes.jsonl"), encodeEpisode(episodeOf("twice")));
    const slower = { ...episodeOf("twice"), cost: { inputTokens: 1, outputTokens: 1, latencyMs: 900 } };
    appendFileSync(path.join(b, "episodes.jsonl"), encodeEpisode(slower));
    const texts: string[] = [];
    for (const [i, order] of [folders, folders.toReversed()].entries()) {
      const merged = path.join(place, `merged-${i}`);
      expect((await merge(order, merged)).value).toMatchObject({ episodes: 9, repeated: 1 });
      texts.push(readFileSync(path.join(merged, "episodes.jsonl"), "utf8"));
    }
    expect(texts[0]).toBe(texts[1]);
  });

  it("refuses two that differ, names both lines and makes nothing", async () => {
    const { place, folders } = await shards(2);
    const [a = "", b = ""] = folders;
    appendFileSync(path.join(a, "episodes.jsonl"), encodeEpisode(episodeOf("twice")));
    appendFileSync(path.join(b, "episodes.jsonl"), encodeEpisode(episodeOf("twice", { answer: "other" })));
    const { value, diagnostics } = await merge(folders, path.join(place, "merged"));
    expect(value).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { code: "HASP555", file: path.join(b, "episodes.jsonl"), message: expect.stringContaining("part-1") },
    ]);
    expect(readdirSync(place).toSorted()).toEqual(["part-1", "part-2", "questions.jsonl"]);
  });
});

describe("hasp merge, given something wrong", () => {
  it("keeps an unreadable line out and says where it is", async () => {
    const { place, folders } = await shards(2);
    const file = path.join(folders[0] ?? "", "episodes.jsonl");
    const bad = JSON.stringify({ ...episodeOf("bad"), steps: [{}] });
    appendFileSync(file, `{"schema":"hasp.ep\n${bad}\n`);
    const { value, diagnostics } = await merge(folders, path.join(place, "merged"));
    expect(value).toMatchObject({ episodes: 8 });
    expect(diagnostics).toMatchObject([
      { code: "HASP501", file },
      { code: "HASP503", file },
    ]);
  });

  it("refuses runs of other settings and says which", async () => {
    const { place, folders } = await shards(2, (index) => ({ budgets: { maxSteps: index }, seed: index }));
    const { value, diagnostics } = await merge(folders, path.join(place, "merged"));
    expect(value).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { code: "HASP552", message: expect.stringContaining("(budgets, seed)") },
    ]);
  });

  it("refuses shards whose models read prompts of different versions, and names both", async () => {
    const { place, folders } = await shards(2, (index) => ({ prompt: `web-search/${index + 2}` }));
    const { value, diagnostics } = await merge(folders, path.join(place, "merged"));
    expect(value).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { code: "HASP552", message: expect.stringContaining("(prompt: web-search/3, web-search/4)") },
    ]);
  });

  it("does not mind other limits, dollars and places of the same file", async () => {
    const { place, folders } = await shards(2, (index) => ({
      maxDollars: index,
      corpus: { file: `machine-${index}/corpus.jsonl`, hash: "same" },
    }));
    expect((await merge(folders, path.join(place, "merged"))).diagnostics).toEqual([]);
  });

  it("refuses shards of two cuts, a run that is not ours, and one without run.json", async () => {
    const [{ place, folders }, { folders: thirds }] = [await shards(2), await shards(3)];
    const codes = async (runs: readonly string[]) =>
      (await merge(runs, path.join(place, "merged"))).diagnostics.map(({ code }) => code);
    expect(await codes([folders[0] ?? "", thirds[1] ?? ""])).toContain("HASP553");
    const foreign = { ...runIn(folders[0] ?? ""), source: "reflexion" };
    writeFileSync(path.join(folders[0] ?? "", "run.json"), JSON.stringify(foreign));
    expect(await codes([...folders, path.join(place, "nowhere")])).toEqual(["HASP551", "HASP551"]);
  });

  it("refuses a run that still goes on", async () => {
    const { place, folders } = await shards(2);
    mkdirSync(path.join(folders[1] ?? "", "live"));
    expect((await merge(folders, path.join(place, "one"))).diagnostics).toEqual([]);
    writeFileSync(path.join(folders[1] ?? "", "live/fox.jsonl"), "{}");
    const { value, diagnostics } = await merge(folders, path.join(place, "two"));
    expect(value).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: "HASP554", next: expect.stringContaining("--resume") }]);
  });

  it("refuses a folder that is not empty, and leaves nothing behind when it is stopped midway", async () => {
    const { place, folders } = await shards(2);
    expect((await merge(folders, folders[0] ?? "")).diagnostics).toMatchObject([{ code: "HASP558" }]);
    const controller = new AbortController();
    const stopped = merge(folders, path.join(place, "merged"), {
      signal: controller.signal,
      onProgress: (done) => done === 8 && controller.abort(new Error("stopped")),
    });
    await expect(stopped).rejects.toThrow("stopped");
    expect(existsSync(path.join(place, "merged"))).toBe(false);
    expect(readdirSync(place).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});
