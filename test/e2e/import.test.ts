import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";

import { EPISODE_SCHEMA, type Episode, type Step } from "../../src/model/episode.ts";
import { notice } from "./support/notices.ts";
import { fromMenu, pick, runAsking, runCommand, screenshotInBoth } from "./support/palette.ts";
import { atStep, OPENED } from "./support/replay.ts";
import { furtherStory } from "./support/story.ts";
import { openWorkbench, screenshot, viewWith, type Workbench } from "./support/workbench.ts";

const QUESTION = "Make the parser read comments, and keep the file";
const TAKEN_BACK = "Delete parser.py and write it anew";

function step(t: number, arg: string, extra?: Step["extra"]): Step {
  const action = { type: "Bash", arg };
  return {
    t,
    proposals: [{ thought: `I run ${arg}.`, action }],
    events: [],
    executed: action,
    injected: [],
    observation: `${arg}: done`,
    ...(extra !== undefined && { extra }),
  };
}

function session(id: string, question: string, steps: readonly Step[], more: Partial<Episode> = {}): string {
  const episode: Episode = {
    schema: EPISODE_SCHEMA,
    id,
    questionId: id,
    sample: 1,
    outcome: "unjudged",
    length: steps.length,
    question,
    source: "claude-code",
    ...more,
    facts: { domain: "agent", actionTypes: ["Bash"], searchReturnsText: false, maxSteps: 100 },
    library: [],
    steps: [...steps],
    stopReason: "halted",
  };
  return JSON.stringify(episode);
}

/** What a host keeps of two sessions, one of which went back once; a file that is cut, and one of another kind. */
function writeSessions(home: string): void {
  const project = join(home, "projects/-home-me-work");
  mkdirSync(project, { recursive: true });
  const branch = "s1~branch-1";
  const steps = [step(0, "ls"), step(1, "cat parser.py", { branches: [branch] }), step(2, "npm test")];
  const abandoned = session(branch, TAKEN_BACK, [step(0, "rm parser.py")], {
    outcome: "abandoned",
    origin: { as: "branch", episode: "s1", t: 1 },
  });
  writeFileSync(join(project, "s1.jsonl"), `${session("s1", QUESTION, steps)}\n${abandoned}\n`);
  writeFileSync(join(project, "s2.jsonl"), `${session("s2", "Say hello", [step(0, "echo hello")])}\n{"cut":`);
  writeFileSync(join(project, "out.txt"), "text");
}

furtherStory("A person imports the sessions of their agent", (chapter) => {
  let home: string;
  let workbench: Workbench;

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), "hasp-e2e-claude-"));
    writeSessions(home);
    workbench = await openWorkbench({
      workspace: "samples",
      theme: "dark",
      env: { CLAUDE_CONFIG_DIR: home, HOME: home },
    });
  });
  afterAll(async () => {
    await workbench.close();
    rmSync(home, { recursive: true, force: true });
  });

  const report = (): Promise<Locator> => viewWith(workbench, "hasp-training");
  /** The view of the run is one of two then. */
  const run = (): Promise<Locator> => viewWith(workbench, "hasp-replay");
  const lineage = async (): Promise<Locator> => (await run()).locator(".episode-header .lineage");

  chapter("chooses the place where the host keeps them, which is named with its files", async () => {
    await runAsking(workbench, "HASP: Import Episodes", "What to import");
    await workbench.page.locator(".quick-input-list", { hasText: "2 files" }).waitFor();
    await screenshot(workbench, "import-places");
    await pick(workbench, "What to import", "Claude Code sessions of all workspaces");
    // The run opens at the end of its first episode, which never finished.
    await atStep(workbench, "Step 3 of 3");
  });

  chapter("reads the report by the button of the notification", async () => {
    const told = await notice(workbench, /Imported 3 episodes of 2 files: 2 unjudged · 1 abandoned/, OPENED);
    await told.getByRole("button", { name: "Show Report" }).click();
    const page = await report();
    await page.getByText("1 abandoned, with 1 step").waitFor({ timeout: OPENED });
    await page.getByText("1 file of no known format left out: 1 .txt").waitFor();
    await page.getByRole("region", { name: "Findings" }).getByText("s2.jsonl:2").waitFor();
    await screenshotInBoth(workbench, "import-report");
  });

  chapter("opens the abandoned branch, and goes to the step that it left and back", async () => {
    await (await report()).getByRole("button", { name: TAKEN_BACK }).press("Enter");
    await (await lineage()).getByText("Abandoned branch, left after").waitFor({ timeout: OPENED });
    await screenshotInBoth(workbench, "import-branch");
    await (await lineage()).getByRole("button", { name: "step 2 of episode 1" }).press("Enter");
    await (await run()).locator(".step-count", { hasText: "Step 2 of 3" }).waitFor({ timeout: OPENED });
    await (await run()).locator(".lineage-row").getByRole("button", { name: TAKEN_BACK }).waitFor();
    await screenshotInBoth(workbench, "import-live");
  });

  chapter("opens the report again from the menu of the run", async () => {
    await runCommand(workbench, "View: Close All Editors");
    await runCommand(workbench, "HASP: Focus on Runs View");
    const row = workbench.page.locator(".pane .monaco-list-row", { hasText: "projects (imported)" }).first();
    await row.waitFor({ timeout: OPENED });
    expect(await row.innerText()).toContain("2 unjudged · 1 abandoned");
    await fromMenu(workbench, row, "Show Import Report");
    await (await report()).getByText("1 abandoned, with 1 step").waitFor({ timeout: OPENED });
  });

  return { name: "import", workbench: () => workbench };
});
