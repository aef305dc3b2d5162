import { createHash } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { sha256 } from "../../../src/platform/sha256.ts";
import { importRun } from "../../../src/trace/import-run.ts";
import { openMessages } from "../../../src/trace/message-reader.ts";
import { importSession, type SessionWriter, use, writeSession } from "./claude-session.ts";
import type { Imported } from "./formats-support.ts";
import { files, temporaryFolder } from "./support.ts";

type Row = Record<string, unknown>;

/** As Claude Code names a message: by its JSON with sorted keys, without `cache_control`. */
function named(message: unknown): string {
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).filter(([key]) => key !== "cache_control");
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => [k, sorted(v)]));
  };
  return createHash("sha256")
    .update(JSON.stringify(sorted(message)))
    .digest("hex");
}

const tool = { name: "Bash", description: "runs", input_schema: { type: "object" } };
const shape = { system: [{ type: "text", text: "Be brief." }], tools: [tool] };
const SYSTEM = { role: "system", content: `Be brief.\n\n<tools>\n${JSON.stringify(tool)}\n</tools>` };

/** Adds the lines that hold a request: its messages as far as they are given, and the list of their names. */
function request(session: SessionWriter, id: string, blobs: readonly Row[], more: Row): void {
  const of = { sessionId: "s1" };
  session.rows.push({ type: "api-request-shape", ...of, shapeHash: "h", shape });
  for (const message of blobs)
    session.rows.push({ type: "api-request-blob", ...of, hash: named(message), message });
  session.rows.push({ type: "api-request", ...of, id, shapeHash: "h", querySource: "sdk", ...more });
}

/** The prompt of each step that has one; undefined for one that is not exact. */
async function prompts({ folder, episodes }: Imported): Promise<unknown[]> {
  const messages = await openMessages(files, folder);
  const proposals = episodes.flatMap(({ steps }) => steps.flatMap((step) => step.proposals.slice(0, 1)));
  const found: unknown[] = [];
  for (const { messages: id, fromTranscript } of proposals)
    if (id !== undefined) found.push(fromTranscript === true ? undefined : await messages.upTo(id));
  return found;
}

const reminded = {
  role: "user",
  content: [
    { type: "text", text: "<system-reminder>the date</system-reminder>" },
    { type: "text", text: "Go." },
  ],
};
const READ = { role: "user", content: "<system-reminder>the date</system-reminder>\nGo." };
const call = '<tool_call>\n{"name":"Bash","arguments":{"command":"run a"}}\n</tool_call>';

