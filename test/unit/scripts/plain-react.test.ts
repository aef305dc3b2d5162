import { afterEach, expect, test } from "vitest";
import { answerAllPlainly, readReply, spoken, type PlainRow } from "../../../scripts/lib/plain-react.mts";
import { indexPassages } from "../../../src/domains/passages/search-index.ts";
import { loopbackModel, type Behaviour, type LoopbackModel } from "../../support/loopback-model.ts";

const PASSAGES = [
  { title: "Kestrel Bridge", text: "Kestrel Bridge was drawn by the engineer Mara Oduya in 1931." },
  { title: "Mara Oduya", text: "Mara Oduya, an engineer of bridges, was born in Kisumu." },
];
const QUESTION = {
  id: "bridge",
  question: "Where was the engineer of Kestrel Bridge born?",
  gold: ["Kisumu"],
};

let server: LoopbackModel | undefined;
afterEach(() => server?.close());

const completion = (content: string, usage: object): Behaviour => ({
  kind: "raw",
  type: "application/json",
  body: JSON.stringify({ choices: [{ message: { role: "assistant", content } }], usage }),
});

const say = (text: string): Behaviour => ({ kind: "whole", text });

async function rowsFor(
  behave: Parameters<typeof loopbackModel>[0],
  questions = [QUESTION],
): Promise<PlainRow[]> {
  server = await loopbackModel(behave);
  const endpoint = { baseUrl: server.url, model: "tiny" };
  const world = { endpoint, search: indexPassages(PASSAGES), signal: new AbortController().signal };
  const rows: PlainRow[] = [];
  for await (const row of answerAllPlainly(questions, world)) rows.push(row);
  return rows;
}

test.each([
  ["Thought: a\nAction: SEARCH[Kestrel Bridge]", "SEARCH", "Kestrel Bridge"],
  ["FINAL[1999]", "FINAL", "1999"],
  ["final [Kisumu]. That is it.", "FINAL", "Kisumu"],
  ["**FINAL**[The Strokes]", "FINAL", "The Strokes"],
  ["```\nAction: Search[a [b]]\n```", "SEARCH", "a [b]"],
  ["SEARCH[one]\nFINAL[two]", "SEARCH", "one"],
  ["I think\nit is Kisumu", "invalid", "it is Kisumu"],
  ["", "invalid", ""],
])("reads %j", (reply, type, arg) => {
  expect(readReply(reply)).toEqual({ type, arg });
});

test("leaves out hidden thinking and an invented observation", () => {
  expect(spoken("<think>SEARCH[x]</think>\nAction: FINAL[y]")).toBe("Action: FINAL[y]");
  expect(spoken("Action: SEARCH[x]\nObservation: [1] made up\nAction: FINAL[z]")).toBe("Action: SEARCH[x]");
  expect(spoken("</think>")).toBe("");
});

test("a megabyte of open brackets is read at once and holds no action", () => {
  expect(readReply(spoken("SEARCH[".repeat(150_000))).type).toBe("invalid");
});

test("searches, answers, and counts replies and tokens", async () => {
  const [row] = await rowsFor([
    completion("Thought: who?\nAction: SEARCH[Kestrel Bridge]", {
      prompt_tokens: 300,
      completion_tokens: 12,
      prompt_tokens_details: { cached_tokens: 250 },
    }),
    completion("FINAL[Kisumu]", {
      prompt_tokens: 380,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 310 },
    }),
  ]);
  expect(row).toMatchObject({
    id: "bridge",
    answer: "Kisumu",
    em: true,
    f1: 1,
    replies: 2,
    invalid: 0,
    steps: 2,
    promptTokens: 680,
    promptTokensReadAnew: 120,
    generatedTokens: 17,
  });
  const [first, second] = server?.calls ?? [];
  expect(first?.request).toMatchObject({ model: "tiny", temperature: 0, stop: ["Observation:"] });
  expect(second?.request.messages.at(-1)?.content).toContain("[1] Kestrel Bridge: Kestrel Bridge was drawn");
  // The prompt grows at its end alone, so a server's cache holds.
  expect(second?.request.messages.slice(0, -2)).toEqual(first?.request.messages);
});

test("an unreadable reply ends the question with its last line", async () => {
  const [row] = await rowsFor([say("Well.\nKisumu")]);
  expect(row).toMatchObject({ answer: "Kisumu", em: true, invalid: 1, replies: 1 });
  expect(row?.promptTokensReadAnew).toBeUndefined();
});

test("gives up after six turns, the last of which asks for the answer", async () => {
  const [row] = await rowsFor([say("Action: SEARCH[Kestrel]")]);
  expect(row).toMatchObject({ answer: undefined, em: false, f1: 0, replies: 6, invalid: 0 });
  expect(server?.calls.at(-1)?.request.messages.at(-1)?.content).toMatch(/last turn: answer with FINAL/);
  expect(server?.calls.at(-2)?.request.messages.at(-1)?.content).not.toMatch(/last turn/);
});

test("rejects where the server fails, and says what it answered", async () => {
  await expect(rowsFor([{ kind: "status", status: 500, message: "out of memory" }])).rejects.toThrow(
    /status 500.*out of memory/,
  );
});

test("yields each row before the next question is asked", async () => {
  const rows = await rowsFor(
    [say("FINAL[Kisumu]"), say("FINAL[Lagos]")],
    [QUESTION, { ...QUESTION, id: "again" }],
  );
  expect(rows.map(({ id, em }) => [id, em])).toEqual([
    ["bridge", true],
    ["again", false],
  ]);
});
