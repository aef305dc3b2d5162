import { describe, expect, test } from "vitest";
import { counted, importSession, outline, use, writeSession } from "./claude-session.ts";
import { step } from "./formats-support.ts";

describe("words typed in the middle of a turn", () => {
  test("a person's words are prompts of the next step; a notice of the program is an observation", async () => {
    const session = writeSession();
    session.person("Go.");
    session.agent([use("a")]);
    session.result("a", "A");
    session.attachment({ type: "queued_command", prompt: "Also the docs.", origin: { kind: "human" } });
    const notice = "<task-notification>task 1 is over</task-notification>";
    session.attachment({ type: "queued_command", prompt: notice, origin: { kind: "task-notification" } });
    session.agent([use("b")]);
    session.result("b", "B");
    session.attachment({ type: "queued_command", prompt: "Old version.", commandMode: "prompt" });
    session.attachment({ type: "queued_command", prompt: notice, commandMode: "task-notification" });
    session.attachment({ type: "queued_command", prompt: "From a channel.", isMeta: true });
    session.agent([use("c")]);
    const imported = await importSession(session);
    const [episode] = imported.episodes;
    expect(imported.diagnostics).toEqual([]);
    expect(step(episode, 0).observation).toContain("task 1 is over");
    expect(step(episode, 1)).toMatchObject({ prompts: ["Also the docs."] });
    expect(step(episode, 2)).toMatchObject({ prompts: ["Old version."] });
    expect(step(episode, 1).observation).toContain("From a channel.");
    expect(counted(imported, "mapped", "words typed in the middle of a turn")).toBe(2);
    expect(counted(imported, "mapped", "notices in the middle of a turn")).toBe(3);
  });

  test("words with a picture have a mark in its place", async () => {
    const session = writeSession();
    session.person("Go.");
    session.agent([use("a")]);
    session.result("a", "A");
    const source = { type: "base64", media_type: "image/png", data: "iVBOR".repeat(1000) };
    session.attachment({
      type: "queued_command",
      prompt: [
        { type: "text", text: "Like this:" },
        { type: "image", source },
      ],
      origin: { kind: "human" },
    });
    session.agent([use("b")]);
    const { episodes } = await importSession(session);
    expect(step(episodes[0], 1).prompts).toEqual(["Like this:\n[image]"]);
    expect(JSON.stringify(episodes)).not.toContain("iVBOR");
  });

  test("older versions tell them by their queue alone; what the person takes back never reached the agent", async () => {
    const session = writeSession();
    const queue = (operation: string, more: object = {}): string =>
      session.add({ type: "queue-operation", operation, ...more, uuid: undefined, parentUuid: undefined });
    session.person("Go.");
    const first = session.agent([use("a")]);
    queue("enqueue", { content: "Into the turn." });
    queue("enqueue", { content: "Taken back." });
    session.result("a", "A", { parentUuid: first });
    // Without a content it is the next of the queue, and without a reason it went to the agent.
    queue("remove");
    queue("remove", { content: "Taken back.", reason: "edited" });
    session.agent([use("b")], {}, { parentUuid: "u5" });
    queue("enqueue", { content: "All taken back." });
    queue("popAll");
    queue("enqueue", { content: "As a prompt." });
    queue("dequeue");
    session.person("As a prompt.", { parentUuid: "u8" });
    session.agent([use("c")]);
    session.rows.forEach((row) => {
      if (row["uuid"] === undefined) delete row["parentUuid"];
    });
    const { episodes } = await importSession(session);
    expect(episodes[0]?.steps.map(({ prompts }) => prompts)).toEqual([
      undefined,
      ["Into the turn."],
      ["As a prompt."],
    ]);
  });

  test("what the queue and an attachment both tell counts once", async () => {
    const session = writeSession();
    session.person("Go.");
    const first = session.agent([use("a")]);
    const queued = { type: "queue-operation", operation: "remove", content: "Also this.", parentUuid: null };
    session.result("a", "A", { parentUuid: first });
    session.rows.push({ ...queued, sessionId: "s1", timestamp: "2026-01-01T00:00:04.000Z" });
    session.attachment({ type: "queued_command", prompt: "Also this.", origin: { kind: "human" } });
    session.agent([use("b")]);
    const { episodes } = await importSession(session);
    expect(step(episodes[0], 1).prompts).toEqual(["Also this."]);
  });
});

