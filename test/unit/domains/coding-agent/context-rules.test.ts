import { REGISTERED } from "../../../../src/domains/registered.ts";
import { describe, expect, it } from "vitest";
import { codingAgent } from "../../../../src/domains/coding-agent/coding-agent.ts";
import { codingAgentRules as rules } from "../../../../src/domains/coding-agent/context-rules.ts";
import { foldCase } from "../../../../src/domains/fold-case.ts";
import type { DomainFacts, Step } from "../../../../src/model/episode.ts";
import type { StepContext } from "../../../../src/model/step-context.ts";
import { parseCases } from "../../../../src/skill/parse-cases.ts";
import { renderCase } from "../../../../src/skill/render-case.ts";
import { advance, initialContext, withPrompts, withProposal } from "../../../../src/trace/context-at.ts";

const facts: DomainFacts = {
  domain: "coding-agent",
  actionTypes: [...codingAgent.actionTypes],
  searchReturnsText: false,
  maxSteps: 100,
  cwd: "/repo",
};

type Done = readonly [tool: string, input: object, observation?: string, result?: Step["result"]];

function after(steps: readonly Done[], question = "Fix it"): StepContext {
  return steps.reduce(
    (context, [type, input, observation = "", result]) => {
      const executed = { type, arg: JSON.stringify(input) };
      return advance(context, { executed, observation, ...(result && { result }) }, facts, rules);
    },
    initialContext(question, facts, rules),
  );
}

const file = (context: StepContext, path: string) => context.files?.find((known) => known.path === path);

describe("a file under several names", () => {
  const patch = (path: string) => ({
    patch: `*** Begin Patch\n*** Update File: ${path}\n@@\n-x\n+y\n*** End Patch`,
  });

  it.each(["/repo/src/a.ts", "src/a.ts", "./src/a.ts", "/repo/src/../src/a.ts"])(
    "is the one that was read: a patch of %s",
    (path) => {
      const read = after([["Read", { path: "src/a.ts" }, "x"]]);
      const action = { type: "Patch", arg: JSON.stringify(patch(path)) };
      const asked = withProposal(read, { thought: "", action }, rules);
      expect(asked.changes?.map((change) => change.path)).toEqual(["src/a.ts"]);
      const done = after([
        ["Read", { path: "src/a.ts" }, "x"],
        ["Patch", patch(path), "Done!"],
      ]);
      expect(done.files).toHaveLength(1);
      expect(file(done, "src/a.ts")).toMatchObject({ readBy: "tool", edits: 1 });
    },
  );
});

describe("what a coding agent's context knows", () => {
  it("of files: what was read, by which way, and what was changed", () => {
    const context = after([
      ["Read", { path: "src/a.ts" }, "text"],
      [
        "Bash",
        { command: "cd src && cat b.ts | head -5; sed -n 1,20p ../c.ts; grep -n x d.ts" },
        "…",
        { exitCode: 1 },
      ],
      ["Grep", { pattern: "x" }, "src/e.ts:12:const x = 1\nsrc/f.ts"],
      ["Edit", { path: "/repo/src/a.ts", oldText: "x", newText: "y" }, "done"],
      ["Edit", { path: "src/a.ts", oldText: "x", newText: "y" }, "Error: String to replace not found"],
      ["Write", { path: "new.ts", content: "" }, "", { ok: true }],
      ["Bash", { command: "cat > made.ts <<EOF\nx\nEOF" }, "", { exitCode: 0 }],
      ["Bash", { command: "npm test > out.log 2>&1" }, "", { exitCode: 0 }],
      [
        "Edit",
        { path: "src/a.ts", oldText: "x", newText: "y" },
        "Your proposed edit has introduced new syntax error(s).",
      ],
    ]);
    expect(file(context, "src/a.ts")).toMatchObject({
      path: "src/a.ts",
      readAt: 0,
      readBy: "tool",
      edits: 1,
      editedAt: 3,
    });
    expect(file(context, "src/b.ts")).toMatchObject({ readAt: 1, readBy: "command" });
    expect(file(context, "c.ts")).toMatchObject({ readBy: "command" });
    expect(file(context, "src/d.ts")).toMatchObject({ readBy: "command" });
    expect(file(context, "src/e.ts")).toMatchObject({ readAt: 2, readBy: "search" });
    expect(file(context, "src/f.ts")).toMatchObject({ readBy: "search" });
    expect(file(context, "new.ts")).toMatchObject({ path: "new.ts", edits: 1, editedAt: 5, createdAt: 5 });
    expect(file(context, "made.ts")).toMatchObject({ editedAt: 6 });
    expect(file(context, "out.log")).toBeUndefined();
    expect(context.lastEditAt).toBe(6);
    expect(context.checks).toEqual([
      { t: 7, kind: "test", command: "npm test > out.log 2>&1", passed: true },
    ]);
  });

  it("of files that a person named", () => {
    const first = initialContext("Look at @src/a.ts and @name", facts, rules);
    const asked = withProposal(first, { thought: "", action: { type: "FINAL", arg: "" } }, rules);
    expect(asked.files).toEqual([{ path: "src/a.ts", readAt: 0, readBy: "person", edits: 0 }]);
    const later = withPrompts(after([["List", { path: "." }]]), ['and @"my file.md".']);
    const told = withProposal(later, { thought: "", action: { type: "FINAL", arg: "" } }, rules);
    expect(told.files).toEqual([{ path: "my file.md", readAt: 1, readBy: "person", edits: 0 }]);
    expect(told.prompts).toEqual(["Fix it", 'and @"my file.md".']);
  });

  it("of the proposed call: its input, its command line, what it changes, how often it ran", () => {
    const test: Done = ["Bash", { command: "npm test" }, "", { exitCode: 1 }];
    const context = after([test, ["Read", { path: "a" }], test, test]);
    const asked = (type: string, input: object, world = {}) =>
      withProposal(context, { thought: "t", action: { type, arg: JSON.stringify(input) }, world }, rules);
    const command = asked("Bash", { command: "npm test" });
    expect(command).toMatchObject({
      thought: "t",
      call: { tool: "Bash", input: { command: "npm test" } },
      repeated: { times: 3, inARow: 2 },
    });
    expect(command.command?.calls[0]?.name).toBe("npm");
    const write = asked("Write", { path: "a", content: "x" });
    expect(write).toMatchObject({
      command: undefined,
      repeated: { times: 0, inARow: 0 },
      changes: [{ kind: "replace" }],
    });
    expect(
      asked("Write", { path: "a", content: "x" }, { files: [{ path: "a", exists: false }] }).changes?.[0]
        ?.kind,
    ).toBe("create");
  });

  it("keeps long arguments short, and tells them apart", () => {
    const text = "x".repeat(5_000);
    const context = after([
      ["Write", { path: "a", content: text }],
      ["Write", { path: "a", content: `${text}y` }],
    ]);
    const [first, second] = context.actionHistory;
    expect(first?.arg.length).toBeLessThan(1_100);
    expect(first?.arg).not.toBe(second?.arg);
    const action = { type: "Write", arg: JSON.stringify({ path: "a", content: text }) };
    expect(withProposal(context, { thought: "", action }, rules).repeated).toEqual({ times: 1, inARow: 0 });
  });

  it("learns nothing from a call that was refused or failed", () => {
    const context = after([
      ["REFUSE", {}, ""],
      ["Read", { path: "gone.ts" }, "", { ok: false }],
      ["Bash", { command: "sed -i s/a/b/ x.ts" }, "", { exitCode: 2 }],
    ]);
    expect(context.files).toEqual([]);
    expect(context.lastEditAt).toBeUndefined();
    expect(context.commands).toHaveLength(1);
  });

  it("of the latest 200 commands and 100 checks of a long session, and at most 2,000 files", () => {
    const context = after(
      Array.from({ length: 2_300 }, (_, i): Done =>
        i % 8 === 0 ? ["Bash", { command: "npm test" }] : ["Read", { path: `f${i}` }],
      ),
    );
    expect([context.commands?.length, context.checks?.length]).toEqual([200, 100]);
    expect(context.files?.length).toBeLessThanOrEqual(2_000);
    expect(file(context, "f2299")).toBeDefined();
  });
});

