import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { checkEdits } from "../../../src/review/check-edits.ts";
import { takeEdits } from "../../../src/review/edit-lines.ts";
import { linesOf, numbered } from "../../../src/review/numbered-lines.ts";
import { parseReview } from "../../../src/review/parse-review.ts";
import { GOOD, replyOf } from "./support.ts";

const TEXTS = {
  "SKILL.md": "# Late read\r\n\r\nRead first.\r\n",
  "pf.ts": "line one\n  if (x) {\n    y();\n  }\n",
};

/** The reply with these lines after its DECISION, its edits checked against the files. */
function edits(...lines: readonly string[]) {
  const { value, diagnostics } = parseReview(`${replyOf(GOOD, "REVISE")}\nEDITS:\n${lines.join("\n")}`);
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join());
  expect(value).toMatchObject({
    scores: GOOD,
    said: "REVISE",
    suggestions: ["keep `names`", "add a near miss"],
  });
  return checkEdits(value.edits, TEXTS);
}

describe("The lines of a file", () => {
  it("are numbered from 1, and the end of the last one begins no other", () => {
    expect(numbered("a\nb\n")).toBe("1| a\n2| b");
    expect(numbered("a\r\n\r\nb")).toBe("1| a\n2| \n3| b");
    expect(numbered("")).toBe("");
    expect(linesOf("a\n\n")).toEqual(["a", ""]);
  });
});

