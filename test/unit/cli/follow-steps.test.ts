import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { followSteps } from "../../../src/cli/follow-steps.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { startLive } from "../../../src/trace/live.ts";
import { commandContext } from "../../support/cli-context.ts";
import { createRun } from "../../../src/trace/create-run.ts";

const files = nodeFiles();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hasp-follow-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FACTS = {
  domain: "web-search",
  actionTypes: ["SEARCH", "FINAL"],
  searchReturnsText: false,
  maxSteps: 6,
};
const SEARCH = { type: "SEARCH", arg: "who" };
const FINAL = { type: "FINAL", arg: "somebody" };

/** Lines as they are printed, and a wait for one of them. */
function printed(): {
  lines: string[];
  screen: Parameters<typeof followSteps>[3];
  until: (text: string) => Promise<void>;
} {
  const lines: string[] = [];
  const until = (text: string) =>
    expect.poll(() => lines.some((line) => line.includes(text)), { timeout: 20_000 }).toBe(true);
  const { context } = commandContext();
  return { lines, screen: { context, line: (line = "") => void lines.push(line) }, until };
}

test("each step of a running episode is printed when it is whole, and its end when it has ended", async () => {
  const run = {
    id: "r",
    title: "r",
    domain: "web-search",
    createdAt: "2026-11-20T09:00:00Z",
    source: "hasp",
  };
  await createRun(files, folder, run);
  const begin = {
    id: "q1",
    sample: 1,
    questionId: "q1",
    question: "Who was it?",
    source: "hasp",
    facts: FACTS,
    library: [],
  };
  const live = startLive(files, folder, begin);
  live.record({ event: "proposed", t: 0, proposal: { thought: "look", action: SEARCH } });
  const { lines, screen, until } = printed();
  const following = followSteps(folder, "q1", files, screen);
  live.record({ event: "executed", t: 0, action: SEARCH });
  await live.settled();
  expect(lines).toEqual([]);
  live.record({ event: "observed", t: 0, observation: "somebody, perhaps" });
  await until("somebody, perhaps");
  expect(lines[0]).toBe("q1 · step 1 · Who was it?");
  live.record({ event: "proposed", t: 1, proposal: { thought: "say", action: FINAL } });
  live.record({ event: "executed", t: 1, action: FINAL });
  await live.finish({ outcome: "correct", stopReason: "final", answer: "somebody" });
  await following;
  expect(lines.filter((line) => line.startsWith("q1 · "))).toEqual([
    "q1 · step 1 · Who was it?",
    "q1 · step 2 · Who was it?",
    "q1 · correct · final · answer somebody\n",
  ]);
});

test("a folder that is no run is named", async () => {
  await expect(followSteps(join(folder, "none"), undefined, files, printed().screen)).rejects.toThrow(
    "There is no run at",
  );
});
