import { describe, expect, it } from "vitest";
import { webSearch } from "../../../src/domains/web-search/web-search.ts";
import { DEFAULT_CONTROL } from "../../../src/model/control.ts";
import type { Policy } from "../../../src/harness/policy.ts";
import { runQuestions, type RunTask } from "../../../src/harness/run-questions.ts";
import { ModelError } from "../../../src/llm/chat-model.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { recoverRun, startLive } from "../../../src/trace/live.ts";
import { readEpisodes } from "../../../src/trace/episode-file.ts";
import { openIndex } from "../../../src/trace/episode-index.ts";
import { PLAIN_RUN, final, hostOf, plentiful, search } from "../../support/episodes.ts";
import { FACTS, files, temporaryFolder } from "../trace/support.ts";
import type { JudgeTask } from "../../../src/scoring/judge.ts";
import { samplesOf } from "../../../src/harness/question.ts";

const questionsOf = (n: number) =>
  Array.from({ length: n }, (_, i) => ({ id: `q${i}`, question: `Who is ${i}?`, gold: [`answer ${i}`] }));

/** Answers rightly after a search, later questions sooner. */
const knows: Policy = {
  id: "knows",
  async propose({ questionId, t }) {
    const n = Number(questionId.slice(1));
    await new Promise((resolve) => setTimeout(resolve, (7 * (40 - n)) % 11));
    return { thought: "", action: t === 0 ? search("x") : final(`answer ${n}`) };
  },
};

const taskIn = (folder: string, more: Partial<RunTask> = {}): RunTask => ({
  files,
  folder,
  samples: samplesOf(questionsOf(20), 1),
  ...PLAIN_RUN,
  policy: knows,
  host: hostOf(),
  library: [],
  libraryRefs: [],
  domain: webSearch,
  control: DEFAULT_CONTROL,
  settings: { policy: "knows" },
  concurrency: 4,
  signal: new AbortController().signal,
  openEnvironment: () => plentiful,
  ...more,
});

async function episodesOf(folder: string): Promise<Episode[]> {
  const index = await openIndex(files, `${folder}/episodes.jsonl`, { save: false });
  const episodes: Episode[] = [];
  for await (const { value } of readEpisodes(files, index)) if (value !== undefined) episodes.push(value);
  return episodes.toSorted((a, b) => Number(a.questionId.slice(1)) - Number(b.questionId.slice(1)));
}

const withoutTimes = (episodes: readonly Episode[]) =>
  episodes.map((episode) => ({ ...episode, steps: episode.steps.map(({ dispatchMs: _, ...step }) => step) }));

