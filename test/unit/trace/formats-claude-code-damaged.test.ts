import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sha256 } from "../../../src/platform/sha256.ts";
import { claudeCodeReader, isClaudeCode } from "../../../src/trace/formats/claude-code.ts";
import { openLedger } from "../../../src/trace/formats/ledger.ts";
import {
  counted,
  importSession,
  outline,
  type SessionWriter,
  start,
  use,
  writeSession,
} from "./claude-session.ts";
import { importContent, step } from "./formats-support.ts";

function short(): SessionWriter {
  const session = writeSession();
  session.person("Go.");
  session.agent([use("a")]);
  session.result("a", "A");
  session.agent([{ type: "text", text: "And now the rest." }, use("b")]);
  return session;
}

describe("damaged sessions", () => {
  test("of a line that breaks off in the middle of a call, the words before it stay, and the episode says so", async () => {
    const text = short().text();
    const imported = await importContent(text.slice(0, text.indexOf("run b")), "s1.jsonl");
    expect(outline(imported)[0]?.slice(0, 3)).toEqual(["s1", "Go.", "run a"]);
    expect(step(imported.episodes[0], 1).proposals?.[0]?.thought).toBe("And now the rest.");
    expect(imported.episodes[0]?.stopReason).toBe("interrupted");
    expect(imported.diagnostics.map(({ code, range }) => [code, range.start.line])).toEqual([["HASP536", 3]]);
  });

  test("a line that breaks off before it says anything gives no step", async () => {
    const text = short().text();
    const imported = await importContent(text.slice(0, text.indexOf(" rest.")), "s1.jsonl");
    expect(outline(imported)).toEqual([["s1", "Go.", "run a"]]);
    expect(imported.episodes[0]?.stopReason).toBe("interrupted");
  });

  test("a line that breaks off before its kind or its content is one finding, and no kind that nobody knows", async () => {
    const begin = '{"parentUuid":"u4","isSidechain":false,"sessionId":"s1","uuid":"u5",';
    const text = `${short().text().trimEnd()}\n${begin}"ty\n${begin}"type":"assistant","message":{"role":\n`;
    const imported = await importContent(text, "s1.jsonl");
    expect(imported.diagnostics.map(({ code, range }) => [code, range.start.line])).toEqual([
      ["HASP536", 4],
      ["HASP536", 5],
    ]);
    expect(imported.value?.files.flatMap(({ unknown }) => unknown)).toEqual([]);
    expect(counted(imported, "dropped", "lines that break off")).toBe(2);
  });

  test("thoughts of which the service tells no word leave no mark", async () => {
    const session = writeSession();
    session.person("Go.");
    const secret = [
      { type: "thinking", thinking: "", signature: "s" },
      { type: "redacted_thinking", data: "d" },
    ];
    session.agent([...secret, { type: "text", text: "" }, use("a")]);
    const imported = await importSession(session);
    expect(step(imported.episodes[0], 0).proposals?.[0]?.thought).toBe("");
    expect(counted(imported, "dropped", "thoughts without words")).toBe(2);
  });

  test.each([0.3, 0.5, 0.7, 0.9])("cut after %f of it, every whole step stays", async (part) => {
    const text = short().text();
    const cut = text.slice(0, Math.floor(text.length * part));
    const { episodes, diagnostics } = await importContent(cut, "s1.jsonl");
    const whole = cut.split("\n").slice(0, -1).join("").split('"tool_use"').length - 1;
    expect(episodes.flatMap(({ steps }) => steps).length).toBeGreaterThanOrEqual(whole);
    expect(diagnostics.map(({ code }) => code)).toContain("HASP536");
  });

  test("a line in the middle that is no JSON is named, and the chain goes on", async () => {
    const session = short();
    const rows = session.text().split("\n");
    rows[2] = `${rows[2]?.slice(0, 100)}`;
    const imported = await importContent(rows.join("\n"), "s1.jsonl");
    expect(outline(imported)).toEqual([["s1", "Go.", "run a", "run b"]]);
    expect(imported.diagnostics.map(({ range }) => range.start.line)).toContain(2);
  });

  test("a result without its call is an observation and is named, and a call without a result says so", async () => {
    const session = writeSession();
    session.person("Go.");
    session.result("gone", "of an earlier call");
    const call = session.agent([use("a")]);
    session.result("other", "of another");
    // Beside the path there are results of lost calls, too.
    session.result("third", "of a third", { parentUuid: call });
    session.agent([use("b")], {}, { parentUuid: call });
    const imported = await importSession(session);
    const { episodes, diagnostics } = imported;
    expect(outline(imported)).toEqual([["s1", "Go.", "run a", "run b"]]);
    expect(episodes[0]?.prelude).toContain("of an earlier call");
    expect(step(episodes[0], 0).observation).toBe("of another\n\nof a third");
    expect(episodes[0]?.steps.map(({ extra }) => extra?.["unanswered"])).toEqual([true, true]);
    expect(diagnostics.map(({ severity, range, message }) => [severity, range.start.line, message])).toEqual([
      ["warning", 1, expect.stringMatching(/call is not in the file.*2 more/)],
    ]);
  });

  test("a result finds its call, whether it stands before it or has lost its parent on another branch", async () => {
    const session = writeSession();
    const words = session.person("Go.");
    const call = session.agent([use("a"), use("b")]);
    session.result("a", "A", { parentUuid: call });
    // Copied to the beginning of the file.
    session.rows.unshift(...session.rows.splice(2, 1));
    session.person("Another way.", { parentUuid: words });
    session.agent([use("c")]);
    session.result("b", "B", { parentUuid: "lost" });
    session.person("On.", { parentUuid: call });
    session.agent("Done.", { stop_reason: "end_turn" });
    const { episodes } = await importSession(session);
    const observed = episodes.map(({ steps }) => steps.map(({ observation }) => observation));
    expect(observed).toEqual([["A", "B", ""], [""]]);
  });

  test("results that came back on a branch on which nobody spoke are counted", async () => {
    const session = writeSession();
    session.person("Go.");
    session.agent([use("a")]);
    const result = session.result("a", "A");
    session.agent([use("b")]);
    session.person("Wait.", { parentUuid: result });
    session.result("b", "late");
    session.person("Go on.", { parentUuid: result });
    session.agent("Done.", { stop_reason: "end_turn" });
    const imported = await importSession(session);
    expect(counted(imported, "dropped", "results on branches without a reply")).toBe(1);
  });

  test("the usage of a message whose lines came apart is counted once", async () => {
    const session = writeSession();
    const message = { id: "m", usage: { input_tokens: 10, output_tokens: 5 } };
    session.person("Go.");
    const call = session.agent([use("a")], message, { requestId: "r" });
    session.person("Back.", { parentUuid: null });
    session.agent([use("b")], message, { requestId: "r" });
    session.person("And on.");
    session.agent([use("c")], message, { requestId: "r" });
    // Without a request it may be another message: what the agent talks to began to count anew.
    session.agent([use("d")], message, { parentUuid: call });
    const { episodes } = await importSession(session);
    const usage = episodes.flatMap(({ steps }) =>
      steps.map(({ proposals }) => proposals[0]?.usage?.inputTokens),
    );
    expect(usage.filter((tokens) => tokens === 10)).toHaveLength(2);
  });

  test("150,000 words of the program and of hooks after one reply are its observation and its answers", async () => {
    const session = writeSession();
    session.person("Go.");
    session.agent([use("a")]);
    for (let at = 0; at < 150_000; at++) {
      session.person("x", { isMeta: true });
      session.attachment({ type: "hook_success", hookEvent: "SessionStart" });
    }
    const text = session.rows.map((row) => JSON.stringify(row)).join("\n");
    const { episodes } = await importContent(text, "s1.jsonl");
    expect(step(episodes[0], 0).observation?.length).toBe(3 * 150_000 - 2);
    expect(step(episodes[0], 0).extra?.["hooks"]).toHaveLength(150_000);
  });

  test("a picture of 20 MB leaves a mark, wherever it stands", async () => {
    const source = { type: "base64", media_type: "image/png", data: "iVBORw0K".repeat(2_600_000) };
    const image = { type: "image", source };
    const session = writeSession();
    session.person([{ type: "text", text: "Look." }, image]);
    session.agent([use("a")]);
    session.result("a", [image, { type: "text", text: "a screenshot" }], { toolUseResult: { file: source } });
    session.agent("A cat.", { stop_reason: "end_turn" });
    const { episodes, diagnostics } = await importSession(session);
    expect(diagnostics).toEqual([]);
    expect(episodes[0]?.question).toBe("Look.\n[image]");
    expect(step(episodes[0], 0).observation).toBe("[image]\na screenshot");
    expect(JSON.stringify(episodes).length).toBeLessThan(10_000);
  }, 60_000);

  test("a session without a reply gives no episode, and says so", async () => {
    const session = writeSession();
    session.person("Hello?");
    const { episodes, diagnostics } = await importSession(session);
    expect(episodes).toEqual([]);
    expect(diagnostics[0]?.message).toContain("has no reply of the agent");
  });

  test("a message without a content is named with its line", async () => {
    const session = writeSession();
    session.person("Go.");
    session.agent([use("a")]);
    session.add({ type: "assistant", message: { role: "assistant", content: 7 } });
    session.add({ type: "user", message: null });
    const imported = await importSession(session);
    expect(outline(imported)).toEqual([["s1", "Go.", "run a"]]);
    expect(imported.diagnostics.map(({ range }) => range.start.line)).toEqual([2, 3]);
    expect(counted(imported, "dropped", "messages without a content")).toBe(2);
  });
});

