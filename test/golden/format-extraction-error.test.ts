import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FRESH_STATE, type AskTeacher, type PfVerdict } from "../../src/sandbox/pf-host.ts";
import { loadSkills, openCore } from "../support/core.ts";
import { question } from "../support/pf-fixtures.ts";

const SKILL = "format_extraction_error";
const core = openCore();
beforeAll(async () => void (await loadSkills(core, "skills/web-search/format-extraction-error")));
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));

async function judge(type: string, arg: string, teacher?: AskTeacher): Promise<PfVerdict | undefined> {
  const [verdict] = await core.host.step(new Map([[SKILL, FRESH_STATE]]), question(type, arg), teacher);
  return verdict;
}

/** `SEARCH x`, or the kind of what else it answered. */
function inWords(verdict: PfVerdict | undefined): string {
  if (verdict?.kind !== "fired") return verdict?.kind ?? "";
  const { intervention } = verdict;
  if (intervention.type !== "MODIFY_ACTION") return intervention.type;
  return `${intervention.newActionType ?? ""} ${intervention.newActionArg ?? ""}`.trim();
}

describe("format_extraction_error (SPEC §3)", () => {
  it.each([
    ["Let me Search[Helen Walton husband] now.", "SEARCH Helen Walton husband"],
    ["search: Helen Walton husband", "SEARCH Helen Walton husband"],
    ["Action: look around\nSearching for “Helen Walton”.", "SEARCH Helen Walton"],
    ["So \\boxed{Sam Walton}", "FINAL Sam Walton"],
    ["I conclude.\nThe answer is: Sam Walton.", "FINAL Sam Walton"],
    ['{"tool": "lookup", "input": "doc_1"}', "READ doc_1"],
    [
      "I should think about the answer is what they want, and it is a very long way to any answer that could be given to this question at all",
      "NOOP",
    ],
  ])("%j", async (reply, expected) => expect(inWords(await judge("invalid", reply))).toBe(expected));

  it("asks the teacher only where it finds no action, and takes only an action", async () => {
    const prompts: string[] = [];
    const says =
      (reply: string): AskTeacher =>
      async ({ prompt }) => (prompts.push(prompt), { reply });
    expect(inWords(await judge("invalid", "Final answer: Sam", says("SEARCH[no]")))).toBe("FINAL Sam");
    expect(prompts).toEqual([]);
    const vague = `I look into the family. ${"So it goes. ".repeat(100)}`;
    expect(inWords(await judge("invalid", vague, says("SEARCH[Walton family]")))).toBe(
      "SEARCH Walton family",
    );
    expect(prompts[0]?.length).toBeLessThan(1_200);
    for (const reply of ["NONE", "", "READ[doc_0]", "SEARCH[]"]) {
      expect(inWords(await judge("invalid", vague, says(reply)))).toBe("NOOP");
    }
  });

  it("works without a teacher, and with one that fails", async () => {
    const fails: AskTeacher = () => Promise.reject(new Error("no teacher today"));
    expect(inWords(await judge("invalid", "I look into the family.", fails))).toBe("NOOP");
    expect(inWords(await judge("invalid", "I look into the family."))).toBe("NOOP");
  });
});
