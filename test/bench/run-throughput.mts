import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import OpenAI from "openai";
import { indexPassages } from "../../src/domains/web-search/search-index.ts";
import { openWebSearch } from "../../src/domains/web-search/tools.ts";
import { webSearch } from "../../src/domains/web-search/web-search.ts";
import { DEFAULT_CONTROL } from "../../src/model/control.ts";
import { modelPolicy } from "../../src/harness/model-policy.ts";
import { DEFAULT_SAMPLING } from "../../src/model/sampling.ts";
import { runQuestions } from "../../src/harness/run-questions.ts";
import type { ChatMessage, ChatModel } from "../../src/llm/chat-model.ts";
import { parseModelSpec } from "../../src/llm/endpoint.ts";
import { openAiModel } from "../../src/llm/openai-model.ts";
import { createRedactor } from "../../src/llm/redact.ts";
import { environmentKeys } from "../../src/platform/env-keys.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { httpClient } from "../../src/platform/http-fetch.ts";
import { systemTiming } from "../../src/platform/timing.ts";
import { startPfHost } from "../../src/platform/worker-pf-host.ts";
import { createRun } from "../../src/trace/create-run.ts";
import { milliseconds, type BenchRow } from "./measure.mts";
import { sha256 } from "../../src/platform/sha256.ts";
import { openMessageStore } from "../../src/trace/message-store.ts";

const EPISODES = 1_000;
const CONCURRENCY = 16;
const STEPS = 5;
const redactor = createRedactor();
const redact = (text: string): string => redactor.redact(text);
/** What the model always says: an episode ends at its last step. */
const REPLY = "Thought: one more\nAction: SEARCH[river Dresden]";

interface Server {
  readonly url: string;
  stop(): void;
}

/** In a process of its own, so that its memory is not taken for ours. */
async function startServer(root: string): Promise<Server> {
  const file = path.join(root, "test/support/loopback-model.ts");
  const child = spawn(process.execPath, [file, "--text", REPLY], { stdio: ["ignore", "pipe", "inherit"] });
  const [first] = (await once(child.stdout, "data")) as [Buffer];
  return { url: `http://127.0.0.1:${first.toString().trim()}/v1`, stop: () => void child.kill() };
}

async function inParallel(count: number, work: (i: number) => Promise<void>): Promise<void> {
  const queue = Array.from({ length: count }, (_, i) => i).values();
  const worker = async (): Promise<void> => {
    for (const i of queue) await work(i);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** The same prompts in the same order through the openai package alone, streamed like ours, with nothing kept. */
async function bareLoop(baseURL: string): Promise<void> {
  const client = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
  await inParallel(EPISODES, async (i) => {
    const messages: ChatMessage[] = [
      { role: "user", content: `Question ${i}: which river flows through Dresden?` },
    ];
    for (let step = 0; step < STEPS; step++) {
      const stream = await client.chat.completions.create({
        model: "loopback",
        messages: [...messages],
        temperature: 0,
        max_tokens: DEFAULT_SAMPLING.maxTokens,
        stream: true,
        stream_options: { include_usage: true },
      });
      let text = "";
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
      messages.push({ role: "assistant", content: text }, { role: "user", content: "Observation: nothing." });
    }
  });
}

function ourModel(baseUrl: string, close: (() => void)[]): ChatModel {
  const spec = parseModelSpec(`${baseUrl}#loopback`).value;
  if (spec?.kind !== "endpoint") throw new Error(`${baseUrl} is no endpoint`);
  const http = httpClient();
  close.push(() => http.close());
  return openAiModel({
    endpoint: spec.endpoint,
    keys: environmentKeys({}),
    post: http.post,
    timing: systemTiming,
    redactor: createRedactor(),
  });
}

/** Megabytes of heap that the run holds at its most, looked at after every hundredth episode. */
interface Peak {
  first: number;
  last: number;
}

async function ourRun(model: ChatModel, workerFile: string, folder: string): Promise<Peak> {
  const host = startPfHost({ workerFile });
  const files = nodeFiles();
  const peak: Peak = { first: 0, last: 0 };
  let done = 0;
  await createRun(files, folder, {
    id: "bench",
    title: "bench",
    domain: webSearch.name,
    createdAt: new Date().toISOString(),
    source: "hasp",
  });
  const index = indexPassages([{ title: "Elbe", text: "The Elbe flows through Dresden." }]);
  const summary = await runQuestions({
    files,
    folder,
    samples: Array.from({ length: EPISODES }, (_, i) => ({
      question: { id: `q${i}`, question: "Which river flows through Dresden?" },
      sample: 1,
    })),
    sampling: DEFAULT_SAMPLING,
    messages: await openMessageStore(files, folder, { sha256, redact }),
    redact,
    policy: modelPolicy(model, webSearch.prompt),
    host,
    library: [],
    libraryRefs: [],
    control: { ...DEFAULT_CONTROL, maxSteps: STEPS },
    openEnvironment: () => openWebSearch(index),
    domain: webSearch,
    settings: {},
    concurrency: CONCURRENCY,
    signal: new AbortController().signal,
    onEpisode: () => {
      done++;
      if (done % 100 !== 0) return;
      const used = process.memoryUsage().rss / 1e6;
      if (peak.first === 0) peak.first = used;
      peak.last = used;
    },
  });
  await host.close();
  if (summary.finished !== EPISODES) throw new Error(`${summary.finished} of ${EPISODES} episodes`);
  return peak;
}

/** Episodes through the whole loop, recorded to disk, against a bare client loop over the same server and number of calls. */
export async function benchThroughput(root: string, workerFile: string): Promise<BenchRow[]> {
  const server = await startServer(root);
  const folder = await mkdtemp(path.join(tmpdir(), "hasp-throughput-"));
  const close: (() => void)[] = [];
  try {
    const model = ourModel(server.url, close);
    await bareLoop(server.url);
    const bare = await milliseconds(() => bareLoop(server.url));
    let peak: Peak = { first: 0, last: 0 };
    const ours = await milliseconds(async () => {
      peak = await ourRun(model, workerFile, path.join(folder, "run"));
    });
    const calls = EPISODES * STEPS;
    const method = `${EPISODES} episodes of ${STEPS} steps, ${CONCURRENCY} at once, ${calls} calls, recorded, no skills; baseline: the openai package alone, once each after a warm-up; resident memory after 100 episodes ${peak.first.toFixed(0)} MB, after ${EPISODES} ${peak.last.toFixed(0)} MB`;
    return [
      {
        name: "episodes against a loopback model",
        ours: (EPISODES * 1000) / ours,
        baseline: (EPISODES * 1000) / bare,
        unit: "episodes/s",
        method,
      },
    ];
  } finally {
    for (const end of close) end();
    server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
