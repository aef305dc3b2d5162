import { openContainment } from "../../../src/platform/containment/open-containment.ts";
import { readFileSync, writeFileSync } from "node:fs";
import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import {
  judgeRun,
  plainJudge,
  whyNoWordsOf,
  type JudgeOrder,
  type JudgedRun,
} from "../../../src/app/judge-run.ts";
import { estimateJudging } from "../../../src/app/judge-estimate.ts";
import { ModelError } from "../../../src/llm/chat-model.ts";
import { scriptedModel } from "../../../src/llm/scripted-model.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { exactMatchJudge, f1Judge, type Judge, verdictIn } from "../../../src/scoring/judge.ts";
import { judgedBy } from "../../../src/scoring/judged-by.ts";
import { tokenF1 } from "../../../src/scoring/f1.ts";
import { modelJudge } from "../../../src/scoring/model-judge.ts";
import { parseEpisode, serialiseEpisode } from "../../../src/trace/episode-file.ts";
import { episode, files, step, temporaryFolder } from "../trace/support.ts";

const OLD = `{"schema":"hasp.episode/1","id":"old","questionId":"q-old","outcome":"correct","length":0,"question":"Who?","source":"reflexion","facts":{"domain":"web-search","actionTypes":["FINAL"],"searchReturnsText":true,"maxSteps":6},"settings":{"trial":2},"library":[],"steps":[],"answer":"Sam Walton","gold":["Sam"],"stopReason":"final"}`;

let folder: string;
const file = (): string => `${folder}/episodes.jsonl`;

const first = verdictIn(
  await exactMatchJudge.judge(
    { question: "Who?", answer: "Sam Walton", gold: ["Sam"] },
    new AbortController().signal,
  ),
);
const steps = [step(0, "SEARCH", "who", "somebody"), step(1, "FINAL", "Sam Walton")];
const wrong = episode("a", {
  steps,
  outcome: "wrong",
  answer: "Sam Walton",
  gold: ["Sam"],
  verdicts: first === undefined ? [] : [first],
});
const unanswered = episode("b", { steps: steps.slice(0, 1), outcome: "halted", gold: ["Sam"] });
const LINES = [serialiseEpisode(wrong), "no episode", serialiseEpisode(unanswered), OLD];

beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(file(), `${LINES.join("\n")}\n`);
});

async function judged(judge: Judge, more: Partial<JudgeOrder> = {}, signal = new AbortController().signal) {
  return (await judging(judge, more, signal)).value as JudgedRun;
}

function judging(judge: Judge, more: Partial<JudgeOrder> = {}, signal = new AbortController().signal) {
  const order = { run: folder, judge, drafts: false, again: false, concurrency: 2, ...more };
  return judgeRun(order, {
    files,
    openContainment,
    asOnlyWriter: (_folder, work) => work({ lost: new AbortController().signal, release: () => undefined }),
    redact: (text) => text.replaceAll("hunter2", "[redacted]"),
    signal,
    on: () => undefined,
  });
}

describe("a judge that compares words", () => {
  const math = ["-7", "3/4", "[0,1)"].map((gold, i) =>
    serialiseEpisode(episode(`m${i}`, { outcome: "unjudged", answer: "7", gold: [gold] })),
  );

  it.each(["exact_match", "f1:0.8"])("%s is refused on math, and the run stays as it is", async (spec) => {
    const before = `${math.join("\n")}\n`;
    writeFileSync(file(), before);
    const judge = plainJudge(spec)?.value ?? exactMatchJudge;
    const { value, diagnostics } = await judging(judge);
    expect(value).toBeUndefined();
    expect(diagnostics).toMatchObject([
      {
        code: "HASP599",
        message: expect.stringContaining("3 of 3 accepted answers are math") as unknown,
        next: "Name a judge that reads math, `--judge exact_math`, or a model: `--judge openai:<model>` or `--judge <url>#<model>`.",
      },
    ]);
    expect(readFileSync(file(), "utf8")).toBe(before);
  });

  it("is refused for a reason that is known before it is chosen, where the run is small", async () => {
    expect(await whyNoWordsOf(folder, { files })).toBeUndefined();
    writeFileSync(file(), `${math.join("\n")}\n`);
    const why = await whyNoWordsOf(folder, { files });
    expect((await judging(exactMatchJudge)).diagnostics[0]?.message).toBe(why);
    writeFileSync(file(), `${math.join("\n")}\n${" ".repeat(4_000_000)}\n`);
    expect(await whyNoWordsOf(folder, { files })).toBeUndefined();
  });

  it("leaves math to a model, which is asked also where only signs and brackets differ", async () => {
    writeFileSync(file(), `${math.join("\n")}\n`);
    const model = scriptedModel(() => '{"equivalent": false}');
    expect(await judged(modelJudge(model))).toMatchObject({ added: 3, passed: 0 });
  });
});

