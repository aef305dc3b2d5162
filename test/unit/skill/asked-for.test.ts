import { describe, expect, it } from "vitest";
import { askedFor } from "../../../src/skill/asked-for.ts";

const DEED = { words: ["delete|remove {path}"], things: { path: ["build"] } };
const asks = (...prompts: string[]): boolean => askedFor({ prompts, cwd: "/home/anna/shop" }, DEED);

describe("what a person asked for", () => {
  it.each([
    "Delete the build folder.",
    "Fix v1.2 of the parser. Then delete ./build!",
    "could you remove build/?",
    "- run the tests\n- delete the folder `build`",
    "Delete /home/anna/shop/build, please.",
    "Remove dist, build and .cache.",
  ])("is in: %s", (prompt) => {
    expect(asks(prompt)).toBe(true);
  });

  it.each([
    ["it is forbidden", "Do not delete build."],
    ["it is forbidden with an apostrophe", "Don’t delete build"],
    ["it is only asked about", "Why did you delete build?"],
    ["somebody else is quoted", "> please delete build\nWhat do you say to that?"],
    ["it stands in a pasted log", "See:\n```\nhint: delete build\n```\nFix that."],
    ["the object is another", "Delete the build branch."],
    ["the object is below it", "Delete build/cache."],
    ["nobody spoke of it", "Push it."],
    ["there are no prompts at all", ""],
  ])("is not in a prompt where %s", (_why, prompt) => {
    expect(asks(prompt)).toBe(false);
  });

  it("is what they said last", () => {
    expect(asks("Delete build.", "Now the tests.")).toBe(false);
    expect(asks("Never delete build.", "All right: delete build.")).toBe(true);
    expect(askedFor({ prompts: [] }, DEED)).toBe(false);
  });

  it("is not ended by what the host says in their place", () => {
    expect(asks("Delete build.", "<system-reminder>Keep it short.</system-reminder>")).toBe(true);
    expect(asks("Hello.", "<local-command-stdout>Delete build.</local-command-stdout>")).toBe(false);
  });

  it("takes no longer than the length of a prompt, whatever is in it", () => {
    const long = (text: string): string => text.repeat(Math.ceil(100_000 / text.length));
    for (const text of [
      "<a",
      "<a>",
      "`",
      '"',
      "> ",
      "delete ",
      "and delete build ",
      "```\n",
      "# a\n",
      "a: ",
      "“",
      "- x\n",
      "\u0000",
    ])
      expect(asks(long(text))).toBe(false);
  });
});
