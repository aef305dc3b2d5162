import { cpSync, existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loopbackModel } from "../support/loopback-model.ts";
import {
  FIXTURES,
  fixtureRun,
  jsonl,
  linesOf,
  openTrainScene,
  placeOf,
  rowsOf,
  say,
  type Row,
} from "../support/train-data.ts";

/** Training data is clean by construction: no held-out question, no gold answer, no secret, no text that nobody wrote. */
const scene = openTrainScene("train-clean");
afterAll(() => scene.close());
beforeAll(() => fixtureRun(scene));

const ROW_FILES = ["a-sft.jsonl", "a-dpo.jsonl", "a-prompt.jsonl"];
const rowsIn = (folder: string): readonly Row[] =>
  ROW_FILES.flatMap((file) => rowsOf(scene.at(folder, file)));
const sftOf = (folder: string): readonly Row[] => rowsOf(scene.at(folder, "a-sft.jsonl"));
const stepsOf = (folder: string): readonly Row[] => rowsOf(scene.at(folder, "steps.jsonl"));
/** The steps of a folder that became no row, with the reason. */
const dropsIn = (folder: string): readonly string[] =>
  stepsOf(folder).flatMap((row) => (row.dropped === "" ? [] : `${placeOf(row)} ${row.dropped}`));
const codesOf = ({ diagnostics }: { readonly diagnostics: readonly { readonly code: string }[] }) =>
  diagnostics.map(({ code }) => code);

describe("questions of test and validation splits", () => {
  /** 150 rows: 30 test and 120 pool, of which 50 seed, 50 validation and 20 train. */
  const TWINS = [40, 70, 100, 149];
  const rows = Array.from({ length: 150 }, (_, i) => {
    const twin = TWINS.indexOf(i);
    return {
      id: `r${i}`,
      question: twin >= 0 ? `who, owns HOUSE ${twin}` : `Who owns house ${i}?`,
      gold: ["x"],
    };
  });
  const SCRIPT = [{ when: ["Question"], text: say("FINAL[x]") }];
  const isTest = ({ question_id: id }: Row): boolean =>
    Number(id.slice(1)) < 30 || TWINS.includes(Number(id.slice(1)));

  async function ofSplit(split: string): Promise<void> {
    const args = ["--dataset", "hotpotqa", "--split", split, "--no-skills"];
    await scene.run({ output: split, questions: "rows.jsonl", script: SCRIPT, args });
  }
  beforeAll(() => scene.write("rows.jsonl", jsonl(rows)));

  it("are in no row of a run of the train split, though the pool repeats them in other letters", async () => {
    await ofSplit("train");
    const built = await scene.build(["train", "-o", "of-train"]);
    expect(codesOf(built)).toEqual([]);
    const ids = sftOf("of-train").map(({ question_id: id }) => id);
    expect(ids.length).toBeGreaterThan(10);
    expect(rowsIn("of-train").filter(isTest)).toEqual([]);
  });

  it("are in no row of a run of the whole pool: steps.jsonl says which they are", async () => {
    await ofSplit("pool");
    const { cards } = await scene.build(["pool", "-o", "of-pool"]);
    expect(rowsIn("of-pool").filter(isTest)).toEqual([]);
    const heldOut = stepsOf("of-pool").filter(({ dropped }) => dropped === "held_out");
    expect(heldOut.filter(isTest)).toHaveLength(TWINS.length);
    // Of 120 rows 50 are validation; a twin may be among them.
    expect(heldOut.length).toBeGreaterThanOrEqual(50);
    expect(sftOf("of-pool")).toHaveLength(120 - heldOut.length);
    expect(cards[0]?.heldOutQuestions).toBe(80);
  });

  it("are no longer known where the file of the questions has changed: the build says so (HASP631)", async () => {
    scene.write("rows.jsonl", jsonl([...rows, { id: "more", question: "Who owns house 150?", gold: ["x"] }]));
    const { diagnostics } = await scene.build(["pool", "-o", "of-changed"]);
    expect(diagnostics.map(({ code, severity, file }) => [code, severity, file])).toEqual([
      ["HASP631", "warning", "pool/run.json"],
    ]);
    expect(diagnostics[0]?.message).toContain("rows.jsonl is changed");
    scene.write("rows.jsonl", jsonl(rows));
  });

  it("give no row at all in a run of the test split, with the reason and no file", async () => {
    await ofSplit("test");
    const refused = await scene.build(["test", "-o", "of-test"], 2);
    expect(codesOf(refused)).toEqual(["HASP627"]);
    expect(refused.diagnostics[0]?.message).toContain(
      "30: the question belongs to a test or validation split",
    );
    expect(existsSync(scene.at("of-test"))).toBe(false);
  });

  it("are in no row of another run where a run of the test split has them", async () => {
    await scene.run({
      output: "plain",
      questions: "rows.jsonl",
      script: SCRIPT,
      args: ["--no-skills", "--limit", "40"],
    });
    await scene.build(["plain", "test", "-o", "with-test"]);
    expect(rowsIn("with-test").filter(isTest)).toEqual([]);
    expect(sftOf("with-test").map(({ run }) => run)).toContain("plain");
  });

  it("are in no row where a file names them (--held-out)", async () => {
    const question = "in WHICH year; did the fern museum open";
    scene.write("held-out.jsonl", jsonl([{ id: "h", question, gold: ["1907"] }]));
    const built = await scene.build(["run", "-o", "held", "--held-out", "held-out.jsonl"]);
    expect(codesOf(built)).toEqual([]);
    expect(rowsIn("held").filter(({ question_id: id }) => id === "fern")).toEqual([]);
    expect(rowsIn("held").some(({ question_id: id }) => id === "pine")).toBe(true);
    expect(dropsIn("held")).toEqual([
      "fern#1:1 held_out",
      "fern#1:2 held_out",
      "fern#1:3 held_out",
      "lark#1:1 under_floor",
      "lark#1:3 under_floor",
    ]);
  });
});

