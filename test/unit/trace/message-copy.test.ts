import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../../../src/llm/chat-model.ts";
import { sha256 } from "../../../src/platform/sha256.ts";
import { copyMessages, encodeMessage, messageIds } from "../../../src/trace/message-copy.ts";
import { openMessages, type StoredPrompt } from "../../../src/trace/message-reader.ts";
import { openMessageStore } from "../../../src/trace/message-store.ts";
import { runPaths } from "../../../src/trace/run-paths.ts";
import { episode, files, step, temporaryFolder } from "./support.ts";

const system: ChatMessage = { role: "system", content: "You search. ".repeat(10) };
const asked = (question: string, rest = ""): ChatMessage => ({
  role: "user",
  content: `${"Answer the question. ".repeat(5)}${question}${rest}`,
});

/** A run folder in which a policy has read these conversations; the id of each one's last message. */
async function written(...conversations: readonly ChatMessage[][][]) {
  const folder = temporaryFolder();
  const store = await openMessageStore(files, folder, { sha256, redact: (text) => text });
  const ids = conversations.map((rounds) => {
    const conversation = store.conversation();
    return rounds.map((round) => conversation.read(round));
  });
  await store.settled();
  return { folder, messages: await openMessages(files, folder), ids };
}

async function copied(
  from: Parameters<typeof copyMessages>[0],
  ids: Iterable<string>,
  already = new Set<string>(),
) {
  const all: StoredPrompt[] = [];
  for await (const message of copyMessages(from, ids, already)) all.push(message);
  return all;
}

const twoSteps = (question: string) => [
  [system, asked(question)],
  [system, asked(question, " Step 2.")],
];

describe("copying messages from run to run", () => {
  it("takes the named conversations alone, each message once and after all that it refers to", async () => {
    const { messages, ids } = await written(twoSteps("Who?"), twoSteps("Where?"));
    const [, [first = "", last = ""] = []] = ids;
    const all = await copied(messages, [first, last, first]);
    const [root] = all;
    expect(all.map(({ id, from }) => [id, from])).toEqual([
      [root?.id, undefined],
      [first, root?.id],
      [last, first],
    ]);
  });

  it("gives every conversation again, word for word, in a folder of the copies alone", async () => {
    const { folder, messages, ids } = await written(twoSteps("Who?"), twoSteps("Where?"));
    const target = temporaryFolder();
    for (const message of await copied(messages, ids.flat().toReversed()))
      await files.append(runPaths(target).messages, encodeMessage(message));
    const again = await openMessages(files, target);
    for (const id of ids.flat()) expect(await again.upTo(id)).toEqual(await messages.upTo(id));
    const linesOf = async (at: string) =>
      new TextDecoder()
        .decode(await files.read(runPaths(at).messages, 0, 1e6))
        .split("\n")
        .toSorted();
    expect(await linesOf(target)).toEqual(await linesOf(folder));
  });

  it("leaves out what is there already", async () => {
    const { messages, ids } = await written(twoSteps("Who?"));
    const already = new Set<string>();
    const [[first = "", last = ""] = []] = ids;
    expect(await copied(messages, [first], already)).toHaveLength(2);
    expect(await copied(messages, [last], already)).toMatchObject([{ id: last, from: first }]);
    expect(await copied(messages, [first, last], already)).toEqual([]);
  });

  it("copies nothing of a conversation with a missing message, and says so by its id", async () => {
    const { messages, ids } = await written(twoSteps("Who?"));
    const [[first = "", last = ""] = []] = ids;
    const lost = { line: async (id: string) => (id === first ? undefined : messages.line(id)) };
    const already = new Set<string>();
    expect(await copied(lost, [last], already)).toEqual([]);
    expect(already.size).toBe(0);
  });

  it("ends on messages that refer to each other in a circle, which only a person can write", async () => {
    const circle = (id: string): StoredPrompt => ({
      id,
      from: id === "a" ? "b" : "a",
      add: [["user", id]],
    });
    expect(await copied({ line: async (id) => circle(id) }, ["a", "b"])).toEqual([]);
  });

  it("finds the references of an episode, the one of a call that failed as well", () => {
    const [one, two] = [step(0, "SEARCH", "x"), step(1, "FINAL", "y")];
    const read = (s: typeof one, messages: string) => ({
      ...s,
      proposals: s.proposals.map((proposal) => ({ ...proposal, messages })),
    });
    const steps = [read(one, "m1"), read(two, "m2"), two];
    expect(messageIds(episode("e", { steps, extra: { unansweredMessages: "m3" } }))).toEqual([
      "m1",
      "m2",
      "m3",
    ]);
  });
});
