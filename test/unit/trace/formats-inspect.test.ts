import { randomBytes } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { FormatResult } from "../../../src/trace/formats/format-reader.ts";
import { inspectArchive } from "../../../src/trace/formats/inspect-archive.ts";
import { openLedger } from "../../../src/trace/formats/ledger.ts";
import { type MadeEntry, makeZip } from "../../support/zip-maker.ts";
import { importContent, importValue, step } from "./formats-support.ts";

const EVAL = { task: "sums", model: "mock/m", model_args: { api_key: "secret" } };
const START: MadeEntry = { name: "_journal/start.json", data: JSON.stringify({ eval: EVAL, plan: {} }) };

interface Said {
  readonly id?: string;
  readonly role: string;
  readonly content: string;
  readonly [key: string]: unknown;
}
const said = (id: string, role: string, content: string, more: object = {}): Said => ({
  id,
  role,
  content,
  ...more,
});
const calls = (id: string, name: string, args: object): object => ({
  tool_calls: [{ id, function: name, arguments: args, type: "function" }],
});
const model = (
  span: string,
  refs: readonly (readonly number[])[],
  message: Said,
  more: object = {},
): object => ({
  event: "model",
  span_id: span,
  model: "mock/m",
  input: [],
  input_refs: refs,
  tools: [{ name: "add", description: "Adds." }],
  output: {
    choices: [{ message, stop_reason: "stop" }],
    usage: { input_tokens: 10, input_tokens_cache_read: 5, output_tokens: 2, total_tokens: 17 },
    time: 0.5,
  },
  ...more,
});
const begin = (id: string, type: string, name: string, parent?: string): object => ({
  event: "span_begin",
  id,
  type,
  name,
  parent_id: parent,
  span_id: id,
});
const tool = (span: string, id: string, name: string, result: string, more: object = {}): object => ({
  event: "tool",
  span_id: span,
  id,
  function: name,
  result,
  ...more,
});

/** A sample whose agent asks another one, and hands over to a third. */
function sample(more: object = {}): Record<string, unknown> {
  const pool = [
    said("s", "system", "Be exact."),
    said("u", "user", "attachment://ab"),
    said("hs", "system", "You help."),
    said("hu", "user", "Add 3 and 4."),
  ];
  return {
    id: "q1",
    epoch: 2,
    input: "Use the helper.",
    target: "7",
    messages: [
      pool[0],
      pool[1],
      said("a1", "assistant", "I ask.", calls("c1", "helper", { input: "Add 3 and 4." })),
      said("t1", "tool", "7", { tool_call_id: "c1", function: "helper" }),
      said("a2", "assistant", "I hand over.", calls("c2", "transfer_to_other", {})),
      said("t2", "tool", "Handed over.", { tool_call_id: "c2", function: "transfer_to_other" }),
      said("o1", "assistant", "[other] add(x=1)"),
      said("a3", "assistant", "It is 7."),
    ],
    output: { choices: [{ message: {}, stop_reason: "stop" }] },
    scores: { match: { value: "C" } },
    events: [
      begin("main", "agent", "react"),
      model(
        "main",
        [[0, 2]],
        said("a1", "assistant", "I ask.", calls("c1", "helper", { input: "Add 3 and 4." })),
      ),
      begin("tool1", "tool", "helper", "main"),
      tool("main", "c1", "helper", "7", { agent_span_id: "h" }),
      begin("h", "agent", "helper", "tool1"),
      model("h", [[2, 4]], said("h1", "assistant", "I add.", calls("c9", "add", { x: 3, y: 4 }))),
      tool("h", "c9", "add", "7"),
      model("h", [[2, 4]], said("h2", "assistant", "7")),
      model("main", [[0, 2]], said("a2", "assistant", "I hand over.", calls("c2", "transfer_to_other", {}))),
      begin("hand", "handoff", "other", "main"),
      begin("tool2", "tool", "transfer_to_other", "hand"),
      tool("main", "c2", "transfer_to_other", "Handed over.", { agent: "other" }),
      begin("o", "agent", "other", "tool2"),
      model("o", [[1, 2]], said("o1", "assistant", "", calls("c8", "add", { x: 1 }))),
      tool("o", "c8", "add", "", { error: { type: "unknown", message: "y is missing" } }),
      model("main", [[0, 2]], said("a3", "assistant", "It is 7.")),
      begin("sc", "scorers", "scorers"),
      model("sc", [[0, 1]], said("g", "assistant", "C")),
      { event: "info", data: 1 },
      { event: "hologram" },
    ],
    events_data: { messages: pool, calls: [] },
    attachments: { ab: "Use the helper." },
    ...more,
  };
}