describe("a case of a coding-agent skill", () => {
  const yaml = `cases:
  - name: edits after the tests
    prompts: [Fix @src/a.ts]
    project:
      - { kind: test, command: npm test }
    cwd: /repo
    steps:
      - { type: Bash, input: { command: npm test }, observation: 1 failed, exitCode: 1 }
      - { type: Edit, input: { newText: b, path: src/a.ts, oldText: a }, ok: true }
    world: { branch: main }
    proposed: { type: Bash, input: { timeout: 5, command: git push --force } }
    expect: { fires: true, type: MODIFY_ACTION, newInput: { command: git push --force-with-lease } }
`;

  it("is a tiny episode that the domain's rules fold", () => {
    const { value, diagnostics } = parseCases(yaml, "cases.yaml", REGISTERED);
    expect(diagnostics).toEqual([]);
    const [test] = value ?? [];
    if (test === undefined) throw new Error("no case");
    const { context, proposed } = foldCase(test, codingAgent);
    expect(proposed.arg).toBe('{"command":"git push --force","timeout":5}');
    expect(context).toMatchObject({
      question: "Fix @src/a.ts",
      stepCount: 2,
      lastEditAt: 1,
      checks: [{ t: 0, kind: "test", passed: false }],
      world: { branch: "main" },
      command: { calls: [{ name: "git", flags: ["--force"] }] },
      project: [{ kind: "test", command: "npm test" }],
    });
    expect(context.actionHistory[1]?.arg).toBe('{"path":"src/a.ts","oldText":"a","newText":"b"}');
  });

  it("is written as it is read", () => {
    const [test] = parseCases(yaml, "cases.yaml", REGISTERED).value ?? [];
    if (test === undefined) throw new Error("no case");
    const written = `cases:\n${renderCase(test)}`;
    const { value, diagnostics } = parseCases(written, "cases.yaml", REGISTERED);
    expect(diagnostics).toEqual([]);
    const { range, expectAt } = test;
    expect({ ...value?.[0], range, expectAt }).toEqual(test);
  });

  it("says what is wrong with a step", () => {
    const bad = yaml
      .replace("exitCode: 1", "exitCode: 1.5")
      .replace("type: Edit", "kind: Edit")
      .replace("branch: main", "branch: 3");
    const { diagnostics } = parseCases(bad, "cases.yaml", REGISTERED);
    expect(diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message)).toEqual([
      expect.stringContaining("`world` cannot be read at branch"),
      expect.stringContaining("whole number"),
      expect.stringContaining("The step has no `type`"),
    ]);
  });
});
