import { describe, expect, it } from "vitest";
import type { BacktestHit } from "../../../src/analysis/backtest.ts";
import { notedHits } from "../../../src/review/evidence.ts";
import { reviewRequest } from "../../../src/review/review-prompt.ts";
import { readSubject } from "../../../src/review/review-subject.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { openCore } from "../../support/core.ts";
import { copySkill } from "./support.ts";
import type { Note } from "../../../src/model/note.ts";

const hit = (run: string, episodeId: string, t: number): BacktestHit => ({
  run,
  index: 0,
  episodeId,
  outcome: "wrong",
  t,
  status: "applied",
  reason: "",
  diverged: false,
});
const note = (id: string, episodeId: string, t?: number): Note => ({
  id,
  when: "2026-01-02T03:04:05.000Z",
  episodeId,
  kind: "went_wrong_here",
  ...(t === undefined ? {} : { t }),
});

describe("notes as evidence", () => {
  it("are those on steps that the skill hit, and on whole episodes of which it hit one", () => {
    const hits = [hit("r1", "e1", 2), hit("r1", "e1", 4), hit("r2", "e1", 0)];
    const notes = [note("on", "e1", 4), note("beside", "e1", 3), note("whole", "e1"), note("other", "e9")];
    const noted = notedHits({ hits }, (run) => (run === "r1" ? notes : []));
    expect(noted.map(({ note: { id }, hit: { t } }) => `${id} ${t}`)).toEqual(["on 4", "whole 2"]);
  });

  it("stand in the teacher's request, with what they say", async () => {
    const [{ compiler, host }, skill] = [openCore(), await copySkill()];
    const { subject } = await readSubject(nodeFiles(), compiler, skill.folder);
    if (subject === undefined) throw new Error("The skill cannot be read.");
    const none = { retrieved: 0, fired: 0, applied: 0, steps: 0 };
    const counts = { correct: none, wrong: none, halted: none, unjudged: none };
    const backtest = {
      skill: { skillId: "s", counts, stepsAsked: 0, divergedSteps: 0, errors: 0, hits: [] },
      episodes: { correct: 0, wrong: 1, halted: 0, unjudged: 0 },
      noted: [{ note: { ...note("n", "e1", 2), text: "same\nsearch" }, hit: hit("r", "e1", 2) }],
    };
    const { request } = reviewRequest(subject, { findings: [], executable: undefined, cases: [], backtest });
    expect(request.messages.at(-1)?.content).toContain(
      'begin evidence: Labels of people where it would have acted\n- on step 3 of an episode that ended wrong, where the skill was applied on step 3: "went wrong here": "same\\nsearch"',
    );
    await Promise.all([skill.remove(), host.close(), compiler.close()]);
  });
});
