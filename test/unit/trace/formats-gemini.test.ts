import { mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { acted, importContent, importFiles, lines, step } from "./formats-support.ts";
import { temporaryFolder } from "./support.ts";

const AT = "2026-01-01T00:00:00.000Z";
const HEADER = { sessionId: "s", projectHash: "h", startTime: AT, lastUpdated: AT, kind: "main" };
const TOKENS = { input: 100, output: 7, cached: 50, thoughts: 3, tool: 0, total: 110 };
const user = (id: string, text: string, more: object = {}): object => ({
  id,
  timestamp: AT,
  type: "user",
  content: [{ text }],
  ...more,
});
const gemini = (id: string, content: unknown, more: object = {}): object => ({
  id,
  timestamp: AT,
  type: "gemini",
  content,
  tokens: TOKENS,
  model: "g",
  ...more,
});
const response = (id: string, name: string, output: unknown): object => ({
  functionResponse: { id, name, response: output },
});
const call = (id: string, name: string, args: object, output: unknown, status = "success"): object => ({
  id,
  name,
  args,
  status,
  timestamp: AT,
  result: [response(id, name, output)],
});
const CONTEXT = user("c", "<session_context>\n- **Workspace Directories:**\n  - /repo\n</session_context>");
const SHELL = call(
  "t1",
  "run_shell_command",
  { command: "npm test" },
  {
    output: "<untrusted_context>\nOutput: bad\nExit Code: 2\nProcess Group PGID: 4\n</untrusted_context>",
  },
);
const EDIT = call(
  "t2",
  "replace",
  { file_path: "/repo/a.ts", old_string: "x", new_string: "y", allow_multiple: true },
  { error: "not found" },
  "error",
);
const TALK = [
  HEADER,
  { $set: { messages: [CONTEXT], lastUpdated: AT } },
  user("u1", "Fix it."),
  gemini("g1", "I look.", { thoughts: [{ subject: "Plan", description: "two looks", timestamp: AT }] }),
  gemini("g1", "I look.", {
    thoughts: [{ subject: "Plan", description: "two looks" }],
    toolCalls: [SHELL, EDIT],
  }),
  {
    id: "r1",
    timestamp: AT,
    type: "user",
    content: [response("t1", "run_shell_command", { output: "again" })],
  },
  { $set: { lastUpdated: AT } },
];

test("Gemini: lines of one message are one turn, results told twice are one, a command's code is in its text", async () => {
  const { episodes, diagnostics, value } = await importContent(
    lines(...TALK, gemini("g2", "Done.")),
    "session-x.jsonl",
  );
  expect(diagnostics).toEqual([]);
  expect(value?.files[0]?.format).toBe("gemini");
  const [episode] = episodes;
  expect(episode).toMatchObject({
    id: "s",
    source: "gemini",
    question: "Fix it.",
    answer: "Done.",
    facts: { domain: "coding-agent", cwd: "/repo" },
    settings: { model: "g", agent: "gemini-cli" },
    cost: { inputTokens: 200, outputTokens: 20 },
  });
  expect(acted(episode)).toEqual([
    ["Bash", { command: "npm test" }],
    ["Edit", { path: "a.ts", oldText: "x", newText: "y", all: true }],
    ["FINAL", "Done."],
  ]);
  expect(step(episode, 0)).toMatchObject({
    result: { exitCode: 2, ok: false },
    proposals: [
      {
        thought: "Plan: two looks\n\nI look.",
        usage: { inputTokens: 100, cachedInputTokens: 50, outputTokens: 10 },
        fromTranscript: true,
      },
    ],
  });
  expect(step(episode, 1)).toMatchObject({
    result: { ok: false },
    observation: "not found",
    unanswered: [0],
  });
  expect(JSON.stringify(episode)).not.toContain("again");
});

test("Gemini: what a person went back from is an abandoned branch, also where nothing followed", async () => {
  const { episodes, value } = await importContent(
    lines(
      ...TALK,
      user("w1", "Wrong way."),
      gemini("w2", "", {
        toolCalls: [call("t3", "write_file", { file_path: "/repo/b", content: "" }, { output: "ok" })],
      }),
      { $rewindTo: "w1" },
      user("v1", "Right way."),
      gemini("v2", "Done."),
      { $rewindTo: "v2" },
    ),
  );
  expect(episodes.map(({ id, outcome, origin, question }) => [id, outcome, origin, question])).toEqual([
    ["s", "unjudged", undefined, "Fix it."],
    ["s~branch-1", "abandoned", { as: "branch", episode: "s", t: 1 }, "Wrong way."],
    ["s~branch-2", "abandoned", { as: "branch", episode: "s", t: 1 }, "Fix it."],
  ]);
  expect(acted(episodes[0]).length).toBe(2);
  expect(episodes[0]?.extra).toEqual({ promptsAfterLastStep: ["Right way."] });
  expect(acted(episodes[1])).toEqual([["Write", { path: "b", content: "" }]]);
  expect(value?.files[0]).toMatchObject({ abandoned: 2, abandonedSteps: 2 });
  const unknown = await importContent(
    lines(...TALK, { $rewindTo: "nowhere" }, user("n", "New."), gemini("m", "New.")),
  );
  expect(unknown.episodes.map(({ question, origin }) => [question, origin])).toEqual([
    ["New.", undefined],
    ["Fix it.", { as: "branch", episode: "s" }],
  ]);
});

test("Gemini: a session that is resumed goes on in its file, and what it repeats is told once", async () => {
  const { episodes, diagnostics } = await importContent(
    lines(
      ...TALK,
      gemini("g2", "First done."),
      { ...HEADER, startTime: "2026-01-02T00:00:00.000Z" },
      { $set: { messages: [CONTEXT] } },
      // As the API has it: results of tools bear the id of the message that called them.
      {
        $set: {
          messages: [
            CONTEXT,
            user("u1", "Fix it."),
            { ...gemini("g1", [{ text: "I look." }]), tokens: undefined },
            { id: "g1", type: "user", content: [response("t1", "run_shell_command", { output: "again" })] },
            { ...gemini("g2", [{ text: "First done." }]), tokens: undefined },
          ],
        },
      },
      user("u2", "And now?"),
      gemini("g3", "Second done."),
    ),
    "session-x.jsonl",
  );
  expect(diagnostics).toEqual([]);
  expect(episodes.map(({ question }) => question)).toEqual(["Fix it."]);
  expect(acted(episodes[0]).map(([type]) => type)).toEqual(["Bash", "Edit", "FINAL", "FINAL"]);
  expect(step(episodes[0], 3).prompts).toEqual(["And now?"]);
  expect(episodes[0]?.cost?.inputTokens).toBe(300);
});

test("Gemini: a history that was made shorter loses nothing, and its summary is the program's", async () => {
  const { episodes, value } = await importContent(
    lines(
      ...TALK,
      {
        $set: {
          messages: [
            user("k1", "<state_snapshot>fixed a</state_snapshot>"),
            gemini("k2", "Got it.", { tokens: undefined }),
            gemini("g1", "masked", { toolCalls: [SHELL] }),
          ],
        },
      },
      user("u2", "Go on.", {
        content: [{ text: "Go on.\n--- a.ts ---\nx" }],
        displayContent: [{ text: "Go on." }],
      }),
      gemini("g2", "Done."),
    ),
  );
  const [episode] = episodes;
  expect(episodes).toHaveLength(1);
  expect(acted(episode).map(([type]) => type)).toEqual(["Bash", "Edit", "FINAL"]);
  expect(step(episode, 0).proposals?.[0]?.thought).toContain("I look.");
  expect(step(episode, 1).observation).toBe(
    "not found\n\n<state_snapshot>fixed a</state_snapshot>\n\nGot it.\n\nGo on.\n--- a.ts ---\nx",
  );
  expect(step(episode, 2).prompts).toEqual(["Go on."]);
  expect(value?.files[0]?.dropped.map(({ what, times }) => [what, times])).toContainEqual([
    "messages left out of a later history",
    3,
  ]);
});

test("Gemini: a sub-agent's file names no session, the folder that it lies in does", async () => {
  const folder = temporaryFolder();
  mkdirSync(`${folder}/chats/s`, { recursive: true });
  const ask = {
    ...call("t1", "invoke_agent", { agent_name: "generalist", prompt: "Count." }, { output: "two" }),
    agentId: "a1",
  };
  const main = `${folder}/chats/session-1.jsonl`;
  const sub = `${folder}/chats/s/a1.jsonl`;
  writeFileSync(
    main,
    lines(
      HEADER,
      CONTEXT,
      user("u", "How many?"),
      gemini("g1", "", { toolCalls: [ask] }),
      gemini("g2", "Two."),
    ),
  );
  writeFileSync(
    sub,
    lines(
      { ...HEADER, sessionId: "a1", kind: "subagent", directories: ["/repo"] },
      user("u", "Count."),
      gemini("g1", "", {
        toolCalls: [call("t", "list_directory", { dir_path: "/repo/x" }, { output: "a b" })],
      }),
      user("p", "You have one final chance."),
      gemini("g2", "", {
        toolCalls: [call("d", "complete_task", { result: "Two files." }, { output: "ok" })],
      }),
    ),
  );
  const { episodes, diagnostics } = await importFiles(main, sub);
  expect(diagnostics).toEqual([]);
  expect(episodes.map(({ id, origin, question, answer }) => [id, origin, question, answer])).toEqual([
    ["s", undefined, "How many?", "Two."],
    ["a1", { as: "sub_agent", episode: "s" }, "Count.", "Two files."],
  ]);
  expect(step(episodes[0], 0)).toMatchObject({
    executed: { type: "Agent", arg: '{"prompt":"Count.","agent":"generalist"}' },
    extra: { subAgents: ["a1"] },
  });
  expect(acted(episodes[1])).toEqual([
    ["List", { path: "x" }],
    ["FINAL", "Two files."],
  ]);
});

test("Gemini: stream-json, the older document, a checkpoint and a shared chat", async () => {
  const event = (type: string, more: object): object => ({ type, timestamp: AT, ...more });
  const stream = lines(
    event("init", { session_id: "j", model: "g" }),
    event("message", { role: "user", content: "Go" }),
    event("message", { role: "assistant", content: "I ", delta: true }),
    event("message", { role: "assistant", content: "go.", delta: true }),
    event("tool_use", {
      tool_name: "read_file",
      tool_id: "1",
      parameters: { file_path: "a", start_line: 2, end_line: 3 },
    }),
    event("tool_result", {
      tool_id: "1",
      status: "error",
      output: "",
      error: { type: "x", message: "no file" },
    }),
    event("message", { role: "assistant", content: "Gone.", delta: true }),
    event("result", { status: "success", stats: { input_tokens: 5, output_tokens: 2, total_tokens: 7 } }),
  );
  const streamed = (await importContent(stream)).episodes[0];
  expect(streamed).toMatchObject({
    id: "j",
    question: "Go",
    answer: "Gone.",
    cost: { inputTokens: 5, outputTokens: 2 },
  });
  expect(acted(streamed)[0]).toEqual(["Read", { path: "a", offset: 2, limit: 2 }]);
  expect(step(streamed, 0)).toMatchObject({
    observation: "no file",
    result: { ok: false },
    proposals: [{ thought: "I go." }],
  });

  const messages = [
    user("u", "Go"),
    gemini("g", "", { toolCalls: [call("1", "glob", { pattern: "*" }, { output: "a" })] }),
    gemini("h", "Gone."),
  ];
  const contents = [
    { role: "user", parts: [{ text: "Go" }] },
    {
      role: "model",
      parts: [
        { thought: true, text: "Hm." },
        { functionCall: { id: "1", name: "glob", args: { pattern: "*" } } },
      ],
    },
    {
      role: "user",
      parts: [
        response("1", "glob", { output: "a" }),
        { inlineData: { mimeType: "image/png", data: "A".repeat(9_999) } },
      ],
    },
    { role: "model", parts: [{ text: "Gone." }] },
  ];
  const turns = contents.map((content, at) => ({ id: `t${at}`, content }));
  for (const document of [
    { ...HEADER, messages },
    { history: contents, authType: "x" },
    contents,
    turns,
    { clientHistory: contents, toolCall: {} },
  ]) {
    const { episodes, diagnostics } = await importContent(JSON.stringify(document, undefined, 2), "doc.json");
    expect(diagnostics).toEqual([]);
    expect(episodes.map((one) => [one.question, acted(one)])).toEqual([
      [
        "Go",
        [
          ["Glob", { pattern: "*" }],
          ["FINAL", "Gone."],
        ],
      ],
    ]);
    expect(JSON.stringify(episodes)).not.toContain("AAAA");
  }
});

test("Gemini: two sessions in one file, records and parts that nobody knows, and a cut line", async () => {
  const { episodes, value, diagnostics } = await importContent(
    `${lines(
      ...TALK,
      { ...HEADER, sessionId: "t" },
      { id: "i", timestamp: AT, type: "info", content: "Update!" },
      { id: "x", timestamp: AT, type: "hologram", content: "?" },
      { foo: 1 },
      user("u", "Hi", { content: [{ text: "Hi" }, { smell: "rose" }] }),
      gemini("g", "Ho."),
      { id: "r", timestamp: AT, type: "user", content: [response("none", "glob", { output: "stray" })] },
    )}\n${lines(gemini("z", "Cut")).slice(0, 75)}`,
  );
  expect(episodes.map(({ id, question }) => [id, question])).toEqual([
    ["s", "Fix it."],
    ["t", "Hi"],
  ]);
  expect(value?.files[0]?.unknown.map(({ what }) => what)).toEqual([
    "records with foo",
    "messages of type hologram",
    "parts of a content: smell",
  ]);
  expect(episodes[1]?.steps[0]?.observation).toBe("stray");
  expect(diagnostics.map(({ code }) => code)).toEqual(expect.arrayContaining(["HASP522", "HASP536"]));
});