describe("kinds of lines", () => {
  test("what the host writes besides messages is known", async () => {
    const session = short();
    const of = { sessionId: "s1" };
    session.rows.push(
      { type: "summary", summary: "A short session", leafUuid: "u4" },
      { type: "ai-title", ...of, aiTitle: "Short" },
      { type: "custom-title", ...of, customTitle: "Mine" },
      { type: "mode", mode: "normal", ...of },
      { type: "permission-mode", permissionMode: "plan", ...of },
      { type: "last-prompt", lastPrompt: "Go.", leafUuid: "u4", ...of },
      { type: "file-history-snapshot", messageId: "u1", snapshot: {}, isSnapshotUpdate: false },
      { type: "tools-used", ...of, toolUseIds: ["a"] },
      { type: "pr-link", ...of, prUrl: "https://forge.example/1" },
      { type: "api-request-resumed", ...of, requestRef: "r" },
      { type: "attribution-snapshot", messageId: "u1", snapshot: {} },
      { type: "content-replacement", ...of, replacements: [] },
    );
    for (const subtype of ["turn_duration", "away_summary", "informational", "api_error", "memory_saved"])
      session.add({ type: "system", subtype, content: "x" });
    for (const type of ["nested_memory", "skill_listing", "date_change", "edited_text_file", "plan_mode"])
      session.attachment({ type });
    const imported = await importSession(session);
    expect(imported.value?.files[0]?.unknown).toEqual([]);
    expect(imported.diagnostics).toEqual([]);
    expect(imported.episodes[0]).toMatchObject({ extra: { title: "Mine", summaries: ["A short session"] } });
  });

  test("kinds that nobody knows are reported, with how often they came", async () => {
    const session = short();
    session.rows.push({ type: "brand-new", sessionId: "s1" }, { type: "brand-new", sessionId: "s1" });
    session.rows.push({ sessionId: "s1", no: "type" });
    session.add({ type: "system", subtype: "newest_notice" });
    session.attachment({ type: "hologram" });
    session.agent([{ type: "smell", data: "x" }, use("c")]);
    const imported = await importSession(session);
    const unknown = imported.value?.files[0]?.unknown.map(({ what, times }) => [what, times]);
    expect(unknown).toEqual([
      ["lines of type brand-new", 2],
      ["lines of type (none)", 1],
      ["lines of type system, newest_notice", 1],
      ["attachments of type hologram", 1],
      ["blocks of type smell, which leave a mark", 1],
    ]);
    expect(imported.diagnostics.map(({ code }) => code)).toEqual(["HASP522"]);
    expect(imported.episodes[0]?.steps.at(-1)?.proposals[0]?.thought).toContain("[smell]");
  });

  test("a file is told by any of its lines, and other files are not", () => {
    for (const type of ["user", "queue-operation", "permission-mode", "api-request", "result"])
      expect(isClaudeCode({ type, sessionId: "s1" })).toBe(true);
    expect(isClaudeCode([{ type: "system", subtype: "init", session_id: "s1" }])).toBe(true);
    expect(isClaudeCode({ agentType: "Explore", toolUseId: "t1" })).toBe(true);
    for (const value of [[], {}, "user", 7, { type: "user" }, { type: "session_meta", sessionId: "s1" }])
      expect(isClaudeCode(value)).toBe(false);
  });
});