test("agents that another one called are episodes with a link, and scorers are none", async () => {
  const log = { version: 2, status: "success", eval: EVAL, plan: {}, samples: [sample()], shiny: 1 };
  const { episodes, diagnostics, value } = await importContent(JSON.stringify(log));
  expect(diagnostics.map(({ code, message }) => [code, message.includes("key shiny")])).toEqual([
    ["HASP522", true],
  ]);
  expect(episodes.map(({ id, question, outcome, origin }) => [id, question, outcome, origin])).toEqual([
    ["q1_epoch_2", "Use the helper.", "correct", undefined],
    ["q1_epoch_2~helper", "Add 3 and 4.", "unjudged", { as: "sub_agent", episode: "q1_epoch_2", t: 0 }],
    ["q1_epoch_2~other", "Use the helper.", "unjudged", { as: "sub_agent", episode: "q1_epoch_2", t: 1 }],
  ]);
  const [main, helper, other] = episodes;
  expect(main?.steps.map(({ executed }) => executed.type)).toEqual(["helper", "transfer_to_other", "FINAL"]);
  expect(step(main, 0)).toMatchObject({ extra: { subAgents: ["q1_epoch_2~helper"], model: "mock/m" } });
  expect(step(main, 1)).toMatchObject({ observation: "Handed over.\n\n[other] add(x=1)" });
  expect(helper?.steps.map(({ executed, observation }) => [executed.type, observation])).toEqual([
    ["add", "7"],
    ["FINAL", ""],
  ]);
  expect(step(other, 0)).toMatchObject({ observation: "y is missing", result: { ok: false } });
  // What a cache held counts, and each agent pays for itself.
  expect(episodes.map(({ cost }) => cost?.inputTokens)).toEqual([45, 30, 15]);
  expect(episodes.map(({ cost }) => cost?.cachedInputTokens)).toEqual([15, 10, 5]);
  const { kept } = value?.files[0] ?? { kept: [] };
  expect(kept.find(({ what }) => what.endsWith("hologram"))?.to).toContain("does not know");
});

test("prompts and replies are those of the model's calls; without events they are a transcript's", async () => {
  const exact = (await importContent(JSON.stringify({ status: "success", eval: EVAL, samples: [sample()] })))
    .episodes;
  const [first, , last] = exact[0]?.steps ?? [];
  expect(first?.proposals[0]?.messages).toBeDefined();
  expect(first?.proposals[0]).not.toHaveProperty("fromTranscript");
  expect(first?.proposals[0]?.completion).toEqual({
    text: 'I ask.\n<tool_call>\n{"name":"helper","arguments":{"input":"Add 3 and 4."}}\n</tool_call>',
    finish: "stop",
  });
  expect(last?.proposals[0]).toMatchObject({ completion: { text: "It is 7." }, usage: { latencyMs: 500 } });
  expect(last?.proposals[0]?.messages).toBe(first?.proposals[0]?.messages);
  const plain = sample({ events: [], events_data: undefined, id: "q2" });
  const told = await importValue({ status: "success", eval: EVAL, samples: [plain] });
  expect(told.steps[0]?.proposals[0]).toMatchObject({ fromTranscript: true });
});

