import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { backtestSkills, findingsOnRuns, type BacktestOrder } from "../../../src/app/backtest.ts";
import type { Progress } from "../../../src/app/progress.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { addNote } from "../../../src/trace/notes.ts";
import { openRun } from "../../../src/trace/run-folder.ts";
import { openCore, readFolders, ROOT, SAMPLE_RUN } from "../../support/core.ts";
import { paperSkill } from "../../support/shipped.ts";
import { judgingWith, namedRun } from "./support.ts";

const core = openCore();
const { judging, open } = judgingWith(core);
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));

async function orderOf(skill: string, change: Partial<BacktestOrder> = {}): Promise<BacktestOrder> {
  const skills = await readFolders(core.compiler, paperSkill(skill));
  const { signal } = new AbortController();
  return { skills, runs: [await namedRun(SAMPLE_RUN)], split: undefined, signal, ...change };
}

test("a backtest tells each episode as it is done, and closes its sandbox", async () => {
  const events: Progress[] = [];
  const { value, diagnostics } = await backtestSkills(await orderOf("retrieval-failure"), judging, (event) =>
    events.push(event),
  );
  expect(value?.skills.map(({ skillId }) => skillId)).toEqual(["retrieval_failure"]);
  expect(value?.modifiers.skillIds).toEqual(["retrieval_failure"]);
  expect(diagnostics).toEqual([]);
  expect(events.map(({ done }) => done)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
  expect(new Set(events.map(({ total }) => total))).toEqual(new Set([12]));
  expect(open()).toBe(0);
});

test("an aborted backtest reports the episodes that are done", async () => {
  const stop = new AbortController();
  const order = await orderOf("retrieval-failure", { signal: stop.signal });
  const { value } = await backtestSkills(order, judging, ({ done }) => {
    if (done === 2) stop.abort();
  });
  expect(Object.values(value?.episodes ?? {}).reduce((sum, n) => sum + n, 0)).toBe(2);
});

test("skills without a Program Function leave nothing to backtest, and the diagnostic says why", async () => {
  const order = await orderOf("retrieval-failure");
  const [folder] = order.skills;
  if (folder === undefined) throw new Error("no skill");
  const broken = { ...folder, program: { ...folder.program!, code: "throw new Error('no')" } };
  const found = await backtestSkills({ ...order, skills: [broken] }, judging, () => undefined);
  expect(found.value).toBeUndefined();
  expect(found.diagnostics.map(({ code }) => code)).toEqual(["HASP400", "HASP590"]);
  expect(found.diagnostics.at(-1)?.next).toContain("retrieval_failure cannot be used");
  const none = await backtestSkills({ ...order, skills: [] }, judging, () => undefined);
  expect(none.diagnostics.map(({ next }) => next)).toEqual(["Choose a skill with a pf.ts."]);
  expect(open()).toBe(0);
});

test("a corpus that is absent or holds no passage ends the backtest with what to do, and no sandbox starts", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "hasp-corpus-"));
  try {
    const file = path.join(folder, "corpus.json");
    const order = await orderOf("retrieval-failure", { corpus: file });
    const absent = await backtestSkills(order, judging, () => undefined);
    expect(absent).toMatchObject({
      value: undefined,
      diagnostics: [{ code: "HASP578", next: "Check the path." }],
    });
    await writeFile(file, "{}");
    const empty = await backtestSkills(order, judging, () => undefined);
    expect(empty.value).toBeUndefined();
    expect(empty.diagnostics.at(-1)?.code).toBe("HASP546");
    expect(open()).toBe(0);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a label in the notes of the run decides what a change was worth", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "hasp-labels-"));
  try {
    await cp(path.join(ROOT, SAMPLE_RUN), folder, { recursive: true });
    const files = nodeFiles();
    const opened = await openRun(files, folder);
    const order = await orderOf("retrieval-failure", { runs: [{ ...opened, run: folder }] });
    const values = async () =>
      (await backtestSkills(order, judging, () => undefined)).value?.skills[0]?.hits.flatMap(
        ({ worth }) => worth ?? [],
      );
    expect(await values()).toMatchObject([{ value: "not_measured" }]);
    const clock = { now: () => "2026-01-01T00:00:00.000Z" };
    await addNote(files, clock, folder, { episodeId: "museum-skills", t: 0, kind: "went_wrong_here" });
    expect(await values()).toMatchObject([
      { why: "A person labelled the changed step wrong.", value: "harmed" },
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("what recorded episodes say of a skill includes that its changes are worth no more than chance", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "hasp-worth-"));
  try {
    const [text = ""] = (await readFile(path.join(ROOT, SAMPLE_RUN, "episodes.jsonl"), "utf8")).split("\n");
    const { answer: _, ...sample } = JSON.parse(text) as Record<string, unknown>;
    const step = { t: 0, proposals: [{ thought: "", action: { type: "FINAL", arg: "Tisza" } }], events: [] };
    const steps = [{ ...step, executed: { type: "FINAL", arg: "Tisza" }, injected: [], observation: "" }];
    const lines = Array.from({ length: 24 }, (__, i) => {
      const is = { id: `e${i}`, questionId: `q${i}`, question: `Question ${i}?`, answer: "Tisza", length: 1 };
      return JSON.stringify({ ...sample, ...is, outcome: i % 2 === 0 ? "wrong" : "correct", steps });
    });
    await writeFile(path.join(folder, "episodes.jsonl"), `${lines.join("\n")}\n`);
    const order = await orderOf("answer-completeness");
    const [skill] = order.skills;
    if (skill?.program === undefined) throw new Error("no skill");
    const runs = [{ ...(await openRun(nodeFiles(), folder)), run: folder }];
    const found = async (when: string) => {
      const code = `import { ProgramFunction, injectContext } from "hasp";
        export default class Pf extends ProgramFunction {
          shouldActivate(ctx, actionType) { return actionType === "FINAL" && ${when}; }
          intervene() { return injectContext("look again", "always"); }
        }`;
      const program = { ...skill.program!, code, phases: [] };
      return findingsOnRuns([{ ...skill, program }], runs, judging);
    };
    const [often, ...others] = await found('ctx.question !== "Question 1?"');
    expect(others).toEqual([]);
    expect(often).toMatchObject({ code: "HASP315", severity: "hint", file: `${skill.folder}/pf.ts` });
    expect(often?.message).toContain("could help 12, harmed 11; above a random trigger");
    // Where every answer is held back there is nothing to separate.
    expect((await found("true")).map(({ code: rule }) => rule)).toEqual(["HASP314"]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("lines that are no episodes are diagnostics, whether the index or the reader finds them", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "hasp-lines-"));
  try {
    await writeFile(path.join(folder, "episodes.jsonl"), "no json\n");
    const { index, diagnostics } = await openRun(nodeFiles(), folder);
    const order = await orderOf("retrieval-failure", { runs: [{ run: folder, folder, index, diagnostics }] });
    const found = await backtestSkills(order, judging, () => undefined);
    expect(found.diagnostics.length).toBe(1);
    expect(found.value?.skills[0]?.stepsAsked).toBe(0);
  } finally {
    await rm(folder, { recursive: true });
  }
});
