import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeEach, expect, it } from "vitest";
import type { Bootstrapped } from "../../src/evolve/bootstrap.ts";
import { EPISODE_SCHEMA, type Episode } from "../../src/model/episode.ts";
import { openScene, type HookScene } from "../support/hook-process.ts";
import { CLEAN, pfWith, plainStep, replyWith } from "../unit/evolve/author/author-support.ts";

/** `hasp bootstrap` as a person runs it, with a scripted author. */
const scene: HookScene = openScene("bootstrap");
afterAll(() => scene.close());

/** An episode that answers in its second step, after a search and without reading. */
const early = (n: number, outcome: Episode["outcome"]): Episode => ({
  schema: EPISODE_SCHEMA,
  id: `early-${n}`,
  questionId: `q${n}`,
  sample: 1,
  outcome,
  length: 2,
  question: `Which bridge has number ${n}?`,
  source: "test",
  facts: {
    domain: "web-search",
    actionTypes: ["SEARCH", "READ", "FINAL"],
    searchReturnsText: false,
    maxSteps: 6,
  },
  library: [],
  steps: [
    plainStep(0, "SEARCH", `bridge ${n}`, "doc_0  The Halden bridge."),
    plainStep(1, "FINAL", outcome === "correct" ? "Goldenwater" : "Halden"),
  ],
  answer: outcome === "correct" ? "Goldenwater" : "Halden",
  gold: ["Goldenwater"],
  stopReason: "final",
});

function writeRun(name: string, outcomes: readonly Episode["outcome"][]): void {
  mkdirSync(scene.at(name), { recursive: true });
  const lines = outcomes.map((outcome, i) => `${JSON.stringify(early(i + 1, outcome))}\n`);
  writeFileSync(scene.at(`${name}/episodes.jsonl`), lines.join(""));
}

function script(...replies: readonly string[]): string {
  writeFileSync(scene.at("author.yaml"), replies.map((reply) => `- ${JSON.stringify(reply)}\n`).join(""));
  return "scripted:author.yaml";
}

const SKILL = "skills/web-search/unread-answer";

beforeEach(() => {
  rmSync(scene.at("skills"), { recursive: true, force: true });
  rmSync(scene.at(".hasp"), { recursive: true, force: true });
  writeFileSync(scene.at("hasp.yaml"), "libraries: []\n");
  // Questions 1 to 4 are recovered; 5 fails in both runs, and 6 in none.
  writeRun("before", ["wrong", "wrong", "halted", "wrong", "wrong", "correct"]);
  writeRun("after", ["correct", "correct", "correct", "correct", "wrong", "correct"]);
});

it("writes what passes, says how many failures were recovered, and overwrites nothing the next time", async () => {
  const author = script(replyWith());
  const order = ["bootstrap", "before", "after", "--author", author, "--candidates", "1"];
  const first = await scene.hasp(...order);
  expect({ code: first.code, err: first.err }).toEqual({ code: 0, err: "" });
  expect(first.out).toMatch(/^4 recovered failures: .*, of 6 judged questions$/m);
  expect(first.out).toMatch(
    /^b-c1 {2}unread_answer {2}for \w+ \(4 failures, 1 reply\): written to skills\/web-search\/unread-answer$/m,
  );
  for (const [name, text] of Object.entries(CLEAN))
    expect(readFileSync(scene.at(`${SKILL}/${name}`), "utf8")).toBe(text);
  writeFileSync(scene.at(`${SKILL}/SKILL.md`), "mine");
  const second = await scene.hasp(...order);
  expect(second.code).toBe(1);
  expect(second.out).toContain(`HASP657 ${SKILL} is there already; nothing was overwritten.`);
  expect(readFileSync(scene.at(`${SKILL}/SKILL.md`), "utf8")).toBe("mine");
});

it("writes no skill that is refused, and tells the reason of each", async () => {
  const copying = replyWith({
    "pf.ts": pfWith({ intervene: 'return injectContext("Try Goldenwater.", "a hint");' }),
    "cases.yaml": "cases: []\n",
  });
  const author = script(copying, "I cannot.", "No.", "Never.");
  const { code, out } = await scene.hasp(
    "bootstrap",
    "before",
    "after",
    "--author",
    author,
    "--candidates",
    "2",
    "--json",
  );
  const { candidates, recovered } = JSON.parse(out) as Bootstrapped;
  expect({ code, recovered }).toEqual({ code: 1, recovered: 4 });
  expect(
    candidates.map(({ refusals, folder, replies }) => [refusals.map((one) => one.code), folder, replies]),
  ).toEqual([
    [["HASP653"], undefined, 1],
    [["HASP645"], undefined, 3],
  ]);
  expect(out).not.toContain("Goldenwater");
  expect(existsSync(scene.at("skills"))).toBe(false);
});

it("gives a skill under the id of one with another aim a free id, and leaves that one alone", async () => {
  writeFileSync(scene.at("hasp.yaml"), "libraries: [skills]\n");
  mkdirSync(scene.at(SKILL), { recursive: true });
  const other = {
    ...CLEAN,
    "SKILL.md": CLEAN["SKILL.md"].replace(/^description:.*$/m, "description: Use when two dates contradict."),
    "pf.ts": pfWith({ activate: "return /\\d{4}.*\\d{4}/.test(arg);" }),
    "cases.yaml": "cases: []\n",
  };
  for (const [name, text] of Object.entries(other)) writeFileSync(scene.at(`${SKILL}/${name}`), text);
  const author = script(replyWith());
  const { out } = await scene.hasp("bootstrap", "before", "after", "--author", author, "--candidates", "1");
  expect(out).toContain("HASP859");
  expect(out).toMatch(/^b-c1 {2}unread_answer_2 .*: written to skills\/web-search\/unread-answer-2$/m);
  expect(readFileSync(scene.at(`${SKILL}/SKILL.md`), "utf8")).toBe(other["SKILL.md"]);
});

it("says plainly that nothing was recovered, and asks nobody", async () => {
  writeRun("after", ["wrong", "wrong", "wrong", "wrong", "wrong", "correct"]);
  const { code, out } = await scene.hasp("bootstrap", "before", "after", "--author", script(replyWith()));
  expect(code).toBe(1);
  expect(out).toContain("HASP655");
  expect(out).toContain("0 recovered failures");
  expect(out).toContain("0 skills written");
});

it("keeps what was proposed where the author fails, and refuses a folder of another name", async () => {
  const author = script(replyWith());
  const { code, out } = await scene.hasp(
    "bootstrap",
    "before",
    "after",
    "--author",
    author,
    "--candidates",
    "2",
  );
  expect(code).toBe(1);
  expect(out).toMatch(/^Ended early: scripted:author\.yaml has no reply to request 2\./m);
  expect(existsSync(scene.at(`${SKILL}/pf.ts`))).toBe(true);
  const wrong = await scene.hasp("bootstrap", "before", "--author", author, "-o", "elsewhere");
  expect(wrong.code).toBe(2);
  expect(wrong.err).toContain("-o elsewhere/web-search");
});