/** Sessions with branches, sub-agents, parallel calls and compactions, in which each call has an id of its own. */
const session = fc
  .array(fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 1000 })), { minLength: 1, maxLength: 40 })
  .map((plan) => {
    const writer = writeSession();
    writer.person("Go.");
    plan.forEach(([kind, pick], n) => {
      const any = writer.rows[pick % writer.rows.length]?.["uuid"];
      const id = `t${n}`;
      if (kind === 0) writer.person(`Words ${n}.`, { parentUuid: any });
      else if (kind === 1) writer.agent([use(id)], {}, { parentUuid: any });
      else if (kind === 2) writer.agent([use(id), use(`${id}b`)]);
      else if (kind === 3) writer.agent([start(id, `Words ${n}.`)]);
      else if (kind === 4) writer.agent([use(id)], {}, { isSidechain: true, agentId: `agent${pick % 3}` });
      else if (kind === 5)
        writer.result(`t${pick % (n + 1)}`, "ok", { toolUseResult: { agentId: `agent${pick % 3}` } });
      else if (kind === 6)
        writer.add({ type: "system", subtype: "compact_boundary", parentUuid: null, logicalParentUuid: any });
      else if (kind === 7)
        writer.attachment({ type: "queued_command", prompt: "Also.", origin: { kind: "human" } });
      else if (kind === 8) writer.agent([use(id)], { id: `m${pick % 3}` });
      else writer.agent("Done.", { stop_reason: "end_turn" });
    });
    return writer.rows;
  });

