/** The child of the kill test: asks `n` questions, four at a time, through the cache; then says how many were cached. */
import process from "node:process";
import { cachedModel } from "../../../src/llm/cached-model.ts";
import { openAiModel } from "../../../src/llm/openai-model.ts";
import { createRedactor } from "../../../src/llm/redact.ts";
import { environmentKeys } from "../../../src/platform/env-keys.ts";
import { httpClient } from "../../../src/platform/http-fetch.ts";
import { fileReplyCache } from "../../../src/platform/reply-cache.ts";
import { systemTiming } from "../../../src/platform/timing.ts";

const [origin = "", folder = "", count = "0"] = process.argv.slice(2);
const client = httpClient();
const inner = openAiModel({
  endpoint: { baseUrl: `${origin}/v1`, origin, needsKey: false, model: "m" },
  keys: environmentKeys({}),
  post: client.post,
  timing: systemTiming,
  redactor: createRedactor(),
});
const model = cachedModel(inner, fileReplyCache(folder));
const questions = Array.from({ length: Number(count) }, (_, n) => `question ${n}`)[Symbol.iterator]();
let cached = 0;

async function work(): Promise<void> {
  for (const content of questions) {
    const reply = await model.chat({ messages: [{ role: "user", content }], temperature: 0, maxTokens: 10 });
    if (reply.cached) cached += 1;
  }
}

await Promise.all([work(), work(), work(), work()]);
client.close();
process.stdout.write(`${cached}\n`);
