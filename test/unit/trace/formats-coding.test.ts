import { describe, expect, test } from "vitest";
import { call, TRAJ } from "./formats-fixtures.ts";
import { acted, importContent, importValue, lines, step } from "./formats-support.ts";

describe("SWE-agent", () => {
  test("a command is Bash, `submit` the end; cost, prelude and outcome stand where they did", async () => {
    const episode = await importValue(TRAJ, "case-1.traj");
    expect(acted(episode)).toEqual([
      ["Bash", { command: "ls -a" }],
      ["Bash", { command: "&& x" }],
      ["FINAL", ""],
    ]);
    expect(episode).toMatchObject({
      id: "case-1",
      question: "Fix it.",
      answer: "diff",
      stopReason: "final",
      cost: { inputTokens: 9, cost: 0.5 },
      facts: { domain: "coding-agent" },
    });
    expect(episode.prelude).toBe("You program.\n\na demo");
    expect(episode.steps[0]?.extra).toEqual({ state: "{}", executionMs: 500 });
    expect(JSON.stringify(episode)).not.toContain("secret");
    const gone = await importValue({ ...TRAJ, info: { exit_status: "exit_cost" } });
    expect(gone).toMatchObject({ outcome: "halted" });
  });

  test("a reply without a command keeps its words", async () => {
    const trajectory = [{ action: "", response: "I wonder.", observation: "Write a command.", state: {} }];
    const episode = await importValue({ trajectory, history: [], info: {} }, "x.traj");
    expect(step(episode, 0).executed).toEqual({ type: "invalid", arg: "I wonder.", raw: "I wonder." });
  });

  test("the history alone is enough, with calls or with commands", async () => {
    const episode = await importValue({ history: TRAJ.history });
    expect(episode.steps.map(({ executed }) => executed.type)).toEqual(["Bash", "FINAL"]);
  });

  test("an edit of lines is an edit of texts where the window showed them, else of the open file", async () => {
    const state = { working_dir: "/repo" };
    const shown = "[File: /repo/a b.py (3 lines total)]\n1:one\n2:two\n3:three";
    const actions = [
      ['open "a b.py" 2', shown],
      ["edit 2:2\nTWO\nend_of_edit", "Your proposed edit has introduced new syntax error(s)."],
      ["edit 2:3\n  2\n  3\nend_of_edit", "File updated."],
      ["edit 1:1\nx\nend_of_edit", shown],
      ["python a.py", ""],
      ["edit 1:1\ny\nend_of_edit", shown],
      ["edit 1:3\nall\nend_of_edit", ""],
      ["create new.py", "[File: /repo/new.py (1 lines total)]\n1:"],
      ["edit 1:1\nbody\nend_of_edit", ""],
      ['search_dir "def f" src', ""],
    ];
    const trajectory = actions.map(([action, observation]) => ({ action, observation, thought: "t", state }));
    const episode = await importValue({ trajectory, history: [], info: {} }, "x.traj");
    expect(acted(episode)).toEqual([
      ["Read", { path: "a b.py", line_number: 2 }],
      ["Edit", { path: "a b.py", oldText: "two", newText: "TWO", start_line: 2, end_line: 2 }],
      ["Edit", { path: "a b.py", oldText: "two\nthree", newText: "  2\n  3", start_line: 2, end_line: 3 }],
      ["Edit", { path: "a b.py", newText: "x", start_line: 1, end_line: 1 }],
      ["Bash", { command: "python a.py" }],
      ["Edit", { path: "a b.py", newText: "y", start_line: 1, end_line: 1 }],
      ["Write", { path: "a b.py", content: "all\n" }],
      ["Write", { path: "new.py", content: "\n" }],
      ["Write", { path: "new.py", content: "body\n" }],
      ["Grep", { pattern: "def f", path: "src" }],
    ]);
    expect(step(episode, 1).result).toEqual({ ok: false });
    expect(episode.facts.cwd).toBe("/repo");
  });

  const trajectoryOf = (...actions: readonly (readonly [string, string])[]) => ({
    trajectory: actions.map(([action, observation]) => ({ action, observation, thought: "t", state: {} })),
    history: [{ role: "user", content: "Solve it." }],
    info: {},
  });

  test("an edit without lines is one of the open file, and a refused one changed nothing", async () => {
    const episode = await importValue(
      trajectoryOf(
        ["edit <<EOF\nbody\nEOF", "No file open. Use the `open` command first."],
        [
          "open a.py",
          "[File: /repo/a.py (3 lines total)]\n1:one\n2:two\n3:three\n(Current directory: /repo)",
        ],
        ["edit <<'EOF'\nbody\n  more\nEOF\n", "Edit successful."],
        ["edit\nbody\nend_of_edit\n", "Your proposed edit has introduced new syntax error(s)."],
        ["edit 'one' 'two\nlines'", "Your edit was not applied (file not modified): Text 'one' not found"],
        ["insert 'text' 4", ""],
        ["edit 2:2 <<EOF\nTWO\nEOF", ""],
        ["edit --help", ""],
      ),
    );
    expect(acted(episode)).toEqual([
      ["edit", { replacement_text: "body" }],
      ["Read", { path: "a.py" }],
      ["Edit", { path: "a.py", newText: "body\n  more" }],
      ["Edit", { path: "a.py", newText: "body" }],
      ["Edit", { path: "a.py", oldText: "one", newText: "two\nlines" }],
      ["Edit", { path: "a.py", newText: "text", line: 4 }],
      ["Edit", { path: "a.py", newText: "TWO", start_line: 2, end_line: 2 }],
      ["Bash", { command: "edit --help" }],
    ]);
    expect(episode.steps.map(({ result }) => result?.ok)).toEqual([
      false,
      undefined,
      undefined,
      false,
      false,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("a submission's text is the answer, and one that was turned down did not go well", async () => {
    const wrong = ["submit flag{two words}", "Wrong flag!"] as const;
    const episode = await importValue(trajectoryOf(wrong, wrong, ["submit 'flag{it is \"this\"}'\n", ""]));
    expect(acted(episode)).toEqual([
      ["FINAL", "flag{two words}"],
      ["FINAL", "flag{two words}"],
      ["FINAL", 'flag{it is "this"}'],
    ]);
    expect(episode).toMatchObject({ answer: 'flag{it is "this"}', stopReason: "final" });
    expect(episode.steps.map(({ result }) => result?.ok)).toEqual([false, false, undefined]);
    const named = [
      { role: "user", content: "Solve it." },
      { role: "assistant", content: "", tool_calls: [call("1", "submit", '{"flag":" flag{x} "}')] },
    ];
    expect((await importValue({ history: named })).answer).toBe("flag{x}");
  });

  test("named arguments say the same as commands", async () => {
    const history = [
      { role: "user", content: "Fix." },
      { role: "assistant", content: "", tool_calls: [call("1", "open", '{"path":"a.py"}')] },
      { role: "tool", tool_call_ids: ["1"], content: "(Open file: /r/a.py)\n(Current directory: /r)" },
      { role: "assistant", content: "", tool_calls: [call("2", "edit", '{"search":"x","replace":"y"}')] },
      { role: "tool", tool_call_ids: ["2"], content: "Text replaced." },
      {
        role: "assistant",
        content: "",
        tool_calls: [
          call("3", "str_replace_editor", '{"command":"view","path":"/r/a.py","view_range":[2,5]}'),
        ],
      },
    ];
    expect(acted(await importValue({ history }))).toEqual([
      ["Read", { path: "a.py" }],
      ["Edit", { path: "a.py", oldText: "x", newText: "y" }],
      ["Read", { path: "a.py", offset: 2, limit: 4 }],
    ]);
  });
});

describe("Claude Code", () => {
  const row = (type: string, content: unknown, more: object = {}, message: object = {}): object => ({
    type,
    uuid: "u",
    sessionId: "s",
    cwd: "/repo",
    timestamp: "2026-01-01T00:00:00Z",
    message: { role: type, content, ...message },
    ...more,
  });
  const use = (id: string, name: string, input: object): object => ({ type: "tool_use", id, name, input });
  const result = (id: string, content: string, more: object = {}): object => ({
    type: "tool_result",
    tool_use_id: id,
    content,
    ...more,
  });

  test("prompts, stops, calls made together, results and exit codes", async () => {
    const { episodes, diagnostics } = await importContent(
      lines(
        row("user", "Do it."),
        row("assistant", [{ type: "thinking", thinking: "hm" }], {}, { id: "m1", model: "c" }),
        row("assistant", [use("t1", "Bash", { command: "npm test" })], {}, { id: "m1" }),
        row("assistant", [use("t2", "Read", { file_path: "/repo/src/a.ts" })], {}, { id: "m1" }),
        row("user", [result("t1", "Exit code 2\nboom", { is_error: true })]),
        row("user", [result("t2", "text")]),
        row("assistant", [{ type: "text", text: "I fix it." }], {}, { id: "m2" }),
        row("assistant", [use("t3", "Edit", { file_path: "/repo/a", old_string: "x", new_string: "y" })]),
        row("user", [result("t3", "ok")]),
        row("assistant", [{ type: "text", text: "Done." }]),
        row("user", "Caveat", { isMeta: true }),
        row("user", "Now the docs."),
        row("assistant", [{ type: "text", text: "I begin" }]),
        row("user", "[Request interrupted by user]"),
        row("user", "No, stop."),
        row("assistant", [use("t4", "mcp__x__y", { path: "/repo/a" })]),
        row("user", "Thanks."),
      ),
      "session.jsonl",
    );
    expect(diagnostics).toEqual([]);
    const [episode] = episodes;
    expect(acted(episode)).toEqual([
      ["Bash", { command: "npm test" }],
      ["Read", { path: "src/a.ts" }],
      ["Edit", { path: "a", oldText: "x", newText: "y" }],
      ["FINAL", "Done."],
      ["other", "I begin"],
      ["mcp__x__y", { path: "/repo/a" }],
    ]);
    expect(step(episode, 0)).toMatchObject({
      result: { ok: false, exitCode: 2 },
      observation: "Exit code 2\nboom",
    });
    expect(step(episode, 0)).not.toHaveProperty("unanswered");
    expect(step(episode, 1)).toMatchObject({ unanswered: [0], result: { ok: true }, observation: "text" });
    expect(step(episode, 2)).toMatchObject({ proposals: [{ thought: "I fix it." }] });
    expect(step(episode, 3)).toMatchObject({ observation: "Caveat" });
    expect(step(episode, 4)).toMatchObject({ prompts: ["Now the docs."] });
    expect(step(episode, 5)).toMatchObject({ prompts: ["No, stop."], extra: { unanswered: true } });
    expect(episode).toMatchObject({
      id: "s",
      question: "Do it.",
      settings: { model: "c" },
      facts: { domain: "coding-agent", cwd: "/repo" },
      stopReason: "halted",
      extra: { promptsAfterLastStep: ["Thanks."] },
    });
    expect(episode).not.toHaveProperty("answer");
  });

  test("what the program says in the user's place is no prompt, and no question", async () => {
    const { episodes } = await importContent(
      lines(
        row("user", "<command-name>/clear</command-name>\n<command-args></command-args>"),
        row("user", "Do it.\n<system-reminder>Run rm -rf .git</system-reminder>"),
        row("assistant", [use("t1", "Bash", { command: "npm test" })]),
        row("user", [result("t1", "ok")]),
        row("user", "<local-command-stdout>Run git reset --hard</local-command-stdout>"),
        row("user", "<task-notification>Done.</task-notification>\nGo on."),
        row("assistant", [use("t2", "Bash", { command: "ls" })]),
        row("user", "<local-command-stdout>x</local-command-stdout>"),
      ),
      "session.jsonl",
    );
    const [episode] = episodes;
    expect(episode).toMatchObject({ question: "Do it." });
    expect(episode?.prelude).toContain("rm -rf .git");
    expect(step(episode, 0).observation).toContain("git reset --hard");
    expect(step(episode, 1)).toMatchObject({ prompts: ["Go on."] });
    expect(episode).not.toHaveProperty("extra.promptsAfterLastStep");
  });

  test("a stop that a hook held back is a FINAL, and what the agent read is its observation", async () => {
    const { episodes } = await importContent(
      lines(
        row("user", "Do it."),
        row("assistant", "Done."),
        row("user", "Stop hook feedback:\nthe tests did not run", { isMeta: true }),
        row("assistant", [use("t1", "Bash", { command: "npm test" })]),
        row("user", [result("t1", "ok")]),
        row("assistant", "Done now."),
      ),
      "session.jsonl",
    );
    expect(acted(episodes[0])).toEqual([
      ["FINAL", "Done."],
      ["Bash", { command: "npm test" }],
      ["FINAL", "Done now."],
    ]);
    expect(step(episodes[0], 0).observation).toContain("the tests did not run");
  });

  test("a sub-agent is an episode of its own, named or found by the lines that it answers", async () => {
    const aside = { isSidechain: true };
    const { episodes } = await importContent(
      lines(
        row("user", "Main."),
        row("user", "Sub A.", { ...aside, agentId: "a1" }),
        row("user", "Sub B.", { ...aside, uuid: "bbbbbbbbbb", parentUuid: null }),
        row("assistant", "A says.", { ...aside, agentId: "a1" }),
        row("assistant", "B says.", { ...aside, uuid: "c", parentUuid: "bbbbbbbbbb" }),
        row("assistant", "Main says."),
      ),
      "session.jsonl",
    );
    expect(episodes.map(({ id, question, answer }) => [id, question, answer])).toEqual([
      ["s", "Main.", "Main says."],
      ["s~a1", "Sub A.", "A says."],
      ["s~bbbbbbbb", "Sub B.", "B says."],
    ]);
  });
});
