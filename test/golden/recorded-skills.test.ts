import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hasp as haspIn } from "../support/cli.ts";
import { ROOT } from "../support/core.ts";
import { openScene } from "../support/hook-process.ts";
import { copyPaperSkills } from "../support/shipped.ts";

/** A run is made in one place and judged in another, where there is no skill and no hasp.yaml. */
const place = mkdtempSync(path.join(tmpdir(), "hasp-recorded-"));
const WORKSPACE = path.join(place, "workspace");
const ELSEWHERE = path.join(place, "elsewhere");

const hasp = (cwd: string, ...args: string[]) => haspIn(args, { cwd });

beforeAll(async () => {
  mkdirSync(ELSEWHERE);
  cpSync(path.join(ROOT, "samples"), WORKSPACE, { recursive: true });
  copyPaperSkills(path.join(WORKSPACE, "skills/web-search"));
  const inputs = ["--questions", "questions.jsonl", "--corpus", "corpus/passages.jsonl"];
  const policy = ["--policy", "recorded:.hasp/runs/first-look", "--skills", "skills", "-o", "made"];
  const made = await hasp(WORKSPACE, "run", ...inputs, ...policy);
  if (made.code !== 0) throw new Error(made.err);
  cpSync(path.join(WORKSPACE, "made"), path.join(ELSEWHERE, "copy"), { recursive: true });
}, 120_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

interface Report {
  readonly skills: readonly { readonly skillId: string; readonly hits: readonly object[] }[];
}

/** A report without the name of its run. */
const reportIn = (out: string, run: string): Report =>
  JSON.parse(out.replaceAll(JSON.stringify(run), '"RUN"')) as Report;

it("a copied run is backtested with the skills that it had, and reports what its own workspace reports", async () => {
  const own = await hasp(WORKSPACE, "backtest", "--skills", "skills", "--episodes", "made", "--json");
  const inCopy = ["backtest", "--recorded-skills", "--episodes", "copy", "--json"];
  expect((await hasp(ELSEWHERE, ...inCopy)).out).toContain('"code": "HASP598"');
  // Searches are compared in the file that the run searched, which a copy of the run does not hold.
  cpSync(path.join(WORKSPACE, "corpus"), path.join(ELSEWHERE, "corpus"), { recursive: true });
  const copied = await hasp(ELSEWHERE, ...inCopy);
  expect(copied.err).toMatch(/^Loading \d+ skills of the run folder copy in the sandbox\.$/m);
  const [here, there] = [reportIn(own.out, "made"), reportIn(copied.out, "copy")];
  expect(there).toEqual(here);
  expect(there.skills.flatMap(({ hits }) => hits).length).toBeGreaterThan(0);
  expect(copied.code).toBe(own.code);
});

it("explain, replay and export take the run's skills as well", async () => {
  const step = ["copy", "--recorded-skills", "--episode", "1"];
  const explained = await hasp(ELSEWHERE, "explain", ...step, "--step", "1", "--skill", "retrieval_failure");
  expect(explained).toMatchObject({
    code: 0,
    out: expect.stringContaining("retrieval_failure, today skipped") as string,
  });
  const { code, out } = await hasp(ELSEWHERE, "replay", ...step, "--json");
  expect(code).toBe(0);
  expect((JSON.parse(out) as { judged: object[] }).judged.length).toBeGreaterThan(0);
  const page = ["--recorded-skills", "--to", "html", "-o", "page.html"];
  expect(await hasp(ELSEWHERE, "export", "copy", ...page)).toMatchObject({ code: 0 });
}, 60_000);

it("skills that were not copied, and a second choice of skills are refused", async () => {
  expect(
    await hasp(ELSEWHERE, "backtest", "--episodes", "copy", "--recorded-skills", "--skills", "s"),
  ).toMatchObject({
    code: 2,
    err: expect.stringContaining("cannot be used with option") as string,
  });
  cpSync(path.join(ELSEWHERE, "copy"), path.join(ELSEWHERE, "bare"), { recursive: true });
  rmSync(path.join(ELSEWHERE, "bare/library"), { recursive: true });
  expect(await hasp(ELSEWHERE, "backtest", "--episodes", "bare", "--recorded-skills")).toMatchObject({
    code: 2,
    err: expect.stringContaining("has no texts of") as string,
  });
  const old = path.join(WORKSPACE, ".hasp/runs/first-look");
  expect(await hasp(ELSEWHERE, "backtest", "--episodes", old, "--recorded-skills")).toMatchObject({
    code: 2,
  });
});

it("the session of a coding agent keeps the skills that it had, and is judged with them elsewhere", async () => {
  const scene = openScene("kept-skills");
  const base = { session_id: "s", cwd: scene.workspace };
  const call = { ...base, tool_name: "Bash", tool_input: { command: "git push --force" }, tool_use_id: "1" };
  await scene.hook({ ...base, hook_event_name: "UserPromptSubmit", prompt: "Push it" });
  await scene.hook({ ...call, hook_event_name: "PreToolUse" });
  await scene.hook({ ...call, hook_event_name: "PostToolUse", tool_response: { stdout: "done" } });
  await scene.hook({ ...base, hook_event_name: "SessionEnd", reason: "clear" });
  cpSync(scene.at(".hasp/runs/agent-sessions"), path.join(ELSEWHERE, "sessions"), { recursive: true });
  await expect.poll(() => scene.running(), { timeout: 20_000 }).toEqual([]);
  scene.close();
  const judged = await hasp(ELSEWHERE, "backtest", "--recorded-skills", "--episodes", "sessions", "--json");
  expect(judged.err).toMatch(/^Loading [1-9]\d* skills of the run folder sessions in the sandbox\.$/m);
  const { skills } = JSON.parse(judged.out) as Report;
  expect(skills.flatMap(({ hits }) => hits).length).toBeGreaterThan(0);
}, 60_000);
