import { describe, expect, it } from "vitest";
import { activeIn } from "../../../../src/analysis/library.ts";
import { actsIn } from "../../../../src/harness/select/select.ts";

type Home = Parameters<typeof actsIn>[0];
const at = (domain: string | undefined, ...applicableModes: string[]): Home =>
  ({ domain, skill: { applicableModes } }) as unknown as Home;

describe("a skill", () => {
  it("acts in episodes of the domain whose folder it stands in, whatever modes it declares", () => {
    expect(actsIn(at("coding-agent", "all"), "coding-agent")).toBe(true);
    expect(actsIn(at("coding-agent", "all"), "web-search")).toBe(false);
    expect(actsIn(at("web-search", "all"), "coding-agent")).toBe(false);
  });

  it("acts by its modes where the folder names no domain", () => {
    expect(actsIn(at(undefined, "all"), "coding-agent")).toBe(true);
    expect(actsIn(at(undefined, "coding-agent"), "coding-agent")).toBe(true);
    expect(actsIn(at(undefined, "coding-agent"), "web-search")).toBe(false);
  });

  it("judges recorded episodes by the same rule, and those of an unregistered domain where it is for agent", () => {
    const active = [
      at("coding-agent", "all"),
      at("web-search", "all"),
      at("agent", "all"),
    ] as unknown as Parameters<typeof activeIn>[0]["active"];
    expect(activeIn({ active }, "coding-agent")).toEqual([active[0]]);
    expect(activeIn({ active }, "web-search")).toEqual([active[1]]);
    expect(activeIn({ active }, "chess")).toEqual([active[2]]);
  });
});