describe("exact prompts", () => {
  test("base, keep and tail: each reply has what its request said, and reply and thoughts word for word", async () => {
    const session = writeSession();
    session.person("Go.");
    request(session, "r1", [reminded], { keep: 0, tail: [named(reminded)] });
    session.agent(
      [{ type: "thinking", thinking: "I run it.", signature: "s" }],
      { id: "m1" },
      { requestRef: "r1" },
    );
    session.agent([use("a")], { id: "m1" }, { requestRef: "r1" });
    session.result("a", "A");
    session.attachment({ type: "task_reminder", content: [] });
    const answer = { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "A" }] };
    const reply = { role: "assistant", content: [{ type: "text", text: "hidden" }, use("a")] };
    request(session, "r2", [reply, answer], {
      base: "r1",
      keep: 1,
      tail: [named(reply), named(answer)],
    });
    session.agent("Done.", { stop_reason: "end_turn" }, { requestRef: "r2" });
    const imported = await importSession(session);
    expect(await prompts(imported)).toEqual([
      [SYSTEM, READ],
      [
        SYSTEM,
        READ,
        { role: "assistant", content: `hidden\n${call}` },
        { role: "user", content: "<tool_response>\nA\n</tool_response>" },
      ],
    ]);
    const replies = imported.episodes[0]?.steps.map(({ proposals }) => proposals[0]?.completion);
    expect(replies).toEqual([
      { text: call, reasoning: "I run it.", finish: "stop" },
      { text: "Done.", finish: "stop" },
    ]);
    expect(imported.value?.files[0]?.unknown).toEqual([]);
  });

  test("messages that only the transcript's own lines hold are found by their names", async () => {
    const session = writeSession();
    session.person("Go.");
    const first = { role: "user", content: [{ type: "text", text: "Go." }] };
    request(session, "r1", [first], { keep: 0, tail: [named(first)] });
    session.agent([use("a"), use("b")], { id: "m1" }, { requestRef: "r1" });
    session.result("a", "A");
    session.result("b", "B");
    const reply = { role: "assistant", content: [use("a"), use("b")] };
    const answers = {
      role: "user",
      content: ["a", "b"].map((id) => ({
        type: "tool_result",
        tool_use_id: id,
        content: id.toUpperCase(),
        cache_control: { type: "ephemeral" },
      })),
    };
    request(session, "r2", [], { base: "r1", keep: 1, tail: [named(reply), named(answers)] });
    session.agent("Done.", { stop_reason: "end_turn" }, { requestRef: "r2" });
    const [, second] = (await prompts(await importSession(session))) as { content: string }[][];
    expect(second?.map(({ content }) => content).slice(2)).toEqual([
      `${call}\n${call.replace("run a", "run b")}`,
      "<tool_response>\nA\n</tool_response>\n<tool_response>\nB\n</tool_response>",
    ]);
  });

  test("a request that parts from its base has a prompt of its own", async () => {
    const session = writeSession();
    const [a, b, c] = ["A?", "B?", "C?"].map((text) => ({ role: "user", content: text }));
    const blobs = [a, b, c].flatMap((message) => message ?? []);
    session.person("Go.");
    request(session, "r1", blobs, { keep: 0, tail: [named(a), named(b)] });
    session.agent([use("a")], {}, { requestRef: "r1" });
    session.result("a", "A");
    request(session, "r2", [], { base: "r1", keep: 1, tail: [named(c)] });
    session.agent([use("b")], {}, { requestRef: "r2" });
    session.result("b", "B");
    request(session, "r3", [], { base: "r1", keep: 2, tail: [named(c)] });
    session.agent([use("c")], {}, { requestRef: "r3" });
    expect(await prompts(await importSession(session))).toEqual([
      [SYSTEM, a, b],
      [SYSTEM, a, c],
      [SYSTEM, a, b, c],
    ]);
  });

  test("a picture is a mark, also where only the transcript holds its message", async () => {
    const session = writeSession();
    const source = { type: "base64", media_type: "image/png", data: "iVBOR".repeat(1000) };
    const content = [
      { type: "text", text: "What is it?" },
      { type: "image", source },
    ];
    session.person(content);
    request(session, "r1", [], { keep: 0, tail: [named({ role: "user", content })] });
    session.agent("A cat.", { stop_reason: "end_turn" }, { requestRef: "r1" });
    const imported = await importSession(session);
    expect(await prompts(imported)).toEqual([[SYSTEM, { role: "user", content: "What is it?\n[image]" }]]);
    expect(JSON.stringify(imported.episodes)).not.toContain("iVBOR");
  });

  test.each([
    ["a message is nowhere in the file", { keep: 0, tail: ["f".repeat(64)] }],
    ["its base is missing", { base: "gone", keep: 1, tail: [] }],
    ["its base is itself", { base: "r1", keep: 1, tail: [] }],
    ["it keeps more than its base has", { base: "r0", keep: 5, tail: [] }],
    ["its system message is missing", { keep: 0, tail: [], shapeHash: "other" }],
    ["it is of wrong types", { keep: [], tail: "x", base: {}, shapeHash: 7 }],
  ])("where %s, the prompt is the transcript's, and says so", async (_, more) => {
    const session = writeSession();
    session.person("Go.");
    request(session, "r1", [], more);
    session.agent("Done.", { stop_reason: "end_turn" }, { requestRef: "r1" });
    const imported = await importSession(session);
    const [proposal] = imported.episodes[0]?.steps[0]?.proposals ?? [];
    expect(proposal?.fromTranscript).toBe(true);
    expect(proposal?.completion?.text).toBe("Done.");
  });

  test("a chain of 20,000 requests is built without end or overflow", async () => {
    const session = writeSession();
    session.person("Go.");
    const first = { role: "user", content: "Go." };
    request(session, "r0", [first], { keep: 0, tail: [named(first)] });
    for (let n = 1; n <= 20_000; n++)
      session.rows.push({
        type: "api-request",
        sessionId: "s1",
        id: `r${n}`,
        shapeHash: "h",
        base: `r${n - 1}`,
        keep: n,
        tail: [named(first)],
      });
    session.agent("Done.", { stop_reason: "end_turn" }, { requestRef: "r20000" });
    const [read] = (await prompts(await importSession(session))) as unknown[][];
    expect(read?.length).toBe(20_002);
  }, 30_000);
});