type Row = Record<string, unknown>;
const odd = fc.constantFrom(null, 7, "", "x", "u1", "u2", true, [], {}, ["u1"], { type: "tool_result" });
const KEYS =
  "type uuid parentUuid sessionId isSidechain agentId timestamp message content id role usage attachment origin subtype".split(
    " ",
  );

/** Shuffles, repeats, loses and spoils lines. */
const damage = fc.array(fc.tuple(fc.nat({ max: 4 }), fc.nat(), fc.nat(), fc.constantFrom(...KEYS), odd), {
  maxLength: 12,
});

function damaged(
  rows: readonly Row[],
  changes: typeof damage extends fc.Arbitrary<infer T> ? T : never,
): Row[] {
  const all = structuredClone([...rows]);
  for (const [kind, a, b, key, value] of changes) {
    const [x, y] = [a % all.length, b % all.length];
    const row = all[x];
    if (row === undefined) continue;
    if (kind === 0) [all[x], all[y]] = [all[y] ?? row, row];
    else if (kind === 1) all.splice(y, 0, structuredClone(row));
    else if (kind === 2) all.splice(x, 1);
    else if (kind === 3) row[key] = value;
    else if (typeof row["message"] === "object" && row["message"] !== null)
      (row["message"] as Row)[key] = value;
  }
  return all;
}

/** Calls in the agent's messages, as far as these are messages still. */
function callsIn(rows: readonly Row[]): number {
  let count = 0;
  for (const { type, message } of rows) {
    const { role, content } = (message ?? {}) as Row;
    const hasType = (typeof type === "string" && type !== "") || typeof type === "number";
    const isAgent = (hasType ? type : role) === "assistant";
    if (isAgent && Array.isArray(content))
      count += content.filter((block) => (block as Row | null)?.["type"] === "tool_use").length;
  }
  return count;
}

test("property: whatever becomes of the lines, nothing is thrown, and each call is a step or counted as dropped", () => {
  let steps = 0;
  fc.assert(
    fc.property(session, damage, (rows, changes) => {
      const all = damaged(rows, changes);
      const ledger = openLedger();
      const reader = claudeCodeReader({ name: "s1", ledger, sha256 });
      all.forEach((row, line) => reader.read(row, line));
      const { episodes } = reader.end();
      const made = episodes
        .flatMap(({ episode }) => episode.steps)
        .filter(
          ({ executed }) =>
            executed.type !== "FINAL" && executed.type !== "other" && executed.type !== "invalid",
        ).length;
      const dropped = ledger
        .list()
        .dropped.filter(({ what }) => what.startsWith("calls of tools (tool_use)"));
      expect(made + dropped.reduce((sum, { times }) => sum + times, 0)).toBe(callsIn(all));
      steps += made;
      for (const { episode } of episodes)
        expect(episode.steps.map(({ t }) => t)).toEqual([...episode.steps.keys()]);
      const ids = episodes.map(({ episode }) => episode.id);
      expect(new Set(ids).size).toBe(ids.length);
    }),
    { numRuns: 400 },
  );
  expect(steps).toBeGreaterThan(400);
});
