import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { SEMANTIC_PROMPT, SEMANTIC_SITE } from "../../src/analysis/signals/semantic-judge.ts";
import { semanticLineSchema, type SemanticLine } from "../../src/model/semantic.ts";
import { FAMILIES, SLOTS, type StepSignals } from "../../src/model/signals.ts";
import type { SignalsReport } from "../../src/model/signals-report.ts";
import { ROOT } from "../support/core.ts";
import { openScene, type Ended, type HookScene } from "../support/hook-process.ts";
import { loopbackModel, type LoopbackModel, type LoopbackOptions } from "../support/loopback-model.ts";

/**
 * `hasp signals` as a person runs it, on a run that `hasp run` has made of a script: one episode with a right answer and one with a wrong
 * one, of 3 steps each. In both, a skill turns the answer that comes at step 2, with nothing read, into a READ.
 */
const STEPS = 6;
/** Accepted answers that no policy gives, so that a prompt which holds one has it from the gold. */
const GOLD = ["Gold-of-the-right-one", "Gold-of-the-wrong-one"];
const SECRET = "Hunter2-of-the-deploy";

const SKILL = `---
name: read-first
description: Use when an answer comes before anything was read.
metadata:
  hasp:
    skill_id: read_first
    title: Read first
    version: 1
    priority: 0.9
    error_category: no_read
    applicable_modes: [web-search]
    applicable_phases: [answer]
    system_summary: Read a document before you answer.
---

# Read first

Read before you answer.
`;
const PF = `import { ProgramFunction, modifyAction, type StepContext } from "hasp";

export default class ReadFirst extends ProgramFunction {
  shouldActivate(ctx: StepContext, actionType: string): boolean {
    return actionType === "FINAL" && !ctx.hasRead;
  }
  intervene() {
    return modifyAction({ type: "READ", arg: "doc_0", reason: "nothing read" });
  }
}
`;
const linesOf = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

const scene: HookScene = openScene("signals");
const models: LoopbackModel[] = [];

async function teacherThat(
  reply: (index: number) => string,
  options: LoopbackOptions = {},
): Promise<LoopbackModel> {
  const model = await loopbackModel(({ index }) => ({ kind: "text", text: reply(index) }), options);
  models.push(model);
  return model;
}

/** A copy of the run for one test. */
function runFor(name: string): string {
  cpSync(scene.at("run"), scene.at(name), { recursive: true });
  return name;
}

