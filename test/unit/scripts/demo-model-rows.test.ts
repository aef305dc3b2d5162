import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { rowsOf } from "../../../scripts/lib/demo-model/measures.mts";
import { orderOf } from "../../../scripts/lib/demo-model/order.mts";
import { pathsIn } from "../../../scripts/lib/demo-model/paths.mts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "hasp-demo-rows-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const said = (type: string) => ({
  thought: "",
  action: { type, arg: "" },
  completion: { text: type, finish: "stop" },
});

const episode = (questionId: string, change: object = {}): object => ({
  questionId,
  answer: "the Kisumu",
  gold: ["Kisumu"],
  stopReason: "final",
  cost: { inputTokens: 900, cachedInputTokens: 700, outputTokens: 30, latencyMs: 4_000 },
  steps: [
    {
      proposals: [said("invalid"), said("SEARCH")],
      executed: { type: "SEARCH", arg: "Lake" },
      dispatchMs: 500,
    },
    { proposals: [{ ...said("FINAL"), lenient: true }], executed: { type: "SEARCH", arg: "lake " } },
  ],
  ...change,
});

function record(episodes: readonly object[], end = ""): void {
  const run = pathsIn(folder).run("pf-only");
  mkdirSync(run, { recursive: true });
  const lines = episodes.map((one) => `${JSON.stringify(one)}\n`).join("");
  writeFileSync(path.join(run, "episodes.jsonl"), lines + end);
}

test("an episode's row counts its replies, its tokens and its waiting", () => {
  record([episode("a")]);
  expect(rowsOf(folder, "pf-only")).toEqual([
    {
      id: "a",
      em: true,
      f1: 1,
      halted: false,
      timedOut: false,
      replies: 3,
      invalid: 1,
      lenient: 1,
      steps: 2,
      repeated: 1,
      promptTokens: 900,
      promptTokensReadAnew: 200,
      generatedTokens: 30,
      seconds: 4.5,
    },
  ]);
});

test("an episode that the server ended has no row; one of a server too slow has, as one without an answer", () => {
  record(
    [
      episode("gone", { stopReason: "model_connection", answer: undefined }),
      episode("slow", { stopReason: "model_timeout", answer: undefined, cost: undefined }),
    ],
    '{"questionId":"torn',
  );
  expect(rowsOf(folder, "pf-only")).toMatchObject([
    { id: "slow", em: false, f1: 0, halted: true, timedOut: true, promptTokensReadAnew: undefined },
  ]);
});

test("nothing measured is no row", () => {
  expect(rowsOf(folder, "plain")).toEqual([]);
  expect(rowsOf(folder, "full")).toEqual([]);
});

test("each setting may have a count of its own", () => {
  const order = orderOf(["--url", "http://127.0.0.1:1/v1", "--settings", "plain,full:3", "--count", "7"]);
  expect(order?.asked).toEqual([
    { side: "plain", way: undefined, count: 7 },
    { side: "full", way: { setting: "full", words: [] }, count: 3 },
  ]);
});

test("a setting may stand several times, with skills of its own", () => {
  const settings = `ra-agent,pf-only+paper:3,pf-only+worth,pf-only+${folder}`;
  const order = orderOf(["--url", "http://127.0.0.1:1/v1", "--settings", settings]);
  expect(order?.asked.map(({ side, way, count }) => [side, way?.setting, way?.words, count])).toEqual([
    ["ra-agent", "ra-agent", [], 10],
    ["pf-only+paper", "pf-only", ["--triggers", "paper"], 3],
    ["pf-only+worth", "pf-only", ["--triggers", "worth"], 10],
    [`pf-only+${path.basename(folder)}`, "pf-only", ["--skills", folder], 10],
  ]);
});

test("a corpus of one's own stands beside the usual questions, and questions of one's own bring their passages", () => {
  const url = ["--url", "http://127.0.0.1:1/v1"];
  expect(orderOf([...url, "--corpus", "c.jsonl"])?.corpus).toBe(path.resolve("c.jsonl"));
  expect(orderOf([...url, "--questions", "q.jsonl"])).toMatchObject({
    questions: path.resolve("q.jsonl"),
    corpus: undefined,
  });
});

test.each([
  [[], /--url is missing/],
  [["--url", "x", "--settings", "plain,plain"], /named twice/],
  [["--url", "x", "--settings", "pf-only+no/such/skills"], /There are no skills "no\/such\/skills"/],
  [["--url", "x", "--settings", "pfonly+paper"], /Unknown setting "pfonly"/],
  [["--url", "x", "--settings", "plain:0"], /--settings 0 is not a whole number/],
  [["--url", "x", "--count", "1.5"], /--count 1\.5 is not a whole number/],
  [["--url", "x", "--key", "secret"], /Unknown option '--key'/],
])("refuses %j", (args, message) => {
  expect(() => orderOf(args)).toThrow(message);
});