const lines = (): string[] => readFileSync(file(), "utf8").split("\n");
const at = (i: number): Episode | undefined => parseEpisode(lines()[i] ?? "", "e", i).value;

describe("another judge", () => {
  it("adds its verdict after the first, and leaves every other line as it stands", async () => {
    const result = await judged(f1Judge());
    expect(result).toMatchObject({ added: 2, passed: 2, nothingToJudge: 1 });
    expect(result.agreement).toEqual({ bothRight: 1, bothWrong: 0, onlyFirst: 0, onlyNew: 1 });
    expect(at(0)).toMatchObject({
      outcome: "wrong",
      verdicts: [
        { judge: "exact_match", passed: false },
        { judge: "f1>=0.5", passed: true },
      ],
    });
    expect(lines()[1]).toBe("no episode");
    expect(lines()[2]).toBe(LINES[2]);
    // An outcome that its source told stays; the record is one of this version now.
    expect(at(3)).toMatchObject({ outcome: "correct", sample: 2, verdicts: [{ judge: "f1>=0.5" }] });
    expect(lines()[4]).toBe("");
  });

  it("is not asked twice about an answer, unless a person wants that", async () => {
    await judged(f1Judge());
    const before = readFileSync(file(), "utf8");
    expect(await judged(f1Judge())).toMatchObject({ added: 0, had: 2 });
    expect(readFileSync(file(), "utf8")).toBe(before);
    expect(await judged(f1Judge(), { again: true })).toMatchObject({ added: 2 });
    expect(at(0)?.verdicts).toHaveLength(3);
  });

  it("gives an unjudged answer its outcome", async () => {
    const { verdicts: _none, ...bare } = wrong;
    writeFileSync(file(), `${serialiseEpisode({ ...bare, outcome: "unjudged" })}\n`);
    await judged(exactMatchJudge);
    expect(at(0)).toMatchObject({ outcome: "wrong", verdicts: [{ judge: "exact_match" }] });
  });

  it("keeps what it has said where it fails later, and holds no secret", async () => {
    const model = scriptedModel((_request, i) =>
      i === 0 ? 'hunter2 {"equivalent": true}' : { error: "unauthorised" },
    );
    const result = await judged(modelJudge(model), { concurrency: 1 });
    expect(result).toMatchObject({ added: 1, failed: 1 });
    expect(result.failure).toBeInstanceOf(ModelError);
    expect(at(0)?.verdicts?.[1]).toMatchObject({
      judge: "mbe-1 scripted",
      score: 1,
      evidence: { by: "judge", reply: '[redacted] {"equivalent": true}' },
    });
    expect(at(3)?.verdicts).toBeUndefined();
  });

  it("that is stopped keeps what it has said", async () => {
    const stop = new AbortController();
    const stopping: Judge = {
      name: "stopping",
      async judge() {
        stop.abort(new Error("Interrupted"));
        return { judge: "stopping", score: 0, passed: false };
      },
    };
    expect(await judged(stopping, { concurrency: 1 }, stop.signal)).toMatchObject({
      added: 1,
      stopped: true,
    });
    expect(at(0)?.verdicts).toHaveLength(2);
  });

  it("keeps what it has said where it rejects later, with whatever", async () => {
    let asked = 0;
    const breaking: Judge = {
      name: "breaking",
      async judge() {
        if (asked++ > 0) throw new TypeError("broken");
        return { judge: "breaking", score: 0, passed: false };
      },
    };
    expect(await judged(breaking, { concurrency: 1 })).toMatchObject({
      added: 1,
      failed: 1,
      failure: { message: "broken" },
    });
    expect(at(0)?.verdicts).toHaveLength(2);
    expect(at(3)?.verdicts).toBeUndefined();
  });

  it("without a readable verdict adds nothing", async () => {
    const before = readFileSync(file(), "utf8");
    const vague = modelJudge(scriptedModel(() => "It depends."));
    expect(await judged(vague)).toMatchObject({ added: 0, withoutVerdict: 2 });
    expect(readFileSync(file(), "utf8")).toBe(before);
  });
});

