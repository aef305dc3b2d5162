import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { afterAll, beforeAll, expect } from "vitest";

import { AGENT_HOSTS } from "../support/agent-hosts.ts";
import { makeTask, TASK_PROMPT, taskMoves } from "../support/agent-task.ts";
import { type AgentPlace, runScriptedAgent, type Seen } from "../support/scripted-agent.ts";
import { notice } from "./support/notices.ts";
import { pick, runCommand } from "./support/palette.ts";
import { replay } from "./support/replay.ts";
import { furtherStory } from "./support/story.ts";
import { openWorkbench, screenshot, webview, type Workbench } from "./support/workbench.ts";

/** An agent thinks between two calls. Milliseconds. */
const THINKS = 1_500;
/** A process for each event, on two busy cores; the first one compiles the library. */
const SEEN = 90_000;

furtherStory("A person lets skills act in an agent, and watches it", (chapter) => {
  let workbench: Workbench;
  let place: AgentPlace;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hasp-e2e-agent-"));
    const task = makeTask(folder);
    workbench = await openWorkbench({
      workspace: task.repo,
      theme: "dark",
      env: { HOME: task.home, CLAUDE_CONFIG_DIR: "" },
    });
    // The window works on a copy.
    place = { ...task, repo: workbench.folder };
  });
  afterAll(async () => {
    await workbench.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const stepCount = (text: string | RegExp) =>
    replay(workbench).locator(".step-count").filter({ hasText: text });
  const settings = () => join(workbench.folder, ".claude/settings.local.json");

  chapter("sees the exact change, says yes, and is told that the hook answers", async () => {
    await runCommand(workbench, "HASP: Enforce In…");
    await pick(workbench, "Agent that the skills act in", "Claude Code");
    await pick(workbench, "Settings of Claude Code", "For you, in this project");
    await workbench.page.locator(".monaco-diff-editor").first().waitFor();
    expect(existsSync(settings())).toBe(false);
    await screenshot(workbench, "enforce-diff");
    await pick(workbench, "Write this to", "Write it");
    await notice(workbench, /Claude Code is answered in \d+ ms/, SEEN);
    await screenshot(workbench, "enforce-done");
    expect(readFileSync(settings(), "utf8")).toContain("PreToolUse");
    await runCommand(workbench, "Notifications: Clear All Notifications");
  });

  chapter(
    "sees the agent's session step by step while it runs, and where it was kept from stopping",
    async () => {
      const [host] = AGENT_HOSTS;
      if (host === undefined) throw new Error("There is no host.");
      mkdirSync(join(place.repo, ".hasp"), { recursive: true });
      let mayGoOn = Promise.resolve();
      const script = { session: "watched", prompt: TASK_PROMPT, moves: taskMoves(host, place) };
      const run: Promise<readonly Seen[]> = runScriptedAgent(host, place, script, async () => {
        await delay(THINKS);
        await mayGoOn;
      });
      const sessions = join(place.repo, ".hasp/runs/agent-sessions/episodes.jsonl");
      await expect.poll(() => existsSync(sessions), { timeout: SEEN }).toBe(true);
      let goOn = (): void => undefined;
      mayGoOn = new Promise((resolve) => (goOn = resolve));
      await runCommand(workbench, "HASP: Open Run");
      await pick(workbench, "Run to open", "agent sessions");
      const row = webview(workbench).locator("hasp-live-list .row").first();
      await row.waitFor({ timeout: SEEN });
      await row.locator(".outcome", { hasText: "running" }).waitFor({ timeout: SEEN });
      await row.click();
      await replay(workbench).locator("hasp-live-list .follow").click();
      await screenshot(workbench, "agent-session-begun");
      goOn();
      await stepCount("Step 5 of 5").waitFor({ timeout: SEEN });
      await screenshot(workbench, "agent-session-held");
      const seen = await run;
      expect(
        seen.filter(({ moment }) => moment === "stop").map(({ obeyed }) => obeyed.block === undefined),
      ).toEqual([false, true]);
      await stepCount("Step 7 of 7").waitFor({ timeout: SEEN });
      await screenshot(workbench, "agent-session-ended");
      const harness = replay(workbench).locator('details[data-section="harness"]');
      await harness.locator("> summary").click();
      for (let step = 7; step > 3; step -= 1) {
        await replay(workbench).locator(".step-count").click();
        await workbench.page.keyboard.press("ArrowLeft");
        await stepCount(`Step ${step - 1} of 7`).waitFor({ timeout: SEEN });
      }
      await harness.getByText("Claude Code was told to run the call with other inputs").waitFor();
      await harness.getByText("The host ran the changed call.").waitFor();
      await harness.getByText("The host ran the changed call.").scrollIntoViewIfNeeded();
      await screenshot(workbench, "agent-session-answers");
    },
  );

  return { name: "agent-session", workbench: () => workbench };
});
