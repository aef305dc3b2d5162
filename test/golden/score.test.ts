import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgeAnswers } from "../../src/scoring/judge-answers.ts";
import { ModelError } from "../../src/llm/chat-model.ts";
import { scriptedModel } from "../../src/llm/scripted-model.ts";
import type { Answered } from "../../src/scoring/score-answers.ts";
import { hasp } from "../support/cli.ts";
import { ROOT } from "../support/core.ts";

const place = mkdtempSync(path.join(tmpdir(), "hasp-score-"));
const DATA = path.join(ROOT, "../shared/data");
const file = (name: string): string => path.join(place, name);

afterAll(() => rmSync(place, { recursive: true, force: true }));

/** What a command prints and its exit code; paths of this run's folder are left out. */
async function call(...args: string[]) {
  const { code, out, err } = await hasp(args, { cwd: place });
  return { code, out: `${out}${err}`.replaceAll(place, "PLACE") };
}

const ANSWERS = [
  { id: "a", question: "Who founded Walmart?", pred: "Sam Walton", gold: "Sam Walton", status: "correct" },
  { id: "b", question: "Who founded it?", pred: "Samuel Walton", gold: "Sam Walton", status: "incorrect" },
  { id: "c", question: "Is it large?", pred: "yes", gold: "yes", status: "incorrect" },
  { id: "d", question: "When?", pred: "1962", gold: ["2 July 1962", "1962"], status: "correct" },
  { id: "e", question: "Where?", pred: "Texas", gold: "Arkansas", status: "correct" },
  { id: "f", question: "Why?", pred: null, gold: "nobody knows", status: "halted" },
];

beforeAll(() => {
  mkdirSync(place, { recursive: true });
  writeFileSync(file("answers.jsonl"), ANSWERS.map((row) => JSON.stringify(row)).join("\n"));
  const script = [
    { when: ["Samuel Walton"], text: '{"equivalent": true}' },
    { when: ["Texas"], text: "I would rather not say." },
  ];
  writeFileSync(file("judge.json"), JSON.stringify(script));
});

describe("hasp score", () => {
  it("scores by outcome and lists every answer on which the recorded verdict differs", async () => {
    expect(await call("score", file("answers.jsonl"))).toMatchInlineSnapshot(`
      {
        "code": 1,
        "out": "PLACE/answers.jsonl
      outcome  answers  EM %  F1 %  precision %  recall %
      correct        3  66.7  66.7         66.7      66.7
      wrong          2  50.0  75.0         75.0      75.0
      halted         1   0.0   0.0          0.0       0.0
      all            6  50.0  58.3         58.3      58.3
      exact match agrees with the recorded verdict on 4 of 6
        c: "yes", gold "yes"; recorded wrong, exact match yes
        e: "Texas", gold "Arkansas"; recorded correct, exact match no

      ",
      }
    `);
  });

  it("asks a judge only about what differs, and gives a range where it has no verdict", async () => {
    const { code, out } = await call(
      "score",
      file("answers.jsonl"),
      "--judge",
      `scripted:${file("judge.json")}`,
    );
    expect(code).toBe(1);
    expect(out).toMatchInlineSnapshot(`
      "PLACE/answers.jsonl
      outcome  answers  EM %  F1 %  precision %  recall %       MBE %  unjudged
      correct        3  66.7  66.7         66.7      66.7  66.7–100.0         1
      wrong          2  50.0  75.0         75.0      75.0       100.0         0
      halted         1   0.0   0.0          0.0       0.0         0.0         0
      all            6  50.0  58.3         58.3      58.3   66.7–83.3         1
      exact match agrees with the recorded verdict on 4 of 6
        c: "yes", gold "yes"; recorded wrong, exact match yes
        e: "Texas", gold "Arkansas"; recorded correct, exact match no
      unjudged, since the judge's reply holds no verdict that can be read: 1

      judge: scripted:PLACE/judge.json, prompt mbe-1, cost $0.00
      "
    `);
  });

  it("tells programs the same, with each verdict", async () => {
    const { out } = await call(
      "score",
      file("answers.jsonl"),
      "--json",
      "--judge",
      `scripted:${file("judge.json")}`,
    );
    const result = JSON.parse(out) as { prompt: string; inputs: { verdicts: unknown[] }[] };
    expect(result.prompt).toBe("mbe-1");
    expect(result.inputs[0]?.verdicts).toEqual([
      { id: "a", equivalent: true, by: "exact_match" },
      { id: "b", equivalent: true, by: "judge" },
      { id: "c", equivalent: true, by: "exact_match" },
      { id: "d", equivalent: true, by: "exact_match" },
      { id: "e", equivalent: null, by: "judge" },
      { id: "f", equivalent: false, by: "no_answer" },
    ]);
  });

  it("says what is no run and no file of answers", async () => {
    expect(await call("score", file("nothing"))).toMatchObject({ code: 2 });
    writeFileSync(file("other.jsonl"), '{"a":1}');
    expect((await call("score", file("other.jsonl"))).out).toContain("holds no answers");
  });

  it.skipIf(!existsSync(DATA))(
    "gives the verdicts of both real files, from the file and from its run (skipped without ../shared/data)",
    async () => {
      for (const [format, name, count] of [
        ["fireact", "fireact-hotpotqa-even.jsonl", 717],
        ["reflexion", "reflexion-hotpotqa.jsonl", 527],
      ] as const) {
        const source = path.join(DATA, "trajectories", name);
        await call("import", "--from", format, source, "-o", file(format));
        for (const input of [source, file(format)]) {
          const { code, out } = await call("score", input);
          expect(out).toContain(`exact match agrees with the recorded verdict on ${count} of ${count}`);
          expect(code).toBe(0);
        }
      }
    },
  );
});

