import { mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { acted, importContent, importFiles, importValue, lines, step } from "./formats-support.ts";
import { temporaryFolder } from "./support.ts";

const words = (text: string): object => ({ type: "text", text });
const user = (...content: object[]): object => ({ role: "user", content, ts: 1 });
const agent = (...content: object[]): object => ({ role: "assistant", content, ts: 2 });

test("Cline: calls that stand as elements in the text are steps, what follows is their result", async () => {
  const folder = temporaryFolder();
  mkdirSync(`${folder}/1796`);
  const file = `${folder}/1796/api_conversation_history.json`;
  const details = words(
    "<environment_details>\n# Current Working Directory (/repo) Files\na.ts\n</environment_details>",
  );
  writeFileSync(
    file,
    JSON.stringify([
      user(words("<task>\nFix it.\n</task>"), details),
      agent(
        words(
          "<thinking>Hm.</thinking>\nI look.\n\n<execute_command>\n<command>grep '<x>' a</command>\n<requires_approval>false</requires_approval>\n</execute_command>",
        ),
      ),
      user(words("[execute_command for 'grep'] Result:"), words("Command executed.\nOutput:\n<x>"), details),
      agent(
        words(
          "<write_to_file>\n<path>/repo/b.html</path>\n<content>\n<path>not a parameter</path>\n</content>\n</write_to_file>",
        ),
      ),
      user(
        words("[write_to_file for 'b.html'] Result:"),
        words("The user denied this.\n<feedback>\nUse c.html.\n</feedback>"),
      ),
      agent({ type: "tool_use", id: "n", name: "read_file", input: { path: "c.html" } }),
      user({ type: "tool_result", tool_use_id: "n", content: "c" }),
      agent(words("<attempt_completion>\n<result>\nIt is fixed.\n</result>\n</attempt_completion>")),
    ]),
  );
  const { episodes, diagnostics, value } = await importFiles(file);
  expect(diagnostics).toEqual([]);
  expect(value?.files[0]?.format).toBe("cline");
  const [episode] = episodes;
  expect(episode).toMatchObject({
    id: "1796",
    question: "Fix it.",
    answer: "It is fixed.",
    facts: { cwd: "/repo" },
  });
  expect(acted(episode)).toEqual([
    ["Bash", { command: "grep '<x>' a", requires_approval: "false" }],
    ["Write", { path: "b.html", content: "<path>not a parameter</path>" }],
    ["Read", { path: "c.html" }],
    ["FINAL", "It is fixed."],
  ]);
  expect(step(episode, 0).observation).toContain("Command executed.\nOutput:\n<x>");
  expect(step(episode, 2).prompts).toEqual(["Use c.html."]);
});

test("Goose and Cursor: blocks are calls and results of a coding agent, the person's words are found", async () => {
  const goose = await importValue({
    id: "g",
    working_dir: "/repo",
    name: "Listing",
    conversation: [
      { role: "user", content: [words("List.")] },
      {
        role: "assistant",
        content: [
          {
            type: "toolRequest",
            id: "1",
            toolCall: { status: "success", value: { name: "shell", arguments: { command: "ls" } } },
          },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "toolResponse",
            id: "1",
            toolResult: { status: "success", value: { content: [words("a b")], isError: false } },
          },
        ],
      },
      { role: "assistant", content: [words("Two files.")] },
    ],
  });
  expect(goose).toMatchObject({
    id: "g",
    source: "goose",
    question: "List.",
    answer: "Two files.",
    extra: { title: "Listing" },
  });
  expect(acted(goose)[0]).toEqual(["Bash", { command: "ls" }]);
  expect(step(goose, 0)).toMatchObject({ observation: "a b", result: { ok: true } });

  const cursor = await importContent(
    lines(
      {
        role: "user",
        message: { content: [words("<open_files>a.ts</open_files>\n<user_query>\nFix it.\n</user_query>")] },
      },
      {
        role: "assistant",
        message: { content: [words("I look."), { type: "tool_use", name: "Read", input: { path: "a.ts" } }] },
      },
      { role: "assistant", message: { content: [words("Done.")] } },
      { type: "turn_ended" },
      { type: "hologram" },
    ),
    "c.jsonl",
  );
  expect(cursor.value?.files[0]).toMatchObject({
    format: "cursor",
    unknown: [{ what: "lines of type hologram" }],
  });
  expect(cursor.episodes[0]).toMatchObject({
    id: "c",
    question: "Fix it.",
    prelude: "<open_files>a.ts</open_files>",
    answer: "Done.",
  });
  expect(acted(cursor.episodes[0])[0]).toEqual(["Read", { path: "a.ts" }]);
});

