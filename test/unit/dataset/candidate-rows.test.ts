import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  authorDpoRow,
  authorSftRow,
  candidatePairs,
  parseCandidates,
  rewarded,
} from "../../../src/dataset/candidate-rows.ts";
import { CANDIDATE_SCHEMA, skillReward, type Candidate } from "../../../src/model/candidate.ts";

const FILE = "runs/candidates.jsonl";
const TASK: Candidate["messages"] = [{ role: "user", content: "Write a skill." }];

function candidate(id: string, parts: Partial<Candidate> = {}): Candidate {
  return {
    schema: CANDIDATE_SCHEMA,
    id,
    skillId: "late_read",
    version: 1,
    epoch: 2,
    domain: "web-search",
    messages: TASK,
    completion: `SKILL.md of ${id}`,
    qSkill: 0.6,
    decision: "accept",
    ...parts,
  };
}

const without = ({ completion: _, qSkill: __, ...rest }: Candidate): Candidate => rest;
const usable = (...all: readonly Candidate[]) => rewarded(all).usable;
/** A row as readers see it. */
const rowOf = (columns: ReturnType<typeof authorSftRow>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, JSON.parse(value) as unknown]));

describe("the reward of a skill", () => {
  it.each([
    [{ qSkill: 0.6 }, 0.6],
    [{ qSkill: 0.6, deltaEm: 0.1 }, 0.65],
    [{ qSkill: 0.6, deltaEm: -0.4 }, 0.4],
    [{ qSkill: 0.6, deltaEm: 0 }, 0.6],
    [{ deltaEm: 0.5 }, undefined],
    [{}, undefined],
  ])("of %j is %s", (about, reward) => {
    const found = skillReward(about);
    if (reward === undefined) expect(found).toBeUndefined();
    else expect(found).toBeCloseTo(reward, 10);
  });
});

describe("candidates that can be rows", () => {
  it("have a completion and a review; the others are counted by their reason", () => {
    const { usable: found, dropped } = rewarded([
      candidate("a"),
      candidate("b", { completion: " \n" }),
      without(candidate("c")),
      { ...without(candidate("d")), completion: "text" },
      candidate("e", { decision: "reject", deltaEm: 0.2 }),
    ]);
    expect(found.map(({ id, reward }) => [id, reward])).toEqual([
      ["a", 0.6],
      ["e", expect.closeTo(0.7, 10)],
    ]);
    expect(Object.fromEntries(dropped)).toEqual({ no_completion: 2, no_review: 1 });
  });

  it("are rows of the author's prompt and reply, weighted by their reward", () => {
    const [one] = usable(candidate("a", { deltaEm: 0.1 }));
    if (one === undefined) throw new Error("not usable");
    expect(rowOf(authorSftRow(one))).toEqual({
      prompt: TASK,
      completion: [{ role: "assistant", content: "SKILL.md of a" }],
      sample_weight: expect.closeTo(0.65, 10),
      candidate: "a",
      skill_id: "late_read",
      version: 1,
      epoch: 2,
      domain: "web-search",
      decision: "accept",
      r_skill: expect.closeTo(0.65, 10),
      with_delta_em: true,
    });
  });

  it("say whether their reward has a ΔEM, also where it is 0", () => {
    const rows = usable(candidate("a"), candidate("b", { deltaEm: 0 }))
      .map(authorSftRow)
      .map(rowOf);
    expect(rows.map(({ with_delta_em: has }) => has)).toEqual([false, true]);
  });

  it("have a weight of 0 where their reward is negative", () => {
    const [one] = usable(candidate("a", { qSkill: 0.1, deltaEm: -1 }));
    if (one === undefined) throw new Error("not usable");
    expect(rowOf(authorSftRow(one))).toMatchObject({ sample_weight: 0, r_skill: expect.closeTo(-0.4, 10) });
  });
});

