import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hasp } from "../support/cli.ts";
import { ROOT } from "../support/core.ts";
import { paperSkill } from "../support/shipped.ts";

/** Several command lines in one process, each in a folder and with variables of its own. */
const base = realpathSync(mkdtempSync(path.join(tmpdir(), "hasp-in-process-")));
const envOf = (user: string) => ({ PATH: process.env["PATH"], HOME: path.join(base, user) });
const folderOf = (user: string) => path.join(base, user, "work");
const as = (user: string, ...args: string[]) => hasp(args, { cwd: folderOf(user), env: envOf(user) });

beforeAll(() => {
  for (const user of ["ann", "bob"]) mkdirSync(folderOf(user), { recursive: true });
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const QUESTION = `${JSON.stringify({ id: "q", question: "Who?", gold: ["Ann"] })}\n`;
const PASSAGE = `${JSON.stringify({ title: "Ann", text: "Ann did it." })}\n`;

function writeRun(user: string, answer: string): string[] {
  const script = JSON.stringify([`Thought: I know.\nAction: FINAL[${answer}]`]);
  const texts = { "questions.jsonl": QUESTION, "corpus.jsonl": PASSAGE, "script.json": script };
  for (const [name, text] of Object.entries(texts)) writeFileSync(path.join(folderOf(user), name), text);
  const files = [
    "--questions",
    "questions.jsonl",
    "--corpus",
    "corpus.jsonl",
    "--policy",
    "scripted:script.json",
  ];
  return ["run", ...files, "--no-skills", "-o", ".hasp/runs/one"];
}

test("two commands beside each other read and write relative names in their own folders", async () => {
  const orders = { ann: writeRun("ann", "Ann"), bob: writeRun("bob", "Bob") };
  const [ann, bob] = await Promise.all([as("ann", ...orders.ann), as("bob", ...orders.bob)]);
  expect([ann.code, bob.code]).toEqual([0, 0]);
  expect(ann.out).toContain("run written to .hasp/runs/one");
  for (const [user, answer] of [
    ["ann", "Ann"],
    ["bob", "Bob"],
  ] as const)
    expect(readFileSync(path.join(folderOf(user), ".hasp/runs/one/episodes.jsonl"), "utf8")).toContain(
      `"answer":"${answer}"`,
    );
});

test("decisions are kept with the user whom the variables name", async () => {
  await as("ann", "mcp", "trust", "--yes");
  expect((await as("ann", "mcp", "trust", "--json", "--yes")).out).toContain('"trusted": true');
  const kept = readFileSync(path.join(base, "ann/.config/hasp/trust.json"), "utf8");
  expect(kept).toContain(folderOf("ann"));
  expect((await as("bob", "mcp", "trust")).err).toContain("Nobody is there to ask.");
});

test("messages name files as they were given", async () => {
  const { code, out, err } = await as("ann", "compare", "none/a", "none/b");
  expect(code).toBe(2);
  expect(`${out}${err}`).toContain("none/a");
  expect(`${out}${err}`).not.toContain(base);
});

test("nothing of a command stays in the process", async () => {
  // The compiler and the sandbox that the commands of this file share are there from here on.
  await as("ann", "test", path.join(ROOT, paperSkill("insufficient-exploration")));
  const before = stateOf();
  const stop = new AbortController();
  stop.abort(new Error("Interrupted"));
  await as("ann", "test", path.join(ROOT, paperSkill("insufficient-exploration")));
  await as("ann", "no-such-command");
  await hasp([...writeRun("bob", "Bob"), "--resume"], {
    cwd: folderOf("bob"),
    env: envOf("bob"),
    signal: stop.signal,
  });
  // What is closed goes with the next turn.
  await setImmediate();
  const { resources, ...rest } = stateOf();
  const { resources: earlier, ...restBefore } = before;
  expect(rest).toEqual(restBefore);
  // A timer of an earlier test file may end in the meantime, so fewer resources than before are no leak.
  const count = (of: readonly string[], name: string): number => of.filter((one) => one === name).length;
  expect(resources.filter((name) => count(resources, name) > count(earlier, name))).toEqual([]);
});

/** What a command could leave: listeners, handles, variables, the current folder, an exit code. */
function stateOf() {
  const listeners = process.eventNames().map((name) => [String(name), process.listenerCount(name)]);
  return {
    listeners,
    resources: process.getActiveResourcesInfo().toSorted(),
    env: { ...process.env },
    cwd: process.cwd(),
    exitCode: process.exitCode,
  };
}

test("a command is interrupted by its signal, and says how it goes on", async () => {
  const stop = new AbortController();
  stop.abort(new Error("Interrupted"));
  const order = [...writeRun("ann", "Ann").slice(0, -1), "interrupted"];
  const { code, out } = await hasp(order, { cwd: folderOf("ann"), env: envOf("ann"), signal: stop.signal });
  expect(code).toBe(1);
  expect(out).toContain("Interrupted: 1 questions are left. Go on with:");
  expect(out).toContain("hasp run --questions questions.jsonl");
});