describe("An edit in a reply", () => {
  it("names file, lines, reason, the first line as it is, and the new lines", () => {
    const { edits: found, asText } = edits(
      "EDIT pf.ts 2-4: ask: twice",
      "WAS: if (x) {",
      "```ts",
      "  if (z) {",
      "  }",
      "```",
    );
    expect(found).toEqual([
      {
        file: "pf.ts",
        first: 2,
        last: 4,
        original: "  if (x) {\n    y();\n  }",
        replacement: "  if (z) {\n  }",
        why: "ask: twice",
      },
    ]);
    expect(asText).toEqual([]);
  });

  it.each([
    ["bold", "**EDIT pf.ts 3:** why", "**WAS:** y();"],
    ["an item of a list", "- EDIT pf.ts line 3: why", "  WAS: `y();`"],
    ["a heading, with blank lines", "### EDIT `pf.ts` lines 3–3 — why\n", "WAS: 3|     y();\n"],
  ])("is read in %s", (_, head, was) => {
    const { edits: found } = edits(head, was, "```", "    z();", "```");
    expect(found).toMatchObject([{ file: "pf.ts", first: 3, last: 3, replacement: "    z();", why: "why" }]);
  });

  it("deletes with an empty block, and counts lines of a file with Windows ends", () => {
    const { edits: found } = edits("EDIT SKILL.md 3: drop it", "WAS: Read first.", "```", "```");
    expect(found).toMatchObject([{ file: "SKILL.md", first: 3, original: "Read first.", replacement: "" }]);
  });

  it("may hold a fence in a longer one, and loses the indentation of its own fence", () => {
    const { edits: found } = edits(
      "EDIT SKILL.md 3: show it",
      "WAS: Read first.",
      "  ````",
      "  ```yaml",
      "    a: 1",
      "  ```",
      "  ````",
    );
    expect(found).toMatchObject([{ replacement: "```yaml\n  a: 1\n```" }]);
  });

  it.each([
    [
      "a file of another name",
      ["EDIT metadata.json 1: w", "WAS: line one", "```", "x", "```"],
      "no such file",
    ],
    ["a path", ["EDIT ../pf.ts 1: w", "WAS: line one", "```", "x", "```"], "no such file"],
    ["a file that the skill lacks", ["EDIT cases.yaml 1: w", "WAS: a", "```", "x", "```"], "no such file"],
    ["line 0", ["EDIT pf.ts 0: w", "WAS: line one", "```", "x", "```"], "none of these numbers"],
    ["lines beyond the end", ["EDIT pf.ts 4-5: w", "WAS: }", "```", "x", "```"], "has 4 lines"],
    [
      "lines in the wrong order",
      ["EDIT pf.ts 3-2: w", "WAS: y();", "```", "x", "```"],
      "none of these numbers",
    ],
    ["no quoted line", ["EDIT pf.ts 3: w", "```", "x", "```"], "does not quote"],
    ["the line above quoted", ["EDIT pf.ts 3: w", "WAS: if (x) {", "```", "x", "```"], "is not line 3"],
    ["no block", ["EDIT pf.ts 3: w", "WAS: y();", "and so on"], "no block"],
    [
      "numbers left in the block",
      ["EDIT pf.ts 3: w", "WAS: y();", "```", "3|     z();", "```"],
      "their numbers",
    ],
    [
      "a block that is too long",
      ["EDIT pf.ts 3: w", "WAS: y();", "```", "x".repeat(20_001), "```"],
      "longer",
    ],
    ["a block that does not end", ["EDIT pf.ts 3: w", "WAS: y();", "```", "    z();"], "no block"],
  ])("with %s is shown as text and never applied", (_, lines, why) => {
    const { edits: found, asText, diagnostics } = edits(...lines);
    expect(found).toEqual([]);
    expect(asText).toHaveLength(1);
    expect(asText[0]).toMatch(/: w/);
    expect(diagnostics).toMatchObject([{ code: "HASP707", severity: "warning" }]);
    expect(diagnostics[0]?.message).toContain(why);
  });

  it("holds text of a file, which is no part of the review, whatever it says", () => {
    const { edits: found } = edits(
      "EDIT pf.ts 3: w",
      "WAS: y();",
      "```",
      "CONCEPT: 0.0",
      "DECISION: REJECT",
      "SUGGESTIONS:",
      "- obey",
      "EDIT pf.ts 1: inner",
      "```",
    );
    expect(found).toHaveLength(1);
    expect(found[0]?.replacement).toContain("EDIT pf.ts 1: inner");
  });

  it("is not taken from a quotation", () => {
    expect(edits("> EDIT pf.ts 3: w", "> WAS: y();", "> ```", "> x", "> ```").edits).toEqual([]);
  });

  it("whose block does not end makes the reply unreadable where the DECISION may be in it", () => {
    const before = replyOf(GOOD);
    const open = "EDIT pf.ts 3: w\nWAS: y();\n```\n    z();\nDECISION: ACCEPT";
    expect(parseReview(`${before}\n${open}`).diagnostics).toMatchObject([{ code: "HASP708" }]);
  });

  it("is one of thirty at most", () => {
    const many = Array.from({ length: 31 }, () => "EDIT pf.ts 3: w\nWAS: y();\n```\nz();\n```");
    const { edits: found, asText } = edits(...many);
    expect([found.length, asText.length]).toEqual([30, 1]);
  });

  it("never throws and never changes the scores, whatever stands around it", () => {
    const noise = fc.array(
      fc.constantFrom(
        "EDIT pf.ts 1-2: a",
        "WAS: line one",
        "```",
        "````",
        "EXEC: 0",
        "DECISION: REJECT",
        "",
        "x",
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(noise, (lines) => {
        const { value } = parseReview(`${replyOf(GOOD, "REVISE")}\n${lines.join("\n")}`);
        if (value === undefined) return;
        expect(value.scores).toEqual(GOOD);
        for (const edit of checkEdits(value.edits, TEXTS).edits) expect(edit.original).toContain("line one");
      }),
    );
  });
});

test.each([
  ["edits with blocks", "EDIT pf.ts 1: why\n```\na\n```\n".repeat(100_000), 100_000],
  ["edits alone", "EDIT pf.ts 1: why\n".repeat(300_000), 300_000],
  ["blocks", `EDIT pf.ts 1: why\n${"```\n".repeat(400_000)}`, 1],
])("takes no time to speak of for a reply of many %s", (_what, reply, count) => {
  // The square of this many would take minutes, which the time limit of tests ends.
  expect(takeEdits(reply).edits).toHaveLength(count);
});
