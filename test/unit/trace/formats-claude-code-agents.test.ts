import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  counted,
  importSession,
  outline,
  type SessionWriter,
  start,
  use,
  writeSession,
} from "./claude-session.ts";
import { importContent, importFiles, lines, step } from "./formats-support.ts";
import { temporaryFolder } from "./support.ts";

describe("calls of one message", () => {
  test("three parallel calls are one turn, even where their results and hooks stand between them", async () => {
    const session = writeSession();
    session.person("All three.");
    for (const id of ["a", "b", "c"]) {
      session.agent([use(id)], { id: "m" });
      if (id !== "c") session.result(id, id.toUpperCase());
      session.attachment({ type: "hook_success", hookEvent: "PostToolUse", toolUseID: id, stdout: "ok" });
    }
    session.result("c", "C");
    session.agent("Done.", { stop_reason: "end_turn" });
    const { episodes } = await importSession(session);
    const steps = episodes[0]?.steps ?? [];
    expect(steps.map(({ extra, unanswered }) => [extra?.["callId"], unanswered])).toEqual([
      ["a", undefined],
      ["b", [0]],
      ["c", [0, 1]],
      [undefined, undefined],
    ]);
    expect(new Set(steps.slice(0, 3).map(({ extra }) => extra?.["turn"])).size).toBe(1);
    expect(steps.map(({ observation }) => observation)).toEqual(["A", "B", "C", ""]);
  });

  test("words between the blocks of a message are its thought, once", async () => {
    const session = writeSession();
    session.person("Go.");
    session.agent("First I look.", { id: "m" });
    session.agent([use("a")], { id: "m" });
    // Some versions write a block again with the next one.
    session.agent([use("a"), use("b")], { id: "m" });
    session.result("a", "A");
    session.result("a", "A");
    session.result("b", "B");
    const imported = await importSession(session);
    expect(outline(imported)).toEqual([["s1", "Go.", "run a", "run b"]]);
    expect(step(imported.episodes[0], 0)).toMatchObject({
      observation: "A",
      proposals: [{ thought: "First I look." }],
    });
    expect(counted(imported, "dropped", "calls of tools (tool_use) that a message tells twice")).toBe(1);
  });

  test("calls that the service runs itself are steps, with results of their own", async () => {
    const session = writeSession();
    session.person("Search.");
    session.agent([
      { type: "server_tool_use", id: "w", name: "web_search", input: { query: "x" } },
      {
        type: "web_search_tool_result",
        tool_use_id: "w",
        content: [
          { type: "web_search_result", title: "A page", url: "https://a.example", encrypted_content: "Zz" },
        ],
      },
      { type: "text", text: "Found." },
    ]);
    const { episodes } = await importSession(session);
    expect(step(episodes[0], 0).observation).toBe("A page https://a.example");
  });
});

/** Lines of a sub-agent in its session's file: a question, a call with its result, an answer. */
function workAside(session: SessionWriter, task: string, call: string, more: object): void {
  const aside = { isSidechain: true, ...more };
  session.person(task, { ...aside, parentUuid: null });
  session.agent([use(call)], {}, aside);
  session.result(call, "ok", aside);
  session.agent(`Did ${call}.`, { stop_reason: "end_turn" }, aside);
}

