import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  analyseFailures,
  knownSkills,
  type FailuresOrder,
  type FailuresServices,
} from "../../../src/app/failures.ts";
import { openRunAt } from "../../../src/app/open-run.ts";
import type { ChatRequest } from "../../../src/llm/chat-model.ts";
import { scriptedModel, type Script } from "../../../src/llm/scripted-model.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { FAILURE_DETECTORS } from "../../../src/model/failure.ts";
import type { SkillFolder } from "../../../src/skill/read-skill.ts";
import { appendEpisode } from "../../../src/trace/episode-file.ts";
import { partOf } from "../../../src/trace/question-split.ts";
import { librarySkill } from "../../support/episodes.ts";
import { episode, files, step, temporaryFolder } from "../trace/support.ts";

/** An episode whose answer comes too early. */
const early = (id: string, parts: Partial<Episode> = {}): Episode =>
  episode(id, {
    outcome: "wrong",
    question: `Question of ${id}?`,
    answer: "Babbage",
    gold: ["Ada Lovelace"],
    steps: [step(0, "READ", "d", "Babbage"), step(1, "FINAL", "Babbage")],
    ...parts,
  });

async function runOf(episodes: readonly Episode[], run = "run") {
  const folder = temporaryFolder();
  const file = path.join(folder, "episodes.jsonl");
  writeFileSync(file, "");
  for (const one of episodes) await appendEpisode(files, file, one);
  const { value } = await openRunAt(files, folder);
  if (value === undefined) throw new Error("no run");
  return { run, folder, index: value.index, diagnostics: value.diagnostics };
}

async function analyse(
  episodes: readonly Episode[],
  more: Partial<FailuresOrder> & Partial<FailuresServices> = {},
) {
  const { model, concurrency = 4, on = () => undefined, ...order } = more;
  const { value, diagnostics } = await analyseFailures(
    {
      runs: [await runOf(episodes)],
      split: undefined,
      known: [],
      minClusterSize: 3,
      signal: new AbortController().signal,
      ...order,
    },
    { files, model, concurrency, on },
  );
  if (value === undefined) throw new Error("no report");
  return { report: value, diagnostics, codes: diagnostics.map(({ code }) => code) };
}

const many = (n: number): Episode[] => Array.from({ length: n }, (_, i) => early(`e${i}`));
const idOf = (request: ChatRequest): string =>
  /Question of (\w+)\?/.exec(request.messages[1]?.content ?? "")?.[1] ?? "";
const knownIn = (request: ChatRequest): string =>
  /Known ids: (.*)/.exec(request.messages[0]?.content ?? "")?.[1] ?? "";
const reply = (category: string): string =>
  JSON.stringify({
    category,
    abstraction: "It answers early.",
    trigger: "Step two.",
    intervention_hint: "Read.",
  });

/** Those of programs do not run where an agent searches. */
const OF_SEARCHING = FAILURE_DETECTORS.filter((name) => !name.startsWith("incomplete_"));