describe("the questions of a run", () => {
  it("whose judge fails on some end all the same, and the summary counts them with the first reason", async () => {
    const judge = {
      ...PLAIN_RUN.judge,
      async judge(task: JudgeTask, signal: AbortSignal) {
        if (/answer 1\d/.test(task.answer)) throw new Error("no machine");
        return PLAIN_RUN.judge.judge(task, signal);
      },
    };
    const summary = await runQuestions(taskIn(temporaryFolder(), { judge }));
    expect(summary).toMatchObject({
      finished: 20,
      outcomes: { correct: 10, unjudged: 10 },
      stopReasons: { final: 20 },
      judgeFailed: { episodes: 10, message: "no machine" },
    });
  });

  it("whose judge comes to no verdict say why, and the summary counts the reasons", async () => {
    const judge = {
      ...PLAIN_RUN.judge,
      async judge(task: JudgeTask, signal: AbortSignal) {
        if (/answer 1\d/.test(task.answer)) return { why: "needs a machine" };
        return PLAIN_RUN.judge.judge(task, signal);
      },
    };
    const summary = await runQuestions(taskIn(temporaryFolder(), { judge }));
    expect(summary).toMatchObject({
      outcomes: { correct: 10, unjudged: 10 },
      undecided: { "needs a machine": 10 },
      judgeFailed: undefined,
    });
  });

  it("each end in one episode, the same whatever the concurrency", async () => {
    const [one, many] = [temporaryFolder(), temporaryFolder()];
    const summary = await runQuestions(taskIn(one, { concurrency: 1 }));
    expect(await runQuestions(taskIn(many, { concurrency: 7 }))).toEqual(summary);
    expect(summary).toEqual({
      finished: 20,
      undecided: {},
      replies: { replies: 0, invalid: 0, lenient: 0 },
      outcomes: { correct: 20, wrong: 0, halted: 0, unjudged: 0, abandoned: 0 },
      stopReasons: { final: 20 },
      dollars: undefined,
      costUnknown: false,
      left: 0,
      endedBy: undefined,
    });
    expect(withoutTimes(await episodesOf(many))).toEqual(withoutTimes(await episodesOf(one)));
    expect(await files.list(`${many}/live`)).toEqual([]);
  });

  it("are never more under way than allowed", async () => {
    let now = 0;
    let most = 0;
    const policy: Policy = {
      id: "counts",
      async propose(input, signal) {
        most = Math.max(most, ++now);
        const proposal = await knows.propose(input, signal);
        now--;
        return proposal;
      },
    };
    await runQuestions(taskIn(temporaryFolder(), { policy, concurrency: 3 }));
    expect(most).toBe(3);
  });

  it("stop on cancel: what is finished stays, what is under way leaves no trace and is asked again", async () => {
    const folder = temporaryFolder();
    const controller = new AbortController();
    const first = await runQuestions(
      taskIn(folder, {
        signal: controller.signal,
        onEpisode: () => controller.abort(new Error("Interrupted")),
      }),
    );
    expect(first.endedBy).toBe("cancelled");
    expect(first.left).toBe(20 - first.finished);
    expect(first.finished).toBeLessThan(5);
    expect(await files.list(`${folder}/live`)).toEqual([]);
    const done = new Set((await episodesOf(folder)).map(({ questionId }) => questionId));
    await runQuestions(
      taskIn(folder, {
        samples: samplesOf(
          questionsOf(20).filter(({ id }) => !done.has(id)),
          1,
        ),
      }),
    );
    expect((await episodesOf(folder)).map(({ id }) => id)).toEqual(
      questionsOf(20).map(({ id }) => `${id}#1`),
    );
  });

  it.each(["budget", "unauthorised"] as const)(
    "end with the run where every further one would end so: %s",
    async (kind) => {
      const policy: Policy = { id: "poor", propose: () => Promise.reject(new ModelError(kind, "No more.")) };
      const summary = await runQuestions(taskIn(temporaryFolder(), { policy, concurrency: 2 }));
      expect(summary.finished).toBeLessThanOrEqual(2);
      expect(summary.endedBy).toBe(kind === "budget" ? "budget" : "model_unauthorised");
    },
  );

  it("leave no trace of an episode that ends the run by its caller's rule", async () => {
    const folder = temporaryFolder();
    const policy: Policy = {
      id: "flaky",
      propose: (input, signal) =>
        input.questionId === "q3"
          ? Promise.reject(new ModelError("server_error", "Out of order.", "Wait."))
          : knows.propose(input, signal),
    };
    const endsRun = (reason: string): boolean => reason === "model_server_error";
    const summary = await runQuestions(taskIn(folder, { policy, concurrency: 1, endsRun }));
    expect(summary).toMatchObject({ finished: 3, left: 17, endedBy: "model_server_error" });
    expect(summary.failure?.extra?.["failure"]).toEqual({ detail: "Out of order.", next: "Wait." });
    expect((await episodesOf(folder)).map(({ questionId }) => questionId)).toEqual(["q0", "q1", "q2"]);
    expect(await files.list(`${folder}/live`)).toEqual([]);
  });

  it("go on after any other failure", async () => {
    const policy: Policy = {
      id: "flaky",
      propose: (input, signal) =>
        input.questionId === "q3"
          ? Promise.reject(new ModelError("malformed_reply", "Not JSON."))
          : knows.propose(input, signal),
    };
    const { stopReasons } = await runQuestions(taskIn(temporaryFolder(), { policy }));
    expect(stopReasons).toEqual({ final: 19, model_malformed_reply: 1 });
  });

  it("pass a bug on, and the others leave live files that a resume drops", async () => {
    const folder = temporaryFolder();
    const policy: Policy = {
      id: "broken",
      propose: (input, signal) =>
        input.questionId === "q3" ? Promise.reject(new TypeError("a bug")) : knows.propose(input, signal),
    };
    await expect(runQuestions(taskIn(folder, { policy }))).rejects.toThrow("a bug");
    expect((await recoverRun(files, folder, { interrupted: "drop" })).dropped).toEqual(["q3#1"]);
  });
});

it("a resume keeps a live episode that had finished, and drops one that had not", async () => {
  const folder = temporaryFolder();
  const begin = (id: string) => ({
    id,
    questionId: id,
    sample: 1,
    question: "Who?",
    source: "hasp",
    facts: FACTS,
    library: [],
  });
  await startLive(files, folder, begin("cut-off")).leave();
  await startLive(files, folder, begin("done")).leave();
  const line = JSON.stringify({ event: "finished", outcome: "halted", stopReason: "timeout" });
  await files.append(`${folder}/live/done.jsonl`, new TextEncoder().encode(`${line}\n`));
  expect(await recoverRun(files, folder, { interrupted: "drop" })).toMatchObject({
    added: ["done"],
    dropped: ["cut-off"],
  });
  expect(await files.list(`${folder}/live`)).toEqual([]);
});
