import { expect, test } from "vitest";
import { episodeOf } from "../../../src/trace/formats/conversation.ts";
import type { Turn } from "../../../src/trace/formats/turn.ts";

const agent = (calls: readonly { id?: string; name: string; args: unknown }[]): Turn => ({
  kind: "agent",
  text: "",
  reasoning: "",
  calls,
});
const result = (text: string, callId?: string): Turn => ({ kind: "result", text, callId });
const observed = (...turns: readonly Turn[]): readonly string[] => {
  const { episode } = episodeOf({ id: "e", source: "test", turns, coding: { cwd: undefined } });
  return episode.steps.map(({ observation, extra }) =>
    extra?.["unanswered"] === true ? `${observation}?` : observation,
  );
};

test("a result that names a call which is not there is not that of another one", () => {
  const calls = agent([
    { id: "a", name: "x", args: {} },
    { id: "b", name: "x", args: {} },
  ]);
  expect(observed(calls, result("of c", "c"), result("of b", "b"))).toEqual(["?", "of c\n\nof b"]);
  // Formats that tell ids of results alone, or none, mean the first call that waits.
  expect(observed(agent([{ name: "x", args: {} }]), result("of c", "c"))).toEqual(["of c"]);
  expect(observed(calls, result("first"), result("second"))).toEqual(["first", "second"]);
});

test("100,000 calls of one turn are answered in reverse about as fast as in order", () => {
  const ids = Array.from({ length: 100_000 }, (_, i) => `c${i}`);
  const calls = agent(ids.map((id) => ({ id, name: "x", args: {} })));
  const results = ids.map((id) => result(`of ${id}`, id));
  const timed = (turns: readonly Turn[]): number => {
    const began = performance.now();
    const texts = observed(calls, ...turns);
    expect([texts[0], texts.at(-1)]).toEqual(["of c0", "of c99999"]);
    return performance.now() - began;
  };
  const inOrder = timed(results);
  expect(timed(results.toReversed()) / inOrder).toBeLessThan(3);
});
