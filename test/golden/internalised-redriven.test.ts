import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Episode } from "../../src/model/episode.ts";
import type { InternalisedReport } from "../../src/model/internalised.ts";
import { printed } from "../support/cli.ts";
import { DATA, episodesOf, firstOfEach, redrive, writeQuestions } from "../support/redrive.ts";

/** The first and the last try of each of these recorded questions under the shipped skills, counted once more by hand. */
const QUESTIONS = 40;
const REFLEXION = path.join(DATA, "trajectories/reflexion-hotpotqa.jsonl");
const isThere = existsSync(REFLEXION);
const place = mkdtempSync(path.join(tmpdir(), "hasp-internalised-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const at = (name: string): string => path.join(place, name);

function writeRun(name: string, episodes: Iterable<Episode>): void {
  mkdirSync(at(name));
  const lines = [...episodes].map((episode) => JSON.stringify({ ...episode, sample: 1 }));
  writeFileSync(path.join(at(name), "episodes.jsonl"), `${lines.join("\n")}\n`);
}

const ids = (episodes: readonly Episode[], skill: string, statuses: readonly string[]): Set<string> => {
  const found = new Set<string>();
  for (const { questionId, steps } of episodes)
    for (const { events } of steps)
      for (const { skillId, status } of events)
        if (skillId === skill && statuses.includes(status)) found.add(questionId);
  return found;
};

describe.skipIf(!isThere)(`re-driven runs${isThere ? "" : " (skipped: no ../shared/data)"}`, () => {
  let before: readonly Episode[] = [];
  let after: readonly Episode[] = [];
  let report: InternalisedReport;

  beforeAll(async () => {
    await printed(["import", REFLEXION, "-o", at("all")]);
    const all = episodesOf(at("all"));
    const first = firstOfEach(all);
    const last = firstOfEach(all.toReversed());
    writeRun("first", first.values());
    writeRun(
      "last",
      [...first.keys()].flatMap((id) => last.get(id) ?? []),
    );
    writeQuestions(at("questions.jsonl"), new Map([...first].slice(0, QUESTIONS)));
    const order = { questions: at("questions.jsonl"), setting: "pf-only" };
    before = await redrive({ ...order, recorded: at("first"), output: at("before") }, printed);
    after = await redrive({ ...order, recorded: at("last"), output: at("after") }, printed);
    const runs = ["--before-on", at("before"), "--after-on", at("after")];
    report = JSON.parse(await printed(["internalised", ...runs, "--json"])) as InternalisedReport;
  }, 300_000);

  it("has the triggers, the silent and the woken questions of every skill", () => {
    expect(report.skills.length).toBeGreaterThan(20);
    for (const { skillId, triggered, silent, woken } of report.skills) {
      const was = ids(before, skillId, ["applied"]);
      const is = ids(after, skillId, ["applied"]);
      expect([silent.count, silent.of, woken]).toEqual([
        [...was].filter((id) => !is.has(id)).length,
        was.size,
        [...is].filter((id) => !was.has(id)).length,
      ]);
      const fired = ["applied", "noop"];
      expect(triggered.before.count).toBe(ids(before, skillId, fired).size);
      expect(triggered.after.count).toBe(ids(after, skillId, fired).size);
    }
  });

  it("has the right answers of both, and what the second run won", () => {
    const right = (episodes: readonly Episode[]): Set<string> =>
      new Set(episodes.flatMap(({ questionId, outcome }) => (outcome === "correct" ? [questionId] : [])));
    const [was, is] = [right(before), right(after)];
    expect(report.right.beforeOn?.mean).toBeCloseTo(was.size / QUESTIONS, 12);
    expect(report.right.afterOn?.mean).toBeCloseTo(is.size / QUESTIONS, 12);
    expect(report.gains.trainingOn?.better).toBe([...is].filter((id) => !was.has(id)).length);
  });
});
