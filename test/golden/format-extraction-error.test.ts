import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgeRecorded } from "../../src/analysis/judge.ts";
import type { Library } from "../../src/analysis/library.ts";
import { webSearch } from "../../src/domains/web-search/web-search.ts";
import { modelPolicy } from "../../src/harness/model-policy.ts";
import { scriptedModel } from "../../src/llm/scripted-model.ts";
import { formatAction } from "../../src/model/action.ts";
import { SETTING_CONTROL, type Setting } from "../../src/model/control.ts";
import type { Episode } from "../../src/model/episode.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { FRESH_STATE, type AskTeacher, type PfVerdict } from "../../src/sandbox/pf-host.ts";
import { importRun } from "../../src/trace/import-run.ts";
import { episodesIn, loadSkills, openCore, ROOT } from "../support/core.ts";
import { play } from "../support/episodes.ts";
import { question } from "../support/pf-fixtures.ts";
import { paperSkill } from "../support/shipped.ts";
import { sha256 } from "../../src/platform/sha256.ts";

const FIREACT = path.join(ROOT, "../shared/data/trajectories/fireact-hotpotqa-even.jsonl");
const SKILL = "format_extraction_error";
const place = mkdtempSync(path.join(tmpdir(), "hasp-format-"));
const core = openCore();
/** This skill, and one that holds back a FINAL. */
let library: Library;
beforeAll(async () => {
  library = await loadSkills(
    core,
    paperSkill("format-extraction-error"),
    paperSkill("insufficient-exploration"),
  );
});
afterAll(async () => {
  await Promise.all([core.host.close(), core.compiler.close()]);
  rmSync(place, { recursive: true, force: true });
});

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
    ["search: Helen Walton husband", "SEARCH Helen Walton husband"],
    ["Action: SEARCH: Helen Walton", "SEARCH Helen Walton"],
    ["Action: Search for Helen Walton", "SEARCH Helen Walton"],
    ["Action: READ: doc_1", "READ doc_1"],
    ["Action: look around\nSearching for “Helen Walton”.", "SEARCH Helen Walton"],
    ["So \\boxed{Sam Walton}", "FINAL Sam Walton"],
    ["<answer>Sam Walton</answer>", "FINAL Sam Walton"],
    ["I conclude.\nThe answer is: Sam Walton.", "FINAL Sam Walton"],
    ['{"tool": "lookup", "input": "doc_1"}', "READ doc_1"],
    ["**Action 3: Finish[Sam Walton]**", "FINAL Sam Walton"],
    ["Action: finish[Love and Theft [album]]", "FINAL Love and Theft [album]"],
    ['Action: finish(answer="Sam Walton")', "FINAL Sam Walton"],
    ["Action: answer[Sam Walton].", "FINAL Sam Walton"],
    ["```\nopen[doc_2]\n```", "READ doc_2"],
    ["- Action: `lookup[doc_2", "READ doc_2"],
    ["Action: FINAL[Sam Walton", "FINAL Sam Walton"],
    ["Action: FINAL[two\nlines]", "FINAL two lines"],
    ["Either SEARCH[Helen Walton] or FINAL[Sam Walton] comes next.", "SEARCH Helen Walton"],
    ["Thought: finish[that] comes later.\nAction 1: open[doc_1]", "READ doc_1"],
    ["Action 1: lookup[doc_0]\n**Observation 1:** made up\nAction 2: Finish[y]", "READ doc_0"],
    ["I read (in 1990) of the answer (a name), and searched (long).", "NOOP"],
    [
      "I should think about the answer is what they want, and it is a very long way to any answer that could be given to this question at all",
      "NOOP",
    ],
    ['{"name": "constructor", "query": "x"}', "NOOP"],
    ["Thought: a\nObservation: made up\nAction: FINAL[x]", "NOOP"],
  ])("takes the action out of what the reader leaves: %j", async (reply, expected) => {
    expect(webSearch.prompt.parseReply(reply).action.type).toBe("invalid");
    expect(inWords(await judge("invalid", reply))).toBe(expected);
  });

  it.each([
    ["Let me Search[Helen Walton husband] now.", "SEARCH Helen Walton husband"],
    ["Thought 2: I look.\nAction 2: Search[Helen Walton]", "SEARCH Helen Walton"],
    ["**Thought:** I look.\n\n**Action:** `READ[doc_0]`", "READ doc_0"],
    ['I look.\nSEARCH("Helen Walton")', "SEARCH Helen Walton"],
    ['Action: search(query="Helen Walton (philanthropist)")', "SEARCH Helen Walton (philanthropist)"],
    ['Action: FINAL("A" and "B")', 'FINAL "A" and "B"'],
    ["```\nAction: SEARCH[x]\n```", "SEARCH x"],
    ["Action: SEARCH[x] and then more\nAction: FINAL[y]", "SEARCH x"],
    ["Action 1: Search[x]\n**Observation 1:** made up\nAction 2: Finish[y]", "SEARCH x"],
    ["Thought: Search[that] comes later.\nAction 1: READ[doc_1]", "READ doc_1"],
  ])(
    "leaves to the reader what it can read, and reads it alike in a step of another: %j",
    async (reply, expected) => {
      const { action, lenient } = webSearch.prompt.parseReply(reply);
      expect([`${action.type} ${action.arg}`, lenient]).toEqual([expected, true]);
      expect(inWords(await judge("invalid", reply))).toBe(expected);
    },
  );

  it.each([
    ["FINAL", '"Sam Walton"', "Sam Walton"],
    ["FINAL", "“Sam Walton”", "Sam Walton"],
    ["READ", '"doc_0"', "doc_0"],
  ])("takes %s %j out of its quotation marks", async (type, arg, expected) => {
    expect(inWords(await judge(type, arg))).toBe(expected);
  });

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

  // A call that takes longer than 250 ms is an error.
  it.each([
    "*",
    "Action ",
    "[",
    " \n",
    "`*",
    "Action: FINAL[",
    "search ",
    "**action** ",
    '"q": "',
    "answer\n",
  ])("%j without end costs no error", async (part) => {
    for (const length of [16_000, 1_000_000]) {
      const reply = part.repeat(length / part.length);
      for (const type of ["invalid", "SEARCH", "READ", "FINAL"])
        expect(["fired", "skipped"]).toContain((await judge(type, reply))?.kind);
    }
  });
});

