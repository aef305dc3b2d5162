import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { errors, type Locator } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";

import { ensureAgentHost } from "../../scripts/lib/agent-hosts.mts";
import { openHostScene } from "../hosts/support/host-scene.ts";
import { REAL_HOSTS } from "../hosts/support/real-hosts.ts";
import { ASKED, INSTEAD, rewoundSession, TAKEN_BACK } from "../hosts/support/rewound-session.ts";
import { clearNotices, notice } from "./support/notices.ts";
import {
  fromMenu,
  pick,
  quickInput,
  retry,
  runAsking,
  runCommand,
  screenshotInAll,
} from "./support/palette.ts";
import { atStep, OPENED } from "./support/replay.ts";
import { furtherStory } from "./support/story.ts";
import { openWorkbench, screenshot, viewWith, type Workbench } from "./support/workbench.ts";

/** Rows of chats whose import takes some seconds. */
const CHATS = 60_000;

/** What Claude Code itself wrote as a person went back in its terminal, a copy that breaks off, and a file of another kind. */
async function writeSessions(home: string): Promise<string> {
  await ensureAgentHost("claude-code");
  const scene = openHostScene(REAL_HOSTS["claude-code"]);
  try {
    const session = await rewoundSession(scene);
    const project = (name: string): string => join(home, `projects/-home-me-${name}`);
    for (const name of ["site", "work"]) mkdirSync(project(name), { recursive: true });
    const id = basename(session, ".jsonl");
    const text = readFileSync(session, "utf8");
    const other = `${id.startsWith("0") ? "1" : "0"}${id.slice(1)}`;
    const copy = text.replaceAll(id, other).replaceAll(ASKED, "Say what the parser does");
    writeFileSync(join(project("site"), `${other}.jsonl`), copy.slice(0, copy.indexOf(TAKEN_BACK)));
    writeFileSync(join(project("work"), `${id}.jsonl`), text);
    writeFileSync(join(project("work"), "out.txt"), "text");
    return id;
  } finally {
    scene.close();
  }
}

/** Folders that hold nothing of a known format, and one whose import takes a while. */
function writeFolders(home: string): void {
  for (const name of ["empty", "others", "chats"]) mkdirSync(join(home, name));
  for (const name of ["a.txt", "b.json", "c.jsonl"]) writeFileSync(join(home, "others", name), '{"a":1}\n');
  const chat = (n: number): string =>
    `{"messages":[{"role":"user","content":"What is ${n}?"},{"role":"assistant","content":"It is ${n}."}]}\n`;
  writeFileSync(join(home, "chats/chats.jsonl"), Array.from({ length: CHATS }, (_, n) => chat(n)).join(""));
}

/** Ids of the processes that import, which the extension host has started. */
function importers(): readonly number[] {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const words = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
      return "";
    }
  };
  return processes.filter((pid) => words(pid).endsWith("\0import\0")).map(Number);
}

