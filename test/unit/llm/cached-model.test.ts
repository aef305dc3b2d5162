import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cachedModel, type ReplyCache } from "../../../src/llm/cached-model.ts";
import type { ChatModel, ChatRequest } from "../../../src/llm/chat-model.ts";
import { requestKey } from "../../../src/llm/request-key.ts";
import { scriptedModel } from "../../../src/llm/scripted-model.ts";
import { fileReplyCache } from "../../../src/platform/reply-cache.ts";
import { ask, bench, failure, KEY, reply, temporaryFolder } from "./support.ts";

function memory(): ReplyCache & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return { kept, get: async (key) => kept.get(key), put: async (key, text) => void kept.set(key, text) };
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test("an equal request is answered from the cache, also by the next process, at no cost", async () => {
  const folder = temporaryFolder();
  const inner = scriptedModel((_request, index) => `reply ${index}`);
  const first = await cachedModel(inner, fileReplyCache(folder)).chat(ask());
  expect(first).toMatchObject({ text: "reply 0", cached: false });
  const pieces: string[] = [];
  const again = await cachedModel(inner, fileReplyCache(folder)).chat(ask(), {
    onText: (p) => void pieces.push(p),
  });
  expect(again).toEqual({ ...first, cached: true, usage: { ...first.usage, cost: 0, latencyMs: 0 } });
  expect(pieces).toEqual(["reply 0"]);
  expect(inner.requests).toHaveLength(1);
  const [file = "", ...others] = filesBelow(folder);
  expect(others).toEqual([]);
  expect(file.replace(`${folder}/`, "").replaceAll("\\", "/")).toMatch(
    /^([0-9a-f]{2})\/\1[0-9a-f]{62}\.json$/,
  );
});

test("another model, message, temperature, length, seed or sample is another request", async () => {
  const base = ask();
  const others: ChatRequest[] = [
    ask("another"),
    { ...base, messages: [{ role: "system", content: "Who founded Walmart?" }] },
    { ...base, temperature: 1 },
    { ...base, maxTokens: 101 },
    { ...base, topP: 0.5 },
    { ...base, seed: 1 },
    { ...base, sample: 1 },
  ];
  const keys = await Promise.all([base, ...others].map((request) => requestKey("m", request)));
  keys.push(await requestKey("n", base));
  expect(new Set(keys).size).toBe(keys.length);
  expect(await requestKey("m", { ...base, sample: 0 })).toBe(keys[0]);
});

const requests = fc.record(
  {
    messages: fc.array(
      fc.record({
        role: fc.constantFrom("system" as const, "user" as const, "assistant" as const),
        content: fc.string(),
      }),
      { maxLength: 3 },
    ),
    temperature: fc.constantFrom(0, 0.5, 1),
    maxTokens: fc.integer({ min: 1, max: 3 }),
    seed: fc.integer({ min: 0, max: 2 }),
    sample: fc.integer({ min: 0, max: 2 }),
  },
  { requiredKeys: ["messages", "temperature", "maxTokens"] },
);

test("keys are equal exactly where requests are", async () => {
  const plain = ({ sample = 0, seed, ...rest }: ChatRequest): string =>
    JSON.stringify(
      { ...rest, sample, seed: seed ?? "none" },
      Object.keys({ ...rest, sample, seed, role: 1, content: 1 }).toSorted(),
    );
  await fc.assert(
    fc.asyncProperty(requests, requests, async (a, b) => {
      expect((await requestKey("m", a)) === (await requestKey("m", b))).toBe(plain(a) === plain(b));
    }),
  );
});

test("whatever a model says comes back word for word", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
      const cache = memory();
      const model = cachedModel({ id: "m", chat: async () => reply(text) }, cache);
      await model.chat(ask());
      const lone = JSON.parse(JSON.stringify(text)) as string;
      expect(await model.chat(ask())).toMatchObject({ text: lone, cached: true });
    }),
  );
});

