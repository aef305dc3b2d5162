import { appendFileSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { webSearch } from "../../../src/domains/web-search/web-search.ts";
import type { ChatMessage } from "../../../src/llm/chat-model.ts";
import { sha256 } from "../../../src/platform/sha256.ts";
import { openMessages } from "../../../src/trace/message-reader.ts";
import { openMessageStore } from "../../../src/trace/message-store.ts";
import { files, temporaryFolder } from "./support.ts";

const plain = { sha256, redact: (text: string) => text };
const said = (role: ChatMessage["role"], content: string): ChatMessage => ({ role, content });

const text = fc.oneof(
  fc.constantFrom("", "a", "ab", `${"long ".repeat(40)}end`, `${"long ".repeat(40)}other end`, "\u{1f600}x"),
  fc.string({ unit: "binary", maxLength: 200 }),
);
const message = fc.record({ role: fc.constantFrom("system", "user", "assistant"), content: text });
const reads = fc.array(fc.array(message, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 });

describe("what a policy read", () => {
  it("is found again, byte for byte, in whatever way conversations grow and are resumed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(reads, { minLength: 1, maxLength: 3 }), async (conversations) => {
        const folder = temporaryFolder();
        const expected: [string, readonly ChatMessage[]][] = [];
        for (const one of conversations) {
          // Each conversation by a store of its own, as after a kill.
          const store = await openMessageStore(files, folder, plain);
          const conversation = store.conversation();
          for (const messages of one) expected.push([conversation.read(messages), messages]);
          await store.settled();
        }
        const found = await openMessages(files, folder);
        for (const [id, messages] of expected) expect(await found.upTo(id)).toEqual(messages);
      }),
      { numRuns: 60 },
    );
  });

  it("is found again where each prompt is the beginning of one list that grows, or of another one", async () => {
    const list = fc.array(message, { minLength: 1, maxLength: 8 });
    const cuts = fc.array(fc.tuple(fc.nat({ max: 1 }), fc.nat({ max: 8 })), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(list, list, cuts, async (one, other, reads) => {
        const folder = temporaryFolder();
        const store = await openMessageStore(files, folder, plain);
        const conversation = store.conversation();
        const lists = [one, other];
        const expected: [string, readonly ChatMessage[]][] = [];
        for (const [which, at] of reads) {
          const given = lists[which] ?? one;
          const upTo = Math.min(Math.max(at, 1), given.length);
          expected.push([conversation.read(given, upTo), given.slice(0, upTo)]);
        }
        await store.settled();
        const found = await openMessages(files, folder);
        for (const [id, messages] of expected) expect(await found.upTo(id)).toEqual(messages);
      }),
      { numRuns: 60 },
    );
  });

  it("of one long talk is named once a message, whatever number of prompts end in it", async () => {
    let hashed = 0;
    const counting = (given: string): string => {
      hashed += 1;
      return sha256(given);
    };
    const store = await openMessageStore(files, temporaryFolder(), { ...plain, sha256: counting });
    const conversation = store.conversation();
    let looked = 0;
    // Every look at a message counts: a store that walks through all of a talk for every prompt looks 200 million times.
    const talk = Array.from({ length: 20_000 }, (_, i) => {
      const content = `message ${i}`;
      return {
        get role() {
          looked += 1;
          return i % 2 === 0 ? ("user" as const) : ("assistant" as const);
        },
        content,
      };
    });
    for (let upTo = 1; upTo <= talk.length; upTo += 2) conversation.read(talk, upTo);
    await store.settled();
    expect(hashed).toBe(19_999);
    expect(looked).toBeLessThan(10 * talk.length);
  });

  it("is stored once: a second episode that reads the same adds nothing", async () => {
    const folder = temporaryFolder();
    const read = async (): Promise<string> => {
      const store = await openMessageStore(files, folder, plain);
      const id = store.conversation().read([said("system", "s"), said("user", "Who?")]);
      await store.settled();
      return id;
    };
    const id = await read();
    const before = readFileSync(`${folder}/messages.jsonl`, "utf8");
    expect(await read()).toBe(id);
    expect(readFileSync(`${folder}/messages.jsonl`, "utf8")).toBe(before);
  });

  it("grows by little from step to step, although each prompt holds all before it", async () => {
    const folder = temporaryFolder();
    const store = await openMessageStore(files, folder, plain);
    const conversation = store.conversation();
    const observation = "found ".repeat(500);
    const proposal = { thought: "t", action: { type: "SEARCH", arg: "x" } };
    const seen = Array.from({ length: 10 }, (_, t) => ({
      t,
      instructions: [],
      kind: "step" as const,
      proposal,
      executed: proposal.action,
      observation,
      injected: [],
    }));
    for (let t = 0; t <= 10; t++)
      conversation.read(
        webSearch.prompt.messages({ question: "Who?", seen: seen.slice(0, t), t, maxSteps: 12 }),
      );
    await store.settled();
    const { length } = readFileSync(`${folder}/messages.jsonl`);
    // Ten observations, once each, and little besides.
    expect(length).toBeLessThan(10 * observation.length * 1.25);
  });

  it("holds no secret", async () => {
    const folder = temporaryFolder();
    const redact = (given: string): string => given.replaceAll("hunter2hunter2", "[redacted]");
    const store = await openMessageStore(files, folder, { sha256, redact });
    const id = store.conversation().read([said("user", "the key is hunter2hunter2")]);
    await store.settled();
    expect(readFileSync(`${folder}/messages.jsonl`, "utf8")).not.toContain("hunter2");
    const found = await openMessages(files, folder);
    expect(await found.upTo(id)).toEqual([said("user", "the key is [redacted]")]);
  });

  it("survives a torn line: what was written whole is read, and what comes later is written apart", async () => {
    const folder = temporaryFolder();
    const first = await openMessageStore(files, folder, plain);
    const kept = first.conversation().read([said("user", "whole")]);
    await first.settled();
    appendFileSync(`${folder}/messages.jsonl`, `{"id":"${"a".repeat(32)}","add":[["user","cut of`);
    const second = await openMessageStore(files, folder, plain);
    const later = second.conversation().read([said("user", "later")]);
    await second.settled();
    const found = await openMessages(files, folder);
    expect(await found.upTo(kept)).toEqual([said("user", "whole")]);
    expect(await found.upTo(later)).toEqual([said("user", "later")]);
    expect(await found.upTo("a".repeat(32))).toBeUndefined();
  });

  it("is not there where a folder has none, or where somebody has written a circle", async () => {
    const folder = temporaryFolder();
    expect(await (await openMessages(files, folder)).upTo("f".repeat(32))).toBeUndefined();
    const [a, b] = ["a".repeat(32), "b".repeat(32)];
    const line = (id: string, other: string) =>
      `${JSON.stringify({ id, from: other, keep: 9, add: [["user", "x"]] })}\n`;
    appendFileSync(`${folder}/messages.jsonl`, line(a, b) + line(b, a));
    expect(await (await openMessages(files, folder)).upTo(a)).toBeUndefined();
  });
});
