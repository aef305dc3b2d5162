import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { align } from "../../../src/analysis/compare-align.ts";
import { actionKey, compareEpisodes } from "../../../src/analysis/compare-episodes.ts";
import type { Step } from "../../../src/model/episode.ts";
import { episode, step } from "../trace/support.ts";

const search = (arg: string, found = `found ${arg}`): Step => step(0, "SEARCH", arg, found);
const final = (arg: string): Step => step(0, "FINAL", arg);
const numbered = (steps: readonly Step[]): Step[] => steps.map((one, t) => ({ ...one, t }));
const of = (id: string, ...steps: Step[]) => episode(id, { steps: numbered(steps) });
const instead = (proposed: Step, executed: Step): Step => ({ ...executed, proposals: proposed.proposals });

/** `2≠1`: step 2 of the first beside step 1 of the second. */
const shape = (...pair: Parameters<typeof compareEpisodes>): string[] =>
  compareEpisodes(...pair).rows.map(({ a, b, differs }) =>
    `${a ?? "-"} ${b ?? "-"} ${differs.join("+")}`.trim(),
  );

describe("comparing two episodes", () => {
  it("finds no divergence in an episode and itself", () => {
    const one = of("a", search("x"), final("y"));
    const { rows, firstDivergence, firstOtherObservation, capped } = compareEpisodes(one, one);
    expect(rows).toEqual([
      { a: 0, b: 0, differs: [] },
      { a: 1, b: 1, differs: [] },
    ]);
    expect([firstDivergence, firstOtherObservation, capped]).toEqual([undefined, undefined, false]);
  });

  it("marks the step that a PF changed, beside the same proposal without it", () => {
    const without = of("a", search("x"), final("y"));
    const withPf = of("b", search("x"), instead(final("y"), step(0, "READ", "doc_0", "page")), final("z"));
    expect(shape(without, withPf)).toEqual(["0 0", "1 1 executed+observation", "- 2"]);
    expect(compareEpisodes(without, withPf).firstDivergence).toBe(1);
    expect(compareEpisodes(without, withPf).b.interventions.changed).toBe(1);
  });

  it("counts no action that did not run, and tells it from one that ran", () => {
    const withheld = { ...search("y", ""), notRun: "max_search_calls" };
    const { rows, a } = compareEpisodes(
      of("a", search("x"), withheld),
      of("b", search("x"), search("y", "")),
    );
    expect(rows.map(({ differs }) => differs)).toEqual([[], ["executed"]]);
    expect([a.steps, a.searches]).toEqual([2, 1]);
  });

  it("puts an inserted step by itself where the same action comes after it", () => {
    const withPf = of("b", search("x"), instead(final("y"), step(0, "READ", "d", "p")), final("y"));
    expect(shape(of("a", search("x"), final("y")), withPf)).toEqual(["0 0", "- 1", "1 2"]);
  });

  it("tells another observation from another action", () => {
    const other = of("b", search("X!", "something else"), final("y"));
    const { firstDivergence, firstOtherObservation } = compareEpisodes(
      of("a", search("x"), final("y")),
      other,
    );
    expect([firstDivergence, firstOtherObservation]).toEqual([undefined, 0]);
  });

  it("takes an injected text for a divergence", () => {
    const told = { ...search("x"), injected: [{ skillId: "s", text: "look" }] };
    expect(shape(of("a", search("x")), of("b", told))).toEqual(["0 0 injected"]);
  });

  it("pairs steps that have nothing in common in their order", () => {
    expect(shape(of("a", search("p"), search("q"), final("y")), of("b", search("r"), final("y")))).toEqual([
      "0 0 proposed+executed+observation",
      "1 -",
      "2 1",
    ]);
  });

  it("takes searches for the same by their words, other actions by every character", () => {
    expect(actionKey({ type: "SEARCH", arg: "Helen  WALTON?" })).toBe(
      actionKey({ type: "SEARCH", arg: "helen walton" }),
    );
    expect(actionKey({ type: "FINAL", arg: "(0, -7)" })).not.toBe(
      actionKey({ type: "FINAL", arg: "(0, 7)" }),
    );
    expect(actionKey({ type: "bash", arg: "rm  a\n" })).toBe(actionKey({ type: "bash", arg: "rm a" }));
    const program = (arg: string): string => actionKey({ type: "FINAL", arg });
    expect(program("for x in y:\r\n    f(x)  \n")).toBe(program("for x in  y:\n    f(x)"));
    expect(program("for x in y:\n    f(x)\ng()")).not.toBe(program("for x in y:\n    f(x)\n    g()"));
    expect(actionKey({ type: "SEARCH", arg: "東京" })).not.toBe(actionKey({ type: "SEARCH", arg: "大阪" }));
    expect(actionKey({ type: "SEARCH", arg: "???" })).not.toBe(actionKey({ type: "SEARCH", arg: "!" }));
  });

  it("shows every step of both sides once, in order, whatever they are", () => {
    const steps = fc.array(
      fc.constantFrom("a", "b", "c").map((arg) => search(arg)),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(steps, steps, (a, b) => {
        const [one, other] = [of("a", ...a), of("b", ...b)];
        const { rows } = compareEpisodes(one, other);
        expect(rows.flatMap((row) => row.a ?? [])).toEqual(a.map((_, t) => t));
        expect(rows.flatMap((row) => row.b ?? [])).toEqual(b.map((_, t) => t));
        const same = (list: typeof rows): number =>
          list.filter((row) => row.a !== undefined && row.b !== undefined && row.differs.length === 0).length;
        expect(same(rows)).toBe(same(compareEpisodes(other, one).rows));
      }),
    );
  });
});

describe("align", () => {
  const equal = (a: string, b: string) => align(a.length, b.length, (i, j) => (a[i] === b[j] ? 1 : 0), 1);

  it("matches as many as the longest common subsequence", () => {
    const lcs = (a: string, b: string): number => {
      if (a === "" || b === "") return 0;
      if (a[0] === b[0]) return 1 + lcs(a.slice(1), b.slice(1));
      return Math.max(lcs(a.slice(1), b), lcs(a, b.slice(1)));
    };
    const text = fc.string({ unit: fc.constantFrom("x", "y", "z"), maxLength: 7 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const matched = equal(a, b).rows.filter(
          (row) => a[row.a ?? -1] === b[row.b ?? -1] && row.a !== undefined,
        );
        expect(matched.length).toBeGreaterThanOrEqual(lcs(a, b));
      }),
    );
  });

  it("gives up on aligning what is too long, and says so", () => {
    const [a, b] = ["x".repeat(2_500), "y".repeat(2_500)];
    const { rows, capped } = equal(a, b);
    expect(capped).toBe(true);
    expect(rows).toHaveLength(2_500);
    expect(equal(`${a}z${a}`, `${a}${a}`).capped).toBe(false);
  });
});
