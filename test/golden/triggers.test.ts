import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Episode, Run } from "../../src/model/episode.ts";
import { ROOT } from "../support/core.ts";
import { linesOf } from "../support/train-data.ts";
import { openScene } from "../support/hook-process.ts";
import { paperSkill, shippedSkills } from "../support/shipped.ts";

/** The two lists of shipped skills, as the command line gives them to a person. */
const scene = openScene("triggers");
afterAll(() => scene.close());
const write = (file: string, text: string): void => writeFileSync(scene.at(file), text);

/** One text was read, and the answer is in it: only the paper's `claim_triangulation` asks for a second. */
const SCRIPT = ["SEARCH[Halden Point]", "READ[doc_0]", "FINAL[Ida Moen]", "FINAL[Ida Moen]"];
const QUESTION = { id: "q1", question: "Who drew the lighthouse at Halden Point?", gold: ["Ida Moen"] };
const PASSAGE = { title: "Halden Point", text: "The lighthouse at Halden Point was drawn by Ida Moen." };

const BUILT_IN = ["--skills", "builtin:web-search"];
const INPUTS = ["--questions", "questions.jsonl", "--corpus", "corpus.jsonl"];
const POLICY = ["--policy", "scripted:script.json", "--setting", "pf-only"];
const run = (output: string, ...args: readonly string[]) =>
  scene.hasp("run", ...INPUTS, ...POLICY, "-o", output, ...args);
const recordOf = (output: string) => JSON.parse(readFileSync(scene.at(output, "run.json"), "utf8")) as Run;
const listOf = (output: string): unknown => recordOf(output).settings?.["triggers"];
const episodeOf = (output: string): Episode =>
  JSON.parse(linesOf(scene.at(output, "episodes.jsonl"))[0] ?? "") as Episode;
const firesOf = (output: string): readonly string[] =>
  episodeOf(output).steps.flatMap(({ events }) =>
    events.flatMap(({ skillId, status }) => (status === "applied" ? skillId : [])),
  );

beforeAll(() => {
  write("questions.jsonl", `${JSON.stringify(QUESTION)}\n`);
  write("corpus.jsonl", `${JSON.stringify(PASSAGE)}\n`);
  write("script.json", JSON.stringify(SCRIPT.map((action) => `Thought: I look.\nAction: ${action}`)));
});
afterEach(() => rmSync(scene.at("hasp.yaml"), { force: true }));

describe("the list of shipped skills", () => {
  it("is worth by default, and the record says so", async () => {
    expect(await run("plain", ...BUILT_IN)).toMatchObject({ code: 0 });
    expect([listOf("plain"), episodeOf("plain").settings?.triggers]).toEqual(["worth", "worth"]);
    expect(firesOf("plain")).not.toContain("claim_triangulation");
    expect(recordOf("plain").settings?.["library"]).toHaveLength(shippedSkills("worth").length);
    expect(recordOf("plain").title).not.toContain("triggers");
  });

  it("is what --triggers names, else what hasp.yaml names", async () => {
    write("hasp.yaml", "libraries: [builtin:web-search]\ntriggers: paper\n");
    expect(await run("configured")).toMatchObject({ code: 0 });
    expect(await run("named", ...BUILT_IN)).toMatchObject({ code: 0 });
    for (const output of ["configured", "named"]) {
      expect([listOf(output), episodeOf(output).settings?.triggers]).toEqual(["paper", "paper"]);
      expect(firesOf(output)).toContain("claim_triangulation");
      expect(recordOf(output).settings?.["library"]).toHaveLength(26);
      expect(recordOf(output).title).toContain(" · paper triggers · ");
    }
    expect(await run("replaced", "--triggers", "worth")).toMatchObject({ code: 0 });
    expect(listOf("replaced")).toBe("worth");
  });

  it("says nothing of skills by their folders, nor of none", async () => {
    mkdirSync(scene.at("skills/web-search"), { recursive: true });
    const name = "retrieval-failure";
    cpSync(path.join(ROOT, paperSkill(name)), scene.at("skills/web-search", name), { recursive: true });
    write("hasp.yaml", "libraries: [skills]\ntriggers: paper\n");
    expect(await run("own", "--triggers", "paper")).toMatchObject({ code: 0 });
    expect(await run("none", "--no-skills", "--triggers", "paper")).toMatchObject({ code: 0 });
    for (const output of ["own", "none"]) expect(recordOf(output).settings).not.toHaveProperty("triggers");
    rmSync(scene.at("skills"), { recursive: true });
  });

  it("gives way to a skill of the workspace, whichever list has one of its id", async () => {
    const name = "claim-triangulation";
    cpSync(path.join(ROOT, paperSkill(name)), scene.at("skills/web-search", name), { recursive: true });
    write("hasp.yaml", "libraries: [builtin:web-search, skills]\n");
    for (const list of ["worth", "paper"]) {
      const { out } = await scene.hasp("validate", "--no-cases", "--triggers", list, "--json");
      const { skills } = JSON.parse(out) as { skills: readonly { folder: string; skillId: string }[] };
      expect(skills.filter(({ skillId }) => skillId === "claim_triangulation")).toMatchObject([
        { folder: "skills/web-search/claim-triangulation" },
      ]);
    }
    rmSync(scene.at("skills"), { recursive: true });
  });

  it("is one in a domain that has one list", async () => {
    const [worth, paper] = await Promise.all(
      ["worth", "paper"].map((list) => scene.hasp("test", "builtin:coding-agent", "--triggers", list)),
    );
    expect(paper?.out).toBe(worth?.out);
    expect(paper?.code).toBe(0);
  });
});