describe("archives", () => {
  const entry = (id: string, more: Partial<MadeEntry> = {}): MadeEntry => ({
    name: `samples/${id}_epoch_1.json`,
    data: JSON.stringify(sample({ id, epoch: 1, events: [], scores: {} })),
    ...more,
  });
  const zstd = (made: MadeEntry, ...frames: readonly Uint8Array[]): MadeEntry => ({
    ...made,
    method: 93,
    packed: Buffer.concat(frames.length === 0 ? [zstdCompressSync(made.data)] : frames),
  });

  test("Zstandard: several frames, frames without data, sizes that follow", async () => {
    const text = Buffer.from(entry("b").data);
    const half = [text.subarray(0, 90), text.subarray(90)].map((part) => zstdCompressSync(part));
    const skipped = Buffer.from("502a4d1803000000616263", "hex");
    const { episodes, diagnostics } = await importContent(
      makeZip([
        zstd(START),
        zstd(entry("a")),
        zstd(entry("b"), half[0] ?? text, skipped, half[1] ?? text),
        { ...zstd(entry("c")), sizesFollow: "short" },
        { name: "summaries.json", data: "[]" },
      ]),
      "log.eval",
    );
    expect(diagnostics).toEqual([]);
    expect(episodes.map(({ id }) => id)).toEqual(["a_epoch_1", "b_epoch_1", "c_epoch_1"]);
    expect(episodes[0]?.settings).toEqual({ model: "mock/m", task: "sums" });
    expect(JSON.stringify(episodes)).not.toContain("secret");
  });

  test("a Node without Zstandard says which entries it cannot read, and what to do", async () => {
    const zip = makeZip([START, entry("a"), zstd(entry("b"))]);
    const chunks = async function* (): AsyncGenerator<Uint8Array> {
      yield zip;
    };
    const ledger = openLedger();
    const results: FormatResult[] = [];
    for await (const result of inspectArchive(chunks(), {
      name: "log",
      ledger,
      zstd: undefined,
      listed: undefined,
    }))
      results.push(result);
    expect(results.flatMap(({ episodes }) => episodes.map(({ episode }) => episode.id))).toEqual([
      "a_epoch_1",
    ]);
    const [problem] = results.flatMap(({ problems }) => problems);
    expect(problem?.message).toContain("b_epoch_1");
    expect(problem?.next).toMatch(/Node 22\.15 .*inspect log convert/);
  });

  test("entries that the directory no longer lists are left out, and others are named", async () => {
    const before = sample({ id: "a", epoch: 1, input: "Old.", events: [] });
    const old = entry("a", { data: JSON.stringify(before) });
    const entries = [START, old, entry("a"), { name: "photo.json", data: "{}" }];
    const { episodes, diagnostics, value } = await importContent(
      makeZip(entries, { listed: [0, 2, 3] }),
      "x.eval",
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(["HASP522"]);
    expect(episodes.map(({ id, question }) => [id, question])).toEqual([["a_epoch_1", "Use the helper."]]);
    const file = value?.files[0];
    expect(file?.unknown.map(({ what }) => what)).toEqual(["entry photo.json"]);
    expect(file?.dropped.some(({ what }) => what.includes("no longer lists"))).toBe(true);
    // A log that was cut has no directory: both are there.
    const cut = await importContent(makeZip(entries, { end: false }), "x.eval");
    expect(cut.episodes.map(({ question }) => question)).toEqual(["Old.", "Use the helper."]);
  });

  test("of a sample that breaks off in the archive, and of one whose part does, the messages before are read", async () => {
    const many = Array.from({ length: 40 }, (_, at) => ({
      role: at % 2 === 0 ? "user" : "assistant",
      // Hardly to be packed: Zstandard gives blocks of 128 KiB.
      content: `${at} ${randomBytes(6000).toString("hex")}`,
    }));
    const long = (name: string, value: unknown) => ({
      name: `samples/${name}.json`,
      data: JSON.stringify(value),
    });
    const cut = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, bytes.length * 0.6);
    const whole = { id: "q", epoch: 1, input: "Go.", target: "x", messages: many };
    const parts = [
      long("q_epoch_1/sample", { id: "q", epoch: 1, input: "Go.", message_refs: [[0, 40]] }),
      long("q_epoch_1/messages/0", many),
    ];
    for (const made of [
      [START, long("q_epoch_1", whole)],
      [START, zstd(long("q_epoch_1", whole))],
      [START, ...parts],
    ]) {
      const { episodes, diagnostics } = await importContent(cut(makeZip(made, { end: false })), "x.eval");
      expect(diagnostics.map(({ message }) => message).join()).toContain("cannot be read in full: ");
      expect(episodes).toHaveLength(1);
      expect(episodes[0]).toMatchObject({ stopReason: "interrupted", question: "Go." });
      expect(episodes[0]?.steps.length).toBeGreaterThan(5);
      expect(episodes[0]).not.toHaveProperty("answer");
    }
  });

  test.each([
    ["numbers far beyond its items", { refs: [[0, 2]], from: 999_999_999 }],
    ["the same messages again and again", { refs: Array.from({ length: 50_000 }, () => [0, 1000]), from: 0 }],
  ])("a sample in parts with %s is named, and takes no time", async (_, { refs, from }) => {
    const part = (name: string, value: unknown): MadeEntry => ({
      name: `samples/q_epoch_1/${name}.json`,
      data: JSON.stringify(value),
    });
    const pool = Array.from({ length: 1000 }, () => ({ role: "assistant", content: "x" }));
    const parts = [
      part("sample", { id: "q", epoch: 1, input: "Go.", message_refs: refs }),
      part("messages/0", pool),
      part(`events/${from}`, [{ event: "info" }]),
    ];
    const { episodes, diagnostics } = await importContent(makeZip([START, ...parts, entry("z")]), "x.eval");
    expect(episodes.map(({ id }) => id)).toEqual(["z_epoch_1"]);
    expect(diagnostics[0]?.message).toContain("its parts are too large");
  });

  test("a sample in parts is the same as in one entry", async () => {
    const whole = sample({ epoch: 1, attachments: { 0: "Use the helper." } });
    const { messages, events, events_data, attachments, ...shell } = whole;
    const pool = [...(events_data as { messages: object[] }).messages, ...(messages as object[]).slice(2)];
    const text = (value: unknown): string =>
      JSON.stringify(value).replaceAll("attachment://ab", "attachment://0");
    const part = (name: string, value: unknown): MadeEntry => ({
      name: `samples/q1_epoch_1/${name}.json`,
      data: text(value),
    });
    const refs = [
      [0, 2],
      [4, pool.length],
    ];
    const parts = [
      START,
      part("sample", { ...shell, message_refs: refs }),
      part("skeleton", {}),
      part("messages/0", pool.slice(0, 3)),
      part("messages/3", pool.slice(3)),
      part("events/0", events),
      part("events/stats", {}),
      part("attachments/0", Object.values(attachments as object)),
      entry("z"),
    ];
    const inParts = await importContent(makeZip(parts), "x.eval");
    const inOne = await importContent(
      makeZip([START, { name: "samples/q1_epoch_1.json", data: text(whole) }, entry("z")]),
      "y.eval",
    );
    expect(inParts.diagnostics).toEqual([]);
    expect(inParts.episodes).toHaveLength(4);
    expect(inParts.episodes).toEqual(inOne.episodes);
    const torn = await importContent(makeZip(parts.filter((_, at) => at !== 1)), "x.eval");
    expect(torn.episodes.map(({ id }) => id)).toEqual(["z_epoch_1"]);
    expect(torn.diagnostics.map(({ message }) => message.includes("first part is missing"))).toEqual([true]);
  });
});