describe("judging many answers", () => {
  const answers: Answered[] = Array.from({ length: 40 }, (_, i) => ({
    id: String(i),
    questionId: String(i),
    sample: 1,
    question: `Question ${i}?`,
    answer: `answer ${i}`,
    gold: ["something else"],
    recorded: undefined,
  }));
  const options = { concurrency: 4, signal: new AbortController().signal };

  it("asks no more once the budget is spent, or the endpoint fails again and again", async () => {
    for (const [kind, most] of [
      ["budget", 4],
      ["connection", 8],
    ] as const) {
      const model = scriptedModel(() => ({ error: kind }));
      const { failed, failure, judgements } = await judgeAnswers(answers, model, options);
      expect(model.requests.length).toBeLessThanOrEqual(most);
      expect(failed).toBe(40);
      expect(failure).toBeInstanceOf(ModelError);
      expect(judgements.every((one) => one === undefined)).toBe(true);
    }
  });

  it("goes on after a single failure, and keeps the order whatever the order of replies", async () => {
    const model = scriptedModel((request, index) => {
      if (index === 3) return { error: "timeout" };
      return request.messages.some(({ content }) => content.includes("Question 7?")) ? "yes" : "no";
    });
    const { failed, judgements } = await judgeAnswers(answers, model, options);
    expect(failed).toBe(1);
    expect(judgements[7]?.equivalent).toBe(true);
    expect(judgements.filter((one) => one?.equivalent === false)).toHaveLength(38);
  });

  it("ends with the reason of whoever stops it", async () => {
    const signal = AbortSignal.abort(new Error("stopped"));
    await expect(judgeAnswers(answers, scriptedModel(["yes"]), { ...options, signal })).rejects.toThrow(
      "stopped",
    );
  });
});

describe("hasp data", () => {
  const rows = Array.from({ length: 10 }, (_, i) => ({
    id: `2hop__${i}`,
    question: `Question ${i}?`,
    answer: "x",
    answerable: i !== 9,
    paragraphs: [
      { idx: 0, title: "Shared", paragraph_text: "The same for all." },
      { idx: 1, title: `Own ${i}`, paragraph_text: `Only here ${i}.` },
    ],
  }));

  it("says what a file is, and writes a split and the pool", async () => {
    writeFileSync(file("musique.jsonl"), rows.map((row) => JSON.stringify(row)).join("\r\n"));
    const done = await call(
      "data",
      file("musique.jsonl"),
      "--split=test",
      `--output=${file("out/test.jsonl")}`,
      `--corpus-out=${file("out/corpus.jsonl")}`,
    );
    expect(done).toMatchInlineSnapshot(`
      {
        "code": 0,
        "out": "musique: 9 questions of 10 rows
        hops: 2 9
      paragraphs: 10, pooled, each once
      splits: test 2, pool 7; of the pool train 1, seed 3, val 3
      2 questions (test) written to PLACE/out/test.jsonl
      10 passages written to PLACE/out/corpus.jsonl
      PLACE/musique.jsonl:10:1  warning  HASP561  Line 10: this row is marked as unanswerable (\`answerable: false\`) and left out: no answer to them could be right.
          → Nothing is to be done; take the data set's answerable edition to have none of them.
      information  HASP565  The file has 9 questions where the usual split has 1000; it is split in proportion: 2 test, 7 pool.
          → Give boundaries of your own to split it in another way.
      ",
      }
    `);
    const lines = readFileSync(file("out/test.jsonl"), "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)[0]).toEqual({
      id: "2hop__0",
      question: "Question 0?",
      gold: ["x"],
      dataset: "musique",
      meta: { hops: 2 },
    });
    expect(readFileSync(file("out/corpus.jsonl"), "utf8").trimEnd().split("\n")).toHaveLength(10);
  });

  it("skips a data set without a tail, says so, and writes no file", async () => {
    const asked = Array.from({ length: 5 }, (_, i) =>
      JSON.stringify({ question: `Is it ${i}?`, answer: "no" }),
    );
    writeFileSync(file("all-test.jsonl"), asked.join("\n"));
    const output = `--output=${file("out/none.jsonl")}`;
    const { code, out } = await call(
      "data",
      file("all-test.jsonl"),
      "--dataset=bamboogle",
      "--split=val",
      output,
    );
    expect(code).toBe(0);
    expect(out).toContain("information  HASP565  bamboogle has no tail: all of its 5 questions are test.");
    expect(out).toContain("val: skipped, nothing is written");
    expect(existsSync(file("out/none.jsonl"))).toBe(false);
  });

  it("does not write over what it reads, nor split what is a corpus", async () => {
    expect((await call("data", file("musique.jsonl"), "-o", file("musique.jsonl"))).code).toBe(2);
    expect(await call("data", file("out/corpus.jsonl"))).toMatchObject({
      code: 0,
      out: "passages only: 10, each once\n",
    });
    expect((await call("data", file("out/corpus.jsonl"), "--split", "val")).out).toContain(
      "nothing to split",
    );
    expect((await call("data", file("musique.jsonl"), "--dataset", "musiqe")).out).toContain("Did you mean");
  });

  it("names three lines of a file that is something else, not all of them", async () => {
    writeFileSync(file("puzzles.csv"), "1,1,4,6\n".repeat(500));
    const { code, out } = await call("data", file("puzzles.csv"));
    expect(code).toBe(2);
    expect(out.match(/HASP540/g)).toHaveLength(3);
    expect(out).toContain("HASP542");
  });
});
