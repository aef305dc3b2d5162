import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Episode } from "../../../src/model/episode.ts";
import type { AnswerReading } from "../../../src/trace/formats/answers.ts";
import { readEpisodes } from "../../../src/trace/episode-file.ts";
import { lookAtSource } from "../../../src/trace/import-source.ts";
import { importRun, type ImportRequest } from "../../../src/trace/import-run.ts";
import { readMaterials } from "../../../src/trace/judging-store.ts";
import { openRun } from "../../../src/trace/run-folder.ts";
import { files, temporaryFolder } from "./support.ts";
import { sha256 } from "../../../src/platform/sha256.ts";

/** A domain whose replies end with `= <answer>`; another text is no action. */
const READING: AnswerReading = {
  domain: "sums",
  actionTypes: ["SAY"],
  finalAction: "SAY",
  parseReply(text) {
    const [, arg] = /= (.*)$/.exec(text) ?? [];
    const action = arg === undefined ? { type: "invalid", arg: text, raw: text } : { type: "SAY", arg };
    return { thought: text.replace(/ = .*$/, ""), action };
  },
  questionKey: (text) => text.trim().toLowerCase(),
};
const QUESTIONS = new Map([
  ["q1", { question: "What is 1 + 1?", gold: ["2"], material: "tolerance 0" }],
  ["q2", { question: "What is 2 + 2?" }],
]);

const row = (parts: object): object => ({
  id: "a",
  question_id: "q1",
  model: "m",
  question: "What is 1 + 1?",
  solution: "One and one = 2",
  ...parts,
});

async function importText(text: string | Uint8Array, request: Partial<ImportRequest> = {}) {
  const place = temporaryFolder();
  const file = `${place}/answers.jsonl`;
  writeFileSync(file, text);
  const folder = `${place}/run`;
  const clock = { now: () => "2026-01-01T00:00:00.000Z" };
  const asked = { sources: [file], folder, answers: READING, ...request };
  const { value, diagnostics } = await importRun(files, { clock, sha256 }, asked);
  const episodes: Episode[] = [];
  if (value !== undefined)
    for await (const read of readEpisodes(files, (await openRun(files, folder)).index))
      if (read.value !== undefined) episodes.push(read.value);
  const said = diagnostics.map(({ code, severity, message }) => `${code} ${severity}: ${message}`);
  return { value, episodes, said, diagnostics, folder };
}

const importRows = (rows: readonly unknown[], request?: Partial<ImportRequest>) =>
  importText(rows.map((one) => `${JSON.stringify(one)}\n`).join(""), request);

const joined = { answers: { ...READING, questions: QUESTIONS } };

describe("a row of recorded answers", () => {
  it("becomes an episode of one step, with its verdict on the episode and on the proposal", async () => {
    const { value, episodes, said } = await importRows([
      row({ gold: ["2", "two"], answer: "2", correct: true, level: "easy" }),
    ]);
    expect(said).toEqual([]);
    const verdicts = [{ judge: "recorded", score: 1, passed: true }];
    expect(episodes).toEqual([
      {
        schema: "hasp.episode/2",
        id: "a",
        questionId: "q1",
        sample: 1,
        outcome: "correct",
        length: 1,
        question: "What is 1 + 1?",
        source: "answers",
        facts: {
          domain: "sums",
          actionTypes: ["SAY"],
          finalAction: "SAY",
          searchReturnsText: false,
          maxSteps: 1,
        },
        settings: { model: "m" },
        library: [],
        steps: [
          {
            t: 0,
            proposals: [
              {
                thought: "One and one",
                action: { type: "SAY", arg: "2" },
                completion: { text: "One and one = 2", finish: "stop" },
                verdicts,
              },
            ],
            events: [],
            executed: { type: "SAY", arg: "2" },
            injected: [],
            observation: "",
          },
        ],
        answer: "2",
        gold: ["2", "two"],
        verdicts,
        stopReason: "final",
        extra: { level: "easy" },
      },
    ]);
    expect(value?.run).toMatchObject({ domain: "sums", source: "answers" });
  });

  it("has the answer that it tells, else that of its solution, else none", async () => {
    const { episodes } = await importRows([
      row({ id: "told", answer: 3, correct: false }),
      row({ id: "told beside prose", solution: "I guess.", answer: "4" }),
      row({ id: "read" }),
      row({ id: "none", solution: "I guess." }),
      row({ id: "empty", solution: "", correct: false }),
    ]);
    const shown = episodes.map(({ id, answer, outcome, stopReason, steps, verdicts }) => {
      const [step] = steps;
      const [proposal] = step?.proposals ?? [];
      const judged = [verdicts?.length ?? 0, proposal?.verdicts?.length ?? 0];
      return [id, answer, outcome, stopReason, step?.executed.type, proposal?.thought, judged];
    });
    expect(shown).toEqual([
      ["told", "3", "wrong", "final", "SAY", "One and one", [1, 1]],
      ["told beside prose", "4", "unjudged", "final", "SAY", "I guess.", [0, 0]],
      ["read", "2", "unjudged", "final", "SAY", "One and one", [0, 0]],
      ["none", undefined, "halted", "max_steps", "invalid", "I guess.", [0, 0]],
      ["empty", undefined, "wrong", "max_steps", "invalid", "", [1, 0]],
    ]);
  });

  it.each([
    ["a text", "2", ["2"]],
    ["a number", 2, ["2"]],
    ["a list", ["2", 2.5, " "], ["2", "2.5"]],
    ["an empty list", [], undefined],
    ["null", null, undefined],
  ])("takes gold as %s", async (_kind, gold, expected) => {
    const { episodes, said } = await importRows([row({ gold })]);
    expect(said).toEqual([]);
    expect(episodes[0]?.gold).toEqual(expected);
  });

  it("of EvalPlus is named by its file, its task and its number", async () => {
    const solution = "One and one = 2";
    const { episodes, said } = await importRows(
      [
        { task_id: "q1", solution },
        { task_id: "q1", solution },
        { task_id: 2, solution },
      ],
      { answers: { ...READING, questions: new Map([...QUESTIONS, ["2", { question: "What is 2?" }]]) } },
    );
    expect(said).toEqual([]);
    expect(
      episodes.map(({ id, questionId, sample, question }) => [id, questionId, sample, question]),
    ).toEqual([
      ["answers-q1#1", "q1", 1, "What is 1 + 1?"],
      ["answers-q1#2", "q1", 2, "What is 1 + 1?"],
      ["answers-2#1", "2", 1, "What is 2?"],
    ]);
  });
});

