import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";

import {
  type Behaviour,
  type LoopbackCall,
  loopbackModel,
  type LoopbackModel,
} from "../support/loopback-model.ts";
import { notice } from "./support/notices.ts";
import { accept, answer, pick, quickInput, quickInputText, runCommand } from "./support/palette.ts";
import { furtherStory } from "./support/story.ts";
import { openWorkbench, screenshot, type Workbench } from "./support/workbench.ts";

const MODELS = { object: "list", data: [{ id: "qwen3:8b" }, { id: "gemma-2b" }] };
const CONFIGURE = "HASP: Configure Model";

function behave({ url }: LoopbackCall): Behaviour {
  return url === "/v1/models"
    ? { kind: "raw", type: "application/json", body: JSON.stringify(MODELS) }
    : { kind: "text", text: "Thought: I know it.\nAction: FINAL[ready]" };
}

const chats = ({ calls }: LoopbackModel): number => calls.filter(({ url }) => url !== "/v1/models").length;

furtherStory("Each wizard goes on by Enter alone where it has a default", (chapter) => {
  let workbench: Workbench;
  let server: LoopbackModel;
  beforeAll(async () => {
    server = await loopbackModel(behave);
    workbench = await openWorkbench({
      workspace: "samples",
      theme: "dark",
      size: { width: 1400, height: 900 },
    });
  });
  afterAll(async () => {
    await workbench.close();
    await server.close();
  });

  async function dismiss(text: string): Promise<void> {
    await notice(workbench, text);
    await runCommand(workbench, "Notifications: Clear All Notifications");
  }

  chapter("configures a new endpoint, whose own list names its models", async () => {
    await runCommand(workbench, CONFIGURE);
    await accept(workbench, "Role of the model");
    await pick(workbench, "Endpoint or chat model that answers", "Another endpoint");
    await answer(workbench, "Address of the endpoint", server.url);
    await accept(workbench, "Key for");
    await pickShown("Model of the endpoint", ["gemma-2b", "qwen3:8b"]);
    await screenshot(workbench, "wizard-models");
    await workbench.page.keyboard.press("Enter");
    await accept(workbench, "Dollars for a million tokens");
    await accept(workbench, `Use ${server.url}#gemma-2b`);
    await dismiss(`The policy is ${server.url}#gemma-2b`);
    expect(chats(server)).toBe(1);
    expect(server.calls.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });

  async function pickShown(asking: string, rows: readonly string[]): Promise<void> {
    const { page } = workbench;
    await page.locator(`.quick-input-widget input[placeholder*="${asking}"]`).waitFor();
    const shown = page.locator(".quick-input-list .monaco-list-row");
    for (const row of rows) await shown.filter({ hasText: row }).first().waitFor();
  }

  chapter("offers it for the teacher, too", async () => {
    await runCommand(workbench, CONFIGURE);
    await pick(workbench, "Role of the model", "Teacher");
    await pickShown("Endpoint or chat model that answers", [`${server.url}#gemma-2b`]);
    await screenshot(workbench, "wizard-configured");
    await workbench.page.keyboard.press("Enter");
    await accept(workbench, `Use ${server.url}#gemma-2b`);
    await dismiss(`The teacher is ${server.url}#gemma-2b`);
    expect(chats(server)).toBe(2);
  });

  chapter(
    "says what plain http to a machine of one's own network means, before a key is asked for",
    async () => {
      await runCommand(workbench, CONFIGURE);
      await accept(workbench, "Role of the model");
      await pick(workbench, "Endpoint or chat model that answers", "Another endpoint");
      await answer(workbench, "Address of the endpoint", "http://llm.example.org/v1");
      await expect.poll(() => quickInputText(workbench)).toContain("everybody in between can read the key");
      await quickInput(workbench).fill("http://gpu.lan:8000/v1");
      await workbench.page.keyboard.press("Enter");
      await pickShown("Plain http to http://gpu.lan:8000 is not encrypted", [
        "Use plain http to http://gpu.lan:8000",
      ]);
      await screenshot(workbench, "wizard-plain-http");
      // The highlighted row is the safe one.
      await workbench.page.keyboard.press("Enter");
      await workbench.page.locator(".quick-input-message", { hasText: "Address of the endpoint" }).waitFor();
      await workbench.page.keyboard.press("Enter");
      await pick(workbench, "is not encrypted", "Use plain http");
      await workbench.page
        .locator(".quick-input-message", { hasText: "Key for http://gpu.lan:8000" })
        .waitFor();
      await workbench.page.keyboard.press("Escape");
    },
  );

  chapter("runs questions to the end", async () => {
    await runCommand(workbench, "HASP: Run Questions");
    for (const asking of [
      "Domain: the kind of task",
      "File with the questions",
      "Corpus to search",
      "Policy: the model that works",
      "Setting: parts of the harness",
      "Teacher for Program Functions",
    ])
      await accept(workbench, asking);
    await screenshot(workbench, "wizard-run");
    await answer(workbench, "How many of the 12 questions", "1");
    await notice(workbench, /1 episode/, 60_000);
    await expect.poll(() => chats(server)).toBeGreaterThan(2);
    await runCommand(workbench, "Notifications: Clear All Notifications");
  });

  chapter("makes a skill of the first domain and kind", async () => {
    await runCommand(workbench, "HASP: New Skill");
    await accept(workbench, "Domain");
    await answer(workbench, "Name of the skill", "shortQueries");
    await answer(workbench, "When is the skill to be used", "Use when a query is long.");
    await accept(workbench, "Kind of skill");
    await workbench.page.locator(".tab", { hasText: "pf.ts" }).first().waitFor();
    const file = join(workbench.folder, "skills/web-search/short-queries/pf.ts");
    await expect
      .poll(() => readFile(file, "utf8").catch(() => ""), { timeout: 10_000 })
      .toContain("modifyAction");
    await screenshot(workbench, "wizard-new-skill-dark");
  });

  return { name: "wizards", workbench: () => workbench };
});
