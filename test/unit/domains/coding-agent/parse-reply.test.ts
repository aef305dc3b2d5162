import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codingAgentPrompt } from "../../../../src/domains/coding-agent/prompt.ts";
import { CODING_TOOLS } from "../../../../src/model/coding-tools.ts";
import { argOfInput } from "../../../../src/trace/canonical-input.ts";

const parseReply = (text: string) => codingAgentPrompt.parseReply(text);
const read = { type: "Read", arg: '{"path":"a.js"}' };
const done = { type: "FINAL", arg: "Done." };
const say = { type: "Bash", arg: '{"command":"echo \\"hi\\""}' };

describe("a reply of a coding agent", () => {
  it("is a thought and one call as JSON", () => {
    expect(
      parseReply('Thought: look first\n{"tool": "Bash", "input": {"timeout": 5, "command": "ls {a}"}}\n'),
    ).toEqual({
      thought: "look first",
      action: { type: "Bash", arg: '{"command":"ls {a}","timeout":5}' },
    });
    expect(parseReply('{"tool":"FINAL","input":{"text":"Done."}}')).toEqual({ thought: "", action: done });
  });

  it.each([
    ["another spelling of the tool", 'Thought: t\n{"tool":"read","input":{"path":"a.js"}}', read],
    ["text behind the call", 'Thought: t\n{"tool":"Read","input":{"path":"a.js"}}\nThis shows it.', read],
    [
      "several calls",
      'Thought: t\n{"tool":"Read","input":{"path":"a.js"}}\n{"tool":"List","input":{"path":"."}}',
      read,
    ],
    ["a code fence", 'Thought: t\n```json\n{"tool":"Read","input":{"path":"a.js"}}\n```', read],
    ["a bold label", '**Thought:** t\n**Action:** {"tool":"Read","input":{"path":"a.js"}}', read],
    ["no label", 't\n{"tool":"Read","input":{"path":"a.js"}}', read],
    ["name and arguments", 'Thought: t\n{"name":"Read","arguments":{"path":"a.js"}}', read],
    ["arguments in a string", 't\n{"name":"read","arguments":"{\\"path\\": \\"a.js\\"}"}', read],
    ["a tool_call", 't\n<tool_call>\n{"name": "read", "arguments": {"path": "a.js"}}\n</tool_call>', read],
    [
      "a function",
      't\n{"type":"function","function":{"name":"Read","arguments":"{\\"path\\":\\"a.js\\"}"}}',
      read,
    ],
    ["a tool_use", 't\n{"type":"tool_use","id":"1","name":"Read","input":{"path":"a.js"}}', read],
    ["the input beside the tool", 't\n{"tool":"Read","path":"a.js"}', read],
    ["the tool before its input", 'Thought: t\nAction: Read\nAction Input: {"path": "a.js"}', read],
    ["the tool as a function", 'Thought: t\nRead({"path": "a.js"})', read],
    ["single quotation marks", "t\n{'tool': 'Read', 'input': {'path': 'a.js'}}", read],
    ["a comma too many", 't\n{"tool":"Read","input":{"path":"a.js",},}', read],
    [
      "words of Python",
      "t\n{'tool': 'Edit', 'input': {'path': 'a', 'oldText': 'b', 'newText': 'c', 'all': True}}",
      {
        type: "Edit",
        arg: '{"path":"a","oldText":"b","newText":"c","all":true}',
      },
    ],
    [
      "a line break in a string",
      't\n{"tool":"Write","input":{"path":"a","content":"x\n\ty"}}',
      {
        type: "Write",
        arg: '{"path":"a","content":"x\\n\\ty"}',
      },
    ],
    ["both quotation marks", `t\n{'tool': 'Bash', 'input': {'command': 'echo "hi"'}}`, say],
    ["a text as the input of FINAL", 't\n{"tool":"final","input":"Done."}', done],
    [
      "thinking aloud",
      '<think>\nMaybe {"tool":"List","input":{"path":"."}}\n</think>\nt\n{"tool":"Read","input":{"path":"a.js"}}',
      read,
    ],
    [
      "thinking without its beginning",
      'Hm {"x":1}.\n</think>\n\nt\n{"tool":"Read","input":{"path":"a.js"}}',
      read,
    ],
    [
      "an answer made up behind the call",
      't\n{"tool":"Read","input":{"path":"a.js"}}\nTool answer: x\n{"tool":"List","input":{"path":"."}}',
      read,
    ],
  ])("is read leniently with %s", (_, reply, action) => {
    const parsed = parseReply(reply);
    expect(parsed).toMatchObject({ action, lenient: true });
    if (!reply.includes("think")) expect(parsed.thought).toBe("t");
  });

  it.each([
    ["", "nothing"],
    ["   \n", "blanks"],
    ["</think>", "the end of thinking alone"],
    ['<think>\n{"tool":"List","input":{"path":"."}}', "thinking that never ends"],
    ["use {x} and stop", "no JSON"],
    ['{"name":"shop","version":"1.0.0"}', "an object that has a name"],
    ['{"name":"shop","arguments":{"a":1}}', "the name of no tool"],
    ['The step {"name":"bash","command":"make deploy"} fails.', "data with the name of a tool"],
    ['The stages are {"name":"build"} and {"name":"final"}.', "data with the name of the end"],
    ['{"tool": NAME, "input": {KEY: VALUE}}', "the form itself"],
    ['{"tool":"Read","input":{"path":"..."}}', "a placeholder"],
    ['{"tool":"FINAL","input":{"text":"…"}}', "an answer that is a placeholder"],
    ["{'tool': 'Bash', 'input': {'command': 'echo don't'}}", "an apostrophe in single quotation marks"],
    ['{"tool":"Read","input":"a.js"}', "an input that is no object"],
    ['I would read {"path":"a.js"} next', "an input without its tool"],
    [
      'Thought: t\nTool answer: found\n{"tool":"Read","input":{"path":"a.js"}}',
      "a call behind an invented answer",
    ],
    ["Ich lese zuerst die Datei.", "another language"],
  ])("is none where it is %j: %s", (reply) => {
    expect(parseReply(reply).action).toEqual({ type: "invalid", arg: reply.trim(), raw: reply.trim() });
    expect(parseReply(reply).lenient).toBeUndefined();
  });

  it("takes a tag as a text that is looked for or replaced", () => {
    const edit = { path: "a.html", oldText: "<div>", newText: "<main>" };
    for (const [tool, input] of [
      ["Edit", edit],
      ["Grep", { pattern: "<main>" }],
      ["Grep", { pattern: "..." }],
    ] as const)
      expect(parseReply(JSON.stringify({ tool, input })).action.type).toBe(tool);
    const file = { path: "a.html", content: "<content>" };
    expect(parseReply(JSON.stringify({ tool: "Write", input: file })).action.type).toBe("invalid");
  });

  it("keeps a mark of thinking that a file holds", () => {
    const arg = '{"path":"a.md","content":"<think>\\n</think>"}';
    expect(parseReply(`Thought: t\n{"tool":"Write","input":${arg}}`)).toEqual({
      thought: "t",
      action: { type: "Write", arg },
    });
  });

  it("never fails, whatever the model writes", () => {
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.string().map((value) => `{"tool":${value}`),
      fc.string().map((value) => `{'tool': '${value}', 'input': {'path': "${value}"}}`),
      fc
        .array(
          fc.constantFrom(
            "<think>",
            "</think>",
            "Read",
            "{",
            "}",
            "'",
            '"',
            '"tool":',
            ":",
            "\\",
            ",",
            "Tool answer:",
            "\n",
          ),
        )
        .map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, (reply) => {
        expect(parseReply(reply).action.type).not.toBe("");
      }),
      { numRuns: 500 },
    );
  });

  it("is read as it was written by the prompt", () => {
    const thought = fc
      .stringMatching(/^[\w .,'äß-]{0,60}$/)
      .map((words) => words.trim())
      .filter((words) => !/^thought|(?:call|action)$/i.test(words));
    const call = fc
      .tuple(
        fc.constantFrom(...Object.keys(CODING_TOOLS), "mcp__tracker__search"),
        fc.dictionary(fc.string(), fc.jsonValue()),
      )
      .map(([type, input]) => ({ type, arg: argOfInput(type, input) }))
      .filter(({ arg }) => !/"(?:…|\.{3}|\s*<)/.test(arg));
    const final = fc.string().map((arg) => ({ type: "FINAL", arg }));
    fc.assert(
      fc.property(thought, fc.oneof(call, final), (words, action) => {
        fc.pre(!/^(?:…|\.{3}|<[\w ]+>)$/.test(action.arg.trim()));
        expect(parseReply(codingAgentPrompt.render({ thought: words, action }))).toEqual({
          thought: words,
          action,
        });
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    "*",
    "call",
    "call:",
    " ",
    "`",
    "{",
    '{"a":',
    "{'",
    "**action** : ",
    "\n{",
    "</think>",
    "<think>",
  ])("is read at once, also one of many %j", (text) => {
    // The square of this many would take minutes, which the time limit of tests ends.
    const many = text.repeat(Math.floor(390_000 / text.length));
    expect(parseReply(`${many}{"tool":"Read","input":{"path":"x"}}`).action.type).not.toBe("");
    expect(parseReply(`x${many}x`).action.type).toBe("invalid");
    expect(parseReply(text.repeat(Math.floor(1_000_000 / text.length))).action.raw?.length).toBeLessThan(
      5_000,
    );
  });
});
