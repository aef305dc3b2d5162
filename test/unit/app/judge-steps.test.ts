import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { semanticPrompt } from "../../../src/analysis/signals/semantic-judge.ts";
import { judgeSteps } from "../../../src/app/judge-steps.ts";
import { scriptedModel } from "../../../src/llm/scripted-model.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { openRun } from "../../../src/trace/run-folder.ts";
import { readSemantic } from "../../../src/trace/semantic-store.ts";
import { episode, step } from "../trace/support.ts";

const files = nodeFiles();
const EPISODE = episode("e", {
  outcome: "wrong",
  answer: "Vienna",
  gold: ["Inn"],
  steps: [step(0, "SEARCH", "composer of The Glass Miller", "doc_1 an opera", "I look.")],
});
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hasp-judge-steps-"));
  const run = {
    schema: "hasp.run/1",
    id: "r",
    title: "r",
    domain: "web-search",
    createdAt: "2026-01-02T03:04:05Z",
    source: "hasp",
  };
  await writeFile(path.join(folder, "run.json"), JSON.stringify(run));
  await writeFile(path.join(folder, "episodes.jsonl"), `${JSON.stringify(EPISODE)}\n`);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function judged(...replies: string[]) {
  const teacher = scriptedModel(replies);
  const runs = [{ ...(await openRun(files, folder)), run: "r" }];
  const signal = new AbortController().signal;
  const order = { runs, teacher, concurrency: 1 };
  const result = await judgeSteps(order, { files, redact: (text) => text, signal, on: () => undefined });
  const lines = (await readSemantic(files, folder)).byEpisode.get("e")?.get(0) ?? [];
  return { result, lines, asked: teacher.requests.map(({ messages }) => messages) };
}

const long = semanticPrompt(EPISODE, 0);
const COPY = long.map(({ content }) => content).join("\n");

it.each([
  ["the prompt", COPY],
  ["a placeholder", '{"score": <a number>}'],
])(
  "a teacher that gives back %s is asked once more in the short form, and the reply is kept",
  async (_, copy) => {
    const { result, lines, asked } = await judged(copy, '{"score": 0.4}');
    expect(result).toMatchObject({ judged: 1, withoutScore: 0 });
    expect(asked).toEqual([long, semanticPrompt(EPISODE, 0, "short")]);
    expect(lines).toMatchObject([
      {
        score: 0.4,
        call: { reply: '{"score": 0.4}' },
        refused: { text: copy, why: expect.stringMatching(/^HASP858: /) },
      },
    ]);
  },
);

it("holds nothing in its prompts that could be taken over as a score", async () => {
  for (const form of ["long", "short"] as const)
    expect(semanticPrompt(EPISODE, 0, form)[0]?.content).not.toMatch(/\{\s*"score"/);
  const { result } = await judged(COPY, COPY);
  expect(result).toMatchObject({ judged: 0, withoutScore: 1 });
});

it("takes no score from a second reply that gives back its prompt, nor from a thought", async () => {
  const short = semanticPrompt(EPISODE, 0, "short").map(({ content }) => content);
  const { lines } = await judged(COPY, `${short.join("\n")}\n{"score": 1}`);
  expect(lines).toMatchObject([{ refused: { text: COPY } }]);
  expect(lines[0]).not.toHaveProperty("score");
  await rm(path.join(folder, "semantic.jsonl"), { force: true });
  const { lines: thought } = await judged('<think>{"score": 0.2}</think>{"score": 0.9}');
  expect(thought).toMatchObject([{ score: 0.9 }]);
});

it("asks once where a score comes with a thought of its own, or is wrong in another way", async () => {
  for (const reply of ['It repeats its search. {"score": 0}', "no idea", "</think>"]) {
    const { asked } = await judged(reply);
    expect(asked).toEqual([long]);
    await rm(path.join(folder, "semantic.jsonl"), { force: true });
  }
});