const judgementsOf = (run: string): SemanticLine[] =>
  readFileSync(scene.at(run, "semantic.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => semanticLineSchema.parse(JSON.parse(line)));

/** Without it a call that is made again would reach no endpoint, and be missed in a count. */
const forgetReplies = (): void => rmSync(scene.at(".hasp/cache/replies"), { recursive: true });

/** All that a model read in its calls, one text a call. */
const readBy = ({ calls }: LoopbackModel): string[] =>
  calls.map(({ request }) => request.messages.map(({ content }) => content).join("\n\n"));

interface Printed {
  readonly report: SignalsReport;
  readonly steps: readonly (StepSignals & { readonly episode: string })[];
}
const printed = ({ out }: Ended): Printed => JSON.parse(out) as Printed;

beforeAll(async () => {
  scene.env["DEPLOY_TOKEN"] = SECRET;
  mkdirSync(scene.at("skills/web-search/read-first"), { recursive: true });
  writeFileSync(scene.at("skills/web-search/read-first/SKILL.md"), SKILL);
  writeFileSync(scene.at("skills/web-search/read-first/pf.ts"), PF);
  const questions = [
    { id: "right", question: "Who founded Walmart?", gold: ["Sam Walton", GOLD[0]] },
    { id: "wrong", question: "Who built the Halden Bridge?", gold: [GOLD[1]] },
  ];
  writeFileSync(scene.at("questions.jsonl"), linesOf(questions));
  const passages = [
    { title: "Walmart", text: "Walmart is a chain of shops that Sam Walton founded in 1962." },
    { title: "Halden Bridge", text: "The Halden Bridge crosses the river at Varn." },
  ];
  writeFileSync(scene.at("corpus.jsonl"), linesOf(passages));
  const says = (query: string, answer: string) => [
    `Thought: look\nAction: SEARCH[${query}]`,
    `Action: FINAL[${answer}]`,
    `Action: FINAL[${answer}]`,
  ];
  const script = [...says("Walmart", "Sam Walton"), ...says("Halden Bridge", "Ida Moen")];
  writeFileSync(scene.at("script.json"), JSON.stringify(script));
  const made = await scene.hasp(
    ..."run --questions questions.jsonl --corpus corpus.jsonl --policy scripted:script.json".split(" "),
    ..."--skills skills --setting pf-only --concurrency 1 -o run".split(" "),
  );
  expect(made.out).toContain("2 episodes: 1 correct, 1 wrong, 0 halted");
});
afterEach(async () => {
  for (const model of models.splice(0)) await model.close();
});
afterAll(() => scene.close());

describe("hasp signals", () => {
  it("prints the steps, the rewards and what each skill's interventions earn", async () => {
    const { code, err, out } = await scene.hasp("signals", "run");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(`           steps  A ≥ 0.25  timing  modality  correctness  outcome  mean A
all steps      6   4 (67%)   0.131     0.117        0.417    0.290   0.280
2 episodes, 2 modified and 0 revised steps, mean episode reward 0.390
s3.semantic: 0 of 6 steps judged by a teacher, the rest by the fallback

rewards A of the steps:
   0.0  ████████████████████████████████████████  2
   0.1                                            0
   0.2  ████████████████████████████████████████  2
   0.3  ████████████████████                      1
   0.4                                            0
   0.5                                            0
   0.6  ████████████████████                      1

skill       steps  A ≥ 0.25  timing  modality  correctness  outcome  mean A  modified  best step  worst step
read_first      2  2 (100%)   0.592     0.350        0.550    0.470   0.496         2  right#1#2  wrong#1#2
`);
  });

  it("shows every slot of the steps of one episode with its rule", async () => {
    const { code, out } = await scene.hasp("signals", "run", "--episode", "right#1");
    expect(code).toBe(0);
    const steps = out.split(/^step /m).slice(1);
    expect(steps).toHaveLength(3);
    for (const step of steps)
      for (const slot of [...FAMILIES, ...SLOTS])
        expect(step.split("\n").filter((line) => line.trim().startsWith(`${slot} `))).toHaveLength(1);
    const [, repaired = ""] = steps;
    expect(repaired).toContain('FINAL("Sam Walton") → READ("doc_0")  modified');
    for (const rule of [
      /s1\.tp +█{10} +1\.0000 +× 0\.25 +FINAL with nothing read; activated: read_first/,
      /s1\.phase +█+ +0\.91\d\d +× 0\.05 +1 − 1 \/ 12/,
      /s2\.pre_action +█{10} +1\.0000 +× 0\.35 +changed by read_first/,
      /s2\.post_action +0\.0000 +× 0\.15 +reserved/,
      /s3\.semantic +█+ +0\.7000 +× 0\.5 +without a teacher: FINAL → READ/,
      /s3\.domain +0\.0000 +× 0\.3 +the domain registers no measure/,
      /s4\.local +█{8} +0\.8000 +× 0\.4 +modified: FINAL → READ/,
      /s4\.cost +0\.0000 +× -0\.1 +3 steps, 15 are free/,
      /outcome +█+ +0\.7200 +× 0\.5000/,
    ])
      expect(repaired).toMatch(rule);
  });

  it.each(["right", "right#1", "1"])("finds the episode %s as `hasp replay` does", async (named) => {
    const { code, err, out } = await scene.hasp("signals", "run", "--episode", named);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out.match(/^step /gm)).toHaveLength(3);
    expect(out).toContain('READ("doc_0")  modified');
    expect(out).toContain("the answer is right");
  });

  it("prints the mean of each slot over the steps of one skill", async () => {
    const { code, out } = await scene.hasp("signals", "run", "--skill", "read_first");
    expect(code).toBe(0);
    expect(out).toContain("read_first: 2 steps, 2 modified");
    // One of the two episodes ended right.
    expect(out).toMatch(/s4\.downstream +█{5} +0\.500 +× 0\.4\n/);
    expect(out).toMatch(/s2\.pre_action +█{10} +1\.000 +× 0\.35\n/);
    const unknown = await scene.hasp("signals", "run", "--skill", "read_frist");
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean "read_first"?') });
  });

  it("prints the report and all steps as JSON", async () => {
    const { report, steps } = printed(await scene.hasp("signals", "run", "--json"));
    expect(report).toMatchObject({
      episodes: 2,
      modified: 2,
      revised: 0,
      judged: 0,
      all: { steps: STEPS, overFloor: 4 },
      skills: [{ skillId: "read_first", steps: 2, modified: 2 }],
    });
    expect(report.bins.reduce((sum, count) => sum + count, 0)).toBe(STEPS);
    expect(steps.map(({ episode, t, correction }) => `${episode} ${t} ${correction}`)).toEqual([
      "right#1 0 none",
      "right#1 1 modified",
      "right#1 2 none",
      "wrong#1 0 none",
      "wrong#1 1 modified",
      "wrong#1 2 none",
    ]);
    for (const { values } of steps) expect(Object.keys(values)).toEqual([...SLOTS]);
  });

  it("leaves out what is dropped, by the command line or by a file", async () => {
    writeFileSync(scene.at("drops.yaml"), "drop: [timing, s3.semantic]\n");
    const dropped = await scene.hasp("signals", "run", "--drop", "timing", "s3.semantic", "--json");
    const byFile = await scene.hasp("signals", "run", "--weights", "drops.yaml", "--json");
    expect(byFile.out).toBe(dropped.out);
    const [, repaired] = printed(dropped).steps;
    // Without timing: 0.1176, 0.2941 and 0.5882; S3 is 0.2 of 0.5.
    expect(repaired?.reward).toBeCloseTo(0.1176 * 0.35 + 0.2941 * 0.4 + 0.5882 * 0.72, 3);
  });
});

describe("hasp signals, given something wrong", () => {
  const weights = (text: string): string[] => {
    writeFileSync(scene.at("weights.yaml"), text);
    return ["--weights", "weights.yaml"];
  };

  it.each<[string, () => string[], RegExp]>([
    ["a misspelt slot", () => ["--drop", "s3.semantik"], /s3\.semantik[^]*Did you mean "s3\.semantic"\?/],
    ["all families", () => ["--drop", ...FAMILIES], /No signal is left[^]*at least one family/],
    [
      "a misspelt key in a file",
      () => weights("families:\n  timing: 0.2\n  outcom: 0.5\n"),
      /weights\.yaml:3:3 +error +HASP620[^]*Did you mean "outcome"\?/,
    ],
    ["no number in a file", () => weights("slots:\n  s1.tp: much\n"), /weights\.yaml:2:10 +error +HASP621/],
    ["broken YAML", () => weights("families: {\n  timing: 1\n"), /weights\.yaml:\d+:\d+ +error +HASP621/],
    ["no such file", () => ["--weights", "none.yaml"], /There is no file none\.yaml/],
    ["an unknown episode", () => ["--episode", "nobody"], /nobody/],
    ["no such script", () => ["--teacher", "scripted:none.json"], /There is no script none\.json/],
  ])("%s: ends with 2, says what to do, and prints no figures", async (_, args, says) => {
    const { code, out, err } = await scene.hasp("signals", "run", ...args());
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(says);
    expect(existsSync(scene.at("run/semantic.jsonl"))).toBe(false);
  });
});

describe("hasp signals --teacher", () => {
  it("records each call with its site, prompt, reply and usage, and asks nothing again", async () => {
    const run = runFor("judged");
    const replies = Array.from({ length: STEPS }, (_, i) => `{"score": ${(i + 1) / 10}}`);
    writeFileSync(scene.at("teacher.json"), JSON.stringify(replies));
    const args = ["signals", run, "--teacher", "scripted:teacher.json", "--concurrency", "1"];
    const first = await scene.hasp(...args);
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toContain("s3.semantic: 6 steps judged, 0 had a score already; cost $0.00");
    expect(first.out).not.toContain("by the fallback");

    const found = judgementsOf(run);
    expect(found.map(({ episode, t, score }) => [episode, t, score])).toEqual([
      ["right#1", 0, 0.1],
      ["right#1", 1, 0.2],
      ["right#1", 2, 0.3],
      ["wrong#1", 0, 0.4],
      ["wrong#1", 1, 0.5],
      ["wrong#1", 2, 0.6],
    ]);
    for (const [i, { teacher, prompt, call }] of found.entries()) {
      expect([teacher, prompt]).toEqual(["scripted:teacher.json", SEMANTIC_PROMPT]);
      expect(call).toMatchObject({ site: SEMANTIC_SITE, reply: replies[i], temperature: 0 });
      expect(call.prompt).toContain(i < 3 ? "Who founded Walmart?" : "Who built the Halden Bridge?");
      expect(call.usage?.inputTokens).toBeGreaterThan(0);
      expect(call.usage?.outputTokens).toBeGreaterThan(0);
    }
    const scored = printed(await scene.hasp("signals", run, "--json"));
    expect(scored.steps.map(({ values }) => values["s3.semantic"])).toEqual(
      found.map(({ score }) => ({ value: score, reason: "judged by scripted:teacher.json" })),
    );

    const bytes = readFileSync(scene.at(run, "semantic.jsonl"), "utf8");
    const second = await scene.hasp(...args);
    expect(second.out).toContain("s3.semantic: 0 steps judged, 6 had a score already");
    expect(readFileSync(scene.at(run, "semantic.jsonl"), "utf8")).toBe(bytes);
  });

  it("takes the fallback where a reply has no score, records it, and asks nothing again", async () => {
    const run = runFor("unscored");
    const teacher = await teacherThat((index) => (index === 1 ? "I would say 0.9." : '{"score": 0.1}'));
    const args = ["signals", run, "--teacher", `${teacher.url}#judge`, "--concurrency", "1"];
    const { code, out } = await scene.hasp(...args);
    expect(code).toBe(0);
    expect(out).toContain("s3.semantic: 5 steps judged");
    expect(out).toContain("no score can be read in the replies about 1 step: the fallback counts");
    const [, unscored] = judgementsOf(run);
    expect(unscored).toMatchObject({ episode: "right#1", t: 1, call: { reply: "I would say 0.9." } });
    expect(unscored).not.toHaveProperty("score");
    const { steps } = printed(await scene.hasp("signals", run, "--json"));
    expect(steps[1]?.values["s3.semantic"]).toEqual({
      value: 0.7,
      reason: "without a teacher: FINAL → READ",
    });

    forgetReplies();
    const second = await scene.hasp(...args);
    expect(second.out).toContain("s3.semantic: 0 steps judged, 5 had a score already");
    expect(second.out).toContain("no score can be read in the replies about 1 step");
    expect(teacher.calls).toHaveLength(STEPS);
    expect(judgementsOf(run)).toHaveLength(STEPS);
  });

  it("records a failed call, ends with findings, and asks it again the next time", async () => {
    const run = runFor("failing");
    writeFileSync(scene.at("short.json"), JSON.stringify(Array.from({ length: 4 }, () => '{"score": 0.5}')));
    const args = ["signals", run, "--teacher", "scripted:short.json", "--concurrency", "1"];
    const failed = await scene.hasp(...args);
    expect(failed.code).toBe(1);
    expect(failed.out).toContain("the teacher could not be asked: ");
    const failures = judgementsOf(run).filter(({ call }) => call.error !== undefined);
    expect(failures.length).toBeGreaterThan(0);
    for (const { score, call } of failures)
      expect({ score, reply: call.reply }).toEqual({ score: undefined, reply: undefined });
    const again = await scene.hasp(...args);
    expect(again.code).toBe(0);
    expect(again.out).toContain("s3.semantic: 2 steps judged, 4 had a score already");
  });

  it.each(["SIGINT", "SIGKILL"] as const)(
    "stopped by %s, repeats none of the recorded calls",
    async (kill) => {
      const run = runFor(`stopped-${kill}`);
      let third = (): void => undefined;
      const arrived = new Promise<void>((resolve) => (third = resolve));
      const stalling = await loopbackModel(
        ({ index }) => (index === 2 ? { kind: "stall" } : { kind: "text", text: '{"score": 0.4}' }),
        { onEvent: (event, { index }) => event === "begin" && index === 2 && third() },
      );
      models.push(stalling);
      const args = ["signals", run, "--teacher", `${stalling.url}#judge`, "--concurrency", "1"];
      const { child, ended } = scene.start([path.join(ROOT, "dist/hasp.cjs"), ...args], "");
      await arrived;
      child.kill(kill);
      const { out, code } = await ended;
      expect(code).not.toBe(0);
      if (kill === "SIGINT") expect(out).toContain("Interrupted");
      expect(judgementsOf(run).filter(({ score }) => score !== undefined)).toHaveLength(2);

      forgetReplies();
      const rest = await scene.hasp(...args);
      expect(rest).toMatchObject({ code: 0, err: "" });
      expect(rest.out).toContain(`${STEPS - 2} steps judged, 2 had a score already`);
      const [one, two, ...others] = readBy(stalling);
      expect(new Set(others)).toEqual(new Set(others.filter((text) => text !== one && text !== two)));
      expect(new Set(readBy(stalling)).size).toBe(STEPS);
      expect(stalling.calls).toHaveLength(STEPS + 1);
    },
  );

  it("asks nothing about steps behind a divergence, and leaves them out", async () => {
    const redriven = await scene.hasp(
      ..."run --questions questions.jsonl --corpus corpus.jsonl --policy recorded:run".split(" "),
      ..."--skills skills --setting pf-only -o redriven".split(" "),
    );
    expect(redriven.code).toBe(0);
    const teacher = await teacherThat(() => '{"score": 0.5}');
    const args = ["signals", "redriven", "--teacher", `${teacher.url}#judge`];
    const { code, out } = await scene.hasp(...args);
    expect(code).toBe(0);
    // Both steps up to the READ, of both episodes; their outcomes are unknown.
    expect(teacher.calls).toHaveLength(4);
    expect(out).toContain("2 episodes diverged from the record: no outcome, and ");
    const { report, steps } = printed(await scene.hasp("signals", "redriven", "--json"));
    expect(report).toMatchObject({ diverged: 2, all: { steps: 4 }, episodeReward: { sum: 0, episodes: 0 } });
    const measured = steps.map((step) => (step as typeof step & { measured: boolean }).measured);
    expect(measured.filter(Boolean)).toHaveLength(4);
    expect(steps.every(({ values }) => values["s4.downstream"].value === 0)).toBe(true);
  });

  it("lets no gold, and nothing of a later step, into what the teacher reads", async () => {
    const run = runFor("gold");
    const teacher = await teacherThat(() => '{"score": 0.5}');
    await scene.hasp("signals", run, "--teacher", `${teacher.url}#judge`, "--concurrency", "1");
    const texts = readBy(teacher);
    expect(texts).toHaveLength(STEPS);
    for (const text of texts) for (const gold of GOLD) expect(text).not.toContain(gold);
    expect(readFileSync(scene.at(run, "episodes.jsonl"), "utf8")).toContain(GOLD[0]);
    const recorded = readFileSync(scene.at(run, "semantic.jsonl"), "utf8");
    for (const gold of GOLD) expect(recorded).not.toContain(gold);
    // The right answer comes at the last step; the step before it was an answer that became a READ.
    expect(texts[0]).not.toContain("Sam Walton");
    expect(texts[1]).toContain('READ(\\"doc_0\\")');
    expect(texts[1]).not.toContain("FINAL");
    expect(texts[2]).toContain('FINAL(\\"Sam Walton\\")');
  });

  it("records no secret of a reply", async () => {
    const run = runFor("secret");
    const teacher = await teacherThat(() => `The token is ${SECRET}. {"score": 0.5}`);
    const { out } = await scene.hasp("signals", run, "--teacher", `${teacher.url}#judge`);
    expect(out).toContain("6 steps judged");
    const recorded = readFileSync(scene.at(run, "semantic.jsonl"), "utf8");
    expect(recorded).not.toContain(SECRET);
    expect(judgementsOf(run).map(({ call }) => call.reply)).toEqual(
      Array.from({ length: STEPS }, () => 'The token is [redacted]. {"score": 0.5}'),
    );
  });
});

describe("a broken line of semantic.jsonl", () => {
  it("is HASP623 at its line; its step takes the fallback, and the others keep their score", async () => {
    const run = runFor("broken");
    const teacher = await teacherThat(() => '{"score": 0.9}');
    const args = ["signals", run, "--teacher", `${teacher.url}#judge`, "--concurrency", "1"];
    await scene.hasp(...args);
    const file = scene.at(run, "semantic.jsonl");
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    // The line of step 2 of the first episode, and one that a kill has cut off.
    const cut = lines[5]?.slice(0, 40) ?? "";
    writeFileSync(file, [lines[0], '{"score": 9}', ...lines.slice(2, 5), cut].join("\n"));
    const { code, out } = await scene.hasp("signals", run);
    expect(code).toBe(0);
    expect(out).toContain(`${run}/semantic.jsonl:2:1  warning  HASP623  Line 2: This is no judgement`);
    expect(out).toContain(`${run}/semantic.jsonl:6:1  warning  HASP623  Line 6: This is no judgement`);
    expect(out).toContain("0 errors, 2 warnings");
    expect(out).toContain("s3.semantic: 4 of 6 steps judged by a teacher");

    // The next call does not run into the unfinished line.
    forgetReplies();
    const again = await scene.hasp(...args);
    expect(again.out).toContain("2 steps judged, 4 had a score already");
    expect(again.out).not.toContain("by the fallback");
    expect(teacher.calls).toHaveLength(STEPS + 2);
  });

  it("is none where a line names an episode that the run lacks", async () => {
    const run = runFor("foreign");
    const line = { schema: "hasp.semantic/1", episode: "gone#1", t: 0, score: 1, teacher: "t", prompt: "p" };
    const call = { prompt: "p", maxTokens: 1, temperature: 0 };
    appendFileSync(scene.at(run, "semantic.jsonl"), `${JSON.stringify({ ...line, call })}\n`);
    const { code, out } = await scene.hasp("signals", run);
    expect(code).toBe(0);
    expect(out).toContain("s3.semantic: 0 of 6 steps judged by a teacher");
  });
});
