import { describe, expect, test } from "vitest";
import type { Episode } from "../../../src/model/episode.ts";
import { openLedger } from "../../../src/trace/formats/ledger.ts";
import { otelReader } from "../../../src/trace/formats/otel/otel.ts";
import { importContent, lines } from "./formats-support.ts";
import {
  agent,
  answers,
  calls,
  chat,
  documentOf,
  importSpans,
  outline,
  says,
  spanJson,
  steps,
  type TestSpan,
  tool,
  user,
} from "./formats-otel-support.ts";

const ASK = [
  user("Peru?"),
  says("Lima"),
  user("And Chile?"),
  says("Santiago"),
  user("go on"),
  says("Bogota"),
];
const TALK = [...ASK, user("go on")];
const REPLIES = ["Lima", "Santiago", "Bogota", "Quito"];
/** Four turns of one conversation, each request with all that was said before. */
const turns = (trace: (n: number) => string, more: object = {}) =>
  REPLIES.map((reply, n) =>
    chat({
      id: `c${n}`,
      trace: trace(n),
      at: 10 * n,
      read: TALK.slice(0, 2 * n + 1),
      said: [says(reply)],
      attributes: { "gen_ai.conversation.id": "conv", ...more },
    }),
  );
const QUESTIONS = [
  ["Peru?", ["FINAL"]],
  ["And Chile?", ["FINAL"]],
  ["go on", ["FINAL"]],
  ["go on", ["FINAL"]],
];
const times = (episode: Episode | undefined, words: string): number =>
  JSON.stringify([episode?.question, episode?.prelude]).split(words).length - 1;

