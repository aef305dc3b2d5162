import { describe, expect, test } from "vitest";
import type { Episode } from "../../../src/model/episode.ts";
import { promptsOf } from "./formats-prompts.ts";
import { importContent, importValue, lines, step } from "./formats-support.ts";

const say = (text: string): object => ({
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
});
const run = (id: string, name: string, args: object): object => ({
  type: "function_call",
  id: `fc_${id}`,
  call_id: id,
  name,
  arguments: JSON.stringify(args),
});
const out = (id: string, output: unknown): object => ({ type: "function_call_output", call_id: id, output });
const acted = (episode: Episode | undefined): unknown =>
  episode?.steps.map(({ executed, observation }) => [executed.type, executed.arg, observation]);

/** A call of the model as a proxy logs it. */
const exchange = (
  id: string,
  previous: string | undefined,
  input: unknown,
  output: object[],
  more: object = {},
): object => ({
  request: {
    body: {
      model: "m",
      instructions: "Be good.",
      tools: [{ type: "function", name: "f" }],
      input,
      previous_response_id: previous,
    },
  },
  response: {
    id,
    object: "response",
    status: "completed",
    model: "m-1",
    output,
    usage: { input_tokens: 10, output_tokens: 3, input_tokens_details: { cached_tokens: 4 } },
    ...more,
  },
});

