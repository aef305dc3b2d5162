import { afterAll, beforeAll, expect } from "vitest";

import {
  type Behaviour,
  type LoopbackCall,
  type LoopbackModel,
  loopbackModel,
} from "../support/loopback-model.ts";
import { clearNotices, notice } from "./support/notices.ts";
import { accept, pick, runCommand, answer, quickInput } from "./support/palette.ts";
import { furtherStory } from "./support/story.ts";
import { openWorkbench, screenshot, webview, type Workbench } from "./support/workbench.ts";

/** Long enough to be seen arriving. Milliseconds. */
const THINKS = 800;
/** Starting a sandbox and loading six skills, on two busy cores. */
const STARTED = 60_000;
/** Holds the answer to one question, so that the test sees the run in its middle. */
const firstSeen = Promise.withResolvers<void>();
/** A second call of a question: four are worked on at once. */
const PONDERED_CHAT = 6;

const json = (value: unknown, status = 200): Behaviour => ({
  kind: "raw",
  status,
  type: "application/json",
  body: JSON.stringify(value),
});

const NAMES = ["qwen3:8b", "evil-$(trash)-$(error)", "nomic-embed-text:latest"];
const PAGES: Readonly<Record<string, Behaviour>> = {
  "/v1/models": json({
    object: "list",
    data: NAMES.map((id) => ({ id, object: "model", owned_by: "library" })),
  }),
  "/api/tags": json({
    models: NAMES.map((name) => ({
      name,
      details: { family: name.startsWith("nomic") ? "nomic-bert" : "qwen3" },
    })),
  }),
};
const LOADING = json({ error: { message: "Loading model", type: "unavailable_error", code: 503 } }, 503);

furtherStory("A person runs an agent with a model of their own machine", (chapter) => {
  let workbench: Workbench;
  let server: LoopbackModel;
  let isLoading = false;
  let chats = 0;

  /** Ollama, as it answers; its model searches once and answers. */
  function behave({ url, request }: LoopbackCall): Behaviour {
    if (url !== "/v1/chat/completions") return PAGES[url] ?? { kind: "status", status: 404 };
    if (isLoading) return LOADING;
    chats += 1;
    // The system text has an example with a search of its own.
    const text = request.messages
      .filter(({ role }) => role !== "system")
      .map(({ content }) => content)
      .join("\n");
    const action = text.includes("doc_0 ") ? "FINAL[Sam Walton]" : "SEARCH[Walton family]";
    const until = chats === PONDERED_CHAT ? firstSeen.promise : undefined;
    return {
      kind: "text",
      text: `Thought: one thing after the other.\nAction: ${action}`,
      wait: THINKS,
      until,
    };
  }

  beforeAll(async () => {
    server = await loopbackModel(behave);
    const env = { OLLAMA_HOST: `127.0.0.1:${server.port}` };
    workbench = await openWorkbench({ workspace: "samples", theme: "dark", env });
  });
  afterAll(async () => {
    await workbench.close();
    await server.close();
  });

  const row = (text: string) =>
    workbench.page.locator(".quick-input-list .monaco-list-row", { hasText: text });

  async function openList(): Promise<void> {
    await runCommand(workbench, "HASP: Configure Model");
    await accept(workbench, "Role of the model");
    await row("qwen3:8b").first().waitFor();
  }

  chapter("finds the server and its models, without a key, while the list is open", async () => {
    expect(server.calls).toEqual([]);
    await openList();
    await workbench.page
      .locator(".quick-input-list", { hasText: `Ollama at 127.0.0.1:${server.port}` })
      .waitFor();
    // The first row stays the highlighted one.
    expect(await workbench.page.locator(".quick-input-list .monaco-list-row.focused").innerText()).toContain(
      "OpenAI",
    );
    expect(await row("nomic-embed-text").count()).toBe(0);
    // A name is a text, whatever it looks like.
    expect(await row("evil-").innerText()).toContain("evil-$(trash)-$(error)");
    await screenshot(workbench, "local-models-dark");
    expect(
      server.calls.map(({ headers }) => headers.authorization).filter((key) => key !== undefined),
    ).toEqual([]);
  });

  chapter("looks again by the keyboard, and by the button", async () => {
    const lists = (): number => server.calls.filter(({ url }) => url === "/v1/models").length;
    const before = lists();
    const again = row("Look for local servers again");
    await quickInput(workbench).press("ArrowUp");
    await again.and(workbench.page.locator(".focused")).waitFor();
    await quickInput(workbench).press("Enter");
    await expect.poll(lists).toBeGreaterThan(before);
    await again.and(workbench.page.locator(".focused")).waitFor();
    const afterEnter = lists();
    await workbench.page.locator('.quick-input-titlebar [aria-label="Look for local servers again"]').click();
    await expect.poll(lists).toBeGreaterThan(afterEnter);
    await again.waitFor();
  });

  chapter("chooses a model by one click, and waits until the server has loaded it", async () => {
    isLoading = true;
    await row("qwen3:8b").click();
    const waiting = await notice(workbench, "is still loading its model; waiting");
    await screenshot(workbench, "local-model-loading");
    expect(await waiting.innerText()).toContain("Cancel");
    isLoading = false;
    await notice(workbench, `The policy is ${server.url}#qwen3:8b`, 30_000);
    await clearNotices(workbench);
  });

  chapter("runs five questions with it, and watches them arrive in the replay", async () => {
    chats = 0;
    isLoading = true;
    await runCommand(workbench, "HASP: Run Questions");
    await accept(workbench, "Domain: the kind of task");
    await pick(workbench, "File with the questions", "questions.jsonl");
    await pick(workbench, "Corpus to search", "corpus/passages.jsonl");
    await pick(workbench, "Policy: the model that works", "#qwen3:8b");
    await pick(workbench, "Setting: parts of the harness", "pf-only");
    await answerFive();
    await notice(workbench, "is still loading its model; waiting", STARTED);
    await screenshot(workbench, "local-run-loading");
    isLoading = false;
    await notice(workbench, /[1-4] of 5 questions/, STARTED);
    const replay = webview(workbench).locator("hasp-replay");
    await replay.getByText("walton family", { exact: false }).first().waitFor({ timeout: STARTED });
    await screenshot(workbench, "local-run-growing");
    firstSeen.resolve();
    await notice(workbench, "5 episodes:", STARTED);
    const listed = replay.locator("hasp-episode-list .row");
    await expect.poll(() => listed.count(), { timeout: STARTED }).toBe(5);
    await screenshot(workbench, "local-run-done");
    await clearNotices(workbench);
  });

  async function answerFive(): Promise<void> {
    await answer(workbench, "How many of the 12 questions", "5");
  }

  return { name: "local-model", workbench: () => workbench };
});
