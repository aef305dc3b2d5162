import { expect, test } from "vitest";
import type { StoredPrompt } from "../../../src/trace/message-reader.ts";
import { cachedPrompts } from "../../../src/trace/prompt-cache.ts";

/** Prompts `p0`, `p1`, …, each of which adds a message to the one before it; `read` counts the lines that were read. */
function chain(length: number) {
  const lines = new Map<string, StoredPrompt>();
  for (let i = 0; i < length; i++)
    lines.set(`p${i}`, { id: `p${i}`, ...(i > 0 && { from: `p${i - 1}` }), add: [["user", `m${i}`]] });
  let read = 0;
  const prompt = cachedPrompts({
    line: async (id) => {
      read += 1;
      return lines.get(id);
    },
  });
  return { lines, prompt, read: () => read };
}

test("a prompt at the end of a long session is read without any of those before it", async () => {
  const { prompt } = chain(50_000);
  const messages = (await prompt("p49999"))?.messages();
  expect(messages).toHaveLength(50_000);
  expect(messages?.at(-1)).toEqual({ role: "user", content: "m49999" });
});

test("each line is read once for the prompts that go on from each other, and they share their messages", async () => {
  const { prompt, read } = chain(100);
  const first = await prompt("p40");
  expect(read()).toBe(41);
  const second = await prompt("p60");
  expect(read()).toBe(61);
  expect(second?.messages()[40]).toBe(first?.messages()[40]);
  await prompt("p60");
  expect(read()).toBe(61);
});

test("a message that was cut and went on differently is the later prompt's alone", async () => {
  const { lines, prompt } = chain(3);
  lines.set("q", { id: "q", from: "p2", keep: 1, more: "ore", add: [] });
  const [before, after] = [await prompt("p2"), await prompt("q")];
  expect(after?.messages().map(({ content }) => content)).toEqual(["m0", "m1", "more"]);
  expect(before?.messages().map(({ content }) => content)).toEqual(["m0", "m1", "m2"]);
});

test("tokens are those of its messages, also where one was cut", async () => {
  const { lines, prompt } = chain(3);
  lines.set("q", { id: "q", from: "p2", keep: 1, more: "x".repeat(39), add: [["assistant", "y".repeat(8)]] });
  expect((await prompt("p2"))?.tokens).toBe(3);
  expect((await prompt("q"))?.tokens).toBe(2 + 10 + 2);
});

test("a prompt with a missing part, or in a circle, is not there", async () => {
  const { lines, prompt } = chain(5);
  lines.delete("p2");
  expect(await prompt("p4")).toBeUndefined();
  expect((await prompt("p1"))?.messages()).toHaveLength(2);
  lines.set("a", { id: "a", from: "b", add: [] });
  lines.set("b", { id: "b", from: "a", add: [] });
  expect(await prompt("a")).toBeUndefined();
});