describe("the questions of recorded answers", () => {
  it("give question, gold and what the judge needs, and name the rows that they do not know", async () => {
    const { episodes, said, diagnostics, folder } = await importRows(
      [
        row({ id: "joined", question: undefined }),
        row({ id: "own gold", question: "what is 1 + 1? ", gold: "two" }),
        row({ id: "no gold", question_id: "q2", question: "" }),
        row({ id: "lost", question_id: "q3", question: null }),
        row({ id: "lost, too", question_id: "q4", question: undefined }),
        row({ id: "own question", question_id: "q5" }),
        row({ id: "other question", question_id: "q2", question: "Who was Ada?" }),
      ],
      joined,
    );
    expect(episodes.map(({ id, question, gold }) => [id, question, gold])).toEqual([
      ["joined", "What is 1 + 1?", ["2"]],
      ["own gold", "what is 1 + 1? ", ["two"]],
      ["no gold", "What is 2 + 2?", undefined],
      ["own question", "What is 1 + 1?", undefined],
      ["other question", "Who was Ada?", undefined],
    ]);
    expect(said).toEqual([
      'HASP530 error: Line 4: from here on 2 rows of 2 questions ("q3", "q4") are left out: the text of the question is not known.',
      'HASP530 warning: Line 6: from here on 1 row of 1 question ("q5") is imported as given: the file of questions lacks the id.',
      'HASP530 warning: Line 7: from here on 1 row of 1 question ("q2") is imported as given: the file of questions has another text under the id.',
    ]);
    expect(diagnostics[0]?.next).toContain("lacks these ids");
    expect([...(await readMaterials(files, folder))]).toEqual([["q1", "tolerance 0"]]);
  });

  it("leave nothing behind for the judge of another import into the folder", async () => {
    const { folder } = await importRows([row({})], joined);
    expect((await readMaterials(files, folder)).size).toBe(1);
    const again = await importRows([row({})], { folder });
    expect(again.value?.episodes).toBe(1);
    expect((await readMaterials(files, folder)).size).toBe(0);
  });

  it("are asked for where no row has its own", async () => {
    const { value, diagnostics } = await importRows(
      Array.from({ length: 6 }, (_, i) => ({ question_id: `q${i}`, solution: "= 1" })),
    );
    expect(value).toBeUndefined();
    expect(diagnostics).toMatchObject([
      {
        code: "HASP530",
        message: expect.stringContaining('6 rows of 6 questions ("q0", "q1", "q2" and 3 more) are left out'),
        next: expect.stringContaining("--questions"),
      },
      { code: "HASP532" },
    ]);
  });
});

