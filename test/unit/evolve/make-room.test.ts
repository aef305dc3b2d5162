import { describe, expect, it } from "vitest";
import { makeRoom, type Evidence, type Occupant } from "../../../src/evolve/make-room.ts";

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
const shipped = (n: number): Occupant[] =>
  range(n).map((i) => ({ skillId: `shipped_${i}`, version: 1, origin: "shipped" }));
const written = (n: number): Occupant[] =>
  range(n).map((i) => ({ skillId: `written_${i}`, version: 1, origin: "hand-written" }));
const made = (skillId: string, evidence: Partial<Evidence> = {}, more: Partial<Occupant> = {}): Occupant => ({
  skillId,
  version: 1,
  origin: "generated",
  evidence: { epoch: 1, ...evidence },
  ...more,
});
const NEW = { skillId: "newcomer" };
const retiredBy = (acting: readonly Occupant[], options?: Parameters<typeof makeRoom>[2]): string[] => {
  const room = makeRoom(acting, NEW, options);
  return room.kind === "retire" ? room.retire.map(({ occupant }) => occupant.skillId) : [room.kind];
};
const worth = (better: number, worse: number) => ({ worth: { better, worse } });

describe("room for a candidate", () => {
  it("is free up to the fiftieth skill", () => {
    expect(retiredBy([...shipped(26), ...written(22), made("a")])).toEqual(["free"]);
  });

  it("for the 51st skill is made by the least useful generated one", () => {
    const full = [...shipped(26), ...written(22), made("a", worth(3, 0)), made("b", worth(5, 3))];
    expect(full).toHaveLength(50);
    const room = makeRoom(full, NEW);
    expect(room).toMatchObject({
      kind: "retire",
      retire: [
        {
          occupant: { skillId: "b" },
          reason:
            "It made room in a library of 50 skills, as the least useful generated one: better on 5 and worse on 3 held-out " +
            "questions, no review, epoch 1.",
        },
      ],
    });
  });

  it("is free for a new version of a skill that acts", () => {
    expect(makeRoom([...shipped(49), made("newcomer")], NEW)).toEqual({ kind: "free" });
  });

  it.each<[string, Occupant[], string]>([
    ["held-out questions won", [made("a", worth(4, 3)), made("b", { ...worth(2, 0), qSkill: 0.6 })], "a"],
    ["then Q_skill", [made("a", { qSkill: 0.8, epoch: 1 }), made("b", { qSkill: 0.7, epoch: 5 })], "b"],
    [
      "then the older epoch",
      [made("a", { qSkill: 0.8, epoch: 3 }), made("b", { qSkill: 0.8, epoch: 2 })],
      "b",
    ],
    ["then the id", [made("b"), made("a")], "a"],
    ["a loss before nothing measured", [made("a"), made("b", worth(0, 1))], "b"],
    [
      "no evidence at all first of equals",
      [made("a", { qSkill: 0.1 }), made("b", {}, { evidence: undefined })],
      "b",
    ],
  ])("goes by %s", (_, generated, expected) => {
    expect(retiredBy([...shipped(48), ...generated])).toEqual([expected]);
  });

  it("is never made by a pinned, shipped or hand-written skill, nor by one that brings another back", () => {
    const full = [...shipped(25), ...written(23), made("a"), made("b")];
    expect(retiredBy(full, { pinned: new Set(["a"]) })).toEqual(["b"]);
    const room = makeRoom(full, NEW, { pinned: new Set(["a", "b"]) });
    expect(room).toEqual({
      kind: "none",
      reason:
        "The library is full: 50 skills act, at most 50 may, and only 0 generated skills could make room. Shipped, hand-written " +
        "and pinned skills stay.",
    });
    expect(retiredBy([...shipped(49), made("a", {}, { hasFallback: true })])).toEqual(["none"]);
    expect(retiredBy(shipped(50))).toEqual(["none"]);
  });

  it("is made by several where more act than may", () => {
    const over = [...written(49), made("a", worth(1, 0)), made("b", worth(2, 0)), made("c", worth(3, 0))];
    expect(retiredBy(over)).toEqual(["a", "b", "c"]);
    expect(retiredBy([...over, ...shipped(1)])).toEqual(["none"]);
    expect(retiredBy([made("a", worth(2, 0)), made("b", worth(1, 0))], { cap: 2 })).toEqual(["b"]);
  });
});
