import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgeRecorded } from "../../../src/analysis/judge.ts";
import { openLibrary } from "../../../src/analysis/library.ts";
import { caseOf, expectationOf, verdictsOn } from "../../../src/analysis/step-verdict.ts";
import { compareJudgements } from "../../../src/analysis/what-if.ts";
import { runCases } from "../../../src/analysis/run-cases.ts";
import { webSearch } from "../../../src/domains/web-search/web-search.ts";
import type { Episode } from "../../../src/model/episode.ts";
import type { SkillFolder } from "../../../src/skill/read-skill.ts";
import { transpile } from "../../../src/skill/transpile.ts";
import { episodesIn, openCore, readFolders, SAMPLE_RUN, SAMPLE_SKILLS } from "../../support/core.ts";
import { PAPER } from "../../support/shipped.ts";

const { contextRules: rules, actionTypes } = webSearch;
const core = openCore();
let episodes: Episode[];
let folders: SkillFolder[];

beforeAll(async () => {
  episodes = await episodesIn(SAMPLE_RUN);
  folders = await readFolders(core.compiler, ...PAPER, SAMPLE_SKILLS);
});
afterAll(async () => core.host.close());

/** The sample's own skill with other code. */
function edited(from: string, to: string): SkillFolder[] {
  return folders.map((folder) => {
    if (folder.skill?.skillId !== "repeated_query" || folder.program === undefined) return folder;
    const source = (folder.pfSource ?? "").replace(from, to);
    expect(source).not.toBe(folder.pfSource);
    return {
      ...folder,
      pfSource: source,
      program: { ...folder.program, code: transpile(source, "pf.ts").value ?? "" },
    };
  });
}

/** Each of these episodes, judged by the host's one library. */
async function judged(some: readonly Episode[], library: readonly SkillFolder[]) {
  const opened = await openLibrary(library, core.host);
  const all = [];
  for (const episode of some) all.push(await judgeRecorded(episode, opened, core.host));
  return all;
}

describe("an edit of a Program Function", () => {
  it("that changes nothing is told as no change", async () => {
    const before = await judged(episodes, folders);
    const after = await judged(episodes, folders);
    for (const [i, now] of before.entries())
      expect(compareJudgements(now, after[i] ?? []).changes).toEqual([]);
  });

  it("is told step by step, with what became of the PF before and after", async () => {
    const before = await judged(episodes, folders);
    const after = await judged(episodes, edited("return timesSent(ctx, arg) > 0;", "return true;"));
    const changes = [];
    for (const [i, episode] of episodes.entries()) {
      const found = compareJudgements(before[i] ?? [], after[i] ?? []);
      changes.push(...found.changes.flatMap(({ pfs }) => pfs));
      for (const { t } of found.changes) expect(episode.steps[t]?.proposals[0]?.action.type).toBe("SEARCH");
    }
    // Another PF changes only where its context now has the room, or has lost it.
    const others = changes.filter(({ skillId }) => skillId !== "repeated_query");
    for (const { before: was, after: is } of others)
      expect(new Set([was?.status, is?.status])).toEqual(new Set(["applied", "limited"]));
    expect(changes.length).toBeGreaterThan(others.length);
    expect(
      changes.some((change) => change.before?.status === "skipped" && change.after?.status === "applied"),
    ).toBe(true);
  });

  it("that changes an action makes the later steps diverge", async () => {
    const [episode] = episodes;
    const [first] = folders;
    if (episode === undefined || first?.skill === undefined) throw new Error("no episode or no skill");
    const [before = []] = await judged([episode], []);
    const code = `import { modifyAction, ProgramFunction } from "hasp";
export default class Other extends ProgramFunction {
  shouldActivate(ctx) { return ctx.stepCount === 0; }
  intervene() { return modifyAction({ type: "SEARCH", arg: "another", reason: "test" }); }
}`;
    const program = { skillId: first.skill.skillId, priority: 1, file: "pf.ts", code };
    const other = { ...first, program, pfSource: code };
    const [after = []] = await judged([{ ...episode, decisions: [] }], [other]);
    const found = compareJudgements(before, after);
    expect(found.divergedBefore).toEqual([]);
    expect(found.divergedAfter).toEqual(Array.from({ length: episode.steps.length - 1 }, (_, i) => i + 1));
    expect(found.changes[0]).toMatchObject({ t: 0, executedAfter: { type: "SEARCH", arg: "another" } });
  });
});

describe("a recorded step as a case", () => {
  it("holds for every PF of the library that decides on it as it does today", async () => {
    const library = await openLibrary(folders, core.host);
    const ids = library.active.map(({ skill }) => skill.skillId);
    const fired = new Set<string>();
    for (const episode of episodes) {
      for (const t of episode.steps.keys()) {
        const verdicts = await verdictsOn(ids, { episode, t, rules, actionTypes }, core.host);
        for (const [id, today] of verdicts) {
          const fires = today.verdict.kind === "fired";
          if (fires) fired.add(id);
          const expectation = fires ? expectationOf(today) : { fires: false };
          const made = caseOf("made", { episode, t, rules }, today, expectation);
          const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
          const [result] = await runCases(id, [{ ...made, range }], webSearch, core.host);
          expect([id, t, result?.actual, result?.passed]).toEqual([id, t, result?.actual, true]);
        }
      }
    }
    expect(fired.size).toBeGreaterThan(3);
  });
});