describe("drafts", () => {
  const answers = ["Sam", "Bud", "Bud", "Sam Walton"];
  const proposals = answers.map((arg) => ({ thought: "", action: { type: "FINAL", arg } }));
  const drafted = episode("d", {
    steps: [{ ...step(0, "FINAL", "Sam Walton"), proposals }],
    outcome: "wrong",
    answer: "Sam Walton",
    gold: ["Sam"],
    verdicts: first === undefined ? [] : [first],
  });
  const draftVerdicts = () =>
    at(0)?.steps[0]?.proposals.map(({ verdicts = [] }) => verdicts.map(({ passed }) => passed));

  it("are judged always by a judge that asks no model, and the answer's verdict is not made again", async () => {
    writeFileSync(file(), `${serialiseEpisode(drafted)}\n`);
    const asked: string[] = [];
    const counting: Judge = {
      ...exactMatchJudge,
      async judge(task, signal) {
        asked.push(task.answer);
        return exactMatchJudge.judge(task, signal);
      },
    };
    expect(await judged(counting)).toMatchObject({ added: 0, had: 1, drafts: { added: 4, passed: 1 } });
    expect(asked.toSorted()).toEqual(["Bud", "Sam"]);
    expect(draftVerdicts()).toEqual([[true], [false], [false], [false]]);
    expect(at(0)?.verdicts).toHaveLength(1);
  });

  it("are judged by a model only on request, each text once, at a cost that is known before", async () => {
    writeFileSync(file(), `${serialiseEpisode(drafted)}\n`);
    const model = scriptedModel(() => '{"equivalent": true}');
    const judge = modelJudge(model);
    const services = { files, signal: new AbortController().signal, on: () => undefined };
    const { value } = await estimateJudging({ run: folder, judge, again: false }, services);
    expect(model.requests).toHaveLength(0);
    // "Sam" matches exactly, so nobody is asked about it.
    expect(value).toMatchObject({
      answers: { texts: 1, calls: 1, outputTokens: 256 },
      drafts: { texts: 2, calls: 1, outputTokens: 256 },
    });

    expect(await judged(judge)).toMatchObject({ added: 1, drafts: { added: 0 } });
    expect(model.requests).toHaveLength(1);
    const sent = model.requests[0]?.messages.reduce((sum, { content }) => sum + content.length, 0) ?? 0;
    expect(value?.answers.inputTokens).toBeGreaterThanOrEqual(sent / 4);
    expect(value?.answers.inputTokens).toBeLessThan(sent / 4 + 12);
    expect(draftVerdicts()).toEqual([[], [], [], []]);

    expect(await judged(judge, { drafts: true })).toMatchObject({
      added: 0,
      drafts: { added: 4, passed: 4 },
    });
    expect(model.requests).toHaveLength(2);
    expect(draftVerdicts()).toEqual([[true], [true], [true], [true]]);
  });

  it("keep the verdicts of one judge alone where it is chosen", async () => {
    writeFileSync(file(), `${serialiseEpisode(drafted)}\n`);
    await judged(exactMatchJudge);
    await judged(f1Judge());
    const both = at(0) ?? drafted;
    const judgesOf = (one: Episode) =>
      one.steps.flatMap(({ proposals: all }) =>
        all.map(({ verdicts = [] }) => verdicts.map(({ judge }) => judge)),
      );
    expect(judgesOf(both)[0]).toEqual(["exact_match", "f1>=0.5"]);
    expect(judgesOf(judgedBy(both, "f1>=0.5"))).toEqual(answers.map(() => ["f1>=0.5"]));
    expect(judgesOf(judgedBy(drafted, "f1>=0.5"))).toEqual(answers.map(() => []));
  });
});

it("a spec names a judge, a threshold, or a model", () => {
  expect(plainJudge("exact_match")?.value?.name).toBe("exact_match");
  expect(plainJudge("f1")?.value?.name).toBe("f1>=0.5");
  expect(plainJudge("f1:0.8")?.value?.name).toBe("f1>=0.8");
  expect(plainJudge("f1:2")?.diagnostics[0]).toMatchObject({ code: "HASP592" });
  expect(plainJudge("openai:gpt-4o-mini")).toBeUndefined();
});

it("the score of the F1 judge is the F1, and passes from the threshold on", async () => {
  const words = fc.array(fc.constantFrom("sam", "walton", "the", "yes", "no", ""), { maxLength: 5 });
  const texts = words.map((list) => list.join(" "));
  await fc.assert(
    fc.asyncProperty(
      texts,
      fc.array(texts, { minLength: 1 }),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
      async (answer, gold, t) => {
        const task = { question: "?", answer, gold };
        const verdict = verdictIn(await f1Judge(t).judge(task, new AbortController().signal));
        expect(verdict?.score).toBe(tokenF1(answer, gold));
        expect(verdict?.passed).toBe((verdict?.score ?? 0) >= t);
      },
    ),
  );
});

it("an answer without a verdict has the reason in its record and in the counts, until a judge comes to one", async () => {
  const unjudged = episode("u", { steps, outcome: "unjudged", answer: "Sam", gold: ["Sam"] });
  writeFileSync(file(), `${serialiseEpisode(unjudged)}\n`);
  const unable: Judge = { name: "unable", judge: async () => ({ why: "needs a machine" }) };
  expect(await judged(unable)).toMatchObject({
    added: 0,
    withoutVerdict: 2,
    undecided: { "needs a machine": 2 },
  });
  expect(at(0)).toMatchObject({ outcome: "unjudged", noVerdict: "needs a machine" });
  await judged(exactMatchJudge);
  expect(at(0)).toMatchObject({ outcome: "correct", verdicts: [{ passed: true }] });
  expect(at(0)).not.toHaveProperty("noVerdict");
});
