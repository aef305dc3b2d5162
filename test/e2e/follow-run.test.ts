import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect } from "vitest";

import { ROOT } from "../../scripts/lib/paths.mts";
import { type Behaviour, type LoopbackModel, loopbackModel } from "../support/loopback-model.ts";
import { pick, runCommand } from "./support/palette.ts";
import { furtherStory } from "./support/story.ts";
import { openWorkbench, screenshot, webview, type Workbench } from "./support/workbench.ts";

/** Slow enough that each step is seen to come. Milliseconds. */
const THINKS = 1_500;
/** A step takes THINKS; the rest is for two busy cores. */
const SEEN = 60_000;
/** Steps of every episode: searches, and an answer. */
const STEPS = 4;

/** The calls of one episode follow one another: one episode runs at a time. */
function policy(): () => Behaviour {
  let call = 0;
  return () => {
    const t = call++ % STEPS;
    const action = t === STEPS - 1 ? "FINAL[Sam Walton]" : `SEARCH[Walton family ${call}]`;
    return { kind: "text", text: `Thought: step ${t + 1} of the plan.\nAction: ${action}`, wait: THINKS };
  };
}

furtherStory("A person watches `hasp run` from the replay", (chapter) => {
  let workbench: Workbench;
  let server: LoopbackModel;
  let running: ChildProcess | undefined;

  beforeAll(async () => {
    server = await loopbackModel(policy());
    workbench = await openWorkbench({ workspace: "samples", theme: "dark" });
  });
  afterAll(async () => {
    running?.kill();
    await workbench.close();
    await server.close();
  });

  function startRun(): Promise<number | null> {
    const files = ["--questions", "questions.jsonl", "--corpus", "corpus/passages.jsonl", "--limit", "4"];
    const model = ["--policy", `${server.url}#slow`, "--setting", "ra-agent", "--concurrency", "1"];
    const args = [
      join(ROOT, "dist/hasp.cjs"),
      "run",
      ...files,
      ...model,
      "--price",
      "1/1",
      "-o",
      ".hasp/runs/slow",
    ];
    running = spawn(process.execPath, args, { cwd: workbench.folder, stdio: "ignore" });
    return new Promise((resolve) => running?.on("exit", resolve));
  }

  const replay = () => webview(workbench).locator("hasp-replay");
  const stepCount = (text: string | RegExp) => replay().locator(".step-count").filter({ hasText: text });
  const liveRow = () => replay().locator("hasp-live-list .row").first();

  chapter(
    "sees an episode among those that run, its steps as they come, and follows to the next",
    async () => {
      const ended = startRun();
      await expect
        .poll(() => existsSync(join(workbench.folder, ".hasp/runs/slow/episodes.jsonl")), { timeout: SEEN })
        .toBe(true);
      await runCommand(workbench, "HASP: Open Run");
      await pick(workbench, "Run to open", "slow");
      await liveRow().waitFor({ timeout: SEEN });
      await liveRow().locator(".outcome", { hasText: "running" }).waitFor({ timeout: SEEN });
      await replay().locator("hasp-live-list .follow").click();
      await stepCount("Step 2 of 2").waitFor({ timeout: SEEN });
      await screenshot(workbench, "follow-step-2");
      const first = await liveRow().getAttribute("data-id");
      await stepCount("Step 3 of 3").waitFor({ timeout: SEEN });
      await expect.poll(() => liveRow().getAttribute("data-id"), { timeout: SEEN }).not.toBe(first);
      await replay().locator("hasp-live-list .row.selected").waitFor({ timeout: SEEN });
      await stepCount("Step 1 of 1").waitFor({ timeout: SEEN });
      await screenshot(workbench, "follow-next");
      expect(await ended).toBe(0);
      await replay().locator("hasp-episode-list .total", { hasText: "4" }).waitFor({ timeout: SEEN });
      await stepCount(`Step ${STEPS} of ${STEPS}`).waitFor({ timeout: SEEN });
      await screenshot(workbench, "follow-ended");
    },
  );

  return { name: "follow", workbench: () => workbench };
});
