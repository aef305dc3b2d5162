import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FRESH_STATE, type AskTeacher, type PfVerdict } from "../../src/sandbox/pf-host.ts";
import { loadSkills, openCore } from "../support/core.ts";
import { question } from "../support/pf-fixtures.ts";
import { paperSkill } from "../support/shipped.ts";

const SKILL = "reasoning_error";
const core = openCore();
beforeAll(async () => void (await loadSkills(core, paperSkill("reasoning-error"))));
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));

const context = {
  stepCount: 2,
  searchCount: 1,
  readCount: 1,
  hasRead: true,
  actionHistory: [{ type: "SEARCH" as const, arg: "Hertz revenue" }],
  allReadContents: [`${"Old news. ".repeat(400)}The Hertz Group had a revenue of 9.48 billion.`],
  thought: `So the CEO of the Hertz Group is the answer. ${"And so on. ".repeat(200)}`,
};

async function judge(teacher?: AskTeacher, more: object = {}): Promise<PfVerdict | undefined> {
  const asked = question("FINAL", "Hertz Group CEO", { ...context, ...more });
  const [verdict] = await core.host.step(new Map([[SKILL, FRESH_STATE]]), asked, teacher);
  return verdict;
}

/** `SEARCH query [reason]`, `INJECT text`, `NOOP reason`, or the kind of what else it answered. */
function inWords(verdict: PfVerdict | undefined): string {
  if (verdict?.kind !== "fired") return verdict?.kind ?? "";
  const { intervention } = verdict;
  if (intervention.type === "NOOP") return `NOOP ${intervention.reason}`;
  if (intervention.type === "INJECT_CONTEXT") return `INJECT ${intervention.contextText}`;
  return `${intervention.newActionType ?? ""} ${intervention.newActionArg ?? ""} [${intervention.reason}]`;
}

const says =
  (reply: string, prompts: string[] = []): AskTeacher =>
  async ({ prompt }) => (prompts.push(prompt), { reply });

describe("reasoning_error (SPEC §3)", () => {
  it("lets the answer stand where the teacher finds it right", async () => {
    for (const reply of ["CORRECT", "**Correct.**", "The reasoning is right.", "Verdict: CORRECT"]) {
      expect(inWords(await judge(says(reply)))).toMatch(/^NOOP .*the teacher finds the reasoning right$/);
    }
  });

  it("goes back to search with the teacher's objection as the reason where it finds it wrong", async () => {
    const verdict = await judge(says("WRONG: a title is no person."));
    expect(inWords(verdict)).toMatch(/^SEARCH Hertz Group CEO .* \[a title is no person\]$/);
    for (const reply of [
      "Incorrect, a title is no person",
      "The answer is not correct: a title is no person",
    ]) {
      expect(inWords(await judge(says(reply)))).toMatch(/^SEARCH .*a title is no person\]$/);
    }
  });

  it("puts the objection to the policy where the query has run", async () => {
    const query = inWords(await judge()).replace(/^SEARCH | \[.*$/g, "");
    const forms = ["Hertz Group CEO", query].map((arg) => ({ type: "SEARCH" as const, arg }));
    const verdict = await judge(says("WRONG. A title is no person."), { actionHistory: forms });
    expect(inWords(verdict)).toMatch(
      /^INJECT Search for a text that states "Hertz Group CEO", or .*: A title is no person\.$/,
    );
  });

  it("decides by the state alone after prose, an undecided reply, a failure, and without a teacher", async () => {
    const alone = inWords(await judge());
    expect(alone).toMatch(/^SEARCH Hertz Group CEO .*only pieces of the answer were read/);
    const prose = "Well, the agent looked at revenues, and I would say it may be wrong or right.";
    for (const reply of [prose, "", "CORRECT or WRONG, hard to say", "{}"]) {
      expect(inWords(await judge(says(reply)))).toBe(alone);
    }
    expect(inWords(await judge(() => Promise.reject(new Error("no teacher today"))))).toBe(alone);
  });

  it("shows the teacher a short prompt with the end of what was read", async () => {
    const prompts: string[] = [];
    await judge(says("CORRECT", prompts));
    expect(prompts).toHaveLength(1);
    expect(prompts[0]).toContain("revenue of 9.48 billion");
    expect(prompts[0]?.length).toBeLessThan(3_000);
  });
});