describe("prompts of the transcript", () => {
  test("a session without requests tells what was said, marked as such, and replies word for word", async () => {
    const session = writeSession();
    session.person("Go.");
    session.agent([use("a")]);
    session.result("a", "A");
    session.agent("Done.", { stop_reason: "end_turn" });
    const imported = await importSession(session);
    const messages = await openMessages(files, imported.folder);
    const [, last] = imported.episodes[0]?.steps ?? [];
    expect(last?.proposals[0]).toMatchObject({ fromTranscript: true, completion: { text: "Done." } });
    expect(await messages.upTo(last?.proposals[0]?.messages ?? "")).toEqual([
      { role: "user", content: "Go." },
      { role: "assistant", content: call },
      { role: "user", content: "<tool_response>\nA\n</tool_response>" },
    ]);
  });

  test("after a compaction they begin with its summary", async () => {
    const session = writeSession();
    session.person("Go.");
    session.agent([use("a")]);
    session.result("a", "A");
    session.add({ type: "system", subtype: "compact_boundary", parentUuid: null, logicalParentUuid: "u3" });
    session.person("A was run.", { isCompactSummary: true });
    session.agent("Done.", { stop_reason: "end_turn" });
    const imported = await importSession(session);
    const messages = await openMessages(files, imported.folder);
    const last = imported.episodes[0]?.steps.at(-1);
    expect(await messages.upTo(last?.proposals[0]?.messages ?? "")).toEqual([
      { role: "user", content: "A was run." },
    ]);
  });

  test("an import that is stopped leaves none behind, not even a moment later", async () => {
    const session = writeSession();
    session.person("Go.");
    session.agent("Done.", { stop_reason: "end_turn" });
    const from = temporaryFolder();
    const sources = ["a", "b"].map((name) => `${from}/${name}.jsonl`);
    for (const source of sources) writeFileSync(source, session.text());
    const stop = new AbortController();
    const folder = `${from}/run`;
    const onProgress = ({ episodes }: { readonly episodes: number }): void => {
      if (episodes > 0) stop.abort();
    };
    const request = { sources, folder, signal: stop.signal, onProgress };
    const clock = { now: () => "2026-01-01T00:00:00.000Z" };
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await expect(importRun(files, { clock, sha256 }, request)).rejects.toThrow("abort");
    // A write that waits for others waits by a timer.
    expect(vi.getTimerCount()).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("an abandoned branch has none: its first steps stand with the path that it left", async () => {
    const session = writeSession();
    const words = session.person("Go.");
    session.agent([use("a")], {}, { parentUuid: words });
    session.agent([use("b")], {}, { parentUuid: words });
    const { episodes } = await importSession(session);
    expect(episodes[1]).toMatchObject({ outcome: "abandoned" });
    expect(episodes[1]?.steps[0]?.proposals[0]).not.toHaveProperty("messages");
  });
});
