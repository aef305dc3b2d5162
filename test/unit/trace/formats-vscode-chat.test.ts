import { describe, expect, test } from "vitest";
import { acted, importContent, importValue, lines, step } from "./formats-support.ts";

const words = (value: string): object => ({ value, isTrusted: false });
const tool = (toolCallId: string, toolId: string, more: object = {}): object => ({
  kind: "toolInvocationSerialized",
  toolCallId,
  toolId,
  invocationMessage: words("Running"),
  pastTenseMessage: words("Ran it"),
  isConfirmed: { type: 1 },
  isComplete: true,
  ...more,
});
const terminal = (id: string, original: string, exitCode: number, more: object = {}): object =>
  tool(id, "run_in_terminal", {
    toolSpecificData: {
      kind: "terminal",
      commandLine: { original, ...more },
      cwd: { $mid: 1, path: "/repo", scheme: "file" },
      terminalCommandOutput: { text: "bad" },
      terminalCommandState: { exitCode },
    },
  });
const given = (text: string): object => ({ $mid: 20, content: [{ $mid: 21, value: text }] });
const call = (id: string, name: string, args: object): object => ({
  id: `${id}__vscode-1796061347539`,
  name,
  arguments: JSON.stringify(args),
});
const results = (all: Record<string, unknown>): object =>
  Object.fromEntries(Object.entries(all).map(([id, result]) => [`${id}__vscode-1796061347539`, result]));

const request = (requestId: string, text: string, more: object): object => ({
  requestId,
  message: { text, parts: [{ kind: "text", text }] },
  variableData: {
    variables: [{ kind: "image", name: "shot.png", value: Array.from({ length: 5_000 }, () => 137) }],
  },
  modelId: "copilot/m",
  modelState: { value: 1, completedAt: 1 },
  ...more,
});
const answer = (requestId: string, text: string, reply: string, more: object = {}): object =>
  request(requestId, text, { response: [words(reply)], ...more });

const FIX = request("r1", "Fix it.", {
  response: [
    { kind: "thinking", value: "Hm.", id: "t" },
    words("I look at "),
    { kind: "inlineReference", inlineReference: { $mid: 1, path: "/repo/a.ts", scheme: "file" } },
    words("."),
    terminal("c1", "npm test", 2),
    tool("0f1e2d3c", "copilot_replaceString", { resultDetails: [] }),
    { kind: "textEditGroup", uri: {}, edits: [] },
    words("Done."),
  ],
  result: {
    metadata: {
      resolvedModel: "m-1",
      toolCallRounds: [
        {
          id: "x",
          response: "I look at a.ts.",
          thinking: { id: "t", text: "Hm.", encrypted: "zzz" },
          timestamp: 1796061347539,
          toolCalls: [
            call("c1", "run_in_terminal", { command: "npm test" }),
            call("c2", "replace_string_in_file", { filePath: "/repo/a.ts", oldString: "x", newString: "y" }),
          ],
        },
        { id: "y", response: "Done.", toolCalls: [] },
      ],
      toolCallResults: results({
        c1: given("bad"),
        c2: {
          content: [
            {
              value: {
                node: {
                  type: 1,
                  children: [
                    { type: 2, text: "The file" },
                    { type: 2, text: "was edited.", lineBreakBefore: true },
                  ],
                },
              },
            },
            { mimeType: "image/png", data: "A".repeat(9_999) },
          ],
        },
      }),
    },
  },
  promptTokens: 50,
  completionTokens: 9,
  followups: [{ message: "Thanks" }],
});
const EXPORT = { initialLocation: "panel", responderUsername: "GitHub Copilot", requests: [FIX] };