test("words that the limit of tokens broke off are no last words of the agent", async () => {
  const session = writeSession();
  session.person("Explain.");
  session.agent("It is so because", { stop_reason: "max_tokens" });
  session.person("Again, please.");
  session.agent("It is so.", { stop_reason: "end_turn" });
  expect(outline(await importSession(session))).toEqual([
    ["s1", "Explain.", "other: It is so because", "FINAL: It is so."],
  ]);
});

describe("turns that no person began", () => {
  test("the task of a plan that is due is the question of its session, and no person's prompt later", async () => {
    const session = writeSession();
    session.person("Check the deploy.", { isMeta: true, turnOrigin: "scheduled" });
    session.agent([use("a")]);
    session.result("a", "A");
    session.person("Check it again.", { turnOrigin: "scheduled" });
    session.agent([use("b")]);
    session.result("b", "B");
    session.person("Thanks, stop it.", { turnOrigin: "human", origin: { kind: "human" } });
    session.agent("Stopped.", { stop_reason: "end_turn" });
    const { episodes, diagnostics } = await importSession(session);
    expect(diagnostics).toEqual([]);
    expect(episodes[0]?.question).toBe("Check the deploy.");
    expect(episodes[0]?.steps.map(({ prompts }) => prompts)).toEqual([
      undefined,
      undefined,
      ["Thanks, stop it."],
    ]);
    expect(step(episodes[0], 0).observation).toContain("Check it again.");
  });

  test("what another agent says is the question where a session begins with it, and no person's prompt", async () => {
    const session = writeSession();
    session.person('<teammate-message teammate_id="lead">Look at A.</teammate-message>');
    session.agent([use("a")]);
    session.result("a", "A");
    session.person('<cross-session-message from="x">And B?</cross-session-message>');
    session.attachment({
      type: "queued_command",
      commandMode: "prompt",
      prompt: "<agent-message>And C?</agent-message>",
    });
    session.agent([use("b")]);
    session.person("What is a <teammate-message>?");
    session.agent("A message.", { stop_reason: "end_turn" });
    const { episodes } = await importSession(session);
    expect(episodes[0]?.question).toContain("Look at A.");
    expect(step(episodes[0], 0).observation).toMatch(/And B\?.*And C\?/s);
    expect(episodes[0]?.steps.map(({ prompts }) => prompts)).toEqual([
      undefined,
      undefined,
      ["What is a <teammate-message>?"],
    ]);
  });

  test.each([
    { turnOrigin: "task_notification" },
    { turnOrigin: "auto_continuation" },
    { origin: { kind: "coordinator" } },
    { queueTranscriptOnly: true },
    { isVirtual: true },
  ])("words with %o are the program's", async (more) => {
    const session = writeSession();
    session.person("Go.");
    session.agent([use("a")]);
    session.result("a", "A");
    session.person("A notice.", more);
    session.agent([use("b")]);
    const { episodes } = await importSession(session);
    expect(step(episodes[0], 0).observation).toContain("A notice.");
    expect(step(episodes[0], 1)).not.toHaveProperty("prompts");
  });
});

