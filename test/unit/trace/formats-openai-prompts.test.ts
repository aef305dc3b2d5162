import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { importPrompts, repliesOf } from "./import-prompts.ts";
import { temporaryFolder } from "./support.ts";

const CHAT = {
  messages: [
    { role: "system", content: "You have tools." },
    { role: "user", content: "How warm is it in Oslo?" },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "c1", type: "function", function: { name: "weather", arguments: '{"city": "Oslo"}' } },
        { id: "c2", type: "function", function: { name: "clock", arguments: "{}" } },
      ],
    },
    { role: "tool", tool_call_id: "c1", content: "4 degrees" },
    { role: "tool", tool_call_id: "c2", content: "noon" },
    { role: "assistant", content: "4 degrees." },
  ],
};

test("OpenAI chats: a reply and its calls are one completion, of the first step of its turn", async () => {
  const [imported] = await importPrompts(JSON.stringify(CHAT));
  expect(imported && repliesOf(imported)).toEqual([
    '<tool_call>\n{"name":"weather","arguments":{"city":"Oslo"}}\n</tool_call>\n' +
      '<tool_call>\n{"name":"clock","arguments":{}}\n</tool_call>',
    undefined,
    "4 degrees.",
  ]);
});

test("OpenAI chats: what the model read is the messages, results of one turn as one message", async () => {
  const [imported] = await importPrompts(JSON.stringify(CHAT));
  const [system, question] = CHAT.messages;
  expect(imported?.prompts[0]).toEqual([system, question]);
  expect(imported?.prompts[1]).toBeUndefined();
  expect(imported?.prompts[2]?.slice(3)).toEqual([
    {
      role: "user",
      content: "<tool_response>\n4 degrees\n</tool_response>\n\n<tool_response>\nnoon\n</tool_response>",
    },
  ]);
});

test("OpenAI chats: messages that sessions and imports share are stored once", async () => {
  const folder = `${temporaryFolder()}/run`;
  const stored = (): string => readFileSync(`${folder}/messages.jsonl`, "utf8");
  const second = {
    ...CHAT,
    messages: [...CHAT.messages.slice(0, 5), { role: "assistant", content: "Cold." }],
  };
  await importPrompts(JSON.stringify(CHAT), "a.json", folder);
  const once = stored();
  expect(once.match(/How warm is it in Oslo\?/g)).toHaveLength(1);
  const both = [CHAT, second].map((chat) => JSON.stringify(chat)).join("\n");
  const imported = await importPrompts(both, "a.jsonl", folder);
  expect(stored()).toBe(once);
  expect(imported.map(({ prompts }) => prompts[2])).toEqual([
    imported[0]?.prompts[2],
    imported[0]?.prompts[2],
  ]);
});