describe("a report of failures", () => {
  it("counts detectors in episodes of every outcome, and clusters the failed ones", async () => {
    const { report, codes } = await analyse([
      early("a"),
      early("b", { outcome: "correct", answer: "Ada Lovelace" }),
      early("c", { outcome: "halted", steps: [step(0, "READ", "d", "x"), step(1, "FINAL", "y")] }),
      early("d", { outcome: "unjudged" }),
      early("e"),
    ]);
    expect(codes).toEqual([]);
    expect(report.episodes).toEqual({ wrong: 2, halted: 1, correct: 1, unjudged: 1 });
    expect(Object.keys(report.detectors)).toEqual(OF_SEARCHING);
    expect(report.detectors.premature_final).toEqual({ wrong: 2, halted: 1, correct: 1, unjudged: 1 });
    expect(report.failures.map(({ episodeId, index, length }) => [episodeId, index, length])).toEqual([
      ["a", 0, 2],
      ["c", 2, 2],
      ["e", 4, 2],
    ]);
    const premature = report.clusters.find(({ id }) => id === "detector:premature_final");
    expect(premature?.examples).toMatchObject([
      { run: "run", index: 0, episodeId: "a", steps: [1] },
      { episodeId: "c" },
      { episodeId: "e" },
    ]);
    expect(report.summaries).toEqual({ made: 0, missing: 0, namesAnswer: 0 });
  });

  it("names the detectors that ran in the domains of its episodes alone", async () => {
    const facts = { domain: "math", actionTypes: ["FINAL"], searchReturnsText: false, maxSteps: 1 };
    const { report } = await analyse([early("a", { facts, steps: [step(0, "FINAL", "7")], answer: "7" })]);
    expect(Object.keys(report.detectors)).toEqual([
      "premature_final",
      "wrong_entity_focus",
      "reasoning_hallucination",
      "format_mismatch",
    ]);
    expect(report.detectors.premature_final).toMatchObject({ wrong: 1 });
  });

  it("takes the parts of a split alone, by the question", async () => {
    const episodes = many(12);
    const split = { parts: [1], of: 2, seed: 42 };
    const own = episodes.filter(({ question }) => partOf(question, split) === 1);
    const { report } = await analyse(episodes, { split });
    expect(own.length).toBeGreaterThan(0);
    expect(report.failures.map(({ episodeId }) => episodeId)).toEqual(own.map(({ id }) => id));
    expect(report.leftOut).toBe(12 - own.length);
  });

  it("keeps the first failures where their number is limited, and counts all", async () => {
    const { report } = await analyse(many(5), { mostFailures: 3 });
    expect(report.failures.map(({ episodeId }) => episodeId)).toEqual(["e0", "e1", "e2"]);
    expect(report.detectors.premature_final?.wrong).toBe(5);
    expect(report.clusters[0]?.examples).toHaveLength(3);
  });

  it("tells runs apart by the names that they were given", async () => {
    const runs = [await runOf(many(2), "first"), await runOf(many(2), "second")];
    const { report } = await analyse([], { runs });
    expect(report.failures.map(({ run, index }) => [run, index])).toEqual([
      ["first", 0],
      ["first", 1],
      ["second", 0],
      ["second", 1],
    ]);
  });

  it("says why there is nothing to find", async () => {
    const nothing = await analyse([]);
    expect(nothing.diagnostics).toMatchObject([{ code: "HASP640", severity: "warning" }]);
    const unjudged = await analyse([early("a", { outcome: "unjudged" })]);
    expect(unjudged.diagnostics).toMatchObject([
      { code: "HASP640", next: expect.stringContaining("hasp judge") },
    ]);
    const right = await analyse([early("a", { outcome: "correct" })]);
    expect(right.codes).toEqual([]);
  });

  it("reports lines that are no episodes, and goes on", async () => {
    const run = await runOf(many(3));
    writeFileSync(path.join(run.folder, "episodes.jsonl"), "not an episode\n", { flag: "a" });
    const { value } = await openRunAt(files, run.folder);
    if (value === undefined) throw new Error("no run");
    const { report, diagnostics } = await analyse([], { runs: [{ ...value, run: "run" }] });
    expect(report.episodes.wrong).toBe(3);
    expect(diagnostics.length).toBeGreaterThan(0);
  });

  it("of an analysis that is stopped has the episodes so far", async () => {
    const stop = new AbortController();
    const { report } = await analyse(many(5), {
      signal: stop.signal,
      on: ({ done }) => done === 2 && stop.abort(new Error("stopped")),
    });
    expect(report.episodes.wrong).toBe(2);
  });

  it("knows the skills that are active", () => {
    const { skill } = librarySkill("late_read");
    const active: Pick<SkillFolder, "skill"> = { skill: { ...skill, errorCategory: "no_read" } };
    const folders = [active, { skill, isDisabled: true }, { skill: undefined }] as SkillFolder[];
    expect(knownSkills(folders)).toEqual([
      { skillId: "late_read", category: "no_read", description: "A skill of a test." },
    ]);
  });
});

