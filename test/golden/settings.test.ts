import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgeRecorded } from "../../src/analysis/judge.ts";
import type { Library } from "../../src/analysis/library.ts";
import { indexPassages } from "../../src/domains/passages/search-index.ts";
import { openWebSearch } from "../../src/domains/web-search/tools.ts";
import { webSearch } from "../../src/domains/web-search/web-search.ts";
import { libraryRefs } from "../../src/evaluation/library-refs.ts";
import { parseRunInputs, type RunInputs } from "../../src/evaluation/run-inputs.ts";
import {
  budgetsOf,
  DEFAULT_CONTROL,
  SETTING_CONTROL,
  SETTINGS,
  type Setting,
} from "../../src/model/control.ts";
import { runQuestions } from "../../src/harness/run-questions.ts";
import { scriptedPolicy } from "../../src/harness/scripted-policy.ts";
import { scriptedModel } from "../../src/llm/scripted-model.ts";
import type { Policy, Seen } from "../../src/harness/policy.ts";
import type { ChatMessage } from "../../src/llm/chat-model.ts";
import type { Action } from "../../src/model/action.ts";
import { callsLeft } from "../../src/model/budgets.ts";
import type { ControlPart } from "../../src/model/control-parts.ts";
import type { Decision } from "../../src/model/decision.ts";
import type { Episode, Step } from "../../src/model/episode.ts";
import { DEFAULT_SAMPLING } from "../../src/model/sampling.ts";
import type { TeacherCall } from "../../src/model/intervention.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { createRun } from "../../src/trace/create-run.ts";
import { episodesIn, loadSkills, openCore, ROOT } from "../support/core.ts";
import { PAPER } from "../support/shipped.ts";
import { final, read, search } from "../support/episodes.ts";
import { samplesOf } from "../../src/harness/question.ts";
import { THOROUGH } from "../support/thorough.ts";
import { sha256 } from "../../src/platform/sha256.ts";
import { PLAIN_RUN } from "../support/episodes.ts";

const DATA = path.join(ROOT, "../shared/data");
/** Questions, passages, and the first question of the normal form: among these a vote of code overrides an answer, and the teacher is asked for another round. */
const FILES = {
  HotpotQA: ["multihop/hotpotqa_train.json", "multihop/hotpotqa_train_corpus.json", 36],
  MuSiQue: ["multihop/musique_train.json", "multihop/musique_train_corpus.json", 69],
} as const;
/** Of each data set; thorough: as many as docs/settings.md tells of. */
const QUESTIONS = THOROUGH ? 100 : 16;

const place = mkdtempSync(path.join(tmpdir(), "hasp-settings-"));
const core = openCore();
let library: Library;
beforeAll(async () => {
  library = await loadSkills(core, ...PAPER);
});
afterAll(async () => {
  await Promise.all([core.host.close(), core.compiler.close()]);
  rmSync(place, { recursive: true, force: true });
});

function inputsOf([questions, corpus, from]: readonly [string, string, number]): RunInputs {
  const named = (name: string) => ({ file: name, text: readFileSync(path.join(DATA, name), "utf8") });
  const { value } = parseRunInputs(named(questions), { corpus: named(corpus) });
  if (value === undefined) throw new Error(`${questions} cannot be read`);
  const first = THOROUGH ? 0 : from;
  return { ...value, questions: value.questions.slice(first, first + QUESTIONS) };
}

const indexOf = ({ corpus }: RunInputs) => indexPassages(corpus?.passages ?? []);

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

/** The same policy; the last prompt that it reads for each question stays in `reads`. */
const overheard = (policy: Policy, reads: Map<string, readonly ChatMessage[]>): Policy => ({
  ...policy,
  async propose(input, signal) {
    reads.set(input.questionId, input.messages);
    return policy.propose(input, signal);
  },
});

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

