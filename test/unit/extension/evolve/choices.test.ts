import { describe, expect, it } from "vitest";
import { webSearch } from "../../../../src/domains/web-search/web-search.ts";
import { checkOrder } from "../../../../src/evolve/check-order.ts";
import type { EvolveOrder } from "../../../../src/evolve/order.ts";
import {
  costWords,
  dollarProblem,
  freeName,
  mayAskWorth,
  nameProblem,
  offeredGates,
  usualGate,
} from "../../../../src/extension/evolve/choices.ts";
import { EVOLVE_MODES, GATES } from "../../../../src/model/evolution.ts";

/** An order whose contradictions can only be in these parts. */
function orderOf(part: Pick<EvolveOrder, "mode" | "gate" | "worth"> & { teacher: string | undefined }) {
  const { teacher, ...rest } = part;
  return {
    ...rest,
    teacher: teacher === undefined ? undefined : { spec: teacher },
    rollouts: { kind: "live" },
    domain: webSearch,
    generated: "skills/web-search/generated",
    epochs: 1,
    caps: { candidates: 1, minClusterSize: 1, librarySize: 1 },
  } as unknown as EvolveOrder;
}

const CASES = EVOLVE_MODES.flatMap((mode) =>
  [undefined, "openai:gpt-4o"].map((teacher) => ({ mode, teacher })),
);

describe("The gates of the wizard", () => {
  it.each(CASES)("are those that an order may have: $mode, teacher $teacher", ({ mode, teacher }) => {
    for (const worth of [true, false]) {
      const possible = GATES.filter(
        (gate) => checkOrder(orderOf({ mode, teacher, gate, worth })).value !== undefined,
      );
      const offered = offeredGates({ mode, teacher }).filter((gate) => !worth || mayAskWorth(gate));
      expect(offered).toEqual(possible);
    }
  });

  it("are strict by default where a teacher reviews, else the executable checks", () => {
    expect(CASES.map((one) => [one.mode, one.teacher !== undefined, usualGate(one)])).toEqual([
      ["full", false, "exec-only"],
      ["full", true, "strict"],
      ["lite", false, "exec-only"],
      ["lite", true, "exec-only"],
    ]);
  });
});

describe("The name of an evolution", () => {
  it.each(["", "../out", ".hidden", "a/b", "a\\b", "First"])("refuses %j", (name) => {
    expect(nameProblem(name, new Set(["first"]))).toBeDefined();
  });

  it("is the first free number by default", () => {
    expect(freeName("evolution", new Set(["evolution-1", "evolution-3"]))).toBe("evolution-2");
    expect(nameProblem("evolution-2", new Set(["evolution-1"]))).toBeUndefined();
  });
});

describe("The cost of an evolution", () => {
  const call = (dollars: number | undefined) => ({
    part: "author",
    model: "m",
    calls: 1,
    inputTokens: 1,
    outputTokens: 1,
    dollars,
  });

  it("is a bound as far as prices are known", () => {
    expect(costWords([call(0), call(0)])).toBe("costs nothing");
    expect(costWords([call(0.5), call(0.7)])).toBe("at most about $1.20");
    expect(costWords([call(0.5), call(undefined)])).toBe("at most about $0.50 as far as prices are known");
    expect(costWords([call(undefined)])).toBe("cost unknown");
  });

  it.each(["0", "-1", "1e3", "abc", "1."])("has no budget of %j", (text) => {
    expect(dollarProblem(text)).toBeDefined();
  });

  it.each(["", "2.50", "10"])("may have the budget %j", (text) => {
    expect(dollarProblem(text)).toBeUndefined();
  });
});