it("A gold answer that neither the policy nor the corpus wrote is in no file", async () => {
  const GOLD = "Zyzzogeton";
  scene.write("gold.jsonl", jsonl([{ id: "g", question: "Who drew the Lark Bridge?", gold: [GOLD] }]));
  const script = [say("SEARCH[Lark Bridge]"), say("READ[doc_0]"), say("FINAL[Ada Holm]")];
  await scene.run({ output: "gold", questions: "gold.jsonl", script, args: ["--no-skills"] });
  expect(scene.read("gold/episodes.jsonl")).toContain(GOLD);
  await scene.build(["gold", "-o", "of-gold", "--drop", "outcome", "--floor", "0.1"]);
  expect(sftOf("of-gold")).toHaveLength(3);
  for (const file of readdirSync(scene.at("of-gold")))
    expect(scene.read(`of-gold/${file}`)).not.toContain(GOLD);
});

it("A secret of the environment that a record holds is hidden in rows, cards and steps", async () => {
  const SECRET = "Zq7-secret-99x1";
  cpSync(scene.at("run"), scene.at("leaky"), { recursive: true });
  for (const file of ["leaky/episodes.jsonl", "leaky/messages.jsonl"])
    scene.write(file, scene.read(file).replaceAll("It must be old.", `I use ${SECRET}.`));
  scene.env["HASP_KEY_MODEL_TEST"] = SECRET;
  try {
    await scene.build(["leaky", "-o", "of-leaky"]);
  } finally {
    delete scene.env["HASP_KEY_MODEL_TEST"];
  }
  expect(scene.read("leaky/messages.jsonl")).toContain(SECRET);
  for (const file of readdirSync(scene.at("of-leaky")))
    expect(scene.read(`of-leaky/${file}`)).not.toContain(SECRET);
  const byStep = new Map(sftOf("of-leaky").map((row) => [placeOf(row), row]));
  expect(byStep.get("fern#1:2")?.completion?.[0]?.content).toBe(say("READ[doc_0]", "I use [redacted]."));
  expect(JSON.stringify(byStep.get("fern#1:3")?.prompt)).toContain("I use [redacted].");
  expect(rowsOf(scene.at("of-leaky/a-dpo.jsonl"))[0]?.rejected?.[0]?.content).toContain("[redacted]");
});

