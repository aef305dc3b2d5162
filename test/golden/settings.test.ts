import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgeRecorded } from "../../src/analysis/judge.ts";
import type { Library } from "../../src/analysis/library.ts";
import { indexPassages } from "../../src/domains/web-search/search-index.ts";
import { openWebSearch } from "../../src/domains/web-search/tools.ts";
import { webSearch } from "../../src/domains/web-search/web-search.ts";
import { libraryRefs } from "../../src/evaluation/library-refs.ts";
import { parseRunInputs, type RunInputs } from "../../src/evaluation/run-inputs.ts";
import { DEFAULT_CONTROL, SETTING_CONTROL, SETTINGS, type Setting } from "../../src/model/control.ts";
import { runQuestions } from "../../src/harness/run-questions.ts";
import { scriptedPolicy } from "../../src/harness/scripted-policy.ts";
import { scriptedModel } from "../../src/llm/scripted-model.ts";
import type { ControlPart } from "../../src/model/control-parts.ts";
import type { Episode } from "../../src/model/episode.ts";
import type { TeacherCall } from "../../src/model/intervention.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { createRun } from "../../src/trace/create-run.ts";
import { episodesIn, loadSkills, openCore, ROOT, SHIPPED } from "../support/core.ts";
import { final, read, search } from "../support/episodes.ts";
import { samplesOf } from "../../src/harness/question.ts";
import { sha256 } from "../../src/platform/sha256.ts";
import { PLAIN_RUN } from "../support/episodes.ts";

const DATA = path.join(ROOT, "../shared/data");
const FILES = {
  HotpotQA: ["multihop/hotpotqa_train.json", "multihop/hotpotqa_train_corpus.json"],
  MuSiQue: ["multihop/musique_train.json", "multihop/musique_train_corpus.json"],
} as const;

const place = mkdtempSync(path.join(tmpdir(), "hasp-settings-"));
const core = openCore();
let library: Library;
beforeAll(async () => {
  library = await loadSkills(core, SHIPPED);
});
afterAll(async () => {
  await Promise.all([core.host.close(), core.compiler.close()]);
  rmSync(place, { recursive: true, force: true });
});

function inputsOf([questions, corpus]: readonly [string, string]): RunInputs {
  const named = (name: string) => ({ file: name, text: readFileSync(path.join(DATA, name), "utf8") });
  const { value } = parseRunInputs(named(questions), { corpus: named(corpus) });
  if (value === undefined) throw new Error(`${questions} cannot be read`);
  return value;
}

/** A policy with the usual faults: a search that is a sentence, an answer that hedges, an answer without a source. */
const policyFor = ({ questions }: RunInputs) => {
  const byId = new Map(questions.map((one) => [one.id, one]));
  return scriptedPolicy("scripted", (id) => {
    const { question = "", gold = [] } = byId.get(id) ?? {};
    return [
      search(`I should find out ${question}`),
      read("doc_0"),
      final(`I think it is ${gold[0] ?? "unknown"}, probably`),
      search(question.split(" ").slice(0, 6).join(" ")),
      final(gold[0] ?? "unknown"),
      final(gold[0] ?? "unknown"),
    ];
  });
};

/** Says something usable at each site; the votes differ by handler. */
const teacherSays = (prompt: string): string => {
  if (prompt.startsWith("Rate how hard")) return '{"difficulty": 4, "reason": "a chain"}';
  if (prompt.startsWith("Helpers can watch"))
    return '{"skills": ["answer_confidence_guard", "reasoning_error", "answer_completeness"], "reason": "they fit"}';
  if (prompt.includes("Check one thing"))
    return '{"override": true, "query": "check the answer", "reason": "no source"}';
  if (prompt.includes("Decide whether it should have another round")) return '{"retry": false, "advice": ""}';
  return "a shorter query of five words";
};

/** Judging the record with its own library, control and recorded replies gives its events and actions again. */
async function expectReproduced(episode: Episode): Promise<void> {
  const judged = await judgeRecorded(episode, library, core.host);
  const again = judged.map(({ events, executed, diverged }) => ({ events, executed, diverged }));
  expect(again).toEqual(episode.steps.map(({ events, executed }) => ({ events, executed, diverged: false })));
}

