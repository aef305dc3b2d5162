import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { branchFrom, type BranchOrder } from "../../../../src/app/run/branch.ts";
import type { EpisodeOrder, RunServices } from "../../../../src/app/run/parts.ts";
import { runQuestionsOf, type RunEvent, type RunOrder } from "../../../../src/app/run/questions.ts";
import { controlOf } from "../../../../src/app/run/settings.ts";
import type { OpenEnvironment } from "../../../../src/domains/environment.ts";
import { codeJudge } from "../../../../src/domains/code/judge/code-judge.ts";
import { webSearch } from "../../../../src/domains/web-search/web-search.ts";
import { createRedactor } from "../../../../src/llm/redact.ts";
import { START_OF_FILE } from "../../../../src/model/diagnostic.ts";
import { DEFAULT_SAMPLING } from "../../../../src/model/sampling.ts";
import { systemClock } from "../../../../src/platform/clock.ts";
import { environmentKeys } from "../../../../src/platform/env-keys.ts";
import { systemTiming } from "../../../../src/platform/timing.ts";
import { openWebClient } from "../../../../src/platform/web-client.ts";
import { episodesIn, openCore, readFolders, ROOT, SAMPLE_RUN } from "../../../support/core.ts";
import { judgingWith } from "../support.ts";
import { sha256 } from "../../../../src/platform/sha256.ts";
import { PAPER } from "../../../support/shipped.ts";

const core = openCore();
afterAll(() => core.host.close());

let folder: string;
beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(os.tmpdir(), "hasp-app-run-")), "run");
});
afterEach(() => rmSync(path.dirname(folder), { recursive: true, force: true }));

const sample = (name: string) => ({ name, path: path.join(ROOT, "samples", name) });

function services(): { readonly services: RunServices; readonly open: () => number } {
  const { judging, open } = judgingWith(core);
  const shared = { keys: environmentKeys({}), redactor: createRedactor(), timing: systemTiming };
  const models = {
    ...shared,
    files: judging.files,
    post: async () => Promise.reject(new Error("No test asks the network.")),
    replyCache: undefined,
    onCacheTrouble: () => undefined,
    isPlainHttpAllowed: () => false,
    pathOf: (name: string) => name,
    openEditorModel: undefined,
  };
  const environment = { ...shared, openClient: openWebClient };
  const readSkills = () => readFolders(core.compiler, ...PAPER);
  return { services: { ...judging, clock: systemClock, sha256, models, environment, readSkills }, open };
}

/** Settings that contradict the library: they pin a skill that it does not have. */
const PINS_NOBODY = ["pinned_skills=nobody_here"];

function orderWith(policy = `recorded:${path.join(ROOT, SAMPLE_RUN)}`): EpisodeOrder {
  const by = "--setting";
  const { value: choice } = controlOf({ config: undefined, domain: webSearch, by, sets: PINS_NOBODY });
  return {
    domain: webSearch,
    choice,
    remarks: [],
    policy: { spec: policy },
    teacher: undefined,
    sampling: DEFAULT_SAMPLING,
    tools: { retriever: "corpus", language: "en", concurrency: 0, topK: 5 },
    folder,
    maxDollars: undefined,
  };
}

const runOrder = (more: Partial<RunOrder> = {}): RunOrder => ({
  ...orderWith(),
  questions: sample("questions.jsonl"),
  corpus: sample("corpus/passages.jsonl"),
  resume: false,
  samples: 1,
  concurrency: 2,
  limit: 3,
  ...more,
});

/** Questions whose accepted answers differ in what exact match removes. */
function math(): RunOrder["questions"] {
  const place = path.join(mkdtempSync(path.join(os.tmpdir(), "hasp-app-math-")), "numbers.jsonl");
  afterAll(() => rmSync(path.dirname(place), { recursive: true }));
  const rows = ["-7", "7", "3/4"].map((answer, i) => ({
    id: `n${i}`,
    question: `Which number is ${i}?`,
    answer,
  }));
  writeFileSync(place, rows.map((row) => JSON.stringify(row)).join("\n"));
  return { name: "numbers.jsonl", path: place };
}

const { signal } = new AbortController();

