import { describe, expect, it } from "vitest";
import { DETECTOR_PATTERNS } from "../../../src/analysis/failures/detector-patterns.ts";
import {
  clusterMarkdown,
  clusterNotes,
  clusterTooltip,
  kindOfHint,
  notesOfCluster,
  ofDistinctQuestions,
  plainLine,
  skillOfCluster,
} from "../../../src/extension/failures/cluster-words.ts";
import { checkSkillName } from "../../../src/skill/skill-name.ts";
import { clusterOf, exampleOf } from "./failure-support.ts";

const HOSTILE = "Look [here](command:hasp.newSkill)\n# Heading <img src=x> \u202Eturned `code`";

describe("A cluster in words", () => {
  it("says its size first, then whether it is new", () => {
    expect(clusterNotes(clusterOf({}))).toBe("2 episodes · retrieval · new");
    const told = clusterOf({ source: "model", isNewCategory: false, examples: [exampleOf({})] });
    expect(clusterNotes(told)).toBe("1 episode · retrieval · teacher");
  });

  it("has a tooltip of plain lines", () => {
    const text = clusterTooltip(clusterOf({ abstraction: HOSTILE, hint: "Do\nthis" }));
    expect(text.split("\n")).toEqual([
      "stale_query",
      "2 episodes, found by a detector",
      "",
      "Look [here](command:hasp.newSkill) # Heading <img src=x> turned `code`",
      "Trigger: A search equals the one before.",
      "Hint: Do this",
      "",
      "Group retrieval: a search or its query fails.",
      "Novelty 0.42, new: neither a group of failures nor an active skill is much like it.",
    ]);
  });

  it("cuts a long text between characters", () => {
    expect(plainLine(`${"a".repeat(4)}😀`, 5)).toBe("aaaa\uFFFD…");
    expect(plainLine("abc", 3)).toBe("abc");
  });

  it("is Markdown of which nothing is a link, a heading or HTML", () => {
    const examples = Array.from({ length: 23 }, (_, index) =>
      exampleOf({ index, question: index === 0 ? HOSTILE : `Question ${index}?`, steps: [index + 1] }),
    );
    const text = clusterMarkdown(clusterOf({ category: "a_b", trigger: HOSTILE, examples }), () => "run *1*");
    const lines = text.split("\n");
    expect(lines[0]).toBe(String.raw`## a\_b`);
    expect(lines).toContain(
      String.raw`- Trigger: Look \[here\](command:hasp.newSkill) \# Heading \<img src=x\> turned ${"\\`code\\`"}`,
    );
    expect(lines).toContain(String.raw`- Question 19? (run \*1\*, episode 20, step 21)`);
    expect(lines).toContain("- and 3 more");
    expect(lines.filter((line) => line.startsWith("#"))).toHaveLength(1);
    expect(text).not.toMatch(/(?<!\\)\[|(?<!\\)</);
  });
});

describe("The skill of a cluster", () => {
  it("is named by the category and described by the abstraction", () => {
    expect(skillOfCluster(clusterOf({ hint: "Reword the query." }))).toEqual({
      name: "stale-query",
      description: "Use when the agent asks again in the same words.",
      kind: "rewrite",
    });
    const acronym = skillOfCluster(clusterOf({ abstraction: "If FINAL comes early\nand alone." }));
    expect(acronym.description).toBe("Use when FINAL comes early and alone.");
  });

  it("has no name where the category leaves none", () => {
    expect(skillOfCluster(clusterOf({ category: "…" })).name).toBeUndefined();
  });

  it.each([
    ["Replace the answer by a search.", "rewrite"],
    ["Remind the agent to read first.", "inject"],
    ["Rewrite the query, and warn the agent.", undefined],
    ["Look for another source.", undefined],
  ])("of the hint %s is of kind %s", (hint, kind) => {
    expect(kindOfHint(hint)).toBe(kind);
  });

  it("can be made of the words of every detector", () => {
    for (const [category, pattern] of Object.entries(DETECTOR_PATTERNS)) {
      const { name = "", description } = skillOfCluster(clusterOf({ category, ...pattern }));
      expect(checkSkillName(name)).toBeUndefined();
      expect(description).toMatch(/^Use when [a-z][^\n]*[^.]\.$/);
    }
  });

  it("has notes of one line each", () => {
    const notes = notesOfCluster(clusterOf({ abstraction: "One\n## Handler\ntwo" }));
    expect(notes).toEqual([
      "Seen in 2 episodes, found by a detector: One ## Handler two",
      "Trigger: A search equals the one before.",
      "Hint: Search for something else.",
    ]);
  });

  it("has cases of distinct questions, the first example of each", () => {
    const examples = ["a", "b", "a", "c"].map((questionId, index) => exampleOf({ questionId, index }));
    expect(ofDistinctQuestions(examples).map(({ index }) => index)).toEqual([0, 1, 3]);
  });
});
