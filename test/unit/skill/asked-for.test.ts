import { describe, expect, it } from "vitest";
import { askedFor } from "../../../src/skill/asked-for.ts";

const asks = (wish: RegExp, ...prompts: string[]): boolean => askedFor({ prompts }, wish);
const FORCE = /force[- ]push/i;

describe("what a person asked for", () => {
  it.each([
    "Rebase it and force-push.",
    "Mend v1.2 of the parser. Then force push it!",
    "could you force push topic?",
    "- tests\n- force push",
  ])("is in: %s", (prompt) => {
    expect(asks(FORCE, prompt)).toBe(true);
  });

  it.each([
    ["it is forbidden", "Do not force push."],
    ["it is forbidden with an apostrophe", "Don’t force push"],
    ["a limit is set", "Push it without a force push."],
    ["it is only asked about", "Why did the force push fail?"],
    ["somebody else is quoted", "> please force push\nWhat do you say to that?"],
    ["it stands in a pasted log", "See:\n```\nhint: force push\n```\nMend that."],
    ["nobody spoke of it", "Push it."],
    ["there are no prompts at all", ""],
  ])("is not in a prompt where %s", (_why, prompt) => {
    expect(asks(FORCE, prompt)).toBe(false);
  });

  it("is what they said last about it", () => {
    expect(asks(FORCE, "Force push it.", "No force push, please.")).toBe(false);
    expect(asks(FORCE, "Never force push.", "All right: force push it.", "Now the tests.")).toBe(true);
    expect(askedFor({ prompts: [] }, FORCE)).toBe(false);
  });

  it("may have dots in its names", () => {
    expect(asks(/\.env/, "Look into config/.env please")).toBe(true);
  });
});