describe("ids and samples of recorded answers", () => {
  it("are kept, and made unique in their run", async () => {
    const { episodes, said } = await importRows([
      row({ id: "a", model: "m1", sample: 1 }),
      row({ id: "b", model: "m2", sample: 1 }),
      row({ id: "c", model: "m1", sample: 2 }),
      row({ id: "d", model: "m1", sample: 2 }),
      row({ id: "a" }),
    ]);
    expect(episodes.map(({ id, sample }) => [id, sample])).toEqual([
      ["a", 1],
      ["b", 2],
      ["c", 3],
      ["d", 4],
      ["a~2", 5],
    ]);
    expect(said).toEqual([
      'HASP531 warning: The id "a" was used before; this episode is imported as "a~2".',
      'HASP530 warning: Line 4: sample 2 of the question "q1" was used before; this row is imported under the next free number.',
    ]);
  });

  it("keep the numbers that are free", async () => {
    const { episodes } = await importRows(
      [1, 4, 1, 1, 2, 4, undefined].map((sample, i) => row({ id: `a${i}`, model: `m${i}`, sample })),
    );
    expect(episodes.map(({ sample }) => sample)).toEqual([1, 4, 2, 3, 5, 6, 7]);
  });
});

describe("a file of recorded answers", () => {
  it("names each row that is none, and takes the others", async () => {
    const { episodes, said } = await importText(
      [
        JSON.stringify(row({ id: "first" })),
        "[1]",
        '"text"',
        '{"question_id": "q1", "solution": "One',
        JSON.stringify(row({ solution: 3 })),
        JSON.stringify(row({ question_id: " " })),
        JSON.stringify(row({ correct: "yes" })),
        "",
        '{"id": "nan", "question_id": "q1", "question": "?", "solution": "= 1", "answer": NaN}',
      ].join("\r\n"),
    );
    expect(episodes.map(({ id }) => id)).toEqual(["first", "nan"]);
    expect(said).toEqual([
      "HASP530 error: Line 2: this is no recorded answer: an object is expected.",
      "HASP530 error: Line 3: this is no recorded answer: an object is expected.",
      expect.stringContaining("Line 4: this is no recorded answer: it is not complete JSON"),
      expect.stringContaining("Line 5: this is no recorded answer: `solution`"),
      "HASP530 error: Line 6: this is no recorded answer: it has no `question_id`.",
      expect.stringContaining("Line 7: this is no recorded answer: `correct`"),
    ]);
  });

  it.each([
    ["in one line", (rows: readonly object[]) => JSON.stringify(rows)],
    ["over lines", (rows: readonly object[]) => JSON.stringify(rows, undefined, 1)],
    [
      "a row a line",
      (rows: readonly object[]) => `[\n${rows.map((one) => JSON.stringify(one)).join(",\n")}\n]`,
    ],
  ])("may be an array %s, with a byte order mark", async (_how, write) => {
    const rows = [row({ id: "a" }), { question_id: "q1" }, row({ id: "b" })];
    const { episodes, said } = await importText(`\uFEFF${write(rows)}\n`);
    expect(episodes.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(said).toEqual([expect.stringContaining("entry 2 is no recorded answer: it has no `solution`.")]);
  });

  it("may be EvalPlus's samples, which name a task and have a completion", async () => {
    const rows = [
      { task_id: "q1", completion: "One and one = 2" },
      { task_id: "q1", completion: "I guess = 3" },
    ];
    const { episodes, said } = await importRows(rows, joined);
    expect(said).toEqual([]);
    expect(episodes.map(({ questionId, sample, answer }) => [questionId, sample, answer])).toEqual([
      ["q1", 1, "2"],
      ["q1", 2, "3"],
    ]);
  });

  it("gives the rows before the place where its array breaks off", async () => {
    const { episodes, said } = await importText(`[${JSON.stringify(row({}))}, {"question_id": "q1", "sol`);
    expect(episodes).toHaveLength(1);
    expect(said).toEqual([
      expect.stringContaining("entry 2 is no recorded answer: the file breaks off here"),
    ]);
  });

  it("may hold a line past the limit", { timeout: 60_000 }, async () => {
    const long = JSON.stringify(row({ id: "long", solution: "x".repeat(65 * 1024 * 1024) }));
    const { episodes, said } = await importText(`${JSON.stringify(row({}))}\n${long}\n`);
    expect(episodes).toHaveLength(1);
    expect(said).toEqual(["HASP530 error: Line 2: this is no recorded answer: the line is over 64 MiB."]);
  });

  it("is recognised by its content, and then asks for its domain", async () => {
    const { value, diagnostics } = await importRows([row({ question: undefined })], { answers: undefined });
    expect(value).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: "HASP528", next: expect.stringContaining("--domain") }]);
    expect(diagnostics[0]?.next).toContain("--questions");
  });

  it.each([
    [
      { task_id: "t", solution: "= 1" },
      { format: "answers", lacksQuestions: true },
    ],
    [row({}), { format: "answers" }],
    [{ question: "Who?", answer: "She" }, { code: "HASP535" }],
  ])("is told from others", async (value, expected) => {
    const file = `${temporaryFolder()}/file.jsonl`;
    writeFileSync(file, JSON.stringify(value));
    expect(await lookAtSource(files, file)).toMatchObject(expected);
  });
});