furtherStory("A person imports the sessions of their agent", (chapter) => {
  let home: string;
  let session: string;
  let workbench: Workbench;

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), "hasp-e2e-claude-"));
    session = await writeSessions(home);
    writeFolders(home);
    writeFileSync(join(home, "results.csv"), `id,passed\n${session},true\n`);
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
  const branches = async (): Promise<Locator> =>
    (await report()).getByRole("region", { name: "Abandoned branches" });
  const runs = (): readonly string[] => readdirSync(join(workbench.folder, ".hasp/runs")).toSorted();

  /** Types a path into VS Code's own dialog for files, and takes it. */
  async function choosePath(path: string): Promise<void> {
    // It writes the folder where it begins into the field after a while, before what stands there by then.
    await retry(async () => {
      await quickInput(workbench).fill(path);
      await workbench.page.waitForTimeout(1500);
      if ((await quickInput(workbench).inputValue()) !== path)
        throw new errors.TimeoutError("The dialog has changed the path");
    }, "The dialog did not keep the path");
    await quickInput(workbench).press("Enter");
  }

  async function askWhat(): Promise<void> {
    await runAsking(workbench, "HASP: Import Episodes", "What to import");
    await workbench.page.locator(".quick-input-list", { hasText: "2 files" }).waitFor();
  }

  async function importFolder(name: string): Promise<void> {
    await clearNotices(workbench);
    await askWhat();
    await pick(workbench, "What to import", "Folder…");
    await workbench.page.locator(".quick-input-widget", { hasText: "Folder of trajectories" }).waitFor();
    await choosePath(join(home, name) + "/");
  }

  chapter("chooses the place where the host keeps them, which is named with its files", async () => {
    await askWhat();
    await screenshot(workbench, "import-places");
    await pick(workbench, "What to import", "Claude Code sessions of all workspaces");
    await atStep(workbench, "Step 2 of 2");
  });

  chapter("reads the report by the button of the notification", async () => {
    const told = await notice(workbench, /Imported 3 episodes of 2 files: 2 unjudged · 1 abandoned/, OPENED);
    await told.getByRole("button", { name: "Show Report" }).click();
    const page = await report();
    await page.getByText("1 abandoned, with 2 steps").waitFor({ timeout: OPENED });
    await page.getByText("1 file of no known format left out: 1 .txt").waitFor();
    const findings = page.getByRole("region", { name: "Findings" });
    await findings.getByText("1 time", { exact: false }).waitFor();
    expect(await findings.locator(".row-head").allInnerTexts()).toEqual(["Warning, 1 time\nHASP536"]);
    expect(await page.getByRole("region", { name: "Unknown kinds" }).count()).toBe(0);
    await clearNotices(workbench);
    await screenshotInAll(workbench, "import-report");
  });

  chapter(
    "opens the abandoned branch by the keyboard, and goes to the step that it left and back",
    async () => {
      const page = await report();
      await page.getByRole("button", { name: "Open JSON" }).focus();
      // A finding's place stands before it.
      for (let tabs = 0; tabs < 2; tabs++) await workbench.page.keyboard.press("Tab");
      const branch = (await branches()).getByRole("button", { name: TAKEN_BACK });
      await branch.and(page.locator(":focus")).press("Enter");
      await (await lineage()).getByText("Abandoned branch, left after").waitFor({ timeout: OPENED });
      await screenshotInAll(workbench, "import-branch");
      await (await lineage()).getByRole("button", { name: /^step 2 of episode/ }).press("Enter");
      await (await run()).locator(".step-count", { hasText: "Step 2 of 6" }).waitFor({ timeout: OPENED });
      await (await run()).locator(".lineage-row").getByRole("button", { name: TAKEN_BACK }).waitFor();
      await workbench.page.keyboard.press("e");
      await (await run()).locator(".said-line", { hasText: INSTEAD }).waitFor();
      await screenshotInAll(workbench, "import-live");
      await workbench.page.keyboard.press("e");
    },
  );

  chapter("opens the report again from the menu of the run, and goes to the step from there", async () => {
    await runCommand(workbench, "View: Close All Editors");
    await runCommand(workbench, "HASP: Focus on Runs View");
    const row = workbench.page.locator(".pane .monaco-list-row", { hasText: "projects (imported)" }).first();
    await row.waitFor({ timeout: OPENED });
    expect(await row.innerText()).toContain("2 unjudged · 1 abandoned");
    await fromMenu(workbench, row, "Show Import Report");
    await (await report()).getByText("1 abandoned, with 2 steps").waitFor({ timeout: OPENED });
    await (await branches()).getByRole("button", { name: `step 2 of ${session}` }).press("Enter");
    await (await run()).locator(".step-count", { hasText: "Step 2 of 6" }).waitFor({ timeout: OPENED });
  });

  chapter("imports them once more with the verdicts of somebody else", async () => {
    await clearNotices(workbench);
    await runCommand(workbench, "View: Close All Editors");
    await askWhat();
    await pick(workbench, "What to import", "Verdicts…");
    await workbench.page.locator(".quick-input-widget", { hasText: "Verdicts on the episodes" }).waitFor();
    await choosePath(join(home, "results.csv"));
    await workbench.page.locator(".quick-input-list", { hasText: "results.csv" }).waitFor();
    await pick(workbench, "What to import", "Claude Code sessions of all workspaces");
    const told = await notice(workbench, /Imported 3 episodes of 2 files: 1 correct · 1 unjudged/, OPENED);
    await told.getByRole("button", { name: "Show Report" }).click();
    await (await report()).getByText(/--verdicts .*results\.csv/).waitFor({ timeout: OPENED });
    const row = workbench.page.locator(".pane .monaco-list-row", {
      hasText: "1 correct · 1 unjudged · 1 abandoned",
    });
    await row.waitFor({ timeout: OPENED });
  });

  chapter("finds nothing in a folder, and is offered to choose another one", async () => {
    const before = runs();
    await importFolder("empty");
    const empty = await notice(workbench, "No trajectory file was found. Choose other files", OPENED);
    await empty.getByRole("button", { name: "Import Episodes" }).waitFor();
    await importFolder("others");
    await notice(workbench, "No trajectory file was found: 3 files of no known format.", OPENED);
    expect(runs()).toEqual(before);
  });

  chapter("cancels an import, of which nothing is left", async () => {
    const before = runs();
    await importFolder("chats");
    const under = await notice(workbench, /Importing chats.*episodes/, OPENED);
    await screenshot(workbench, "import-progress");
    await under.getByRole("button", { name: "Cancel" }).click();
    await under.waitFor({ state: "hidden" });
    await expect.poll(runs).toEqual(before);
    await expect.poll(importers).toEqual([]);
  });

  chapter("is told of an import that ran out of memory, and goes on", async () => {
    const before = runs();
    await importFolder("chats");
    const under = await notice(workbench, /Importing chats.*episodes/, OPENED);
    // As V8 ends a process without memory.
    for (const pid of importers()) process.kill(pid, "SIGABRT");
    await notice(workbench, "chats cannot be imported: it needs more than 2048 MB of memory.", OPENED);
    await under.waitFor({ state: "hidden" });
    await screenshot(workbench, "import-memory");
    await expect.poll(runs).toEqual(before);
    await runCommand(workbench, "View: Close All Editors");
    await runCommand(workbench, "HASP: Open Run");
    await pick(workbench, "Run to open", "projects (imported)");
    await atStep(workbench, "Step");
  });

  return { name: "import", workbench: () => workbench };
});