describe("VS Code's chat", () => {
  test("an export: the model's rounds are the turns, what the response shows of a tool says how it ended", async () => {
    const { episodes, diagnostics, value } = await importContent(
      JSON.stringify(EXPORT, undefined, 2),
      "chat.json",
    );
    expect(diagnostics).toEqual([]);
    expect(value?.files[0]?.format).toBe("vscode-chat");
    const [episode] = episodes;
    expect(acted(episode)).toEqual([
      ["Bash", { command: "npm test" }],
      ["Edit", { path: "a.ts", oldText: "x", newText: "y" }],
      ["FINAL", "Done."],
    ]);
    expect(episode).toMatchObject({
      id: "chat",
      source: "vscode-chat",
      question: "Fix it.",
      answer: "Done.",
      facts: { domain: "coding-agent", cwd: "/repo" },
      settings: { model: "m-1", agent: "vscode" },
      cost: { inputTokens: 50, outputTokens: 9 },
    });
    expect(step(episode, 0)).toMatchObject({
      observation: "bad",
      result: { exitCode: 2, ok: false },
      proposals: [{ thought: "Hm.\n\nI look at a.ts.", fromTranscript: true }],
      extra: { requestId: "r1", attachments: ["shot.png"], timestamp: "2026-11-30T17:55:47.539Z" },
    });
    expect(step(episode, 1).observation).toBe("The file\nwas edited.\n[image]");
    expect(JSON.stringify(episode)).not.toMatch(/AAAA|137,|zzz/);
    expect(value?.files[0]?.dropped.map(({ what }) => what)).toEqual([
      "parts of responses: textEditGroup",
      "fields of requests: followups",
    ]);
  });

  test("without the model's rounds, what the response shows is what is known", async () => {
    const episode = await importValue({
      sessionId: "s",
      creationDate: 1,
      requests: [
        request("r1", "Go", {
          modelState: { value: 2 },
          response: [
            words("I try "),
            { kind: "clearToPreviousToolInvocation", reason: 1 },
            words("I run it."),
            terminal("c1", "ls", 0, { userEdited: "ls -a" }),
            tool("c2", "copilot_readFile"),
            tool("c3", "mcp_db_ask", {
              resultDetails: {
                input: '{"sql":"1"}',
                output: [
                  { type: "embed", isText: true, value: "one" },
                  { type: "embed", mimeType: "image/png", value: "A".repeat(9_999) },
                ],
                isError: true,
              },
            }),
            tool("c4", "run_in_terminal", {
              isConfirmed: { type: 0 },
              toolSpecificData: { kind: "terminal", command: "rm -rf /", language: "sh" },
            }),
            words("Half a sen"),
          ],
        }),
      ],
    });
    expect(acted(episode)).toEqual([
      ["Bash", { command: "ls" }],
      ["Read", {}],
      ["mcp_db_ask", { sql: "1" }],
      ["Bash", { command: "rm -rf /" }],
      ["other", "Half a sen"],
    ]);
    expect(episode.steps.map(({ observation, result }) => [observation, result])).toEqual([
      ["bad", { exitCode: 0, ok: true }],
      ["", undefined],
      ["one\n[image]", { ok: false }],
      ["", { ok: false }],
      ["", undefined],
    ]);
    expect(step(episode, 0)).toMatchObject({
      proposals: [{ thought: "I run it." }],
      extra: { ranInstead: "ls -a" },
    });
    expect(step(episode, 1).extra).toMatchObject({
      argumentsUnknown: true,
      shown: "Ran it",
      unanswered: true,
    });
    expect(step(episode, 3).extra).toMatchObject({ refused: "denied" });
    expect(step(episode, 4).extra).toMatchObject({ stopped: "cancelled" });
    expect(episode.answer).toBeUndefined();
  });

  test("a restored checkpoint: what was taken back is an abandoned branch, also within a response", async () => {
    const { episodes } = await importContent(
      JSON.stringify({
        ...EXPORT,
        sessionId: "s",
        requests: [
          FIX,
          answer("r2", "Wrong way.", "Wrong.", { shouldBeRemovedOnSend: { requestId: "r2" } }),
          answer("r3", "Worse.", "Worse.", { isHidden: true }),
        ],
      }),
    );
    expect(
      episodes.map(({ id, outcome, origin, question, answer: said }) => [
        id,
        outcome,
        origin,
        question,
        said,
      ]),
    ).toEqual([
      ["s", "unjudged", undefined, "Fix it.", "Done."],
      ["s~branch-1", "abandoned", { as: "branch", episode: "s", t: 2 }, "Wrong way.", "Worse."],
    ]);
    const half = request("h", "Both.", {
      shouldBeRemovedOnSend: { requestId: "h", afterUndoStop: "stop" },
      response: [
        words("One."),
        terminal("c1", "one", 0),
        { kind: "undoStop", id: "stop" },
        words("Two."),
        terminal("c2", "two", 0),
      ],
    });
    const parts = await importContent(JSON.stringify({ ...EXPORT, requests: [half] }));
    expect(parts.episodes.map((one) => [one.outcome, one.origin, acted(one)])).toEqual([
      ["unjudged", undefined, [["Bash", { command: "one" }]]],
      ["abandoned", { as: "branch", episode: "file", t: 0 }, [["Bash", { command: "two" }]]],
    ]);
  });

  test("a log: the session is what its changes make; requests that it removed are an abandoned branch", async () => {
    const { episodes, diagnostics, value } = await importContent(
      lines(
        {
          kind: 0,
          v: {
            version: 3,
            sessionId: "s",
            creationDate: 1,
            requests: [],
            responderUsername: "C",
            pendingRequests: [{ id: "q" }],
          },
        },
        { kind: 2, k: ["requests"], v: [request("r1", "Fix it.", { response: [] })] },
        { kind: 2, k: ["requests", 0, "response"], v: [words("I "), words("loo")] },
        { kind: 2, k: ["requests", 0, "response"], i: 1, v: [words("look."), terminal("c1", "ls", 0)] },
        { kind: 1, k: ["requests", 0, "modelId"], v: "copilot/n" },
        { kind: 3, k: ["requests", 0, "variableData"] },
        { kind: 2, k: ["requests"], v: [answer("r2", "Wrong way.", "Wrong.")] },
        { kind: 2, k: ["requests"], i: 1, v: [answer("r3", "Right way.", "Right.")] },
        { kind: 1, k: ["customTitle"], v: "Mine" },
      ),
      "s.jsonl",
    );
    expect(diagnostics).toEqual([]);
    expect(episodes.map(({ id, outcome, origin, question }) => [id, outcome, origin, question])).toEqual([
      ["s", "unjudged", undefined, "Fix it."],
      ["s~branch-1", "abandoned", { as: "branch", episode: "s", t: 0 }, "Wrong way."],
    ]);
    expect(acted(episodes[0])).toEqual([
      ["Bash", { command: "ls" }],
      ["FINAL", "Right."],
    ]);
    expect(step(episodes[0], 0).proposals?.[0]?.thought).toBe("I look.");
    expect(step(episodes[0], 1).prompts).toEqual(["Right way."]);
    expect(episodes[0]?.extra).toEqual({ title: "Mine" });
    expect(value?.files[0]?.dropped.map(({ what, times }) => [what, times])).toContainEqual([
      "requests in the queue",
      1,
    ]);
  });

  test("a log that was made to harm or is cut: what can be applied is, the rest is named", async () => {
    const { episodes, diagnostics, value } = await importContent(
      `${lines(
        { kind: 1, k: ["requests"], v: [] },
        { kind: 0, v: { sessionId: "s", requests: [answer("r1", "Hi", "Ho.")] } },
        { kind: 1, k: ["__proto__", "polluted"], v: 1 },
        { kind: 1, k: ["requests", 4_000_000_000], v: {} },
        { kind: 2, k: ["requests", 0, "nowhere", "deep"], v: [1] },
        { kind: 9, k: ["requests"] },
        { kind: 2, k: ["requests"], v: "text", i: -1 },
      )}\n${lines({ kind: 2, k: ["requests"], v: [answer("r2", "Cut", "Cut.")] }).slice(0, 120)}`,
    );
    expect(episodes).toMatchObject([{ id: "s", question: "Hi", answer: "Ho." }]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(diagnostics.filter(({ code }) => code === "HASP530").map(({ range }) => range.start.line)).toEqual(
      [0, 2, 3, 4],
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(expect.arrayContaining(["HASP536", "HASP522"]));
    expect(value?.files[0]?.unknown).toEqual([{ what: "entries of kind 9", to: "not read", times: 1 }]);
  });

  test("a sub-agent is an episode of its own, abandoned with the branch that called it", async () => {
    const parts = [
      words("I delegate."),
      tool("s1", "runSubagent", {
        toolSpecificData: { kind: "subagent", prompt: "Count.", agentName: "explore", result: "Two files." },
      }),
      terminal("c9", "ls", 0),
    ].map((part, at) => (at === 2 ? { ...part, subAgentInvocationId: "s1" } : part));
    const asked = (id: string, more: object): object =>
      request(id, "How many?", {
        response: [...parts, words("Two.")],
        result: {
          metadata: {
            toolCallRounds: [
              {
                response: "I delegate.",
                toolCalls: [call("s1", "runSubagent", { prompt: "Count.", agentName: "explore" })],
              },
              { response: "Two.", toolCalls: [] },
            ],
            toolCallResults: results({ s1: given("Two files.") }),
          },
        },
        ...more,
      });
    const stands = await importContent(JSON.stringify({ ...EXPORT, requests: [asked("r1", {})] }), "x.json");
    expect(
      stands.episodes.map(({ id, origin, question, answer: said, outcome }) => [
        id,
        origin,
        question,
        said,
        outcome,
      ]),
    ).toEqual([
      ["x", undefined, "How many?", "Two.", "unjudged"],
      ["x~s1", { as: "sub_agent", episode: "x", t: 0 }, "Count.", "Two files.", "unjudged"],
    ]);
    expect(acted(stands.episodes[1])).toEqual([
      ["Bash", { command: "ls" }],
      ["FINAL", "Two files."],
    ]);
    expect(step(stands.episodes[0], 0).extra).toMatchObject({ subAgents: ["x~s1"] });
    const gone = await importContent(
      JSON.stringify({
        ...EXPORT,
        requests: [answer("r0", "Hi", "Ho."), asked("r1", { shouldBeRemovedOnSend: { requestId: "r1" } })],
      }),
      "x.json",
    );
    expect(gone.episodes.map(({ id, outcome, origin }) => [id, outcome, origin])).toEqual([
      ["x", "unjudged", undefined],
      ["x~branch-1", "abandoned", { as: "branch", episode: "x", t: 0 }],
      ["x~s1", "abandoned", { as: "sub_agent", episode: "x~branch-1", t: 0 }],
    ]);
  });

  test("old forms, words of the program, parts that nobody knows, wrong types, and a session without an answer", async () => {
    const { episodes, value } = await importContent(
      JSON.stringify({
        requesterUsername: "me",
        responderUsername: "C",
        requests: [
          {
            requestId: "a",
            message: "Hi",
            response: [words("Ho."), { kind: "hologram" }, 7, null],
            isCanceled: true,
          },
          { requestId: "b", message: { text: "Build finished." }, isSystemInitiated: true, response: "none" },
          {
            requestId: 3,
            message: 4,
            response: [
              { kind: "toolInvocationSerialized", toolCallId: 5, toolId: null, toolSpecificData: "x" },
            ],
            result: [],
            modelTotals: [{ inputTokens: 4, cachedTokens: 1, outputTokens: 2 }],
          },
        ],
      }),
    );
    expect(episodes).toHaveLength(1);
    expect(acted(episodes[0]).map(([type]) => type)).toEqual(["other"]);
    expect(episodes[0]).toMatchObject({
      question: "Hi",
      prelude: "Build finished.",
      cost: { inputTokens: 4, outputTokens: 2 },
    });
    expect(value?.files[0]?.unknown.map(({ what }) => what)).toContain("parts of responses of kind hologram");
    const silent = await importContent(JSON.stringify({ ...EXPORT, requests: [request("r", "Hi", {})] }));
    expect(silent.diagnostics.map(({ message: text }) => text).join()).toContain("no answer of an agent");
  });
});
