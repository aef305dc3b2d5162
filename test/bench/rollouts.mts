import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import OpenAI from "openai";
import { indexPassages } from "../../src/domains/passages/search-index.ts";
import { openWebSearch } from "../../src/domains/web-search/tools.ts";
import { exactMatchJudge } from "../../src/scoring/judge.ts";
import { webSearch } from "../../src/domains/web-search/web-search.ts";
import { modelPolicy } from "../../src/harness/model-policy.ts";
import { runQuestions } from "../../src/harness/run-questions.ts";
import type { ChatMessage } from "../../src/llm/chat-model.ts";
import { parseModelSpec } from "../../src/llm/endpoint.ts";
import { openAiModel } from "../../src/llm/openai-model.ts";
import { createRedactor } from "../../src/llm/redact.ts";
import { DEFAULT_CONTROL } from "../../src/model/control.ts";
import { DEFAULT_SAMPLING } from "../../src/model/sampling.ts";
import { environmentKeys } from "../../src/platform/env-keys.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { httpClient } from "../../src/platform/http-fetch.ts";
import { sha256 } from "../../src/platform/sha256.ts";
import { systemTiming } from "../../src/platform/timing.ts";
import type { PfHost } from "../../src/sandbox/pf-host.ts";
import { createRun } from "../../src/trace/create-run.ts";
import { openMessageStore } from "../../src/trace/message-store.ts";

/** The constant reply of the model: an episode ends at its last step. */
const REPLY = "Thought: one more\nAction: SEARCH[river Dresden]";
const QUESTION = "Which river flows through Dresden?";
const PASSAGE = "The Elbe flows through Dresden.";

/** Episodes of a constant number of steps, and how many run at once. */
export interface Load {
  readonly episodes: number;
  readonly steps: number;
  readonly atOnce: number;
}

export interface Server {
  readonly url: string;
  stop(): void;
}

/** A loopback model in a process of its own, so that its memory and time are not taken for ours. It answers after `latencyMs`. */
export async function startServer(root: string, latencyMs: number): Promise<Server> {
  const file = path.join(root, "test/support/loopback-model.ts");
  const args = ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", file];
  const child = spawn(process.execPath, [...args, "--text", REPLY, "--delay", String(latencyMs)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [first] = (await once(child.stdout, "data")) as [Buffer];
  return { url: `http://127.0.0.1:${first.toString().trim()}/v1`, stop: () => void child.kill() };
}

async function inParallel({ episodes, atOnce }: Load, work: (i: number) => Promise<void>): Promise<void> {
  const queue = Array.from({ length: episodes }, (_, i) => i).values();
  const worker = async (): Promise<void> => {
    for (const i of queue) await work(i);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** As the prompt of our runs begins. */
function firstMessages(steps: number): readonly ChatMessage[] {
  return webSearch.prompt.messages({ question: QUESTION, seen: [], t: 0, maxSteps: steps });
}

/**
 * The same prompts, but for the number of the step, in the same order through the openai package alone, streamed like ours: nothing is
 * parsed, searched or kept.
 */
export async function bareLoop(baseURL: string, load: Load): Promise<void> {
  const client = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
  const first = firstMessages(load.steps);
  await inParallel(load, async () => {
    const messages: ChatMessage[] = [...first];
    for (let step = 0; step < load.steps; step++) {
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
      const observation = `Observation: doc_0: Elbe. ${PASSAGE}\n\nStep ${step + 2} of ${load.steps}.`;
      messages.push({ role: "assistant", content: text }, { role: "user", content: observation });
    }
  });
}

/** The run as `hasp run` makes it: the same parts and no skills. `onEpisode` sees how many have ended. */
export async function ourRun(
  baseUrl: string,
  load: Load,
  { folder, host }: { readonly folder: string; readonly host: PfHost },
  onEpisode?: (ended: number) => void,
): Promise<void> {
  const spec = parseModelSpec(`${baseUrl}#loopback`).value;
  if (spec?.kind !== "endpoint") throw new Error(`${baseUrl} is no endpoint`);
  const files = nodeFiles();
  const http = httpClient();
  const redactor = createRedactor();
  const redact = (text: string): string => redactor.redact(text);
  const model = openAiModel({
    endpoint: spec.endpoint,
    keys: environmentKeys({}),
    post: http.post,
    timing: systemTiming,
    redactor,
  });
  const createdAt = new Date().toISOString();
  await createRun(files, folder, {
    id: "bench",
    title: "bench",
    domain: webSearch.name,
    createdAt,
    source: "hasp",
  });
  const index = indexPassages([{ title: "Elbe", text: PASSAGE }]);
  let ended = 0;
  try {
    const { finished } = await runQuestions({
      files,
      folder,
      samples: Array.from({ length: load.episodes }, (_, i) => ({
        question: { id: `q${i}`, question: QUESTION },
        sample: 1,
      })),
      sampling: DEFAULT_SAMPLING,
      messages: await openMessageStore(files, folder, { sha256, redact }),
      redact,
      policy: modelPolicy(model, webSearch.prompt),
      host,
      library: [],
      libraryRefs: [],
      control: { ...DEFAULT_CONTROL, maxSteps: load.steps },
      openEnvironment: () => openWebSearch(index),
      domain: webSearch,
      judge: exactMatchJudge,
      settings: {},
      concurrency: load.atOnce,
      signal: new AbortController().signal,
      onEpisode: () => onEpisode?.(++ended),
    });
    if (finished !== load.episodes) throw new Error(`${finished} of ${load.episodes} episodes`);
  } finally {
    http.close();
  }
}