describe("a run of the other list", () => {
  const RESUME = ["--resume", ...BUILT_IN];

  it("is not resumed, and the message names both lists", async () => {
    await run("paper", ...BUILT_IN, "--triggers", "paper");
    const ended = await run("paper", ...RESUME);
    expect(ended.code).toBe(2);
    expect(ended.err).toContain("library, triggers: paper, worth");
    expect(await run("paper", ...RESUME, "--triggers", "paper")).toMatchObject({ code: 0 });
  });

  it("is resumed by its library alone where an older version recorded no list", async () => {
    const record = recordOf("paper");
    const { triggers: _list, ...settings } = record.settings ?? {};
    write("paper/run.json", JSON.stringify({ ...record, settings }));
    expect(await run("paper", ...RESUME, "--triggers", "paper")).toMatchObject({ code: 0 });
    const other = await run("paper", ...RESUME);
    expect(other.err).toContain("(library)");
    write("paper/run.json", JSON.stringify(record));
  });

  it("is not resumed where the record names a list that this version does not know", async () => {
    const record = recordOf("plain");
    const triggers = "\u001b[31mnewer";
    write("plain/run.json", JSON.stringify({ ...record, settings: { ...record.settings, triggers } }));
    const ended = await run("plain", ...RESUME);
    expect(ended.code).toBe(2);
    expect(ended.err).toContain("newer, worth");
    const compared = await scene.hasp("compare", "plain", "paper");
    expect(compared.out).toContain("newer");
    expect(`${ended.err}${compared.out}`).not.toContain("\u001b");
    write("plain/run.json", JSON.stringify(record));
  });

  it("is compared by question, and each list is named", async () => {
    const { code, out } = await scene.hasp("compare", "plain", "paper");
    expect(code).toBe(0);
    expect(out).toMatch(/^A {2}.*, triggers: worth\nB {2}.*, triggers: paper\n/);
  });
});

describe("a list that there is not", () => {
  it.each([
    ["triggers: foo\n", 'triggers cannot be "foo".'],
    ["triggers: [paper]\n", "triggers cannot be a list."],
    ["triggers:\n", "triggers cannot be empty."],
  ])("in hasp.yaml is an error: %j", async (text, message) => {
    write("hasp.yaml", text);
    const checked = await scene.hasp("validate");
    expect(checked).toMatchObject({ code: 1, out: expect.stringContaining(message) as string });
    const named = await scene.hasp("test", "builtin:web-search");
    expect(named).toMatchObject({ code: 2, err: expect.stringContaining(message) as string });
    expect(named.err).toContain("pass --triggers");
    expect(await scene.hasp("test", "builtin:coding-agent", "--triggers", "worth")).toMatchObject({
      code: 0,
    });
  });

  it("on the command line is refused with those that there are", async () => {
    const { code, err } = await run("refused", ...BUILT_IN, "--triggers", "foo");
    expect(code).toBe(2);
    expect(err).toContain("Allowed choices are worth, paper.");
  });
});

describe("an experiment", () => {
  /** Values behind `--triggers` in the commands of a plan that read skills. */
  async function listsIn(...args: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = Array.from({ length: 300 }, (_, i) => ({
      ...QUESTION,
      id: `q${i}`,
      question: `Who drew lighthouse number ${i}?`,
    }));
    write("many.jsonl", rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const files = ["--questions", "many.jsonl", "--corpus", "corpus.jsonl", ...BUILT_IN];
    const { out } = await scene.hasp("experiment", "e1", ...files, ...args, "--dry-run", "--json");
    const plan = JSON.parse(out) as { jobs: { spec: { commands: { args: readonly string[] }[] } }[] };
    const commands = plan.jobs.flatMap(({ spec }) => spec.commands.map((command) => command.args));
    const reading = commands.filter((words) => words.includes("--skills"));
    return new Set(reading.map((words) => words[words.indexOf("--triggers") + 1] ?? ""));
  }

  it("runs with the paper's list, unless another is named; hasp.yaml has no say", async () => {
    write("hasp.yaml", "triggers: worth\n");
    expect(await listsIn()).toEqual(new Set(["paper"]));
    expect(await listsIn("--triggers", "worth")).toEqual(new Set(["worth"]));
  });
});

describe("an evolution", () => {
  it("records its list, and is resumed with that list alone", async () => {
    const rows = Array.from({ length: 3 }, (_, i) => ({
      ...QUESTION,
      id: `q${i}`,
      question: `${i}, who drew it?`,
    }));
    write("three.jsonl", rows.map((row) => `${JSON.stringify({ ...row, gold: ["Bo Ek"] })}\n`).join(""));
    const asked = ["--questions", "three.jsonl", "--corpus", "corpus.jsonl", "--no-skills", ...POLICY];
    write("script.json", JSON.stringify(rows.map(() => "Thought: I know it.\nAction: FINAL[Ida Moen]")));
    expect(await scene.hasp("run", ...asked, "-o", "wrong")).toMatchObject({ code: 0 });
    const evolve = (...args: readonly string[]) =>
      scene.hasp(
        "evolve",
        "--episodes",
        "wrong",
        "--author",
        "scripted:script.json",
        "--mode",
        "lite",
        "-o",
        "evolution",
        ...BUILT_IN,
        ...args,
      );
    expect(await evolve()).toMatchObject({ code: 0 });
    const file = scene.at("evolution/evolution.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ triggers: "worth" });
    const other = await evolve("--triggers", "paper");
    expect(other.code).toBe(2);
    expect(other.err).toContain("begun with another order (triggers)");
    expect(await evolve()).toMatchObject({ code: 0 });
  });
});