describe("each turn has its own question", () => {
  test("one trace a turn: what was said before is told in the prelude", async () => {
    const { episodes, diagnostics } = await importSpans(...turns((n) => `t${n}`));
    expect(diagnostics).toEqual([]);
    expect(outline({ episodes })).toEqual(QUESTIONS);
    expect(episodes.map(({ answer }) => answer)).toEqual(REPLIES);
    expect(episodes[0]?.prelude).toBeUndefined();
    expect(episodes[1]?.prelude).toBe("Earlier in this conversation:\n\nUser: Peru?\n\nAgent: Lima");
    expect(times(episodes[3], "go on")).toBe(2);
    expect(episodes[3]?.extra?.["conversationId"]).toBe("conv");
  });

  test("one trace of several turns", async () => {
    const { episodes } = await importSpans(...turns(() => "t"));
    expect(outline({ episodes })).toEqual(QUESTIONS);
    expect(episodes.map(({ id }) => id)).toEqual(["t", "t~2", "t~3", "t~4"]);
    expect(times(episodes[3], "go on")).toBe(2);
  });

  test("requests that hold the new words alone", async () => {
    const spans = TALK.filter((_, n) => n % 2 === 0).map((words, n) =>
      chat({
        id: `c${n}`,
        at: 10 * n,
        read: [words],
        said: [says(REPLIES[n] ?? "")],
        attributes: { "gen_ai.conversation.id": "conv" },
      }),
    );
    const { episodes } = await importSpans(...spans);
    expect(outline({ episodes })).toEqual(QUESTIONS);
  });

  test("below one agent all is one episode, and a user who says the same twice is heard twice", async () => {
    const below = turns(() => "t").map((span) => ({ ...span, parent: "a" }));
    const { episodes } = await importSpans(
      agent({ id: "a", trace: "t", at: 0, for: 99, agent: "chat" }),
      ...below,
    );
    expect(outline({ episodes })).toEqual([["Peru?", ["other", "other", "other", "FINAL"]]]);
    expect(steps(episodes[0]).map(([, , seen]) => seen)).toEqual(["And Chile?", "go on", "go on", ""]);
  });

  test("an agent a turn, side by side in one trace", async () => {
    const spans = turns(() => "t").flatMap((span, n) => [
      agent({ id: `a${n}`, trace: "t", parent: "root", at: 10 * n, for: 5, agent: "chat" }),
      { ...span, parent: `a${n}`, at: 10 * n + 1 },
    ]);
    const { episodes } = await importSpans(
      { id: "root", trace: "t", at: 0, for: 99, attributes: {}, name: "POST" },
      ...spans,
    );
    expect(outline({ episodes })).toEqual(QUESTIONS);
  });

  test("conversations that run at the same time are told apart, in traces of their own and in one", async () => {
    const of = (name: string, trace: string, at: number) => [
      chat({
        id: `${name}1`,
        trace,
        at,
        read: [user(name)],
        said: [calls([`${name}c`, "ls", { in: name }])],
      }),
      tool({ id: `${name}2`, trace, at: at + 4, tool: "ls", callId: `${name}c`, result: `files of ${name}` }),
      chat({
        id: `${name}3`,
        trace,
        at: at + 8,
        read: [user(name), calls([`${name}c`, "ls", { in: name }]), answers(`${name}c`, `files of ${name}`)],
        said: [says(`done ${name}`)],
      }),
    ];
    for (const [one, two] of [
      ["t", "u"],
      ["t", "t"],
    ] as const) {
      const { episodes } = await importSpans(...of("A", one, 1), ...of("B", two, 3));
      expect(episodes.map((episode) => [episode.question, steps(episode)])).toEqual([
        [
          "A",
          [
            ["ls", "A", "files of A"],
            ["FINAL", "done A", ""],
          ],
        ],
        [
          "B",
          [
            ["ls", "B", "files of B"],
            ["FINAL", "done B", ""],
          ],
        ],
      ]);
    }
  });

  test("a trace for each request: the requests of one turn are one episode", async () => {
    const read = [
      user("List"),
      calls(["c1", "ls", {}]),
      answers("c1", "a b"),
      calls(["c2", "cat", {}]),
      answers("c2", "x"),
    ];
    const { episodes } = await importSpans(
      chat({ id: "a", trace: "t1", at: 1, read: read.slice(0, 1), said: [read[1] as object] }),
      chat({ id: "b", trace: "t2", at: 3, read: read.slice(0, 3), said: [read[3] as object] }),
      chat({ id: "c", trace: "t3", at: 5, read, said: [says("Done")] }),
      chat({
        id: "d",
        trace: "t4",
        at: 7,
        read: [...read, says("Done"), user("Thanks")],
        said: [says("Bye")],
      }),
    );
    expect(outline({ episodes })).toEqual([
      ["List", ["ls", "cat", "FINAL"]],
      ["Thanks", ["FINAL"]],
    ]);
    expect(steps(episodes[0])).toEqual([
      ["ls", "", "a b"],
      ["cat", "", "x"],
      ["FINAL", "Done", ""],
    ]);
  });

  test("a history that was rewritten: nothing twice, nothing lost", async () => {
    const begin = [user("Fix it"), calls(["c1", "read", {}]), answers("c1", "old")];
    const summary = user("So far: the file is old.");
    const kept = [calls(["c2", "edit", {}]), answers("c2", "edited")];
    for (const attributes of [{}, { "gen_ai.conversation.id": "x" }])
      for (const parent of [undefined, "a"]) {
        const more = { attributes, parent };
        const { episodes } = await importSpans(
          ...(parent === undefined ? [] : [agent({ id: "a", at: 0, for: 50, agent: "fixer" })]),
          chat({ id: "b", at: 1, read: begin.slice(0, 1), said: [begin[1] as object], ...more }),
          chat({ id: "c", at: 3, read: begin, said: [kept[0] as object], ...more }),
          chat({ id: "d", at: 5, read: [summary, ...kept], said: [calls(["c3", "test", {}])], ...more }),
          chat({
            id: "e",
            at: 7,
            read: [summary, ...kept, calls(["c3", "test", {}]), answers("c3", "green")],
            said: [says("Fixed")],
            ...more,
          }),
        );
        expect(episodes.map((episode) => [episode.question, steps(episode)])).toEqual([
          [
            "Fix it",
            [
              ["read", "", "old"],
              ["edit", "", "So far: the file is old.\n\nedited"],
              ["test", "", "green"],
              ["FINAL", "Fixed", ""],
            ],
          ],
        ]);
      }
  });

  test("a request that begins anew after calls were left open goes on with them", async () => {
    const { episodes } = await importSpans(
      chat({ id: "b", at: 1, read: [user("Fix it")], said: [calls(["c1", "read", {}])] }),
      tool({ id: "t", at: 2, tool: "read", callId: "c1", result: "old" }),
      chat({ id: "c", at: 3, read: [user("Summary: it is old. Go on.")], said: [says("Fixed")] }),
    );
    expect(episodes.map((episode) => [episode.question, steps(episode)])).toEqual([
      [
        "Fix it",
        [
          ["read", "", "old\n\nSummary: it is old. Go on."],
          ["FINAL", "Fixed", ""],
        ],
      ],
    ]);
  });

  test("a reply that no span tells is taken from the next request", async () => {
    const { episodes } = await importSpans(
      agent({ id: "a", at: 0, for: 9, agent: "x" }),
      chat({ id: "b", parent: "a", at: 1, read: [user("Go")], said: [calls(["1", "ls", {}])] }),
      chat({
        id: "c",
        parent: "a",
        at: 5,
        read: [
          user("Go"),
          calls(["1", "ls", {}]),
          answers("1", "x"),
          calls(["2", "cat", {}]),
          answers("2", "y"),
        ],
        said: [says("Done")],
      }),
    );
    expect(steps(episodes[0])).toEqual([
      ["ls", "", "x"],
      ["cat", "", "y"],
      ["FINAL", "Done", ""],
    ]);
  });
});

