import fc from "fast-check";
import { expect, test } from "vitest";
import { costText, createBudget } from "../../../src/llm/budget.ts";
import { budgetedModel } from "../../../src/llm/budgeted-model.ts";
import { ModelError, type ChatModel } from "../../../src/llm/chat-model.ts";
import { costOf, listPrice, parsePrice } from "../../../src/llm/price.ts";
import { ask, endpointAt, failure, reply } from "./support.ts";

/** A dollar for a thousand tokens out: `maxTokens: 100` costs at most ten cents. */
const PRICE = { input: 0, output: 1000 };

function paid(cost: number, calls: { now: number; most: number; all: number }): ChatModel {
  return {
    id: "paid",
    async chat() {
      calls.all += 1;
      calls.most = Math.max(calls.most, ++calls.now);
      await new Promise((resolve) => void setTimeout(resolve, 1));
      calls.now -= 1;
      return reply("ok", { usage: { inputTokens: 0, outputTokens: 0, cost } });
    },
  };
}

test("list prices are known for OpenAI's own endpoint only", () => {
  const price = listPrice(endpointAt("openai:gpt-4o-2024-11-20"));
  expect(price).toEqual({ input: 2.5, output: 10 });
  expect(costOf(price ?? { input: 0, output: 0 }, { inputTokens: 1_000_000, outputTokens: 100_000 })).toBe(
    3.5,
  );
  expect(listPrice(endpointAt("http://127.0.0.1:1/v1#gpt-4o"))).toBeUndefined();
  expect(listPrice(endpointAt("openai:constructor"))).toBeUndefined();
});

test("a person can give a price", () => {
  expect(parsePrice(" 2.50/10 ").value).toEqual({ input: 2.5, output: 10 });
  for (const text of ["", "2.5", "-1/2", "a/b", "1/2/3", "1e3/1"]) {
    expect(parsePrice(text).diagnostics.map((d) => d.code)).toEqual(["HASP604"]);
  }
});

test("under a budget as many calls overlap as it could pay for, and no more are made than it can", async () => {
  const calls = { now: 0, most: 0, all: 0 };
  const budget = createBudget(0.35);
  const model = budgetedModel(paid(0.1, calls), budget, PRICE);
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => model.chat(ask())));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  expect(calls).toEqual({ now: 0, most: 3, all: 3 });
  expect(budget.spent).toBeCloseTo(0.3);
  for (const result of results.slice(3)) {
    expect(result).toMatchObject({
      status: "rejected",
      reason: { kind: "budget", message: expect.stringContaining("$0.05") },
    });
  }
});

test("calls that cost less than feared make room for those that wait", async () => {
  const calls = { now: 0, most: 0, all: 0 };
  const budget = createBudget(0.35);
  const model = budgetedModel(paid(0.01, calls), budget, PRICE);
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => model.chat(ask())));
  expect(results.every(({ status }) => status === "fulfilled")).toBe(true);
  expect(calls.most).toBe(3);
});

test("a failed call is charged what the endpoint counted, and what was set aside is free again", async () => {
  const usage = { inputTokens: 1, outputTokens: 0, cost: 0.2 };
  const errors = [
    new ModelError("empty_reply", "nothing", undefined, usage),
    new ModelError("timeout", "late"),
  ];
  const budget = createBudget(0.25);
  const model = budgetedModel(
    { id: "m", chat: () => Promise.reject(errors.shift() ?? new Error("?")) },
    budget,
    PRICE,
  );
  expect((await failure(model.chat(ask()))).kind).toBe("empty_reply");
  expect(budget.spent).toBe(0.2);
  expect((await failure(model.chat(ask()))).kind).toBe("budget");
  expect((await failure(model.chat(ask("x", { maxTokens: 10 })))).kind).toBe("timeout");
  expect(budget.spent).toBe(0.2);
});

test("a budget in dollars refuses a model without a price; without a limit it only adds up", async () => {
  const calls = { now: 0, most: 0, all: 0 };
  const limited = budgetedModel(paid(1, calls), createBudget(100), undefined);
  expect(await failure(limited.chat(ask()))).toMatchObject({
    kind: "budget",
    next: expect.stringContaining("0/0"),
  });
  const open = createBudget(undefined, 2);
  await budgetedModel(paid(1, calls), open, undefined).chat(ask());
  expect([open.spent, calls.all]).toEqual([3, 1]);
});

test("who waits for money can leave", async () => {
  const budget = createBudget(1);
  const held = await budget.reserve(0.8);
  const controller = new AbortController();
  const waiting = budget.reserve(0.5, controller.signal);
  const behind = budget.reserve(0.1);
  controller.abort("enough");
  await expect(waiting).rejects.toBe("enough");
  (await behind).settle(0.1);
  held.settle(0.8);
  held.settle(0.8);
  expect(budget.spent).toBeCloseTo(0.9);
});

test("whatever calls cost, in whatever order they end, the limit holds", async () => {
  const costs = fc.array(
    fc.record({ most: fc.integer({ min: 0, max: 50 }), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
    {
      maxLength: 30,
    },
  );
  await fc.assert(
    fc.asyncProperty(
      costs,
      fc.integer({ min: 0, max: 200 }),
      fc.scheduler(),
      async (all, limit, scheduler) => {
        const budget = createBudget(limit);
        const ended = all.map(async ({ most, share }) => {
          const reservation = await budget.reserve(most);
          await scheduler.schedule(Promise.resolve());
          reservation.settle(most * share);
        });
        const done = Promise.allSettled(ended);
        await scheduler.waitFor(done);
        expect(budget.spent).toBeLessThanOrEqual(limit + 1e-6);
      },
    ),
  );
});

test("a sum never passes off unknown prices as nothing", () => {
  const texts = [
    { spent: 0, costUnknown: false },
    { spent: 0.45, costUnknown: false },
    { spent: 0, costUnknown: true },
    { spent: 0.45, costUnknown: true },
  ].map(costText);
  expect(texts).toEqual(["$0.00", "$0.45", "unknown", "at least $0.45"]);
});
