import { describe, expect, it } from "vitest";
import { feedbackThreads, placeNow, shifted, withEdit } from "../../../src/review/feedback-threads.ts";
import { GOOD } from "./support.ts";

const TEXTS = { "SKILL.md": "# A\n\nRead first.\n", "pf.ts": "one\ntwo\n}\nthree\n}\n" };
const EDIT = {
  file: "pf.ts",
  first: 2,
  last: 3,
  original: "two\n}",
  replacement: "TWO",
  why: "louder",
} as const;
const REVIEW = {
  scores: GOOD,
  comments: { concept: "Fine.", trigger: "See pf.ts:4, then pf.ts:1." },
  suggestions: ["Shorten line 3 of SKILL.md.", "pf.ts is long.", "See cases.yaml:1."],
  edits: [EDIT],
};

describe("The threads of a review", () => {
  it("are the comments, suggestions and edits that name a line that is there, each at the first one", () => {
    const threads = feedbackThreads(REVIEW, TEXTS, []);
    expect(threads.map(({ title, file, first, last }) => `${title} ${file}:${first}-${last}`)).toEqual([
      "Trigger 0.70 pf.ts:4-4",
      "Suggestion SKILL.md:3-3",
      "Suggestion pf.ts:2-3",
    ]);
    expect(threads.map(({ original }) => original)).toEqual(["three", "Read first.", "two\n}"]);
  });

  it("in a file that has changed, know the lines only of edits", () => {
    const threads = feedbackThreads(REVIEW, TEXTS, ["pf.ts"]);
    expect(threads.map(({ original }) => original)).toEqual([undefined, "Read first.", "two\n}"]);
  });

  it("leave out edits of a file that is gone, and there are none without edits in an old review", () => {
    const { edits: _, ...old } = REVIEW;
    expect(feedbackThreads(REVIEW, { "SKILL.md": TEXTS["SKILL.md"] }, [])).toHaveLength(1);
    expect(feedbackThreads(old, TEXTS, [])).toHaveLength(2);
  });
});

describe("The place of reviewed lines", () => {
  it("is the known one, also among equal lines", () => {
    expect(placeNow(TEXTS["pf.ts"], "}", [{ first: 5, last: 5 }])).toEqual({ first: 5, last: 5 });
  });

  it("is else the only one that has them, and none where there are more, or none", () => {
    expect(placeNow(`zero\n${TEXTS["pf.ts"]}`, "two\n}", [])).toEqual({ first: 3, last: 4 });
    expect(placeNow(TEXTS["pf.ts"], "}", [])).toBeUndefined();
    expect(placeNow(TEXTS["pf.ts"], "two ", [{ first: 2, last: 2 }])).toBeUndefined();
    expect(placeNow(TEXTS["pf.ts"], undefined, [{ first: 2, last: 2 }])).toBeUndefined();
    expect(placeNow("", "two", [{ first: 2, last: 2 }])).toBeUndefined();
  });

  it("does not depend on line ends", () => {
    expect(placeNow("one\r\ntwo\r\n}\r\n", "two\n}", [{ first: 2, last: 3 }])).toEqual({ first: 2, last: 3 });
  });

  it("moves with changes above it, and with no other", () => {
    const place = { first: 4, last: 5 };
    const change = (firstLine: number, lastLine: number, text: string, endsAtStart = false) =>
      shifted(place, [{ firstLine, lastLine, endsAtStart, text }]);
    expect(change(0, 0, "a\nb\n")).toEqual({ first: 6, last: 7 });
    expect(change(0, 2, "")).toEqual({ first: 2, last: 3 });
    // A whole line put before the first of them.
    expect(change(3, 3, "new\n", true)).toEqual({ first: 5, last: 6 });
    expect(change(3, 3, "x")).toEqual(place);
    expect(change(4, 4, "a\nb")).toEqual(place);
    expect(change(9, 9, "a\nb")).toEqual(place);
  });
});

describe("A file with a suggestion in it", () => {
  it("has the new lines in their place and keeps its line ends", () => {
    expect(withEdit("a\r\nb\r\nc\r\n", { first: 2, last: 2 }, "x\ny")).toBe("a\r\nx\r\ny\r\nc\r\n");
    expect(withEdit("a\nb", { first: 2, last: 2 }, "x")).toBe("a\nx");
    expect(withEdit("a\nb\nc\n", { first: 1, last: 2 }, "")).toBe("c\n");
  });
});
