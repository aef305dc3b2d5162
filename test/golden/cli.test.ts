import { execFile } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasp as haspIn } from "../support/cli.ts";
import { ROOT } from "../support/core.ts";
import { RUN, sampleWorkspace } from "../support/sample-workspace.ts";
import { paperSkill } from "../support/shipped.ts";

/** The CLI as people get it, one file alone in a folder of its own, and as a function; in a workspace elsewhere. */
const place = mkdtempSync(path.join(tmpdir(), "hasp-cli-"));
const CLI = path.join(place, "bin/hasp.cjs");
const WORKSPACE = path.join(place, "workspace");

interface Ended {
  code: number;
  out: string;
  err: string;
}

/** In a process, from the one file. */
function alone(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...args], { cwd: WORKSPACE }, (error, out, err) => {
      resolve({ code: typeof error?.code === "number" ? error.code : error === null ? 0 : -1, out, err });
    });
  });
}

const hasp = (...args: string[]) => haspIn(args, { cwd: WORKSPACE });

async function said(...args: string[]) {
  const { code, out, err } = await hasp(...args);
  return { code, out, err };
}

/** Times differ from run to run; nothing else may. */
const stable = (text: string): string => text.replace(/in \d+\.\d s/g, "in N s");

beforeAll(() => {
  mkdirSync(path.dirname(CLI), { recursive: true });
  copyFileSync(path.join(ROOT, "dist/hasp.cjs"), CLI);
  sampleWorkspace(WORKSPACE);
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe("hasp, the one file", () => {
  it("writes a new skill by a name in any spelling, which acts nowhere until its template's texts are replaced", async () => {
    const home = path.join(place, "new");
    mkdirSync(home);
    const made = await hasp(
      "new",
      "Läs Först!",
      "--kind",
      "inject",
      "--in",
      home,
      "--description",
      "Use late.",
    );
    expect(made).toMatchObject({ code: 0, err: "" });
    const skill = path.join(home, "skills/web-search/las-forst");
    expect(made.out).toContain("wrote skills/web-search/las-forst/pf.ts");
    expect((await hasp("test", skill)).out).toContain("3 cases hold, 0 do not");
    const found = await hasp("validate", skill);
    expect(found.code).toBe(0);
    expect(found.out).toMatch(/pf\.ts:9:12 {2}information {2}HASP431 {2}Still the template's text\./);
    const fires = async (): Promise<string> =>
      (await hasp("backtest", "--skills", skill, "--episodes", RUN)).out;
    expect(await fires()).toContain("las_forst does not act");
    const file = path.join(skill, "pf.ts");
    const own = readFileSync(file, "utf8").replaceAll(/TODO\(template\): |\/\* TODO\(template\) \*\/ /g, "");
    writeFileSync(file, own);
    const after = await fires();
    expect(after).not.toContain("does not act");
    expect(after).toMatch(/las_forst .*\b4\b/);
    const inCode = (...kind: string[]) => hasp("new", "mine", "--domain", "code", "--in", home, ...kind);
    expect(await inCode("--kind", "rewrite")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/change no action[^]*inject, final-code, final-llm, prompt/),
    });
    expect((await inCode()).out).toContain("wrote skills/code/mine/pf.ts");
    expect(await alone("new", "读")).toMatchObject({
      code: 2,
      err: expect.stringContaining("leaves no name"),
    });
  });

  it("makes a folder a workspace, and keeps what is the user's on a second time", async () => {
    const first = await alone("init");
    expect(first).toMatchObject({ code: 0, err: "" });
    for (const name of ["hasp.yaml", "skills/tsconfig.json", ".hasp/types/hasp.d.ts"]) {
      expect(existsSync(path.join(WORKSPACE, name))).toBe(true);
    }
    writeFileSync(path.join(WORKSPACE, "hasp.yaml"), "# mine\n");
    expect((await hasp("init")).out).toContain("kept  hasp.yaml, which is yours");
    expect(readFileSync(path.join(WORKSPACE, "hasp.yaml"), "utf8")).toBe("# mine\n");
  });

  it("imports recorded answers with their questions, once it knows the domain", async () => {
    const write = (name: string, lines: readonly object[]): void =>
      writeFileSync(path.join(WORKSPACE, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const solution = "Thought: Easy.\nAction: FINAL[Elbe]";
    write("answers.jsonl", [
      { task_id: "t1", solution, correct: true },
      { task_id: "t2", solution, correct: false },
    ]);
    write("asked.jsonl", [
      { id: "t1", question: "Which river?", gold: "Elbe" },
      { id: "t2", question: "And the other?", gold: ["Aller", "the Aller"] },
    ]);
    const nameless = await hasp("import", "answers.jsonl", "-o", "answers");
    expect(nameless).toMatchObject({ code: 2, out: expect.stringContaining("HASP528") });
    expect(nameless.out).toContain("--questions");
    const order = ["answers.jsonl", "--domain", "web-search", "--questions", "asked.jsonl", "-o", "answers"];
    const made = await hasp("import", ...order);
    expect(made).toMatchObject({ code: 0, err: "" });
    expect(made.out).toContain("2 episodes: 1 correct, 1 wrong");
    const judged = await hasp("judge", "answers", "--judge", "exact_match");
    expect(judged).toMatchObject({ code: 0, err: "" });
    expect((await hasp("compare", "answers", "answers", "--by", "recorded")).code).toBe(0);
  });

  it("writes a run as a page with its view, of which no file stands beside it", async () => {
    const { code, out } = await alone("export", RUN, "--to", "html", "-o", "page.html");
    expect([code, out]).toEqual([0, "12 episodes written to page.html, 0.6 MB\n"]);
    const page = readFileSync(path.join(WORKSPACE, "page.html"), "utf8");
    for (const part of ["export.js", "export.css"])
      expect(page).toContain(readFileSync(path.join(ROOT, "dist/webview", part), "utf8").trim());
    expect(page).toContain(readFileSync(path.join(ROOT, "dist/webview/codicon.ttf"), "base64"));
  });

  it.each([
    ["mcp.cjs", ["mcp", "--root", "."]],
    ["hook.cjs", ["hook", "install", "--host", "claude-code", "--yes"]],
    ["hook-library.json", ["hook", "explain", "git push --force"]],
  ])("says that it needs %s, and writes nothing", async (file, args) => {
    const { code, out, err } = await alone(...args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(`${file} is missing beside hasp.cjs.`);
    expect(err).toContain("copy it");
    expect(existsSync(path.join(WORKSPACE, ".claude"))).toBe(false);
  });

  it("lets an agent go on whose hook has no more than this file", async () => {
    const { code, out, err } = await alone("hook", "--host", "claude-code");
    // Exit code 2 would stop a call.
    expect([code, out]).toEqual([1, ""]);
    expect(err).toBe(
      "hasp: hook.cjs is missing beside hasp.cjs; hooks need the whole dist folder of HASP Studio.\n",
    );
  });

  it("validates the skills of coding agents below a folder that is named", async () => {
    const [own, claude, github] = ["skills", ".claude/skills", ".github/skills"].map((at) =>
      path.join(place, "agents", at),
    );
    for (const [at, name] of [
      [own, "retrieval-failure"],
      [claude, "answer-confidence-guard"],
      [github, "retrieval-failure"],
    ] as const)
      cpSync(path.join(ROOT, paperSkill(name)), path.join(at ?? "", name), { recursive: true });
    // Its domain stands in its `applicable_modes` alone.
    cpSync(path.join(ROOT, "skills/coding-agent/edit-loop"), path.join(github ?? "", "edit-loop"), {
      recursive: true,
    });
    const { code, out } = await alone("validate", path.join(place, "agents"));
    expect(code).toBe(0);
    expect(out).toContain("✓ answer_confidence_guard");
    // The published copy of a skill gives way to the skill.
    expect(out).toContain("✓ edit_loop: 4 of 4");
    expect(out).toContain("3 skills: 0 errors");
  });

  it("validates the shipped skills", async () => {
    expect(await said("validate", "skills")).toMatchInlineSnapshot(`
      {
        "code": 0,
        "err": "",
        "out": "✓ adversarial_distraction: 4 of 4 executable checks passed, 7 of 7 cases hold
      ✓ answer_completeness: 4 of 4 executable checks passed, 14 of 14 cases hold
      ✓ answer_confidence_guard: 4 of 4 executable checks passed, 10 of 10 cases hold
      ✓ answer_kind_mismatch: 4 of 4 executable checks passed, 10 of 10 cases hold
      ✓ citation_mismatch: 4 of 4 executable checks passed, 11 of 11 cases hold
      ✓ claim_triangulation: 4 of 4 executable checks passed, 10 of 10 cases hold
      ✓ dead_end_search: 4 of 4 executable checks passed, 12 of 12 cases hold
      ✓ decompose_complex_question: 4 of 4 executable checks passed, 15 of 15 cases hold
      ✓ format_extraction_error: 4 of 4 executable checks passed, 35 of 35 cases hold
      ✓ insufficient_exploration: 4 of 4 executable checks passed, 9 of 9 cases hold
      ✓ iterative_refinement: 4 of 4 executable checks passed, 8 of 8 cases hold
      ✓ language_barrier: 4 of 4 executable checks passed, 9 of 9 cases hold
      ✓ misinformation_detector: 4 of 4 executable checks passed, 9 of 9 cases hold
      ✓ multi_hop_reasoning_failure: 4 of 4 executable checks passed, 11 of 11 cases hold
      ✓ negation_oversight: 4 of 4 executable checks passed, 12 of 12 cases hold
      ✓ overfull_answer: 4 of 4 executable checks passed, 10 of 10 cases hold
      ✓ question_echo: 4 of 4 executable checks passed, 7 of 7 cases hold
      ✓ reading_comprehension_error: 4 of 4 executable checks passed, 9 of 9 cases hold
      ✓ reasoning_error: 4 of 4 executable checks passed, 10 of 10 cases hold
      ✓ relevant_content_extractor: 4 of 4 executable checks passed, 8 of 8 cases hold
      ✓ repeated_action: 4 of 4 executable checks passed, 10 of 10 cases hold
      ✓ retrieval_failure: 4 of 4 executable checks passed, 9 of 9 cases hold
      ✓ temporal_confusion: 4 of 4 executable checks passed, 10 of 10 cases hold
      ✓ unfinished_answer: 4 of 4 executable checks passed, 9 of 9 cases hold
      ✓ unspecific_answer: 4 of 4 executable checks passed, 8 of 8 cases hold
      ✓ wrong_entity_confusion: 4 of 4 executable checks passed, 11 of 11 cases hold
      26 skills: 0 errors, 0 warnings
      ",
      }
    `);
  });

  it("runs their cases and writes a JUnit report", async () => {
    const { code, out } = await hasp("test", "--junit", "report.xml");
    expect(code).toBe(0);
    expect(out).toMatch(/^\d{3} cases hold, 0 do not/m);
    expect(readFileSync(path.join(WORKSPACE, "report.xml"), "utf8")).toMatch(
      /<testsuite name="retrieval_failure" tests="9" failures="0">/,
    );
  });

  it("prints JSON also where there is nothing to backtest", async () => {
    const folder = path.join(WORKSPACE, "silent/repeated-action");
    cpSync(path.join(WORKSPACE, "skills/web-search/repeated-action"), folder, { recursive: true });
    rmSync(path.join(folder, "pf.ts"));
    const { code, out } = await hasp("backtest", "--skills", "silent", "--episodes", RUN, "--json");
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ diagnostics: [{ code: "HASP590", severity: "error" }] });
  });

  it("backtests the sample run", async () => {
    const { code, out } = await hasp("backtest", "--skills", "skills", "--episodes", RUN, "--steps", "2");
    expect(code).toBe(0);
    expect(stable(out)).toMatchSnapshot();
  });

  it("finds a text in the episodes of a run, and says where", async () => {
    expect(await said("find", RUN, "helen", "walton", "--limit", "6")).toMatchInlineSnapshot(`
      {
        "code": 0,
        "err": "",
        "out": "walton-skills:2 thought: …ld find the person in the middle first. Helen Walton could be the one.
      walton-skills:2 action: SEARCH Helen Walton death date
      walton-skills:2 observation: doc_0 Helen Walton: Helen Robson Walton (December 3, 1919 – April 19, 2007) grew up in Claremore, Oklahoma. She marrie…
      walton-skills:2 document: Helen Walton Helen Robson Walton (December 3, 1919 – April 19, 2007) grew up in Claremore, Oklahoma. She married…
      walton-skills:3 thought: Helen Walton died in 2007, after John. Her husband was Sam Walton.
      walton-skills:3 observation: Helen Walton Helen Robson Walton (December 3, 1919 – April 19, 2007) grew up in Claremore, Oklahoma. She married…
      6 places are listed; --limit lists more.
      “helen walton”: 1 of 12 episodes · 1 in thoughts, 1 in actions, 1 in observations, 1 in documents
      ",
      }
    `);
    expect(await said("find", RUN, "nobody wrote this")).toMatchInlineSnapshot(`
      {
        "code": 1,
        "err": "",
        "out": "“nobody wrote this”: 0 of 12 episodes
      ",
      }
    `);
    const { out, code } = await hasp("find", RUN, "HELEN  walton", "--limit", "1", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      hits: [{ places: [{ step: 2, field: "thought", length: 12 }] }],
    });
  });

  it("explains the step that is asked for, also after a step with two proposals", async () => {
    const run = ".hasp/runs/longer";
    cpSync(path.join(WORKSPACE, RUN), path.join(WORKSPACE, run), { recursive: true });
    const file = path.join(WORKSPACE, run, "episodes.jsonl");
    const longer = readFileSync(file, "utf8").replace(/^\{.*"id":"walton-skills".*$/m, (line) => {
      const episode = JSON.parse(line);
      const steps = [...episode.steps, { ...episode.steps[1], t: 4 }];
      return JSON.stringify({ ...episode, length: 5, steps });
    });
    writeFileSync(file, longer);
    const asked = [
      "explain",
      run,
      "--episode",
      "walton-skills",
      "--step",
      "5",
      "--skill",
      "retrieval_failure",
    ];
    const { out, err } = await hasp(...asked);
    expect(`${out}${err}`).toContain("step 5 of 5: SEARCH(");
    rmSync(path.join(WORKSPACE, run), { recursive: true });
  });

  it("explains a PF that fired and one that did not", async () => {
    const at = ["explain", RUN, "--episode", "walton-skills", "--step", "3", "--skill"];
    expect((await hasp(...at, "insufficient_exploration")).out).toMatchSnapshot();
    expect((await hasp(...at, "retrieval-failure")).out).toMatchSnapshot();
  });

  it("replays the Walton episode step by step", async () => {
    const { code, out } = await hasp("replay", RUN, "--episode", "walton-skills", "--skills", "skills");
    expect(code).toBe(0);
    expect(out).toMatchSnapshot();
  });

  it.each([
    [["validate", "skills/web-search/retrieval-failure"]],
    [["test", "skills/web-search/retrieval-failure"]],
    [["backtest", "--skills", "skills", "--episodes", RUN]],
    [["explain", RUN, "--episode", "1", "--step", "1", "--skill", "retrieval_failure"]],
    [["replay", RUN, "--episode", "1"]],
    [["init"]],
  ])("prints one JSON value with --json: %j", async (command) => {
    const { out, code } = await hasp(...command, "--json");
    expect(code).toBe(0);
    expect(typeof JSON.parse(out)).toBe("object");
  });
});
