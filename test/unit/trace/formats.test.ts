import { zipSync } from "fflate";
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { contextRulesOf } from "../../../src/domains/registry.ts";
import { contextsOf } from "../../../src/trace/context-at.ts";
import { attribute, call, CHAT, INSPECT, OTEL, otlp, SAMPLE, span, TRAJ } from "./formats-fixtures.ts";
import { ATIF, importContent, importFiles, importValue } from "./formats-support.ts";
import { temporaryFolder } from "./support.ts";

test("OpenAI chat: each call is a step with its own result, the last words are the answer", async () => {
  const episode = await importValue(CHAT, "chat.jsonl");
  expect(
    episode.steps.map(({ executed, observation }) => [executed.type, executed.arg, observation]),
  ).toEqual([
    ["get_weather", "Paris", "rain"],
    ["clock", "", "noon"],
    ["FINAL", "Rain at noon.", ""],
  ]);
  expect(episode).toMatchObject({
    question: "Weather?",
    prelude: "You are terse.",
    outcome: "unjudged",
    settings: { model: "gpt" },
  });
});

test("OTLP: one trace is an episode, over all lines and in the order of time", async () => {
  const { episodes, diagnostics, value } = await importContent(
    OTEL.map((line) => JSON.stringify(line)).join("\n"),
    "traces.jsonl",
  );
  expect(diagnostics).toEqual([]);
  expect(episodes).toHaveLength(1);
  const [episode] = episodes;
  expect(episode).toMatchObject({
    id: "abc",
    source: "otel",
    question: "Weather?",
    prelude: "Be brief.",
    answer: "Rain.",
    settings: { model: "gpt" },
  });
  expect(
    episode?.steps.map(({ executed, observation, proposals }) => [
      proposals[0]?.thought,
      executed.type,
      executed.arg,
      observation,
    ]),
  ).toEqual([
    ["I look.", "get_weather", "Paris", "rain"],
    ["", "FINAL", "Rain.", ""],
  ]);
  expect(episode?.steps[0]?.proposals[0]?.usage).toEqual({
    inputTokens: 7,
    outputTokens: 3,
    latencyMs: 1000,
  });
  expect(value?.files[0]?.kept.map(({ what }) => what)).toContain("spans that are neither chats nor tools");
});

test("OTLP without recorded messages: the tool spans are the actions; events tell messages too", async () => {
  const silent = otlp(
    span("a", 1, { "gen_ai.operation.name": "chat" }),
    span("b", 2, {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "ls",
      "error.type": "timeout",
    }),
  );
  expect(
    (await importValue(silent)).steps.map(({ executed, observation }) => [executed.type, observation]),
  ).toEqual([["ls", "timeout"]]);
  const events = [
    { name: "gen_ai.user.message", attributes: [attribute("content", "Hi?")] },
    {
      name: "gen_ai.choice",
      attributes: [attribute("finish_reason", "stop"), attribute("message", { content: "Ho." })],
    },
  ];
  const told = await importValue(otlp(span("a", 1, { "gen_ai.operation.name": "chat" }, { events })));
  expect(told).toMatchObject({ question: "Hi?", answer: "Ho." });
});

test("Inspect: score, target and tool errors; the score stands in no text that PFs see", async () => {
  for (const content of [JSON.stringify(INSPECT), archive()]) {
    const { episodes, diagnostics } = await importContent(content, "log.eval");
    expect(diagnostics).toEqual([]);
    const [episode] = episodes;
    expect(episode).toMatchObject({
      outcome: "correct",
      gold: ["rain"],
      answer: "rain",
      question: "Weather?",
    });
    expect(episode?.steps[0]).toMatchObject({
      executed: { type: "bash", arg: "curl" },
      observation: "too slow",
    });
    if (episode === undefined) throw new Error("an episode expected");
    expect(JSON.stringify(contextsOf(episode, contextRulesOf("agent")))).not.toContain("is right");
    expect(JSON.stringify(episode)).not.toContain("secret");
  }
});

function archive(cut?: number): Uint8Array {
  const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
  const zip = zipSync({
    "_journal/start.json": bytes({ eval: INSPECT.eval, plan: {} }),
    "samples/q1_epoch_1.json": bytes(SAMPLE),
    "samples/q2_epoch_1.json": bytes({ ...SAMPLE, id: "q2" }),
    "header.json": bytes({ ...INSPECT, samples: undefined }),
  });
  if (cut === undefined)
    return zipSync({
      "_journal/start.json": bytes({ eval: INSPECT.eval }),
      "samples/q1_epoch_1.json": bytes(SAMPLE),
    });
  return zip.subarray(0, cut);
}

test("an .eval that breaks off gives the samples before the break and the beginning of the next, and says so", async () => {
  const { episodes, diagnostics } = await importContent(archive(700), "log.eval");
  expect(episodes.map(({ id, stopReason }) => [id, stopReason])).toEqual([
    ["q1_epoch_1", "final"],
    ["q2_epoch_1", "interrupted"],
  ]);
  expect(diagnostics.map(({ code, severity }) => [code, severity])).toContainEqual(["HASP530", "warning"]);
});

test("NaN in the first of two lines leaves the second one a line", async () => {
  const row = (text: string): string =>
    JSON.stringify({
      messages: [
        { role: "user", content: text },
        { role: "assistant", content: "a" },
      ],
      score: 0,
    });
  const { episodes } = await importContent(
    `${row("One").replace(":0}", ":NaN}")}\n${row("Two")}\n`,
    "x.jsonl",
  );
  expect(episodes.map(({ question }) => question)).toEqual(["One", "Two"]);
});

test("NaN in a log is read as null and named", async () => {
  const { episodes, diagnostics } = await importContent(
    JSON.stringify(INSPECT).replace('"task":"t"', '"task":"t","x":NaN'),
  );
  expect(episodes).toHaveLength(1);
  expect(diagnostics.map(({ code }) => code)).toEqual(["HASP539"]);
});

test("several files go into one run, each read in its own format, ids told apart", async () => {
  const root = temporaryFolder();
  writeFileSync(`${root}/a.traj`, JSON.stringify(TRAJ));
  writeFileSync(`${root}/b.json`, JSON.stringify(ATIF));
  writeFileSync(`${root}/c.json`, JSON.stringify(ATIF));
  writeFileSync(`${root}/d.txt`, "nothing");
  const { value, episodes, diagnostics } = await importFiles(
    ...["a.traj", "b.json", "c.json", "d.txt"].map((name) => `${root}/${name}`),
  );
  expect(value?.files.map(({ format }) => format)).toEqual(["swe-agent", "atif", "atif"]);
  expect(value?.run).toMatchObject({ source: "mixed", domain: "coding-agent" });
  expect(episodes.map(({ id }) => id)).toEqual(["a", "t-1", "t-1~sub-1", "t-1~2", "t-1~sub-1~2"]);
  expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(["HASP524", "HASP531", "HASP535"]));
});

test("a domain that nobody knows has step contexts in which nothing is read into texts", async () => {
  const episode = await importValue({
    messages: [
      { role: "user", content: "?" },
      { role: "assistant", tool_calls: [call("1", "SEARCH", '{"q":"x"}')] },
      { role: "tool", tool_call_id: "1", content: "No results. However, but, although accounts differ." },
      { role: "assistant", content: "x" },
    ],
  });
  const [, last] = contextsOf(episode, contextRulesOf(episode.facts.domain));
  expect(last).toMatchObject({
    searchCount: 1,
    emptyResults: false,
    contradictorySources: false,
    hasRead: false,
  });
});