describe("odd traces", () => {
  const whole = [
    agent({ id: "a", at: 1, for: 9, agent: "x" }),
    chat({ id: "b", parent: "a", at: 2, read: [user("Go")], said: [calls(["1", "ls", {}])] }),
    tool({ id: "c", parent: "a", at: 3, tool: "ls", callId: "1", result: "x" }),
    chat({ id: "d", parent: "a", at: 4, read: [user("Go"), answers("1", "x")], said: [says("Done")] }),
  ];
  const right = [["Go", ["ls", "FINAL"]]];

  test("spans out of order, over several documents, and twice", async () => {
    const documents = [...whole, ...whole].toReversed().map((span) => documentOf(span));
    const imported = await importContent(lines(...documents), "x.jsonl");
    expect(outline(imported)).toEqual(right);
    expect(imported.diagnostics).toEqual([]);
  });

  test("parents that are not there, cycles of parents, spans without a trace", async () => {
    const orphans = await importSpans(...whole.slice(1));
    expect(outline(orphans)).toEqual(right);
    expect(orphans.diagnostics).toMatchObject([{ severity: "information" }]);
    expect(orphans.diagnostics[0]?.message).toMatch(/^Line 1: 3 spans name a parent that is not in the file/);
    const cycle = await importSpans({ ...whole[0], parent: "d" } as (typeof whole)[0], ...whole.slice(1));
    expect(outline(cycle)).toEqual(right);
    expect(cycle.diagnostics[0]?.message).toMatch(/^Line 1: 2 spans are their own ancestors/);
    const traceless = whole.map((span) => ({ ...spanJson(span), traceId: undefined }));
    const document = { resourceSpans: [{ scopeSpans: [{ spans: traceless }] }] };
    const without = await importContent(JSON.stringify(document), "run.json");
    expect(outline(without)).toEqual(right);
    expect(without.episodes[0]?.id).toBe("run");
    expect(without.diagnostics[0]?.message).toMatch(/^Line 1: 4 spans name no trace/);
  });

  test("a span that is its own parent, one without any id, and entries that are no spans", async () => {
    const odd = { ...spanJson({ id: "s", parent: "s", at: 1, attributes: {} }) };
    const nameless = { attributes: [{ key: "gen_ai.operation.name", value: { stringValue: "chat" } }] };
    const document = { resourceSpans: [{ scopeSpans: [{ spans: [odd, nameless, 3, {}, null] }] }] };
    const { diagnostics, episodes } = await importContent(JSON.stringify(document));
    expect(episodes).toHaveLength(1);
    expect(diagnostics.map(({ message }) => message).join("\n")).toMatch(/3 entries are no spans/);
  });
});