describe("pairs of candidates", () => {
  const pairsOf = (...all: readonly Candidate[]): string[] =>
    candidatePairs(usable(...all)).map(({ chosen, rejected }) => `${chosen.id} > ${rejected.id}`);

  it("are the best of a task against each with a lower reward", () => {
    const pairs = pairsOf(
      candidate("low", { qSkill: 0.2 }),
      candidate("best", { qSkill: 0.9 }),
      candidate("middle", { qSkill: 0.5 }),
    );
    expect(pairs).toEqual(["best > middle", "best > low"]);
  });

  it("compare with the ΔEM where it is known", () => {
    expect(pairsOf(candidate("a", { qSkill: 0.6 }), candidate("b", { qSkill: 0.5, deltaEm: 0.4 }))).toEqual([
      "b > a",
    ]);
  });

  it("have no candidate that the review rejected as the better side", () => {
    expect(
      pairsOf(
        candidate("rejected", { qSkill: 0.9, decision: "reject" }),
        candidate("revised", { qSkill: 0.5, decision: "revise" }),
        candidate("worse", { qSkill: 0.1, decision: "reject" }),
      ),
    ).toEqual(["revised > worse"]);
    expect(
      pairsOf(candidate("a", { decision: "reject" }), candidate("b", { qSkill: 0.1, decision: "reject" })),
    ).toEqual([]);
  });

  it("need a difference: equal rewards prefer nothing", () => {
    expect(pairsOf(candidate("a"), candidate("b"))).toEqual([]);
    expect(pairsOf(candidate("b"), candidate("a"), candidate("c", { qSkill: 0.1 }))).toEqual(["a > c"]);
  });

  it("are made within a task, not across", () => {
    const other: Candidate["messages"] = [{ role: "user", content: "Write another skill." }];
    const parts = { messages: other, qSkill: 0.1 };
    expect(pairsOf(candidate("a"), candidate("b", parts))).toEqual([]);
    expect(pairsOf(candidate("a"), candidate("b", parts), candidate("c", { qSkill: 0.2 }))).toEqual([
      "a > c",
    ]);
  });

  it("are rows of both replies, weighted by the better one", () => {
    const [pair] = candidatePairs(usable(candidate("a", { qSkill: 0.8 }), candidate("b", { qSkill: 0.3 })));
    if (pair === undefined) throw new Error("no pair");
    expect(rowOf(authorDpoRow(pair))).toMatchObject({
      prompt: TASK,
      chosen: [{ role: "assistant", content: "SKILL.md of a" }],
      rejected: [{ role: "assistant", content: "SKILL.md of b" }],
      sample_weight: 0.8,
      candidate: "a",
      r_skill: 0.8,
      rejected_candidate: "b",
      rejected_r_skill: 0.3,
    });
  });

  it("do not depend on the order of the candidates", () => {
    const candidates = fc
      .array(
        fc.record({
          qSkill: fc.constantFrom(0.1, 0.5, 0.9),
          decision: fc.constantFrom("accept", "revise", "reject"),
          task: fc.constantFrom("a", "b"),
        }),
        { maxLength: 8 },
      )
      .map((all) =>
        all.map(({ task, ...parts }, i) =>
          candidate(`c${i}`, { ...parts, messages: [{ role: "user", content: task }] }),
        ),
      );
    const shuffled = candidates.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, ([all, other]) => {
        expect(pairsOf(...other).toSorted()).toEqual(pairsOf(...all).toSorted());
      }),
    );
  });
});

describe("a file of candidates", () => {
  const line = (one: object): string => JSON.stringify(one);

  it("is read line by line", () => {
    const all = [candidate("a"), candidate("b", { deltaEm: 0.5, decision: "revise" })];
    expect(parseCandidates(`${all.map(line).join("\n")}\n`, FILE)).toEqual({ value: all, diagnostics: [] });
  });

  it.each([
    ['{"schema": "hasp.can', "it is not complete JSON"],
    ["[1]", ""],
    [line({ ...candidate("x"), schema: "hasp.candidate/9" }), "schema"],
    [line({ ...candidate("x"), qSkill: 1.5 }), "qSkill"],
    [line({ ...candidate("x"), decision: "perhaps" }), "decision"],
    [line({ ...candidate("x"), messages: [] }), "messages"],
    [line({ ...candidate("x"), deltaEm: 40 }), "deltaEm"],
    [line({ ...candidate("x"), id: undefined }), "id"],
  ])("names the line of %j and leaves it out", (broken, problem) => {
    const text = `${line(candidate("a"))}\n\n${broken}\n${line(candidate("b"))}\n`;
    const { value, diagnostics } = parseCandidates(text, FILE);
    expect(value?.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(diagnostics).toMatchObject([
      { code: "HASP629", severity: "error", file: FILE, range: { start: { line: 2 } } },
    ]);
    expect(diagnostics[0]?.message).toMatch(/^Line 3: This is no candidate: /);
    expect(diagnostics[0]?.message).toContain(problem);
  });

  it("that is empty has none", () => {
    expect(parseCandidates("\n", FILE)).toEqual({ value: [], diagnostics: [] });
  });
});