describe("sub-agents", () => {
  test("told by agentId, with links both ways", async () => {
    const session = writeSession();
    session.person("Main.");
    const call = session.agent([start("t1", "Look at A."), start("t2", "Look at B.")]);
    workAside(session, "Look at A.", "a", { agentId: "aa11" });
    workAside(session, "Look at B.", "b", { agentId: "bb22" });
    session.result("t2", "B is fine.", {
      toolUseResult: { agentId: "bb22", status: "completed" },
      parentUuid: call,
    });
    session.result("t1", "A is fine.", { toolUseResult: { agentId: "aa11", status: "completed" } });
    session.agent("Both are fine.", { stop_reason: "end_turn" });
    const imported = await importSession(session);
    expect(outline(imported)).toEqual([
      ["s1", "Main.", "Agent", "Agent", "FINAL: Both are fine."],
      ["s1~aa11", "Look at A.", "run a", "FINAL: Did a."],
      ["s1~bb22", "Look at B.", "run b", "FINAL: Did b."],
    ]);
    const [main, a, b] = imported.episodes;
    expect(main?.steps.map(({ extra }) => extra?.["subAgents"])).toEqual([
      ["s1~aa11"],
      ["s1~bb22"],
      undefined,
    ]);
    expect(a?.origin).toEqual({ as: "sub_agent", episode: "s1", t: 0 });
    expect(b?.origin).toEqual({ as: "sub_agent", episode: "s1", t: 1 });
    expect(counted(imported, "mapped", "sub-agents")).toBe(2);
    expect(imported.value?.files[0]).toMatchObject({ episodes: 3, subAgents: 2 });
  });

  test("older versions name no agent: the task tells the call", async () => {
    const session = writeSession();
    session.person("Main.");
    const call = session.agent([start("t1", "Look at A.")]);
    workAside(session, "Look at A.", "a", { uuid: undefined });
    const aside = session.rows.slice(2);
    aside.forEach((row, i) => {
      row["uuid"] = `side-${i}`;
      row["parentUuid"] = i === 0 ? null : `side-${i - 1}`;
    });
    session.result("t1", "A is fine.", { parentUuid: call });
    const { episodes } = await importSession(session);
    expect(episodes.map(({ id }) => id)).toEqual(["s1", "s1~side-0"]);
    expect(episodes[1]?.origin).toEqual({ as: "sub_agent", episode: "s1", t: 0 });
    expect(step(episodes[0], 0).extra?.["subAgents"]).toEqual(["s1~side-0"]);
  });

  test("in a file of their own, beside their session", async () => {
    const session = writeSession("s1");
    session.person("Main.");
    session.agent([use("x")]);
    session.result("x", "ok");
    session.agent([start("t1", "Look at A.")]);
    const agent = writeSession("s1", "side", 10);
    workAside(agent, "Look at A.", "a", { agentId: "aa11" });
    session.result("t1", "A is fine.", { toolUseResult: { agentId: "aa11" } });
    const folder = temporaryFolder();
    writeFileSync(`${folder}/s1.jsonl`, session.text());
    writeFileSync(`${folder}/agent-aa11.jsonl`, agent.text());
    const meta = { agentType: "Explore", description: "look", toolUseId: "t1" };
    writeFileSync(`${folder}/agent-aa11.meta.json`, JSON.stringify(meta));
    const imported = await importFiles(folder);
    expect(imported.episodes.map(({ id, origin }) => [id, origin])).toEqual([
      ["s1", undefined],
      ["s1~aa11", { as: "sub_agent", episode: "s1", t: 1 }],
    ]);
    expect(step(imported.episodes[0], 1).extra?.["subAgents"]).toEqual(["s1~aa11"]);
    expect(imported.value?.files.map(({ unknown }) => unknown)).toEqual([[], [], []]);
    expect(imported.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  test("called by another one, in files whose names are in another order", async () => {
    const folder = temporaryFolder();
    const main = writeSession();
    main.person("Main.");
    main.agent([start("t1", "Look at A.")]);
    main.result("t1", "Never mind.", { toolUseResult: { agentId: "zz99" } });
    main.person("Something else.", { parentUuid: null });
    main.agent("Done.", { stop_reason: "end_turn" });
    const outer = writeSession("s1", "v", 100);
    const aside = { isSidechain: true };
    outer.person("Look at A.", { ...aside, agentId: "zz99" });
    outer.agent([use("a"), start("t2", "Look closer.")], {}, { ...aside, agentId: "zz99" });
    outer.result("t2", "Close.", { ...aside, agentId: "zz99", toolUseResult: { agentId: "aa11" } });
    const inner = writeSession("s1", "w", 200);
    workAside(inner, "Look closer.", "b", { agentId: "aa11" });
    writeFileSync(`${folder}/s1.jsonl`, main.text());
    writeFileSync(`${folder}/agent-aa11.jsonl`, inner.text());
    writeFileSync(`${folder}/agent-zz99.jsonl`, outer.text());
    const { episodes } = await importFiles(folder);
    expect(episodes.map(({ id, outcome, origin }) => [id, outcome, origin])).toEqual([
      ["s1", "unjudged", undefined],
      ["s1~branch-1", "abandoned", { as: "branch", episode: "s1" }],
      ["s1~zz99", "abandoned", { as: "sub_agent", episode: "s1~branch-1", t: 0 }],
      ["s1~aa11", "abandoned", { as: "sub_agent", episode: "s1~zz99", t: 1 }],
    ]);
  });

  test("calls that share an id name its agents and hooks once", async () => {
    const session = writeSession();
    session.person("Main.");
    for (let n = 0; n < 5_000; n++) {
      session.agent([start("t", "Look.")]);
      session.result("t", `${n}`, { toolUseResult: { agentId: `agent${n}` } });
      session.attachment({ type: "hook_success", hookEvent: "PreToolUse", toolUseID: "t" });
    }
    const { episodes } = await importSession(session);
    const named = (key: string) =>
      episodes.flatMap(({ steps }) => steps.flatMap(({ extra }) => extra?.[key] ?? []));
    expect([named("subAgents").length, named("hooks").length]).toEqual([5_000, 5_000]);
  });

  test("lines of one that a resumed session wrote again are one episode, of the newer session", async () => {
    const session = writeSession("old");
    session.person("Main.");
    const call = session.agent([start("t1", "Look at A.")]);
    workAside(session, "Look at A.", "a", { agentId: "aa11" });
    session.result("t1", "A.", { parentUuid: call, toolUseResult: { agentId: "aa11" } });
    const again = session.rows.map((row) => ({ ...row, sessionId: "new" }));
    const imported = await importContent(lines(...session.rows, ...again), "new.jsonl");
    expect(outline(imported)).toEqual([
      ["new", "Main.", "Agent"],
      ["new~aa11", "Look at A.", "run a", "FINAL: Did a."],
    ]);
    const [main, agent] = imported.episodes;
    expect(step(main, 0).extra?.["subAgents"]).toEqual(["new~aa11"]);
    expect(agent?.origin).toEqual({ as: "sub_agent", episode: "new", t: 0 });
  });

  test("called in the background, the answer names the agent at its end", async () => {
    const session = writeSession();
    session.person("Main.");
    const call = session.agent([start("t1", "Look at A.")]);
    workAside(session, "Another wording of the task.", "a", { agentId: "aa11" });
    session.result("t1", [{ type: "text", text: "Started.\nagentId: aa11 (internal ID)" }], {
      parentUuid: call,
    });
    const { episodes } = await importSession(session);
    expect(episodes[1]?.origin).toEqual({ as: "sub_agent", episode: "s1", t: 0 });
  });

  test("called on an abandoned branch, it is abandoned too, and so is what it called", async () => {
    const session = writeSession();
    const words = session.person("Main.");
    session.agent([start("t1", "Look at A.")], {}, { parentUuid: words });
    const aside = { isSidechain: true, agentId: "aa11" };
    session.person("Look at A.", { ...aside, parentUuid: null });
    session.agent([start("t2", "Look closer.")], {}, aside);
    session.result("t2", "Close.", { ...aside, toolUseResult: { agentId: "bb22" } });
    workAside(session, "Look closer.", "b", { agentId: "bb22" });
    session.result("t1", "A.", { parentUuid: "u2", toolUseResult: { agentId: "aa11" } });
    session.agent([use("live")], {}, { parentUuid: words });
    const { episodes } = await importSession(session);
    expect(episodes.map(({ id, outcome, origin }) => [id, outcome, origin?.episode])).toEqual([
      ["s1", "unjudged", undefined],
      ["s1~branch-1", "abandoned", "s1"],
      ["s1~aa11", "abandoned", "s1~branch-1"],
      ["s1~bb22", "abandoned", "s1~aa11"],
    ]);
  });

  test("without words of its own its question is the task that it was called with", async () => {
    const session = writeSession();
    session.person("Main.");
    const call = session.agent([start("t1", "Look at A.")]);
    session.agent([use("a")], {}, { isSidechain: true, agentId: "aa11", parentUuid: null });
    session.result("t1", "A.", { parentUuid: call, toolUseResult: { agentId: "aa11" } });
    const { episodes } = await importSession(session);
    expect(episodes[1]).toMatchObject({ id: "s1~aa11", question: "Look at A." });
  });
});

describe("stream-json", () => {
  const event = (type: string, more: object): object => ({
    type,
    session_id: "s1",
    uuid: `e-${type}`,
    ...more,
  });
  const said = (id: string, content: unknown, more: object = {}): object =>
    event("assistant", { message: { id, role: "assistant", content, stop_reason: null }, ...more });
  const answered = (id: string, content: unknown, more: object = {}): object =>
    event("user", {
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
      ...more,
    });
  const init = event("system", { subtype: "init", cwd: "/repo", model: "claude-x", tools: [] });
  const done = event("result", {
    subtype: "success",
    is_error: false,
    num_turns: 2,
    result: "Done.",
    total_cost_usd: 0.75,
    usage: { input_tokens: 30, output_tokens: 12 },
  });

  test("steps, sub-agents and the whole cost", async () => {
    const aside = { parent_tool_use_id: "t1" };
    const imported = await importContent(
      lines(
        init,
        said("m1", [start("t1", "Look at A.")]),
        event("user", {
          message: { role: "user", content: [{ type: "text", text: "Look at A." }] },
          ...aside,
        }),
        said("m2", [use("a")], aside),
        answered("a", "A", aside),
        answered("t1", "A is fine."),
        said("m3", [{ type: "text", text: "Done." }]),
        done,
      ),
      "out.jsonl",
    );
    expect(outline(imported)).toEqual([
      ["s1", "", "Agent", "FINAL: Done."],
      ["s1~t1", "Look at A.", "run a"],
    ]);
    const [main, agent] = imported.episodes;
    expect(main).toMatchObject({
      cost: { inputTokens: 30, outputTokens: 12, cost: 0.75 },
      settings: { model: "claude-x" },
      extra: { result: { subtype: "success", num_turns: 2 } },
    });
    expect(step(main, 0).extra?.["subAgents"]).toEqual(["s1~t1"]);
    expect(agent?.origin).toEqual({ as: "sub_agent", episode: "s1", t: 0 });
    // The program does not print the prompt, which the report says.
    expect(imported.diagnostics.map(({ code }) => code)).toEqual(["HASP524"]);
  });

  test("partial messages tell the usage of each, and are not words of their own", async () => {
    const part = (more: object): object => event("stream_event", { event: more });
    const { episodes, value } = await importContent(
      lines(
        init,
        part({ type: "message_start", message: { id: "m1", usage: { input_tokens: 9, output_tokens: 1 } } }),
        part({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Do" } }),
        said("m1", [{ type: "text", text: "Done." }]),
        part({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 4 } }),
        done,
      ),
      "out.jsonl",
    );
    expect(step(episodes[0], 0)).toMatchObject({
      executed: { type: "FINAL", arg: "Done." },
      proposals: [{ usage: { inputTokens: 9, outputTokens: 4 } }],
    });
    expect(value?.files[0]?.unknown).toEqual([]);
  });

  test("--output-format json is a list of the events, or the last of them alone", async () => {
    const list = await importContent(
      JSON.stringify([init, said("m1", [use("a")]), answered("a", "A"), done]),
      "out.json",
    );
    expect(outline(list)).toEqual([["s1", "", "run a"]]);
    const alone = await importContent(JSON.stringify(done), "out.json");
    expect(alone.episodes).toEqual([]);
    expect(alone.diagnostics[0]?.message).toContain("nothing that the agent did");
    expect(alone.diagnostics[0]?.next).toContain("--output-format stream-json");
  });

  test("prompts that are printed again are questions and prompts", async () => {
    const told = (text: string): object =>
      event("user", { message: { role: "user", content: text }, isReplay: true });
    const imported = await importContent(
      lines(told("One."), init, said("m1", "Yes."), done, told("Two."), init, said("m2", [use("b")]), done),
      "out.jsonl",
    );
    expect(outline(imported)).toEqual([["s1", "One.", "FINAL: Yes.", "run b"]]);
    const [episode] = imported.episodes;
    expect(step(episode, 1).prompts).toEqual(["Two."]);
    expect(episode?.cost).toEqual({ inputTokens: 60, outputTokens: 24, cost: 0.75 });
  });
});