describe("slash commands", () => {
  const command = (name: string, args: string): string =>
    `<command-message>${name} is running…</command-message>\n<command-name>/${name}</command-name>\n<command-args>${args}</command-args>`;

  test("a command with its arguments is what the person said, as a question and as a prompt", async () => {
    const session = writeSession();
    session.person(command("fix", "issue 123 <b>"));
    session.person("You are to fix it.", { isMeta: true });
    session.agent("Fixed.", { stop_reason: "end_turn" });
    session.person(command("review", ""));
    session.person("You are to review.", { isMeta: true });
    session.agent([use("a")]);
    const { episodes } = await importSession(session);
    expect(episodes[0]).toMatchObject({ question: "/fix issue 123 <b>" });
    expect(episodes[0]?.prelude).toContain("You are to fix it.");
    expect(step(episodes[0], 1).prompts).toEqual(["/review"]);
  });

  test("a command to the program itself is no prompt, and what it printed is no word of a person", async () => {
    const session = writeSession();
    session.person(command("clear", ""));
    session.person("<local-command-stdout>(no content)</local-command-stdout>");
    session.person(command("model", "opus"));
    session.person("<local-command-stdout>Set model to opus</local-command-stdout>");
    session.person("Do it.");
    session.agent([use("a")]);
    session.result("a", "A");
    session.person(command("cost", ""));
    session.add({
      type: "system",
      subtype: "local_command",
      content: "<local-command-stdout>3 dollars</local-command-stdout>",
    });
    session.person("Go on.");
    session.agent([use("b")]);
    const { episodes } = await importSession(session);
    expect(episodes[0]?.question).toBe("Do it.");
    expect(episodes[0]?.prelude).toContain("Set model to opus");
    expect(step(episodes[0], 0).observation).toContain("3 dollars");
    expect(step(episodes[0], 1).prompts).toEqual(["Go on."]);
  });

  test("words beside a command stay, and elements that are not whole are words", async () => {
    const session = writeSession();
    session.person(`${command("go", "now")}\nAnd please be quick.`);
    session.agent("Yes.", { stop_reason: "end_turn" });
    session.person("What does a command-name </command-name> mean?");
    session.agent("A name.", { stop_reason: "end_turn" });
    const { episodes } = await importSession(session);
    expect(episodes[0]?.question).toBe("/go now\nAnd please be quick.");
    expect(step(episodes[0], 1).prompts).toEqual(["What does a command-name </command-name> mean?"]);
    const other = writeSession();
    other.person("What does <command-name> mean, and <command-args>? Tell me.");
    other.agent("A name.", { stop_reason: "end_turn" });
    const asked = await importSession(other);
    expect(asked.episodes[0]?.question).toBe("What does <command-name> mean, and <command-args>? Tell me.");
  });
});

describe("usage", () => {
  test("several lines of one message count once, the last one's", async () => {
    const session = writeSession();
    session.person("Go.");
    const usage = (output: number): object => ({
      input_tokens: 10,
      output_tokens: output,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 20,
    });
    session.agent([{ type: "thinking", thinking: "hm" }], { id: "m1", usage: usage(1) });
    session.agent([use("a")], { id: "m1", usage: usage(1) });
    session.agent([use("b")], { id: "m1", usage: usage(30) });
    session.result("a", "A");
    session.result("b", "B");
    session.agent("Done.", { id: "m2", usage: usage(5), stop_reason: "end_turn" });
    const { episodes } = await importSession(session);
    const [episode] = episodes;
    expect(episode?.cost).toEqual({ inputTokens: 260, outputTokens: 35, cachedInputTokens: 200 });
    expect(step(episode, 0)).toMatchObject({
      proposals: [{ usage: { inputTokens: 130, outputTokens: 30, cachedInputTokens: 100 } }],
      extra: { cachedTokens: { read: 100, written: 20 } },
    });
    expect(step(episode, 1).proposals?.[0]).not.toHaveProperty("usage");
  });

  test("the program's own count of dollars is the session's cost, the last one", async () => {
    const session = writeSession();
    session.person("Go.");
    session.agent("Yes.", { usage: { input_tokens: 1, output_tokens: 2 }, stop_reason: "end_turn" });
    session.rows.push({ type: "cost-state", sessionId: "s1", totalCostUSD: 0.25 });
    session.rows.push({ type: "cost-state", sessionId: "s1", totalCostUSD: 0.5 });
    const { episodes } = await importSession(session);
    expect(episodes[0]?.cost).toEqual({ inputTokens: 1, outputTokens: 2, cost: 0.5 });
  });

  test("two messages of one id and different requests are two", async () => {
    const session = writeSession();
    session.person("Go.");
    const message = { id: "m1", usage: { input_tokens: 1, output_tokens: 2 } };
    session.agent([use("a")], message, { requestId: "r1" });
    session.result("a", "A");
    session.agent([use("b")], message, { requestId: "r2" });
    session.result("b", "B");
    const { episodes } = await importSession(session);
    expect(episodes[0]?.cost).toEqual({ inputTokens: 2, outputTokens: 4 });
    expect(episodes[0]?.steps.map(({ unanswered }) => unanswered)).toEqual([undefined, undefined]);
  });
});

