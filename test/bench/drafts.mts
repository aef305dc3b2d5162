import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { webSearch } from "../../src/domains/web-search/web-search.ts";
import { modelPolicy } from "../../src/harness/model-policy.ts";
import { runQuestions } from "../../src/harness/run-questions.ts";
import { scriptedModel } from "../../src/llm/scripted-model.ts";
import { DEFAULT_CONTROL } from "../../src/model/control.ts";
import { DEFAULT_SAMPLING } from "../../src/model/sampling.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { sha256 } from "../../src/platform/sha256.ts";
import { startPfHost } from "../../src/platform/worker-pf-host.ts";
import { exactMatchJudge, type Judge } from "../../src/scoring/judge.ts";
import { createRun } from "../../src/trace/create-run.ts";
import { openMessageStore } from "../../src/trace/message-store.ts";
import { librarySkill } from "../support/episodes.ts";
import { median, milliseconds, type BenchRow } from "./measure.mts";

const EPISODES = 1_000;
const PAIRS = 7;
const LIMIT = 1.1;

const DRAFT = "Case 1 gives the Elbe, case 2 the Oder.";

/** Thinks in cases, and answers otherwise when its draft is held back. */
const policy = scriptedModel(({ messages }) =>
  messages.length > 2
    ? "Thought: Both cases.\nAction: FINAL[Oder]"
    : `Thought: ${DRAFT}\nAction: FINAL[Elbe]`,
);

/** Holds each draft back by its phase text. */
const holds = {
  ...librarySkill("check_cases", {
    phases: {
      pre_final: { conditions: ["has_case_analysis"], priorityBoost: 0, text: "Look at each case again." },
    },
  }),
  program: undefined,
};

/** Exact match on the answers that episodes end with, and on no draft. */
const onlyAnswers: Judge = {
  ...exactMatchJudge,
  judge: async (task, signal) => (task.answer === "Elbe" ? undefined : exactMatchJudge.judge(task, signal)),
};

async function runIn(root: string, workerFile: string, judge: Judge): Promise<void> {
  const files = nodeFiles();
  const folder = await mkdtemp(path.join(root, "run-"));
  const redact = (text: string): string => text;
  const about = { id: "bench", title: "bench", domain: webSearch.name, source: "hasp" };
  await createRun(files, folder, { ...about, createdAt: new Date().toISOString() });
  const host = startPfHost({ workerFile });
  try {
    const { outcomes } = await runQuestions({
      files,
      folder,
      samples: Array.from({ length: EPISODES }, (_, i) => ({
        question: { id: `q${i}`, question: "Which river crosses both towns?", gold: ["Oder"] },
        sample: 1,
      })),
      sampling: DEFAULT_SAMPLING,
      messages: await openMessageStore(files, folder, { sha256, redact }),
      redact,
      policy: modelPolicy(policy, webSearch.prompt),
      host,
      library: [holds],
      libraryRefs: [],
      control: { ...DEFAULT_CONTROL, maxSteps: 1, enableDifficultyGating: false },
      openEnvironment: () => ({
        actionTypes: ["FINAL"],
        searchReturnsText: false,
        execute: async () => ({ observation: "" }),
      }),
      domain: webSearch,
      judge,
      settings: {},
      concurrency: 16,
      signal: new AbortController().signal,
    });
    if (outcomes.correct !== EPISODES)
      throw new Error(`${outcomes.correct} of ${EPISODES} drafts were revised`);
  } finally {
    await host.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A run whose drafts are judged by exact match, beside one whose answers alone are. */
export async function benchDrafts(workerFile: string): Promise<BenchRow[]> {
  const root = await mkdtemp(path.join(tmpdir(), "hasp-drafts-"));
  try {
    const pairs: { readonly ours: number; readonly without: number }[] = [];
    for (let i = 0; i <= PAIRS; i++) {
      const ours = await milliseconds(() => runIn(root, workerFile, exactMatchJudge));
      const without = await milliseconds(() => runIn(root, workerFile, onlyAnswers));
      if (i > 0) pairs.push({ ours, without });
    }
    return [
      {
        name: "a run with its drafts judged",
        ours: median(pairs.map(({ ours }) => ours)),
        baseline: median(pairs.map(({ without }) => without)),
        ratio: median(pairs.map(({ ours, without }) => ours / without)),
        limit: LIMIT,
        unit: "ms",
        method: `${EPISODES} episodes of one step, each draft held back once; exact match on drafts and answers, against on answers alone; ${PAIRS} pairs in turn`,
      },
    ];
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
