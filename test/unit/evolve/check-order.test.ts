import { describe, expect, it } from "vitest";
import { webSearch } from "../../../src/domains/web-search/web-search.ts";
import { checkOrder } from "../../../src/evolve/check-order.ts";
import type { EvolveOrder } from "../../../src/evolve/order.ts";
import { EVOLVE_LIMITS } from "../../../src/model/evolution.ts";

/** An order over records, without their episodes: those are looked at last. */
const order = (change: Partial<EvolveOrder>): EvolveOrder => ({
  folder: "evolution",
  domain: webSearch,
  generated: "skills/web-search/generated",
  epochs: 1,
  mode: "full",
  gate: "exec-only",
  worth: true,
  caps: { candidates: 5, minClusterSize: 3, librarySize: EVOLVE_LIMITS.librarySize },
  rollouts: { kind: "recorded", runs: [] },
  author: { spec: "scripted:author.yaml" },
  teacher: undefined,
  pinned: [],
  seed: 42,
  maxDollars: undefined,
  ...change,
});

const saidOf = (change: Partial<EvolveOrder>): string => {
  const [found] = checkOrder(order(change)).diagnostics;
  return `${found?.code ?? ""} ${found?.message ?? ""} ${found?.next ?? ""}`;
};

describe("an order that contradicts itself", () => {
  it.each(["strict", "teacher-only"] as const)(
    "%s needs a teacher, and says what to do without one",
    (gate) => {
      expect(saidOf({ gate })).toMatch(/^HASP673 .*no teacher is named.*--gate exec-only/);
    },
  );

  it.each(["strict", "teacher-only"] as const)("%s needs the full mode", (gate) => {
    const teacher = { spec: "scripted:teacher.yaml" };
    expect(saidOf({ gate, teacher, mode: "lite" })).toMatch(
      /^HASP673 .*lite mode asks no teacher.*exec-only/,
    );
  });

  it.each(["audit", "none"] as const)("%s admits what compiles, so worth cannot decide", (gate) => {
    expect(saidOf({ gate })).toMatch(/^HASP673 .*held-out worth cannot decide/);
  });

  it.each(["new-skills", "skills/generated", "skills/coding-agent/generated", "./gen"])(
    "no reader would take skills in %s for generated ones of the domain",
    (generated) => {
      expect(saidOf({ generated })).toMatch(/^HASP673 .*web-search\/generated/);
    },
  );

  it.each(["skills/web-search/generated", "./skills/web-search/generated", "/w/x/web-search/generated"])(
    "%s is a folder of generated skills",
    (generated) => {
      expect(saidOf({ generated })).not.toContain("generated skills");
    },
  );
});