describe("damaged samples", () => {
  test("spans in a circle, references to nothing and wrong types cost nothing but themselves", async () => {
    const odd = sample({
      events: [
        begin("x", "agent", "x", "y"),
        begin("y", "agent", "y", "x"),
        model("x", [[0, 99]], said("a1", "assistant", "I ask.")),
        model("nobody", [[3, 1]], said("a2", "assistant", "Hm.")),
        { event: "model", output: 7, input: "x", input_refs: [[{}]] },
        { event: "tool", id: 5, span_id: [], error: 3 },
        { event: 9 },
      ],
    });
    const { episodes } = await importContent(JSON.stringify({ status: "error", eval: EVAL, samples: [odd] }));
    expect(episodes[0]?.steps.map(({ executed }) => executed.type)).toContain("helper");
  });

  test("a sample that failed before its first message says why", async () => {
    const none = sample({ messages: [], error: { message: "no sandbox" } });
    const { diagnostics } = await importContent(
      JSON.stringify({ status: "error", eval: EVAL, samples: [none] }),
    );
    expect(diagnostics[0]?.message).toMatch(/q1_epoch_2 has no messages.*no sandbox/);
  });

  test("agents that call each other, 2,000 of them, are read in their turn", async () => {
    const events = Array.from({ length: 2_000 }, (_, n) => [
      begin(`a${n}`, "agent", "deep", n === 0 ? "main" : `a${n - 1}`),
      model(`a${n}`, [[0, 2]], said(`m${n}`, "assistant", "On.")),
    ]).flat();
    const deep = sample({ events: [begin("main", "agent", "react"), ...events] });
    const { episodes } = await importContent(
      JSON.stringify({ status: "success", eval: EVAL, samples: [deep] }),
    );
    expect(episodes.length).toBe(2_001);
  });
});
