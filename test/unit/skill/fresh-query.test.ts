import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { freshQuery, tellingWords } from "../../../src/skill/fresh-query.ts";

const QUESTION = "Who was the husband of the Walton family member that died after John's accident in 2005?";
const ran = (...queries: string[]) => queries.map((arg) => ({ type: "SEARCH", arg }));

describe("a fresh query", () => {
  it("is the telling words of the question, in its order", () => {
    expect(freshQuery({ question: QUESTION, actionHistory: [] })).toBe(
      "husband Walton family member died John accident 2005",
    );
  });

  it("keeps the words that no search has used, and names", () => {
    const actionHistory = ran("husband Walton family member", "John accident 2005");
    expect(freshQuery({ question: QUESTION, actionHistory })).toBe(
      "husband Walton family member died John accident 2005",
    );
    const all = ran(
      ...actionHistory.map(({ arg }) => arg),
      "husband Walton family member died John accident 2005",
    );
    expect(freshQuery({ question: QUESTION, actionHistory: all })).toBe("Walton John 2005");
  });

  it("is none where all have run, in whatever order of words", () => {
    const actionHistory = ran("2005 accident John died member family Walton husband", "2005 walton john");
    expect(freshQuery({ question: QUESTION, actionHistory })).toBeUndefined();
    expect(freshQuery({ question: "", actionHistory: [] })).toBeUndefined();
  });

  it("takes words of somebody's own along", () => {
    expect(freshQuery({ question: "Who wrote Emma?", actionHistory: [] }, { with: ["Jane", "Austen"] })).toBe(
      "wrote Emma Jane Austen",
    );
  });

  it("differs from other searches than those that ran, where they are named", () => {
    const context = { question: "Who wrote Emma?", actionHistory: ran("wrote Emma") };
    expect(freshQuery(context, { besides: [] })).toBe("wrote Emma");
  });

  it("property: has at most 12 words, all of the question, and has not run", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 300 }),
        fc.array(fc.string({ maxLength: 40 })),
        (question, queries) => {
          const query = freshQuery({ question, actionHistory: ran(...queries) });
          if (query === undefined) return;
          const words = query.split(" ");
          expect(words.length).toBeLessThanOrEqual(12);
          expect(words.every((word) => question.includes(word))).toBe(true);
          expect(queries).not.toContain(query);
        },
      ),
    );
  });
});

describe("telling words", () => {
  it("are as written, each once, without possessive endings", () => {
    expect(tellingWords("Who wrote the novel Emma? Emma's author wrote it.")).toEqual([
      "wrote",
      "novel",
      "Emma",
      "author",
    ]);
  });
});