describe("OpenAI Responses", () => {
  test("responses that name each other are one episode, a fork that nothing went on from an abandoned branch", async () => {
    const { episodes, diagnostics } = await importContent(
      lines(
        exchange("r1", undefined, "Do it", [
          { type: "reasoning", summary: [{ type: "summary_text", text: "Both." }], encrypted_content: "zzz" },
          run("a", "f", { x: 1 }),
          run("b", "f", { x: 2 }),
        ]),
        exchange("r2", "r1", [out("b", "two"), out("a", "one")], [say("Wrong way.")]),
        exchange(
          "r3",
          "r1",
          [
            out("b", "2"),
            out("a", [
              { type: "input_text", text: "1" },
              { type: "input_image", image_url: `data:image/png;base64,${"A".repeat(9_999)}` },
            ]),
          ],
          [say("Right way.")],
        ),
        exchange("r4", "r3", [{ role: "user", content: "More" }], [say("Cut o")], {
          status: "incomplete",
          incomplete_details: { reason: "max_output_tokens" },
        }),
        exchange("x", "gone", "Later", [say("Ok.")]),
      ),
    );
    expect(episodes.map(({ id, outcome, origin, question }) => [id, outcome, origin, question])).toEqual([
      ["r4", "unjudged", undefined, "Do it"],
      ["r4~branch-1", "abandoned", { as: "branch", episode: "r4", t: 1 }, "Do it"],
      ["x", "unjudged", undefined, "Later"],
    ]);
    expect(acted(episodes[0])).toEqual([
      ["f", '{"x":1}', "1\n[input_image]"],
      ["f", '{"x":2}', "2"],
      ["other", "Right way.", "More"],
      ["other", "Cut o", ""],
    ]);
    expect(step(episodes[0], 0)).toMatchObject({
      extra: { responseId: "r1" },
      proposals: [{ thought: "Both.", usage: { inputTokens: 10, cachedInputTokens: 4, outputTokens: 3 } }],
    });
    expect(step(episodes[0], 3).proposals?.[0]?.completion?.finish).toBe("length");
    expect(acted(episodes[1])).toEqual([["FINAL", "Wrong way.", ""]]);
    // Its beginning is not there, so its prompt is not whole.
    expect(step(episodes[2], 0).proposals?.[0]?.fromTranscript).toBe(true);
    expect(diagnostics.map(({ code, message }) => [code, message.includes("not in the file")])).toEqual([
      ["HASP530", true],
    ]);
  });

  test("calls that repeat all that was said before are one episode, side by side with another", async () => {
    const thought = { type: "reasoning", id: "rs", summary: [{ type: "summary_text", text: "Look." }] };
    const sent = (item: object): object => ({ ...item, id: undefined, status: undefined });
    const first = [{ role: "user", content: "List." }];
    // One client sends thoughts back, and texts as they are; the other one neither.
    const second = [...first, thought, run("a", "f", {}), out("a", "one")];
    const third = [...second, { role: "assistant", content: "One." }, { role: "user", content: "More?" }];
    const other = [
      { role: "user", content: [{ type: "input_text", text: "List." }] },
      { role: "user", content: "Else." },
    ];
    const { episodes, value } = await importContent(
      lines(
        exchange("r1", undefined, "List.", [thought, run("a", "f", {})]),
        exchange("o1", undefined, other, [thought, run("o", "f", {})]),
        exchange("r2", undefined, second, [say("One.")]),
        exchange("o2", undefined, [...other, sent(run("o", "f", {})), out("o", "else")], [say("Else.")]),
        exchange("r3", undefined, third, [say("No.")]),
        // Sent again: this answer is not the one that was gone on from.
        exchange("r2b", undefined, second, [say("Two.")]),
      ),
    );
    const standing = episodes.filter(({ outcome }) => outcome !== "abandoned");
    expect(standing.map(acted)).toEqual(
      expect.arrayContaining([
        [
          ["f", "", "else"],
          ["FINAL", "Else.", ""],
        ],
      ]),
    );
    const all = episodes.flatMap((episode) => episode.steps.map(({ executed }) => executed.arg));
    expect(all.toSorted()).toEqual(["", "", "Else.", "No.", "One.", "Two."]);
    expect(episodes.reduce((sum, { cost }) => sum + (cost?.inputTokens ?? 0), 0)).toBe(60);
    expect(value?.files[0]?.mapped).toContainEqual({
      what: "calls that repeat what was said before",
      to: "the episode that they go on with",
      times: 4,
    });
  });

  test("a log that is given twice in one file is read once", async () => {
    const second = [{ role: "user", content: "Do it" }, run("a", "f", {}), out("a", "one")];
    const log = [
      exchange("r1", undefined, "Do it", [run("a", "f", {})]),
      exchange("r2", undefined, second, [say("Done.")]),
    ];
    const { episodes, value } = await importContent(lines(...log, ...log));
    expect(episodes.map(acted)).toEqual([
      [
        ["f", "", "one"],
        ["FINAL", "Done.", ""],
      ],
    ]);
    expect(value?.files[0]?.dropped).toContainEqual(
      expect.objectContaining({ what: "calls that come again", times: 2 }),
    );
  });

  test("the prompt of a chain has its instructions, its tools and all that was said", async () => {
    const prompts = await promptsOf(
      lines(
        exchange("r1", undefined, "Go", [run("a", "f", {})]),
        exchange("r2", "r1", [out("a", "one")], [say("Done.")]),
      ),
    );
    expect(prompts.at(-1)?.map(({ role, content }) => [role, content])).toEqual([
      ["system", 'Be good.\n\n<tools>\n{"type":"function","name":"f"}\n</tools>'],
      ["user", "Go"],
      ["assistant", '<tool_call>\n{"name":"f","arguments":{}}\n</tool_call>'],
      ["user", "<tool_response>\none\n</tool_response>"],
    ]);
  });

  test("tools that the server runs are steps with their results; an item that nobody knows is named", async () => {
    const { episodes, value } = await importContent(
      JSON.stringify({
        id: "h",
        object: "response",
        status: "completed",
        output: [
          {
            type: "web_search_call",
            id: "w",
            status: "completed",
            action: { type: "search", query: "q", sources: [{ type: "url", url: "https://e.org" }] },
          },
          {
            type: "file_search_call",
            id: "f",
            queries: ["a", "b"],
            results: [{ filename: "x.md", text: "found" }],
          },
          {
            type: "code_interpreter_call",
            id: "c",
            code: "print(1)",
            outputs: [
              { type: "logs", logs: "1" },
              { type: "image", url: "u" },
            ],
          },
          { type: "mcp_list_tools", id: "l", server_label: "db", tools: [] },
          {
            type: "mcp_call",
            id: "m",
            server_label: "db",
            name: "ask",
            arguments: '{"sql":"1"}',
            output: null,
            error: "no table",
          },
          {
            type: "image_generation_call",
            id: "i",
            status: "completed",
            revised_prompt: "a cat",
            result: "A".repeat(9_999),
          },
          { type: "shell_call", id: "s", call_id: "s1", action: { commands: ["ls", "false"] } },
          {
            type: "shell_call_output",
            call_id: "s1",
            output: [
              { stdout: "a\n", stderr: "", outcome: { type: "exit", exit_code: 0 } },
              { stdout: "", stderr: "bad", outcome: { type: "exit", exit_code: 3 } },
            ],
          },
          { type: "local_shell_call", call_id: "n", action: { type: "exec", command: ["pwd"] } },
          { type: "local_shell_call_output", id: "n", output: "/" },
          { type: "computer_call", call_id: "p", action: { type: "click", x: 1 } },
          {
            type: "computer_call_output",
            call_id: "p",
            output: { type: "computer_screenshot", image_url: `data:image/png;base64,${"A".repeat(9_999)}` },
          },
          { type: "apply_patch_call", call_id: "d", operation: { type: "delete_file", path: "x" } },
          { type: "apply_patch_call_output", call_id: "d", status: "failed", output: "no file" },
          { type: "telepathy_call", id: "t" },
          say("Done."),
        ],
      }),
    );
    expect(acted(episodes[0])).toEqual([
      ["web_search", "q", '{"url":"https://e.org"}'],
      ["file_search", '{"queries":["a","b"]}', "x.md\nfound"],
      ["code_interpreter", "print(1)", "1\n[image]"],
      ["mcp__db__ask", "1", "no table"],
      ["image_generation", "a cat", "[output_image]"],
      ["shell", '{"commands":["ls","false"]}', "a\n\nbad"],
      ["local_shell", '{"command":["pwd"]}', "/"],
      ["computer", '{"type":"click","x":1}', "[computer_screenshot]"],
      ["apply_patch", '{"type":"delete_file","path":"x"}', "no file"],
      ["FINAL", "Done.", ""],
    ]);
    expect(
      episodes[0]?.steps.flatMap(({ t, result }) => (result === undefined ? [] : [[t, result]])),
    ).toEqual([
      [3, { ok: false }],
      [5, { exitCode: 3, ok: false }],
      [8, { ok: false }],
    ]);
    expect(value?.files[0]?.unknown).toEqual([
      { what: "items of type telepathy_call", to: "not read", times: 1 },
    ]);
  });

  test("events of streams, one a line: each response is an episode, also one that did not end", async () => {
    const event = (type: string, more: object): object => ({
      type: `response.${type}`,
      sequence_number: 1,
      ...more,
    });
    const response = (id: string, output: object[]): object => ({ id, object: "response", output });
    const { episodes, value } = await importContent(
      lines(
        event("created", { response: response("s1", []) }),
        event("output_text.delta", { delta: "He" }),
        event("output_item.done", { item: say("Hello.") }),
        event("completed", { response: { ...response("s1", [say("Hello.")]), status: "completed" } }),
        event("created", { response: response("s2", []) }),
        event("output_item.done", { item: run("k", "f", { x: 1 }) }),
        event("output_text.delta", { delta: "lost" }),
      ),
    );
    expect(episodes.map((episode) => [episode.id, acted(episode)])).toEqual([
      ["s1", [["FINAL", "Hello.", ""]]],
      ["s2", [["f", '{"x":1}', ""]]],
    ]);
    expect(value?.files[0]?.dropped.map(({ what }) => what)).toContain(
      "pieces of items that a stream did not end",
    );
  });

  test("items alone: a list, one a line, and those of a session of the Agents SDK", async () => {
    const items = [{ role: "user", content: "Go" }, run("a", "f", {}), out("a", "r"), say("Done.")];
    const session = [
      { role: "user", content: "Go" },
      { type: "function_call", callId: "a", name: "f", arguments: "{}", status: "completed" },
      { type: "function_call_result", callId: "a", name: "f", output: { type: "text", text: "r" } },
      say("Done."),
    ];
    for (const text of [
      JSON.stringify(items),
      lines(...items),
      lines(...session),
      JSON.stringify(session, undefined, 2),
    ]) {
      const { episodes, diagnostics } = await importContent(text);
      expect(diagnostics).toEqual([]);
      expect(episodes.map((one) => [one.question, acted(one)])).toEqual([
        [
          "Go",
          [
            ["f", "", "r"],
            ["FINAL", "Done.", ""],
          ],
        ],
      ]);
    }
  });

  test("a batch in two kinds of lines; results without calls, parents in a circle and wrong types harm nothing", async () => {
    const batch = await importContent(
      lines(
        { custom_id: "b", url: "/v1/responses", body: { model: "m", input: "Hey" } },
        {
          id: "x",
          custom_id: "b",
          response: {
            status_code: 200,
            body: { id: "r", object: "response", status: "completed", output: [say("Yo.")] },
          },
        },
      ),
    );
    expect(batch.episodes).toMatchObject([{ id: "b", question: "Hey", answer: "Yo." }]);
    const odd = await importContent(
      lines(exchange("c1", "c2", "One", [say("1")]), exchange("c2", "c1", "Two", [say("2")]), {
        object: "response",
        id: 3,
        output: [7, null, { type: "function_call", call_id: 4, arguments: { x: 1 } }, out("none", 5)],
        usage: "many",
      }),
    );
    expect(odd.episodes.map(acted)).toEqual([
      [
        ["other", "1", "Two"],
        ["FINAL", "2", ""],
      ],
      [["other", '{"x":1}', "5"]],
    ]);
    expect(odd.diagnostics.length).toBeGreaterThan(0);
    expect((await importValue([out("a", "r"), run("a", "f", {})])).prelude).toBe("r");
  });
});
