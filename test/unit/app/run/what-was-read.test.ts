import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { branchFrom } from "../../../../src/app/run/branch.ts";
import type { EpisodeOrder, RunServices } from "../../../../src/app/run/parts.ts";
import { runQuestionsOf } from "../../../../src/app/run/questions.ts";
import { controlOf } from "../../../../src/app/run/settings.ts";
import { webSearch } from "../../../../src/domains/web-search/web-search.ts";
import { createRedactor } from "../../../../src/llm/redact.ts";
import { SETTINGS, type Setting } from "../../../../src/model/control.ts";
import type { Episode } from "../../../../src/model/episode.ts";
import { systemClock } from "../../../../src/platform/clock.ts";
import { environmentKeys } from "../../../../src/platform/env-keys.ts";
import { nodeFiles } from "../../../../src/platform/files.ts";
import { httpClient } from "../../../../src/platform/http-fetch.ts";
import { sha256 } from "../../../../src/platform/sha256.ts";
import { systemTiming } from "../../../../src/platform/timing.ts";
import { openWebClient } from "../../../../src/platform/web-client.ts";
import { messageIds } from "../../../../src/trace/message-copy.ts";
import { openMessages } from "../../../../src/trace/message-reader.ts";
import { episodesIn, openCore, readFolders, ROOT } from "../../../support/core.ts";
import { PAPER } from "../../../support/shipped.ts";
import { loopbackModel, type Behaviour, type LoopbackCall } from "../../../support/loopback-model.ts";
import { judgingWith } from "../support.ts";

const core = openCore();
const client = httpClient();
afterAll(async () => {
  client.close();
  await Promise.all([core.host.close(), core.compiler.close()]);
});