describe("a step is no row", () => {
  it("without a completion of its policy", async () => {
    cpSync(scene.at("run"), scene.at("silent"), { recursive: true });
    const [first = "", ...others] = linesOf(scene.at("silent/episodes.jsonl"));
    const silent = first.replace(/"completion":\{"text":"Thought: The text says 1907[^}]*\},?/, "");
    expect(silent.length).toBeLessThan(first.length - 40);
    scene.write("silent/episodes.jsonl", `${[silent, ...others].join("\n")}\n`);
    await scene.build(["silent", "-o", "of-silent"]);
    expect(dropsIn("of-silent")).toContain("fern#1:3 no_completion");
    expect(rowsIn("of-silent").map(placeOf)).not.toContain("fern#1:3");
    expect(rowsIn("of-silent").map(placeOf)).toContain("fern#1:2");
  });

  it("of an import, which says so (HASP632)", async () => {
    const step = { n: 1, thought: "I know.", action: "Finish", arg: "Sam Walton", observation: "CORRECT" };
    const about = { source: "reflexion", strategy: "react", trial: 1, status: "correct", reflection: null };
    const asked = { question: "Who founded Walmart?", gold: "Sam Walton", pred: "Sam Walton", n_steps: 1 };
    const steps = [{ ...step, action_raw: "Finish[Sam Walton]" }];
    scene.write("trajectory.jsonl", jsonl([{ ...about, ...asked, steps }]));
    const imported = await scene.hasp("import", "trajectory.jsonl", "--from", "reflexion", "-o", "imported");
    expect(imported.code).toBe(0);
    const refused = await scene.build(["imported", "-o", "of-import"], 2);
    expect(codesOf(refused)).toEqual(["HASP631", "HASP632", "HASP627"]);
    expect(refused.diagnostics.at(-1)?.message).toContain("1: the record has no completion of the policy");
    await scene.build(["run", "imported", "-o", "of-both"]);
    expect(dropsIn("of-both")).toContain(`${stepsOf("of-both").at(-1)?.episode}:1 no_completion`);
    expect(new Set(sftOf("of-both").map(({ run }) => run))).toEqual(new Set(["run"]));
  });

  it("of the prefix that a branch has taken over", async () => {
    scene.write("branch.json", JSON.stringify([say("READ[doc_0]"), say("FINAL[1907]")]));
    const from = ["run", "--episode", "fern#1", "--step", "2", "-o", "branch"];
    const more = ["--policy", "scripted:branch.json", "--corpus", path.join(FIXTURES, "corpus.jsonl")];
    const ended = await scene.hasp("branch", ...from, ...more, "--no-skills");
    expect([ended.code, ended.err]).toEqual([0, ""]);
    await scene.build(["run", "branch", "-o", "of-branch"]);
    const ofBranch = sftOf("of-branch").filter(({ run }) => run === "branch");
    expect(ofBranch.map(({ step }) => step)).toEqual([2, 3]);
    expect(
      stepsOf("of-branch")
        .filter(({ run }) => run === "branch")
        .map(({ dropped }) => dropped),
    ).toEqual(["branch_prefix", "", ""]);
  });

  it("over its budget, or with a completion that was cut off", async () => {
    const replies = ["SEARCH[Fern Museum]", "SEARCH[Fern Museum opening]", "READ[doc_0]", "FINAL[1907]"];
    const model = await loopbackModel(({ request: { messages } }) => {
      const said = messages.filter(({ role }) => role === "assistant").length;
      const text = `${say(replies[said] ?? "")}  \n`;
      return said === 2 ? { kind: "finish", text, reason: "length" } : { kind: "text", text };
    });
    try {
      scene.write(
        "one.jsonl",
        jsonl([{ id: "o", question: "When did the Fern Museum open?", gold: ["1907"] }]),
      );
      const sources = ["--questions", "one.jsonl", "--corpus", path.join(FIXTURES, "corpus.jsonl")];
      const rest = ["--policy", `${model.url}#m`, "--no-skills", "--max-search-calls", "1", "-o", "one"];
      const ended = await scene.hasp("run", ...sources, ...rest);
      expect([ended.code, ended.err]).toEqual([0, ""]);
    } finally {
      await model.close();
    }
    await scene.build(["one", "-o", "of-one"]);
    expect(dropsIn("of-one")).toEqual(["o#1:2 not_run", "o#1:3 cut_off"]);
    expect(rowsIn("of-one").map(placeOf)).toEqual(["o#1:1", "o#1:4", "o#1:1", "o#1:4"]);
    // Word for word, with the spaces that the model wrote.
    expect(sftOf("of-one")[1]?.completion?.[0]?.content).toBe(`${say("FINAL[1907]")}  \n`);
  });
});