describe("A run of questions", () => {
  it("begins, ends each question in one episode, closes its sandbox, and goes on where it ended", async () => {
    const used = services();
    const events: RunEvent[] = [];
    const ran = await runQuestionsOf(runOrder(), used.services, {
      signal,
      on: (event) => events.push(event),
    });
    expect(ran.value).toMatchObject({ summary: { finished: 3, left: 0 }, skipped: 0 });
    expect(events.map(({ kind }) => kind)).toEqual([
      "begin",
      ...Array.from({ length: 3 }, () => ["episode", "progress"]).flat(),
    ]);
    expect(events.at(-1)).toMatchObject({ done: 3, total: 3 });
    expect(used.open()).toBe(0);
    const on = (): void => undefined;
    const more = await runQuestionsOf(runOrder({ resume: true, limit: 4 }), used.services, { signal, on });
    expect(more.value).toMatchObject({ summary: { finished: 1 }, skipped: 3 });
  });

  it("says before it asks a model that nothing here contains programs, and that questions have no tests", async () => {
    const begun: RunEvent[] = [];
    const openContainment = async () => ({ why: "nothing contains them", next: "Install something." });
    const ran = await runQuestionsOf(
      runOrder({ domain: { ...webSearch, judge: codeJudge } }),
      { ...services().services, openContainment },
      { signal, on: (event) => begun.push(event) },
    );
    expect(begun[0]).toMatchObject({ kind: "begin" });
    expect(ran.diagnostics.filter(({ code }) => code === "HASP867")).toMatchObject([
      {
        severity: "warning",
        message:
          "No answer of this run gets a verdict on this machine: no containment here: nothing contains them.",
        next: "Install something.",
      },
      {
        severity: "warning",
        message:
          "No verdict for answers to 3 of 3 questions: there is no `material`, by which the judge of web-search (tests) judges.",
      },
    ]);
    expect(begun[0]).toHaveProperty("diagnostics", ran.diagnostics);
    expect(ran.value?.summary.outcomes).toMatchObject({ unjudged: 3 });
  });

  it.each<[string, Partial<RunOrder>, string]>([
    ["math, which exact match cannot judge", { questions: math() }, "HASP599"],
    ["a file that is not there", { questions: sample("none.jsonl") }, "HASP578"],
    ["no corpus, and questions without paragraphs", { corpus: undefined }, "HASP546"],
    ["a model of an editor, outside of one", { policy: { spec: "vscode:a/b" } }, "HASP605"],
    ["a script that is not there", { policy: { spec: "scripted:none.yaml" } }, "HASP606"],
    ["a recorded run that is not there", { policy: { spec: "recorded:nowhere" } }, "HASP572"],
    ["a trial that the run lacks", { policy: { spec: `recorded:${SAMPLE_RUN}#9` } }, "HASP607"],
    ["a retriever without an address", { tools: { ...orderWith().tools, retriever: "http" } }, "HASP585"],
  ])("has no value and writes nothing with %s", async (_what, more, code) => {
    const used = services();
    const ran = await runQuestionsOf(runOrder(more), used.services, { signal, on: () => undefined });
    expect(ran.value).toBeUndefined();
    expect(ran.diagnostics.at(-1)?.code).toBe(code);
    expect([existsSync(folder), used.open()]).toEqual([false, 0]);
  });

  it("closes an environment that does not pass its check", async () => {
    const closed: string[] = [];
    const problem = {
      code: "X",
      severity: "error",
      message: "Nobody answers.",
      range: START_OF_FILE,
    } as const;
    const openEnvironment: OpenEnvironment = async (order, ports) => {
      const opened = await webSearch.openEnvironment(order, ports);
      if (opened.value === undefined) return opened;
      const check = async () => [problem];
      return { ...opened, value: { ...opened.value, check, close: () => void closed.push("environment") } };
    };
    const domain = { ...webSearch, openEnvironment };
    const { services: used } = services();
    const ran = await runQuestionsOf(runOrder({ domain }), used, { signal, on: () => undefined });
    expect([ran.value, ran.diagnostics.at(-1)?.message, closed]).toEqual([
      undefined,
      "Nobody answers.",
      ["environment"],
    ]);
  });
});

describe("A branch", () => {
  async function branchOrder(more: Partial<BranchOrder> = {}): Promise<BranchOrder> {
    const [episode] = await episodesIn(SAMPLE_RUN);
    if (episode === undefined) throw new Error("The sample run has no episode.");
    const from = { run: SAMPLE_RUN, episode: episode.id, t: 1 };
    const corpus = sample("corpus/passages.jsonl");
    return { ...orderWith(), episode, from, corpus, keepsRetriever: false, ...more };
  }

  it("tells conflicts between settings and library, as a run does", async () => {
    const on = (): void => undefined;
    const branch = await branchFrom(await branchOrder(), services().services, { signal, on });
    expect(branch.value?.extra).toMatchObject({ branchedFrom: { t: 1 } });
    rmSync(folder, { recursive: true });
    const run = await runQuestionsOf(runOrder({ limit: 1 }), services().services, { signal, on });
    for (const { diagnostics } of [branch, run])
      expect(diagnostics.map(({ message }) => message)).toContain(
        'No skill of the library is called "nobody_here", so it cannot be pinned.',
      );
  });

  it("takes the kind of search of the record, unless a person names another: then it is refused", async () => {
    const tools = { ...orderWith().tools, retriever: "teacher-snippet" };
    const on = (): void => undefined;
    const kept = await branchFrom(await branchOrder({ tools, keepsRetriever: true }), services().services, {
      signal,
      on,
    });
    expect([kept.value, kept.diagnostics.at(-1)?.code]).toEqual([undefined, "HASP586"]);
    const fitted = await branchFrom(await branchOrder({ tools }), services().services, { signal, on });
    expect(fitted.value?.facts.searchReturnsText).toBe(false);
  });
});