/** An episode whose model says these words. */
async function say(replies: readonly string[], setting: Setting): Promise<Episode> {
  const policy = modelPolicy(scriptedModel(replies), webSearch.prompt);
  const control = { ...SETTING_CONTROL[setting], maxSteps: replies.length };
  return play({ policy, host: core.host, library: library.skills, control });
}

const events = (episode: Episode): string[] =>
  episode.steps.flatMap(({ t, events: all }) =>
    all.filter(({ status }) => status !== "skipped").map((e) => `${t} ${e.skillId} ${e.status}`),
  );
const executed = (episode: Episode): string[] => episode.steps.map((step) => formatAction(step.executed));

describe("a live episode", () => {
  const REPLIES = ["Action: SEARCH: x", "**Action:** lookup(doc_0)", "I know.\nFinish[Sam Walton]"];

  it("runs what a malformed reply means, and the record says who repaired it", async () => {
    const episode = await say(REPLIES, "pf-only");
    expect(executed(episode)).toEqual(['SEARCH("x")', 'READ("doc_0")', 'FINAL("Sam Walton")']);
    expect(events(episode)).toEqual([0, 1, 2].map((t) => `${t} ${SKILL} applied`));
    expect(episode.steps.map(({ proposals }) => proposals[0]?.action)).toEqual(
      REPLIES.map((text) => ({ type: "invalid", arg: text, raw: text })),
    );
    const judged = await judgeRecorded(episode, library, core.host);
    expect(judged.map((step) => step.events)).toEqual(episode.steps.map((step) => step.events));
  });

  it("repairs more replies than the common limit of changes allows", async () => {
    const replies = Array.from({ length: 6 }, (_, i) => `Action: SEARCH: town ${i}`);
    const episode = await say(replies, "pf-only");
    expect(executed(episode)).toEqual(replies.map((_, i) => `SEARCH("town ${i}")`));
    expect(events(episode)).toEqual(replies.map((_, i) => `${i} ${SKILL} applied`));
  });

  it.each(["ra-agent", "pf-only"] as const)(
    "runs what the reader takes leniently under %s, without this skill",
    async (setting) => {
      const episode = await say(
        ["Action 1: Search[x]", "**Action:** READ(doc_0)", "So FINAL[Sam]."],
        setting,
      );
      expect(executed(episode)).toEqual(['SEARCH("x")', 'READ("doc_0")', 'FINAL("Sam")']);
      expect(episode.steps.map(({ proposals }) => proposals[0]?.lenient)).toEqual([true, true, true]);
      expect(events(episode)).toEqual([]);
    },
  );

  it.each(["ra-agent", "prompt-only", "teacher-only"] as const)(
    "repairs nothing under %s",
    async (setting) => {
      const episode = await say(REPLIES, setting);
      expect(episode.steps.map((step) => step.executed.type)).toEqual(["invalid", "invalid", "invalid"]);
      expect(events(episode)).toEqual([]);
    },
  );

  it("is not ended by a trimmed answer that another skill holds back", async () => {
    const episode = await say(["Action: SEARCH[x]", "Action: FINAL[**Sam Walton**]"], "pf-only");
    const more = await say(
      ["Action: SEARCH[x]", "Action: FINAL[**Sam Walton**]", "Action: FINAL[**Sam Walton**]"],
      "pf-only",
    );
    // On the last step a READ would leave no answer, so there the trimmed one stands.
    expect(executed(episode).at(-1)).toBe('FINAL("Sam Walton")');
    expect(executed(more)).toEqual(['SEARCH("x")', 'READ("doc_0")', 'FINAL("Sam Walton")']);
    expect(events(more)).toEqual([
      `1 ${SKILL} overridden`,
      "1 insufficient_exploration applied",
      `2 ${SKILL} applied`,
    ]);
  });
});

describe.skipIf(!existsSync(FIREACT))("the malformed steps of FireAct", () => {
  it("become the searches that they meant, each with its event", { timeout: 60_000 }, async () => {
    const folder = path.join(place, "fireact");
    const clock = { now: () => "2026-01-01T00:00:00.000Z" };
    await importRun(nodeFiles(), { clock, sha256 }, { sources: [FIREACT], format: "fireact", folder });
    const searches: string[] = [];
    const others: string[] = [];
    for (const episode of await episodesIn(folder)) {
      if (!episode.steps.some((step) => step.executed.type === "invalid")) continue;
      const judged = await judgeRecorded(episode, library, core.host);
      for (const [t, { executed: recorded }] of episode.steps.entries()) {
        if (recorded.type !== "invalid") continue;
        const today = judged[t];
        const status = today?.events.find(({ skillId }) => skillId === SKILL)?.status ?? "";
        if (!recorded.arg.includes("search[")) others.push(status);
        else {
          const query = /search\[([^\]]*)/.exec(recorded.arg)?.[1];
          expect(today?.executed).toEqual({ type: "SEARCH", arg: query });
          searches.push(status);
        }
      }
    }
    expect(searches).toEqual(Array.from({ length: 47 }, () => "applied"));
    expect(others).toEqual(["noop", "noop"]);
  });
});
