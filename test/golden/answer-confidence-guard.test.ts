import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FRESH_STATE, type AskTeacher, type PfVerdict } from "../../src/sandbox/pf-host.ts";
import { loadSkills, openCore } from "../support/core.ts";
import { question } from "../support/pf-fixtures.ts";
import { paperSkill } from "../support/shipped.ts";

const SKILL = "answer_confidence_guard";
const BY_ITSELF = "SEARCH town painter made mural";
const core = openCore();
beforeAll(async () => void (await loadSkills(core, paperSkill("answer-confidence-guard"))));
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));

const past = (arg: string): { type: "SEARCH"; arg: string } => ({ type: "SEARCH", arg });
const context = {
  stepCount: 2,
  searchCount: 1,
  readCount: 1,
  hasRead: true,
  actionHistory: [past("mural painter")],
  allReadContents: ["The mural was restored."],
  thought: "The search results do not mention the painter.",
};

async function judge(arg: string, teacher?: AskTeacher, more: object = {}): Promise<PfVerdict | undefined> {
  const asked = question("FINAL", arg, { ...context, ...more });
  const [verdict] = await core.host.step(new Map([[SKILL, FRESH_STATE]]), asked, teacher);
  return verdict;
}

/** `SEARCH query`, `INJECT_CONTEXT`, `NOOP`, or the kind of what else it answered. */
function inWords(verdict: PfVerdict | undefined): string {
  if (verdict?.kind !== "fired") return verdict?.kind ?? "";
  const { intervention } = verdict;
  if (intervention.type !== "MODIFY_ACTION") return intervention.type;
  return `${intervention.newActionType ?? ""} ${intervention.newActionArg ?? ""}`;
}

const says =
  (reply: string, prompts: string[] = []): AskTeacher =>
  async ({ prompt }) => (prompts.push(prompt), { reply });

describe("answer_confidence_guard (SPEC §3)", () => {
  it("lets the answer stand where the teacher finds it well founded", async () => {
    for (const reply of ["ENOUGH", "**Enough.**", "enough: the text says so"]) {
      expect(inWords(await judge("Kassel", says(reply)))).toBe("NOOP");
    }
  });

  it("searches for what the teacher names", async () => {
    for (const reply of [
      "SEARCH[mural artist home town]",
      "Search: mural artist home town",
      '**SEARCH["mural artist home town"]**',
    ]) {
      expect(inWords(await judge("Kassel", says(reply)))).toBe("SEARCH mural artist home town");
    }
  });

  it("makes its own query where the teacher's has run, is no query, or is a plan", async () => {
    const long = Array.from({ length: 14 }, (_, at) => `word${at}`).join(" ");
    for (const reply of ["SEARCH[Painter, mural]", "SEARCH[mural]", `SEARCH[${long}]`]) {
      expect(inWords(await judge("Kassel", says(reply)))).toBe(BY_ITSELF);
    }
  });

  it("decides by the signs of doubt after prose, a failure, and without a teacher", async () => {
    expect(inWords(await judge("Kassel"))).toBe(BY_ITSELF);
    for (const reply of ["I would look for the painter first.", "", "{}", "It is not enough."]) {
      expect(inWords(await judge("Kassel", says(reply)))).toBe(BY_ITSELF);
    }
    const fails: AskTeacher = () => Promise.reject(new Error("no teacher today"));
    expect(inWords(await judge("Kassel", fails))).toBe(BY_ITSELF);
  });

  it("asks nobody on the last step, nor about a sure answer", async () => {
    const prompts: string[] = [];
    const teacher = says("SEARCH[mural artist home town]", prompts);
    expect(inWords(await judge("Kassel", teacher, { stepCount: 9 }))).toBe("skipped");
    expect(inWords(await judge("Kassel", teacher, { thought: "The painter is from Kassel." }))).toBe(
      "skipped",
    );
    expect(prompts).toEqual([]);
  });

  it.each([
    "Unknown",
    "Not found",
    "N/A",
    "I couldn't find it",
    "Cannot determine the town",
    "There is no information about the painter",
    "I think it is Kassel",
    "Probably Kassel",
  ])("hears the doubt in the answer %j", async (answer) => {
    const verdict = await judge(answer, undefined, { thought: "" });
    expect(inWords(verdict)).toBe(BY_ITSELF);
  });

  it.each(["Unknown Pleasures", "None but the Brave", "No"])(
    "hears none in the answer %j",
    async (answer) => {
      expect(inWords(await judge(answer, undefined, { thought: "" }))).toBe("skipped");
    },
  );
});