describe("prompts", () => {
  const given = {
    "gen_ai.system_instructions": [{ type: "text", content: "Be brief." }],
    "gen_ai.tool.definitions": [{ type: "function", name: "ls" }],
  };
  const system = 'Be brief.\n\n<tools>\n{"type":"function","name":"ls"}\n</tools>';
  const listing = '<tool_call>\n{"name":"ls","arguments":{"in":"/"}}\n</tool_call>';
  const begin = [user("Go"), calls(["1", "ls", { in: "/" }]), answers("1", "a b")];
  const read = (...spans: readonly TestSpan[]) => {
    const reader = otelReader({ name: "x", ledger: openLedger() });
    reader.read(documentOf(...spans), 0);
    return reader.end().episodes.map(({ episode, prompts }) => ({
      proposals: episode.steps.map((step) => step.proposals[0]),
      prompts: prompts ?? [],
    }));
  };

  test("the messages of a request, word for word; requests that go on from each other share them", () => {
    const [made] = read(
      chat({ id: "a", at: 1, read: begin.slice(0, 1), said: [begin[1] as object], attributes: given }),
      chat({
        id: "b",
        at: 3,
        read: begin,
        said: [{ ...says("Two"), finish_reason: "length" }],
        attributes: given,
      }),
    );
    const [first, second] = made?.prompts ?? [];
    expect(first?.talk.slice(0, first.upTo)).toEqual([
      { role: "system", content: system },
      { role: "user", content: "Go" },
    ]);
    expect(second?.talk.slice(0, second.upTo)).toEqual([
      { role: "system", content: system },
      { role: "user", content: "Go" },
      { role: "assistant", content: listing },
      { role: "user", content: "<tool_response>\na b\n</tool_response>" },
    ]);
    expect(second?.talk).toBe(first?.talk);
    expect(made?.proposals.map((proposal) => proposal?.completion)).toEqual([
      { text: listing, finish: "stop" },
      { text: "Two", finish: "length" },
    ]);
  });

  test("a rewritten history has a prompt of its own, and leaves the one before as it was", () => {
    const [made] = read(
      chat({ id: "a", at: 1, read: begin.slice(0, 1), said: [begin[1] as object] }),
      chat({ id: "b", at: 3, read: [user("So far: ls.")], said: [says("Two")] }),
    );
    const texts = made?.prompts.map((prompt) =>
      prompt?.talk.slice(0, prompt.upTo).map(({ content }) => content),
    );
    expect(texts).toEqual([["Go"], ["So far: ls."]]);
  });

  test("an instruction among the messages is there once; parts that are no words make no prompt", () => {
    const [made, pictured] = read(
      chat({
        id: "a",
        at: 1,
        read: [{ role: "system", parts: [{ type: "text", content: "Be brief." }] }, user("Go")],
        said: [says("Gone")],
        attributes: { "gen_ai.system_instructions": [{ type: "text", content: "Be brief." }] },
      }),
      chat({
        id: "b",
        trace: "t2",
        at: 2,
        read: [{ role: "user", parts: [{ type: "blob", modality: "image", content: "x" }] }],
        said: [says("A cat")],
      }),
    );
    expect(made?.prompts[0]?.talk).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Go" },
    ]);
    expect(pictured?.prompts).toEqual([undefined]);
    expect(pictured?.proposals[0]?.completion).toEqual({ text: "A cat", finish: "stop" });
  });
});
