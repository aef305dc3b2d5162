import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inShard } from "../../../src/evaluation/in-shard.ts";
import { parseShard, shardText } from "../../../src/model/shard.ts";

const shardsOf = (of: number) => Array.from({ length: of }, (_, i) => ({ index: i + 1, of }));

describe("--shard", () => {
  it("reads i/n, and writes it again", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(499), (of, i) => {
        const shard = { index: (i % of) + 1, of };
        expect(parseShard(shardText(shard))).toEqual({ value: shard, diagnostics: [] });
      }),
    );
    expect(parseShard(" 2 / 4 ").value).toEqual({ index: 2, of: 4 });
  });

  it.each([
    ["5/4", "no shard 5 of 4"],
    ["0/4", "counted from 1"],
    ["0/0", "cut into 0 parts"],
    ["1/999999999", "at most 100,000"],
    ["-1/4", "two whole numbers"],
    ["1.5/4", "two whole numbers"],
    ["1/4/2", "two whole numbers"],
    ["half", "two whole numbers"],
    ["", "two whole numbers"],
  ])("%j is refused with what to write", (text, why) => {
    const { value, diagnostics } = parseShard(text);
    expect(value).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: "HASP550", message: expect.stringContaining(why) }]);
    expect(diagnostics[0]?.next).toContain("1/4");
  });
});

describe("the shards of a file", () => {
  it("hold each question exactly once, whatever its id", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 64 }), (id, of) => {
        expect(shardsOf(of).filter((shard) => inShard({ id }, shard))).toHaveLength(1);
      }),
    );
  });

  it.each([
    ["numbered", (i: number) => `q${i}`],
    ["numbered with a long name", (i: number) => `question-${i}`],
    ["hexadecimal", (i: number) => (i * 2654435761).toString(16).padStart(24, "5a")],
    ["padded", (i: number) => `2hop__${String(i).padStart(6, "0")}_${i * 3}`],
  ])("are of about one size where ids are %s", (_kind, idOf) => {
    const ids = Array.from({ length: 8_000 }, (_, i) => idOf(i));
    for (const of of [2, 3, 4, 8]) {
      for (const shard of shardsOf(of)) {
        const share = ids.filter((id) => inShard({ id }, shard)).length / (ids.length / of);
        expect(share).toBeGreaterThan(0.88);
        expect(share).toBeLessThan(1.12);
      }
    }
  });

  it("stay what they are from version to version: runs of two machines are merged", () => {
    const ids = ["walton-husband", "5a7613c15542994ccc9186bf", "q1", "問い"];
    const part = (id: string) => shardsOf(4).find((shard) => inShard({ id }, shard))?.index;
    expect(ids.map(part)).toMatchInlineSnapshot(`
      [
        4,
        2,
        4,
        2,
      ]
    `);
  });
});