async function runUnder(setting: Setting, inputs: RunInputs, name: string): Promise<Episode[]> {
  const folder = path.join(place, `${name}-${setting}`);
  const control = { ...DEFAULT_CONTROL, ...SETTING_CONTROL[setting] };
  const files = nodeFiles();
  const index = indexPassages(inputs.corpus?.passages ?? []);
  await createRun(files, folder, {
    id: setting,
    title: setting,
    domain: "web-search",
    createdAt: "2026-01-01T00:00:00.000Z",
    source: "hasp",
  });
  const summary = await runQuestions({
    files,
    folder,
    samples: samplesOf(inputs.questions, 1),
    ...PLAIN_RUN,
    policy: policyFor(inputs),
    teacher: scriptedModel((request) => teacherSays(request.messages.at(-1)?.content ?? "")),
    host: core.host,
    library: library.skills,
    libraryRefs: libraryRefs(library, sha256),
    domain: webSearch,
    control,
    openEnvironment: () => openWebSearch(index),
    settings: { setting, control, teacher: "scripted" },
    concurrency: 16,
    signal: new AbortController().signal,
  });
  expect(summary.finished).toBe(inputs.questions.length);
  const episodes = await episodesIn(folder);
  for (const [i, episode] of episodes.entries()) if (i % 4 === 0) await expectReproduced(episode);
  return episodes;
}

const callsOf = (episode: Episode): TeacherCall[] => [
  ...(episode.decisions ?? []).flatMap(({ calls }) => calls ?? []),
  ...episode.steps.flatMap(({ events }) => events.flatMap(({ teacherCalls }) => teacherCalls ?? [])),
];
const siteGroup = ({ site = "" }: TeacherCall): string => site.split(".", 1)[0] ?? site;
const unique = <T extends string>(items: readonly T[]): T[] =>
  [...new Set(items)].toSorted((a, b) => (a < b ? -1 : 1));

/** Which parts decided, who was asked, and what the policy read, over all episodes of a run. */
function profile(episodes: readonly Episode[]) {
  const decisions = episodes.flatMap((one) => one.decisions ?? []);
  const events = episodes.flatMap(({ steps }) => steps.flatMap((step) => step.events));
  return {
    parts: unique(decisions.map(({ part }): ControlPart => part)),
    byTeacher: unique(decisions.filter(({ by }) => by === "teacher").map(({ part }) => part)),
    sites: unique(episodes.flatMap(callsOf).map(siteGroup)),
    pfs: events.some(({ status }) => status === "applied"),
    overridden: decisions.some(({ part, value }) => part === "handler_vote" && value === true),
    reminded: episodes.some(({ steps }) => steps.some(({ instructions }) => instructions !== undefined)),
  };
}

const SELECTION = ["observation_selector", "pf_selector", "skill_selector", "step_selector"] as const;
const OUTER = ["answer_format", "retry"] as const;

describe.each(Object.entries(FILES))("the five settings on 100 questions of %s (SPEC §5)", (name, named) => {
  it.skipIf(!existsSync(path.join(DATA, named[0])))(
    "differ in the recorded decisions as they should",
    { timeout: 240_000 },
    async () => {
      const inputs = inputsOf(named);
      expect(inputs.questions).toHaveLength(100);
      const found = new Map<Setting, ReturnType<typeof profile>>();
      for (const setting of SETTINGS) found.set(setting, profile(await runUnder(setting, inputs, name)));

      expect(found.get("full")).toEqual({
        parts: unique(["switches", "difficulty_gate", ...SELECTION, "handler_vote", ...OUTER]),
        byTeacher: unique(["difficulty_gate", "pf_selector", "handler_vote", "retry"]),
        sites: unique(["difficulty_gate", "pf_selector", "pf", "handler", ...OUTER]),
        pfs: true,
        overridden: true,
        reminded: true,
      });
      expect(found.get("pf-only")).toEqual({
        parts: unique(["switches", "difficulty_gate", ...SELECTION, "handler_vote", ...OUTER]),
        byTeacher: [],
        sites: [],
        pfs: true,
        overridden: false,
        reminded: true,
      });
      expect(found.get("teacher-only")).toEqual({
        parts: unique(["switches", ...OUTER]),
        byTeacher: ["retry"],
        sites: unique(OUTER),
        pfs: false,
        overridden: false,
        reminded: false,
      });
      expect(found.get("prompt-only")).toEqual({
        parts: unique(["switches", "skill_selector", "observation_selector", "step_selector", ...OUTER]),
        byTeacher: [],
        sites: [],
        pfs: false,
        overridden: false,
        reminded: true,
      });
      expect(found.get("ra-agent")).toEqual({
        parts: unique(["switches", ...OUTER]),
        byTeacher: [],
        sites: [],
        pfs: false,
        overridden: false,
        reminded: false,
      });
    },
  );
});