describe("summaries of failures", () => {
  const of = (script: Script) => scriptedModel(script, "teacher");

  it("make clusters of their own", async () => {
    const model = of((request) => reply(Number(idOf(request).slice(1)) % 2 === 0 ? "early_end" : "odd_end"));
    const { report, codes } = await analyse(many(6), { model });
    expect(codes).toEqual([]);
    expect(report.summaries).toEqual({ made: 6, missing: 0, namesAnswer: 0 });
    expect(report.clusters.map(({ id, examples }) => [id, examples.length])).toContainEqual([
      "model:early_end",
      3,
    ]);
    expect(report.failures[0]?.summary?.category).toBe("early_end");
  });

  it("know the ids of skills, detectors and earlier batches, whatever the order of replies", async () => {
    const asked = async (concurrency: number, delays: (i: number) => number) => {
      const seen = new Map<string, string>();
      const model = of((request) => {
        seen.set(idOf(request), knownIn(request));
        return reply(`from_${idOf(request)}`);
      });
      let n = 0;
      const slow = {
        id: model.id,
        chat: async (...given: Parameters<typeof model.chat>) => {
          for (let i = delays(n++); i > 0; i--) await Promise.resolve();
          return model.chat(...given);
        },
      };
      const known = [{ skillId: "s", category: "of_a_skill", description: "d" }];
      const { report } = await analyse(many(40), { model: slow, concurrency, known });
      return { seen, clusters: report.clusters, failures: report.failures };
    };
    const one = await asked(1, () => 0);
    expect(await asked(8, (i) => (i * 7) % 50)).toEqual(one);
    const ids = one.seen;
    expect(ids.get("e0")).toBe([...OF_SEARCHING, "of_a_skill"].join(", "));
    expect(ids.get("e31")).toBe(ids.get("e0"));
    expect(ids.get("e32")).toContain("of_a_skill, from_e0, from_e1,");
    expect(ids.get("e39")).toBe(ids.get("e32"));
  });

  it("that cannot be read, or name the answer, are counted and not made up", async () => {
    const model = of((request) => {
      if (idOf(request) === "e0") return "prose";
      return idOf(request) === "e1" ? reply("ada_lovelace") : reply("early_end");
    });
    const { report, diagnostics } = await analyse(many(5), { model, concurrency: 1 });
    expect(report.summaries).toEqual({ made: 3, missing: 2, namesAnswer: 1 });
    expect(report.failures.map(({ summary }) => summary?.category)).toEqual([
      undefined,
      undefined,
      "early_end",
      "early_end",
      "early_end",
    ]);
    expect(diagnostics).toMatchObject([{ code: "HASP642", severity: "warning" }]);
    expect(JSON.stringify(report.clusters)).not.toMatch(/lovelace/i);
  });

  it("end with the budget or the key, and the report has all else", async () => {
    for (const kind of ["budget", "unauthorised"] as const) {
      const model = of((_, index) => (index < 2 ? reply("early_end") : { error: kind }));
      const { report, diagnostics } = await analyse(many(70), { model, concurrency: 1 });
      expect(model.requests).toHaveLength(3);
      expect(report.summaries).toEqual({ made: 2, missing: 68, namesAnswer: 0 });
      expect(report.detectors.premature_final?.wrong).toBe(70);
      expect(diagnostics).toMatchObject([{ code: "HASP641", severity: "error" }]);
    }
  });

  it("end where the endpoint is down, and go on after a single failure", async () => {
    const down = of(() => ({ error: "connection" }));
    const first = await analyse(many(70), { model: down, concurrency: 1 });
    expect(down.requests.length).toBeLessThan(10);
    expect(first.codes).toEqual(["HASP641"]);
    const once = of((_, index) => (index === 1 ? { error: "timeout" } : reply("early_end")));
    const second = await analyse(many(70), { model: once, concurrency: 1 });
    expect(second.report.summaries).toEqual({ made: 69, missing: 1, namesAnswer: 0 });
    expect(second.codes).toEqual(["HASP642"]);
  });

  it("stop with the person, and the report has those that are there", async () => {
    const stop = new AbortController();
    const model = of((_, index) => {
      if (index === 3) stop.abort(new Error("stopped"));
      return reply("early_end");
    });
    const { report, codes } = await analyse(many(10), { model, concurrency: 1, signal: stop.signal });
    expect(report.summaries.made).toBeLessThanOrEqual(4);
    expect(report.summaries.made + report.summaries.missing).toBe(10);
    expect(codes).toEqual([]);
  });
});
