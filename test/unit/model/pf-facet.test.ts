import { describe, expect, it } from "vitest";
import type { PfStatus } from "../../../src/model/intervention.ts";
import { facetHas, hasFired, pfFacets } from "../../../src/model/pf-facet.ts";

const event = (skillId: string, status: PfStatus) => ({ skillId, status });

describe("What PFs did in a whole episode", () => {
  it("is told once a PF, by id: each status once, and the steps at which it fired", () => {
    const facets = pfFacets([
      { t: 0, events: [event("b", "skipped"), event("a", "applied")] },
      { t: 1, events: [event("b", "limited"), event("a", "skipped")] },
      { t: 2, events: [event("b", "skipped"), event("a", "overridden"), event("a", "applied")] },
    ]);
    expect(facets).toEqual([
      { skillId: "a", statuses: ["applied", "overridden", "skipped"], fired: [0, 2] },
      { skillId: "b", statuses: ["limited", "skipped"], fired: [] },
    ]);
  });

  it("is empty where no PF was asked", () => {
    expect(pfFacets([{ t: 0, events: [] }])).toEqual([]);
  });

  it("counts applied, overridden and noop as fired, and nothing else", () => {
    const all: PfStatus[] = ["applied", "overridden", "noop", "limited", "skipped", "error"];
    expect(all.filter(hasFired)).toEqual(["applied", "overridden", "noop"]);
    const facet = { skillId: "a", statuses: ["noop"] as const, fired: [1] };
    expect(facetHas(facet, "fired")).toBe(true);
    expect(facetHas(facet, "applied")).toBe(false);
    expect(facetHas({ ...facet, statuses: ["limited"] }, "fired")).toBe(false);
  });
});