describe("compaction", () => {
  const summary = { isCompactSummary: true, isVisibleInTranscriptOnly: true };

  test("steps before and after it are one episode; the summary is no prompt, and later prompts begin with it", async () => {
    const session = writeSession();
    session.person("Long work.");
    session.agent([use("a")]);
    const last = session.result("a", "A");
    session.add({
      type: "system",
      subtype: "compact_boundary",
      content: "Conversation compacted",
      parentUuid: null,
      logicalParentUuid: last,
      compactMetadata: { trigger: "auto", preTokens: 155_000, nested: { not: "kept" } },
    });
    session.person("This session goes on from an earlier one: A was run.", summary);
    session.agent([use("b")]);
    session.result("b", "B");
    const imported = await importSession(session);
    expect(outline(imported)).toEqual([["s1", "Long work.", "run a", "run b"]]);
    const [episode] = imported.episodes;
    expect(step(episode, 1)).toMatchObject({
      extra: { compaction: { trigger: "auto", preTokens: 155_000 } },
    });
    expect(step(episode, 1)).not.toHaveProperty("prompts");
    expect(step(episode, 0).observation).toContain("A was run");
    expect(counted(imported, "mapped", "compactions")).toBe(1);
    expect(counted(imported, "mapped", "summaries of compactions")).toBe(1);
  });

  test.each([
    ["names no line before it", {}],
    ["names a line that is not in the file", { logicalParentUuid: "gone" }],
    // The lines that are kept after a compaction may be written again behind it.
    ["names a line that stands behind it", { logicalParentUuid: "u6" }],
  ])("a boundary that %s goes on from the line before it", async (_, more) => {
    const session = writeSession();
    session.person("Long work.");
    session.agent([use("a")]);
    session.result("a", "A");
    session.add({ type: "system", subtype: "compact_boundary", parentUuid: null, ...more });
    session.person("Summary.", summary);
    session.agent([use("b")]);
    session.result("b", "B");
    expect(outline(await importSession(session))).toEqual([["s1", "Long work.", "run a", "run b"]]);
  });

  test("a file that begins with a compaction has the summary for a prelude, and a question that nobody knows", async () => {
    const session = writeSession();
    session.add({ type: "system", subtype: "compact_boundary", parentUuid: null, logicalParentUuid: "old" });
    session.person("Summary.", summary);
    session.agent([use("b")]);
    session.result("b", "B");
    session.person("Next.");
    session.agent("Yes.", { stop_reason: "end_turn" });
    const { episodes, diagnostics } = await importSession(session);
    expect(episodes[0]?.prelude).toContain("Summary.");
    expect(episodes[0]?.question).toBe("");
    expect(diagnostics.map(({ code }) => code)).toEqual(["HASP524"]);
    expect(episodes[0]?.steps.map(({ prompts }) => prompts)).toEqual([undefined, ["Next."]]);
  });
});