let place: string;
beforeEach(() => {
  place = mkdtempSync(path.join(os.tmpdir(), "hasp-read-"));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const sample = (name: string) => ({ name, path: path.join(ROOT, "samples", name) });

/** Says something usable at each site, and asks for another round once. */
function teacherSays(prompt: string): string {
  if (prompt.startsWith("Rate how hard")) return '{"difficulty": 4, "reason": "a chain"}';
  if (prompt.startsWith("Helpers can watch"))
    return '{"skills": ["answer_completeness", "reasoning_error"], "reason": "they fit"}';
  if (prompt.includes("Check one thing"))
    return '{"override": true, "query": "check the answer", "reason": "no source"}';
  if (prompt.includes("Decide whether it should have another round"))
    return '{"retry": true, "advice": "Look again."}';
  return "a shorter query of five words";
}

/** Long queries, an early answer, one that is none, text without an action: much for skills and harness to act on. */
function policySays({ request: { messages } }: LoopbackCall): string {
  const said = messages.filter(({ role }) => role === "assistant").length;
  const [, question = ""] = messages;
  const words = ("content" in Object(question) ? (question as { content: string }).content : "").split(" ");
  const turn = (said + words.length) % 5;
  if (turn === 0) return `Thought: who — “really”?\nAction: SEARCH[${words.slice(0, 20).join(" ")}]`;
  if (turn === 1) return "Action: READ[doc_0]";
  if (turn === 2) return "I would rather not.";
  return `Thought: enough\nAction: FINAL[${turn === 3 ? "unknown" : "Sam Walton"}]`;
}

const behave = (call: LoopbackCall): Behaviour => {
  if (call.request.model === "teacher")
    return { kind: "text", text: teacherSays(call.request.messages.at(-1)?.content ?? "") };
  // A call that fails for good, and one that is tried again.
  if (call.index % 13 === 12) return { kind: "status", status: 400, message: "No." };
  if (call.index % 7 === 6) return { kind: "status", status: 429, headers: { "retry-after-ms": "1" } };
  return { kind: "text", text: policySays(call), pieces: 3 };
};

function services(): RunServices {
  const shared = { keys: environmentKeys({}), redactor: createRedactor(), timing: systemTiming };
  const { judging } = judgingWith(core);
  return {
    ...judging,
    clock: systemClock,
    sha256,
    models: {
      ...shared,
      files: judging.files,
      post: client.post,
      replyCache: undefined,
      onCacheTrouble: () => undefined,
      isPlainHttpAllowed: () => false,
      pathOf: (name) => name,
      openEditorModel: undefined,
    },
    environment: { ...shared, openClient: openWebClient },
    readSkills: () => readFolders(core.compiler, ...PAPER),
  };
}

function orderFor(url: string, setting: Setting, folder: string, retriever = "corpus"): EpisodeOrder {
  const { value: choice } = controlOf({
    config: undefined,
    domain: webSearch,
    by: "test",
    setting,
    sets: ["max_steps=5"],
  });
  return {
    domain: webSearch,
    choice,
    remarks: [],
    policy: { spec: `${url}#policy` },
    teacher: { spec: `${url}#teacher` },
    sampling: { temperature: 0.7, maxTokens: 64, seed: 3 },
    tools: { retriever, url: undefined, language: "en", concurrency: 0, topK: 3 },
    folder,
    maxDollars: undefined,
  };
}

type Prompt = readonly { readonly role: string; readonly content: string }[];
const inOrder = (prompts: readonly Prompt[]): string[] =>
  [...new Set(prompts.map((one) => JSON.stringify(one)))].toSorted();

/** Every prompt that a record says a model was given: those of the policy, then those of the teacher. */
async function recordedPrompts(folder: string, episodes: readonly Episode[]): Promise<Prompt[]> {
  const messages = await openMessages(nodeFiles(), folder);
  const read = await Promise.all(
    episodes.flatMap((episode) => messageIds(episode)).map((id) => messages.upTo(id)),
  );
  const asked = episodes.flatMap(({ decisions = [], steps }) => [
    ...decisions.flatMap(({ calls = [] }) => calls),
    ...steps.flatMap(({ events, calls = [] }) => [
      ...calls,
      ...events.flatMap(({ teacherCalls = [] }) => teacherCalls),
    ]),
  ]);
  return [
    ...read.map((one) => {
      if (one === undefined) throw new Error("A prompt is missing.");
      return one;
    }),
    ...asked.map(({ prompt }) => [{ role: "user", content: prompt }]),
  ];
}

const signal = new AbortController().signal;
const on = (): void => undefined;

describe("every message that a model received is found again from the record, byte for byte", () => {
  it.each([...SETTINGS.map((setting) => [setting, "corpus"] as const), ["full", "teacher-snippet"] as const])(
    "in a run with the setting %s and the retriever %s, and in a branch of it",
    async (setting, retriever) => {
      const model = await loopbackModel(behave);
      try {
        const folder = path.join(place, "run");
        const order = orderFor(model.url, setting, folder, retriever);
        const { value } = await runQuestionsOf(
          {
            ...order,
            questions: sample("questions.jsonl"),
            corpus: sample("corpus/passages.jsonl"),
            resume: false,
            samples: 2,
            concurrency: 3,
            limit: 3,
          },
          services(),
          { signal, on },
        );
        expect(value?.summary.left).toBe(0);
        const episodes = await episodesIn(folder);
        expect(episodes).toHaveLength(6);
        const received = (): Prompt[] => model.calls.map(({ request }) => request.messages);
        expect(inOrder(await recordedPrompts(folder, episodes))).toEqual(inOrder(received()));
        const before = model.calls.length;
        const long = episodes.find(({ steps }) => steps.length > 1);
        if (long === undefined) throw new Error("No episode has two steps.");
        const branch = path.join(place, "branch");
        await branchFrom(
          {
            ...orderFor(model.url, setting, branch, retriever),
            episode: long,
            from: { run: folder, episode: long.id, t: 1 },
            corpus: sample("corpus/passages.jsonl"),
            keepsRetriever: true,
          },
          services(),
          { signal, on },
        );
        const branched = await recordedPrompts(branch, await episodesIn(branch));
        const recorded = new Set(branched.map((one) => JSON.stringify(one)));
        for (const prompt of received().slice(before)) expect(recorded).toContain(JSON.stringify(prompt));
      } finally {
        await model.close();
      }
    },
  );

  it("and what it said stands there word for word, with its finish reason", async () => {
    const model = await loopbackModel([
      { kind: "finish", text: "  Thought: cut\nAction: SEARCH[half a que", reason: "length" },
    ]);
    try {
      const folder = path.join(place, "run");
      const order = orderFor(model.url, "ra-agent", folder);
      await runQuestionsOf(
        {
          ...order,
          teacher: undefined,
          questions: sample("questions.jsonl"),
          corpus: sample("corpus/passages.jsonl"),
          resume: false,
          samples: 1,
          concurrency: 1,
          limit: 1,
        },
        services(),
        { signal, on },
      );
      const [episode] = await episodesIn(folder);
      expect(episode?.steps[0]?.proposals[0]?.completion).toEqual({
        text: "  Thought: cut\nAction: SEARCH[half a que",
        finish: "length",
      });
    } finally {
      await model.close();
    }
  });
});
