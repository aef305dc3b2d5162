import { expect, it } from "vitest";
import {
  compareQuestion,
  compareTwoRuns,
  questionsInCommon,
  samePositions,
} from "../../../src/app/compare-runs.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { appendEpisode } from "../../../src/trace/episode-file.ts";
import { openRun, type OpenedRunFolder } from "../../../src/trace/run-folder.ts";
import { episode, files, temporaryFolder } from "../trace/support.ts";

const { signal } = new AbortController();

async function run(...episodes: Episode[]): Promise<OpenedRunFolder> {
  const folder = temporaryFolder();
  for (const one of episodes) await appendEpisode(files, `${folder}/episodes.jsonl`, one);
  return openRun(files, folder, { save: false });
}

const wrong = episode("a1", { questionId: "q", question: "Who?", outcome: "wrong" });
const right = episode("b1", { questionId: "q", question: "Who?" });

it("compares two runs by question and says how far it is", async () => {
  const runs = [await run(wrong), await run(right, episode("b2", { question: "Why?" }))] as const;
  const heard: string[] = [];
  const services = { files, signal, on: ({ words }: { words: string }) => void heard.push(words) };
  const { value } = await compareTwoRuns({ runs, measured: true }, services);
  expect(value.questions).toEqual([1, 2]);
  expect(value.comparison.verdicts).toMatchObject({ won: 1, only_b: 1 });
  expect(heard[0]).toBe(`0 of 1 questions of ${runs[0].title}`);
  const compared = await compareQuestion(value.comparison, "b1", runs, files);
  expect(compared.value?.episodes.map(({ id }) => id)).toEqual(["a1", "b1"]);
  for (const wanted of ["nothing", "b2"])
    expect((await compareQuestion(value.comparison, wanted, runs, files)).diagnostics[0]?.code).toBe(
      "HASP575",
    );
});

it("compares the sample that is named, by its id or as q1#2", async () => {
  const samples = (prefix: string) =>
    [1, 2].map((sample) => episode(`${prefix}${sample}`, { questionId: "q", question: "Who?", sample }));
  const third = episode("b3", { questionId: "q", question: "Who?", sample: 3 });
  const runs = [await run(...samples("a")), await run(...samples("b"), third)] as const;
  const { value } = await compareTwoRuns({ runs, measured: false }, { files, signal });
  const idsOf = async (wanted: string) =>
    (await compareQuestion(value.comparison, wanted, runs, files)).value?.episodes.map(({ id }) => id);
  expect(await idsOf("q")).toEqual(["a1", "b1"]);
  expect(await idsOf("q#2")).toEqual(["a2", "b2"]);
  expect(await idsOf("b2")).toEqual(["a2", "b2"]);
  expect(await idsOf("q#3")).toBeUndefined();
});

it("finds the same question by id within a run, and in another run by its text, too", async () => {
  const mine = await run(wrong, episode("a2", { questionId: "other", question: "Who?" }));
  const theirs = await run(episode("c1", { questionId: "named otherwise", question: "Who?" }));
  expect(samePositions(wrong, mine, true)).toEqual([0]);
  expect(samePositions(wrong, theirs, false)).toEqual([0]);
  expect(questionsInCommon(await run(wrong), theirs)).toEqual({ shared: 1, byText: 1 });
});