/** `reads` gets the last prompt of each question. */
async function runUnder(
  setting: Setting,
  inputs: RunInputs,
  index: ReturnType<typeof indexOf>,
  name: string,
  reads: Map<string, readonly ChatMessage[]>,
): Promise<Episode[]> {
  const folder = path.join(place, `${name}-${setting}`);
  const control = { ...DEFAULT_CONTROL, ...webSearch.defaults, ...SETTING_CONTROL[setting] };
  const files = nodeFiles();
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
    policy: overheard(policyFor(inputs), reads),
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

/** The parts that decided, the sites that were asked, and the texts that the policy read, over all episodes of a run. */
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

const COLUMNS = [
  "setting",
  "PFs asked",
  "summaries",
  "instructions",
  "teacher calls",
  "changed",
  "contexts",
  "votes",
  "overridden",
  "notes and forms",
];

const mean = (counts: readonly number[]): string =>
  (counts.reduce((sum, n) => sum + n, 0) / counts.length).toFixed(1);

/** One row of the table in docs/settings.md: means per episode. */
function rowOf(setting: Setting, episodes: readonly Episode[]): string[] {
  const count = (of: (episode: Episode) => number): string => mean(episodes.map(of));
  const steps = (of: (step: Step) => number) =>
    count((episode) => episode.steps.reduce((n, step) => n + of(step), 0));
  const decided = (of: (decision: Decision) => number) =>
    count(({ decisions = [] }) => decisions.reduce((n, one) => n + of(one), 0));
  const chosenBy = (part: ControlPart) =>
    decided((one) => (one.part === part ? (one.chosen ?? []).length : 0));
  const applied = (type: string) => (step: Step) =>
    step.events.filter((event) => event.status === "applied" && event.intervention?.type === type).length;
  return [
    `\`${setting}\``,
    chosenBy("pf_selector"),
    chosenBy("skill_selector"),
    steps(({ instructions = [] }) => instructions.length),
    count((episode) => callsOf(episode).length),
    steps(applied("MODIFY_ACTION")),
    steps(applied("INJECT_CONTEXT")),
    decided(({ votes = [] }) => votes.filter(({ override }) => override).length),
    decided(({ part, value }) => (part === "handler_vote" && value === true ? 1 : 0)),
    decided(({ part }) => (OUTER.some((one) => one === part) ? 1 : 0)),
  ];
}

const tableOf = (rows: readonly (readonly string[])[]): string =>
  [COLUMNS, COLUMNS.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** The bare loop: a prompt, a proposal, its execution, until an answer. Nothing of the harness is in it. */
async function bareLoop(policy: Policy, index: ReturnType<typeof indexOf>, id: string, question: string) {
  const tools = openWebSearch(index);
  const { signal } = new AbortController();
  const seen: Seen[] = [];
  const proposals: Action[] = [];
  const { maxSteps, ...budgets } = budgetsOf(DEFAULT_CONTROL);
  for (let t = 0; t < maxSteps; t++) {
    const most = callsLeft([], { maxSteps, ...budgets });
    const told = { question, seen, actionTypes: tools.actionTypes, summaries: [], t, maxSteps, most };
    const messages = webSearch.prompt.messages(told);
    const input = { ...told, questionId: id, sample: 1, sampling: DEFAULT_SAMPLING, proposal: 0, messages };
    const proposal = await policy.propose(input, signal);
    if (proposal === undefined) return { proposals, answer: undefined, messages };
    const { action } = proposal;
    proposals.push(action);
    if (action.type === "FINAL") return { proposals, answer: action.arg, messages };
    const { observation } = await tools.execute(action, signal);
    seen.push({ kind: "step", proposal, executed: action, observation, injected: [], t, instructions: [] });
  }
  return { proposals, answer: undefined, messages: [] };
}

/** `ra-agent` is the bare loop: the same proposals, the same actions, the same prompt at the end, the same answer. */
async function expectBare(
  episode: Episode,
  [policy, index]: readonly [Policy, ReturnType<typeof indexOf>],
  read: readonly ChatMessage[],
): Promise<void> {
  const bare = await bareLoop(policy, index, episode.questionId, episode.question);
  expect(episode.steps.map(({ proposals }) => proposals.map(({ action }) => action))).toEqual(
    bare.proposals.map((action) => [action]),
  );
  expect(episode.steps.map(({ executed }) => executed)).toEqual(bare.proposals);
  expect(episode.answer).toEqual(bare.answer);
  expect(read).toEqual(bare.messages);
  expect(
    episode.steps.flatMap(({ events, injected, instructions = [] }) => [
      ...events,
      ...injected,
      ...instructions,
    ]),
  ).toEqual([]);
}

const EXPECTED: Readonly<Record<Setting, ReturnType<typeof profile>>> = {
  full: {
    parts: unique(["switches", "difficulty_gate", ...SELECTION, "handler_vote", ...OUTER]),
    byTeacher: unique(["difficulty_gate", "pf_selector", "handler_vote", "retry"]),
    sites: unique(["difficulty_gate", "pf_selector", "pf", "handler", ...OUTER]),
    pfs: true,
    overridden: true,
    reminded: true,
  },
  "pf-only": {
    parts: unique(["switches", ...SELECTION, "handler_vote"]),
    byTeacher: [],
    sites: [],
    pfs: true,
    overridden: true,
    reminded: true,
  },
  "teacher-only": {
    parts: unique(["switches", ...OUTER]),
    byTeacher: ["retry"],
    sites: unique(OUTER),
    pfs: false,
    overridden: false,
    reminded: false,
  },
  "prompt-only": {
    parts: unique(["switches", "skill_selector", "observation_selector", "step_selector"]),
    byTeacher: [],
    sites: [],
    pfs: false,
    overridden: false,
    reminded: true,
  },
  "ra-agent": {
    parts: ["switches"],
    byTeacher: [],
    sites: [],
    pfs: false,
    overridden: false,
    reminded: false,
  },
};

const PAGE = path.join(ROOT, "docs/settings.md");
const [BEGIN, END] = ["<!-- settings:begin -->", "<!-- settings:end -->"];

describe.skipIf(!existsSync(DATA))("the five settings on questions of each data set (SPEC §5)", () => {
  const rows = new Map<Setting, Episode[]>(SETTINGS.map((setting) => [setting, []]));

  it("differ in the recorded decisions as they should", { timeout: 600_000 }, async () => {
    for (const [name, named] of Object.entries(FILES)) {
      const inputs = inputsOf(named);
      expect(inputs.questions).toHaveLength(QUESTIONS);
      const index = indexOf(inputs);
      for (const setting of SETTINGS) {
        const reads = new Map<string, readonly ChatMessage[]>();
        const episodes = await runUnder(setting, inputs, index, name, reads);
        expect({ setting, ...profile(episodes) }).toEqual({ setting, ...EXPECTED[setting] });
        rows.get(setting)?.push(...episodes);
        if (setting !== "ra-agent") continue;
        for (const episode of episodes)
          await expectBare(episode, [policyFor(inputs), index], reads.get(episode.questionId) ?? []);
      }
    }
  });

  it.runIf(THOROUGH)("stand in the table of docs/settings.md as they differ", async () => {
    const table = tableOf([...rows].map(([setting, episodes]) => rowOf(setting, episodes)));
    const page = readFileSync(PAGE, "utf8");
    const [before = "", rest = ""] = page.split(BEGIN);
    const after = rest.slice(rest.indexOf(END));
    await expect(`${before}${BEGIN}\n\n${table}\n\n${after}`).toMatchFileSnapshot(PAGE);
  });
});