test("OpenCode: an exported session, with what a person took back and a sub-agent", async () => {
  const AT = { created: 1 };
  const session = (info: object, messages: object[]): object => ({
    info: { id: "ses_1", directory: "/repo", version: "1.18.33", title: "T", ...info },
    messages,
  });
  const asked = (id: string, ...parts: object[]): object => ({ info: { id, role: "user", time: AT }, parts });
  const did = (id: string, ...parts: object[]): object => ({
    info: { id, role: "assistant", modelID: "m", time: AT },
    parts,
  });
  const tool = (callID: string, name: string, state: object): object => ({
    type: "tool",
    callID,
    tool: name,
    state,
  });
  const finish = {
    type: "step-finish",
    cost: 0.5,
    tokens: { input: 1, output: 2, reasoning: 3, cache: { read: 4, write: 5 } },
  };
  const messages = [
    asked(
      "u1",
      words("Fix it."),
      { ...words("Called the Read tool"), synthetic: true },
      { type: "file", filename: "a.png", url: `data:image/png;base64,${"A".repeat(9_999)}` },
    ),
    did(
      "a1",
      { type: "step-start" },
      { type: "reasoning", text: "Hm." },
      words("I look."),
      tool("1", "bash", {
        status: "completed",
        input: { command: "npm test" },
        output: "bad",
        metadata: { exit: 2 },
      }),
      tool("2", "edit", {
        status: "error",
        input: { filePath: "/repo/a", oldString: "x", newString: "y" },
        error: "not found",
      }),
      finish,
    ),
    did(
      "a2",
      tool("3", "task", {
        status: "completed",
        input: { prompt: "Count.", description: "d" },
        output: "two",
        metadata: { sessionId: "ses_2" },
      }),
      { type: "hologram" },
    ),
    did("a3", words("Done.")),
    asked("u2", words("Wrong way.")),
    did("a4", words("Wrong.")),
  ];
  const { episodes, value } = await importContent(
    JSON.stringify(session({ revert: { messageID: "u2" } }, messages)),
  );
  expect(
    episodes.map(({ id, outcome, origin, question, answer }) => [id, outcome, origin, question, answer]),
  ).toEqual([
    ["ses_1", "unjudged", undefined, "Fix it.", "Done."],
    ["ses_1~branch-1", "abandoned", { as: "branch", episode: "ses_1", t: 3 }, "Wrong way.", "Wrong."],
  ]);
  expect(acted(episodes[0]).map(([type]) => type)).toEqual(["Bash", "Edit", "Agent", "FINAL"]);
  expect(step(episodes[0], 0)).toMatchObject({
    result: { exitCode: 2, ok: false },
    proposals: [
      {
        thought: "Hm.\n\nI look.",
        usage: { inputTokens: 10, cachedInputTokens: 4, outputTokens: 5, cost: 0.5 },
      },
    ],
  });
  expect(step(episodes[0], 1)).toMatchObject({ result: { ok: false }, observation: "not found" });
  expect(step(episodes[0], 2).extra).toMatchObject({ subAgents: ["ses_2"] });
  expect(JSON.stringify(episodes)).not.toContain("AAAA");
  expect(value?.files[0]?.unknown).toEqual([{ what: "parts of type hologram", to: "not read", times: 1 }]);
  const sub = await importValue(
    session({ id: "ses_2", parentID: "ses_1" }, [asked("u", words("Count.")), did("a", words("Two."))]),
  );
  expect(sub).toMatchObject({ id: "ses_2", origin: { as: "sub_agent", episode: "ses_1" } });
});

test.each<[string, string | Uint8Array, string, RegExp]>([
  ["an SQLite database", "SQLite format 3\u0000\u0001", "state.vscdb", /opencode export/],
  [
    "Aider's history",
    "\n# aider chat started at 2026-01-01\n\n#### fix it\n",
    ".aider.chat.history.md",
    /proxy/,
  ],
  ["a chat shared as Markdown", "## USER 🧑‍💻\n\nHi\n", "chat.md", /chat share/],
  ["Antigravity's conversation", new Uint8Array([8, 1, 18, 4]), "x.pb", /transcript_full/],
  [
    "Gemini's logs.json",
    '[\n{"sessionId":"s","messageId":0,"type":"user","message":"hi"}\n]',
    "logs.json",
    /folder chats/,
  ],
  [
    "Cline's ui_messages.json",
    '[{"ts":1,"type":"say","say":"text","text":"x"}]',
    "ui_messages.json",
    /api_conversation_history/,
  ],
  ["a chain of LangSmith", '{"run_type":"chain","inputs":{"x":1}}', "runs.jsonl", /llm/],
  [
    "a part of OpenCode",
    '{"id":"msg_1","sessionID":"ses_1","time":{"created":1}}',
    "msg_1.json",
    /opencode export/,
  ],
  ["ChatGPT's export", '[{"title":"t","mapping":{}}]', "conversations.json", /messages/],
])("%s is recognised, and what to do is said", async (_, content, name, next) => {
  const { episodes, diagnostics } = await importContent(content, name);
  expect(episodes).toEqual([]);
  expect(diagnostics.map(({ code }) => code)).toEqual(["HASP507"]);
  expect(diagnostics[0]?.next).toMatch(next);
});