test("a file that was damaged, cut off or put in another's place is asked again and replaced", async () => {
  const folder = temporaryFolder();
  const inner = scriptedModel((_request, index) => `reply ${index}`);
  const model = cachedModel(inner, fileReplyCache(folder));
  await model.chat(ask());
  const [file = ""] = filesBelow(folder);
  const whole = readFileSync(file, "utf8");
  const damaged = [
    "",
    "null",
    "[]",
    whole.slice(0, 40),
    whole.replace(/"key": "../, '"key": "zz'),
    whole.replace("hasp.reply/1", "hasp.reply/9"),
  ];
  for (const [n, text] of damaged.entries()) {
    writeFileSync(file, text);
    expect(await model.chat(ask())).toMatchObject({ text: `reply ${n + 1}`, cached: false });
    expect(await model.chat(ask())).toMatchObject({ text: `reply ${n + 1}`, cached: true });
  }
  expect(filesBelow(folder)).toEqual([file]);
});

test("a cache that cannot be read or written costs no reply, a deleted one is made again", async () => {
  const troubles: unknown[] = [];
  const broken: ReplyCache = {
    get: () => Promise.reject(new Error("EIO")),
    put: () => Promise.reject(new Error("ENOSPC")),
  };
  const model = cachedModel(scriptedModel(["yes"]), broken, {
    onTrouble: (error) => void troubles.push(error),
  });
  expect((await model.chat(ask())).text).toBe("yes");
  expect(troubles).toHaveLength(2);

  const folder = temporaryFolder();
  const onDisk = cachedModel(scriptedModel(["one", "two"]), fileReplyCache(folder));
  await onDisk.chat(ask("a"));
  rmSync(folder, { recursive: true });
  await onDisk.chat(ask("b"));
  expect(filesBelow(folder)).toHaveLength(1);
});

test("failures are not kept", async () => {
  const cache = memory();
  const model = cachedModel(scriptedModel([{ error: "server_error" }, "fine"]), cache);
  expect((await failure(model.chat(ask()))).kind).toBe("server_error");
  expect(cache.kept.size).toBe(0);
  expect(await model.chat(ask())).toMatchObject({ text: "fine", cached: false });
});

/** A model whose one call ends when the test says so. */
function held() {
  const ends: {
    ok: (text: string) => void;
    say: (piece: string) => void;
    signal: AbortSignal | undefined;
  }[] = [];
  const model: ChatModel = {
    id: "held",
    chat: (_request, options) =>
      new Promise((resolve, reject) => {
        options?.signal?.addEventListener("abort", () => reject(options.signal?.reason));
        ends.push({
          ok: (text) => resolve(reply(text)),
          say: (p) => options?.onText?.(p),
          signal: options?.signal,
        });
      }),
  };
  return { model, ends };
}

test("equal requests in flight share one call: one pays, all hear the whole reply", async () => {
  const { model, ends } = held();
  const shared = cachedModel(model, memory());
  const heard = ["", ""];
  const first = shared.chat(ask(), { onText: (p) => (heard[0] += p) });
  await expect.poll(() => ends).toHaveLength(1);
  ends[0]?.say("Sam ");
  const second = shared.chat(ask(), { onText: (p) => (heard[1] += p) });
  // A request that joins a call gets the text streamed so far.
  await expect.poll(() => heard[1]).toBe("Sam ");
  ends[0]?.say("Walton");
  ends[0]?.ok("Sam Walton");
  expect(await first).toMatchObject({ cached: false, usage: { cost: 0.25 } });
  expect(await second).toMatchObject({ text: "Sam Walton", cached: true, usage: { cost: 0 } });
  expect(heard).toEqual(["Sam Walton", "Sam Walton"]);
  expect(ends).toHaveLength(1);
});

test("who leaves a shared call does not end it for the others; the last one does", async () => {
  const { model, ends } = held();
  const shared = cachedModel(model, memory());
  const [one, two] = [new AbortController(), new AbortController()];
  const first = shared.chat(ask(), { signal: one.signal });
  await expect.poll(() => ends).toHaveLength(1);
  ends[0]?.say("again");
  let heard = "";
  const second = shared.chat(ask(), { signal: two.signal, onText: (p) => (heard += p) });
  await expect.poll(() => heard).toBe("again");
  one.abort("first leaves");
  await expect(first).rejects.toBe("first leaves");
  expect(ends[0]?.signal?.aborted).toBe(false);
  two.abort("second leaves");
  await expect(second).rejects.toBe("second leaves");
  expect(ends[0]?.signal?.aborted).toBe(true);
  const third = shared.chat(ask());
  await expect.poll(() => ends).toHaveLength(2);
  ends[1]?.ok("again");
  expect((await third).text).toBe("again");
});

test("the cache holds nothing of the key, also where a server repeats it", async () => {
  const folder = temporaryFolder();
  const { model } = await bench([{ kind: "text", text: `Your key is ${KEY}!`, pieces: 9 }]);
  const { text } = await cachedModel(model, fileReplyCache(folder)).chat(ask());
  expect(text).toBe("Your key is [redacted]!");
  for (const file of filesBelow(folder)) {
    expect(readFileSync(file, "utf8")).not.toContain(KEY);
  }
});
