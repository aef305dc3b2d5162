import { describe, expect, it } from "vitest";
import { codingAgent } from "../../../../src/domains/coding-agent/coding-agent.ts";
import { codingAgentRules as rules } from "../../../../src/domains/coding-agent/context-rules.ts";
import type { DomainFacts, Step } from "../../../../src/model/episode.ts";
import type { StepContext } from "../../../../src/model/step-context.ts";
import { advance, initialContext, withProposal } from "../../../../src/trace/context-at.ts";

const facts: DomainFacts = {
  domain: "coding-agent",
  actionTypes: [...codingAgent.actionTypes],
  searchReturnsText: false,
  maxSteps: 100,
  cwd: "/repo",
};

type Done = readonly [type: string, input: object, observation?: string, result?: Step["result"]];
const WELL = { exitCode: 0, ok: true };
const FAILED = { exitCode: 1, ok: false };

const bash = (command: string, observation = "", result: Step["result"] = WELL): Done => [
  "Bash",
  { command },
  observation,
  result,
];
const READ: Done = ["Read", { path: "src/clock.py" }, "h = 1"];
const EDIT: Done = ["Edit", { path: "src/clock.py", oldText: "1", newText: "2" }, "Updated.", { ok: true }];

function after(...steps: readonly Done[]): StepContext {
  return steps.reduce(
    (context, [type, input, observation = "", result]) =>
      advance(
        context,
        { executed: { type, arg: JSON.stringify(input) }, observation, ...(result && { result }) },
        facts,
        rules,
      ),
    initialContext("Fix it", facts, rules),
  );
}

const file = (context: StepContext, path: string) => context.files?.find((known) => known.path === path);

const NOTICE =
  "Updated.\n\n<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n<summary>Background command completed (exit code 0)</summary>\n</task-notification>";

describe("a file that a command showed", () => {
  const inFolder = (cwd: string, command: string, observation = "h = 1") =>
    advance(
      initialContext("Fix it", { ...facts, cwd }, rules),
      { executed: { type: "Bash", arg: JSON.stringify({ command }) }, observation },
      facts,
      rules,
    ).files?.map(({ path, readBy }) => `${path} ${readBy}`);

  it.each([
    ["cat /tmp/shop/src/clock.py", ["src/clock.py command"]],
    ["sed -n 1,40p /tmp/shop/src/clock.py", ["src/clock.py command"]],
    ["cd /tmp/shop && head -20 src/clock.py", ["src/clock.py command"]],
    ["cat '/tmp/shop/app/[id]/page.tsx'", ["app/[id]/page.tsx command"]],
    ["cat /tmp/notes.txt run.log", ["/tmp/notes.txt command", "run.log command"]],
    ["cat /dev/null /proc/cpuinfo", []],
  ])("is known by its path in the working folder, wherever that lies: %s", (command, read) => {
    expect(inFolder("/tmp/shop", command)).toEqual(read);
  });

  it.each(["rg h /tmp/shop/src", "cd src && grep -rn h .", "grep -rn h src | head"])(
    "is seen in part where a search found something in it: %s",
    (command) => {
      const found = command.startsWith("cd") ? "./clock.py:1:h = 1" : "src/clock.py:1:h = 1";
      expect(inFolder("/tmp/shop", command, found)).toContain("src/clock.py search");
    },
  );

  it("counts as changed there as well", () => {
    const context = advance(
      initialContext("Fix it", { ...facts, cwd: "/tmp/shop" }, rules),
      {
        executed: { type: "Bash", arg: '{"command":"sed -i s/1/2/ /tmp/shop/src/clock.py"}' },
        observation: "",
      },
      facts,
      rules,
    );
    expect(context.files).toMatchObject([{ path: "src/clock.py", editedAt: 0 }]);
  });
});

describe("a file that the session made", () => {
  it("is told from one that was there, whichever command wrote it", () => {
    const context = after(
      READ,
      bash("cat > try.py <<'EOF'\nprint(1)\nEOF"),
      bash("sed -i s/1/2/ src/clock.py"),
      bash("sed -i s/1/2/ src/hands.py"),
      bash("echo x >> src/face.py"),
      bash("cp src/clock.py clock_copy.py"),
      bash("mv src/face.py src/dial.py"),
      bash("mv try.py tried.py"),
    );
    const made = context.files?.flatMap(({ path, createdAt }) => (createdAt === undefined ? [] : [path]));
    expect(made).toEqual(["clock_copy.py", "tried.py"]);
    expect(file(context, "src/dial.py")).toMatchObject({ editedAt: 6 });
    expect(file(context, "src/hands.py")).toMatchObject({ editedAt: 3, edits: 1 });
  });

  it("is known although the line that made it ended with a failure", () => {
    const context = after(
      bash("cat > try.py <<'EOF'\nassert 0\nEOF\npython try.py", "AssertionError", FAILED),
    );
    expect(file(context, "try.py")).toMatchObject({ createdAt: 0 });
  });

  it("is remembered when it is gone", () => {
    const context = after(bash("cat > a/test_try.py <<'EOF'\nx\nEOF"), bash("cd a && rm test_try.py"));
    expect(context.files).toEqual([]);
    expect(context.gone).toEqual(["a/test_try.py"]);
  });

  it("changes the files that its text names when it runs", () => {
    const script = "p = 'src/clock.py'\nopen(p, 'w').write('h = 2')";
    const context = after(
      READ,
      ["Write", { path: "/tmp/fix.py", content: script }, "", { ok: true }],
      bash("python3 /tmp/fix.py"),
    );
    expect(file(context, "src/clock.py")).toMatchObject({ editedAt: 2, edits: 1 });
    expect(context.lastEditAt).toBe(2);
  });
});

describe("a change that was taken back", () => {
  it.each([
    "git checkout -- src/clock.py",
    "git checkout src/clock.py",
    "cd src && git restore clock.py",
    "git checkout .",
    "git restore src",
    "git reset --hard",
  ])("is none: %s", (command) => {
    const known = file(after(READ, EDIT, bash(command)), "src/clock.py");
    expect(known?.editedAt).toBeUndefined();
    expect(known?.readAt).toBe(0);
  });

  it("is none while it lies in the stash, and is back with its own time", () => {
    const stashed = after(READ, EDIT, bash("git stash"), bash("pytest -q", "1 failed in 0.1s", FAILED));
    expect(file(stashed, "src/clock.py")).toMatchObject({ stashedAt: 1 });
    expect(file(stashed, "src/clock.py")?.editedAt).toBeUndefined();
    // The tests ran on the code as it was before: they tell nothing of the change.
    expect(stashed.checks).toMatchObject([{ t: 3, command: "pytest -q", base: true }]);
    expect(stashed.checks?.[0]?.passed).toBeUndefined();
    const back = after(READ, EDIT, bash("git stash"), bash("git stash pop"));
    expect(file(back, "src/clock.py")).toMatchObject({ editedAt: 1 });
    expect(file(back, "src/clock.py")?.stashedAt).toBeUndefined();
  });

  it("leaves alone what the session made, unless Git cleans it up", () => {
    const made = bash("cat > try.py <<'EOF'\nx\nEOF");
    expect(file(after(made, bash("git reset --hard")), "try.py")).toBeDefined();
    expect(file(after(made, bash("git clean -fd")), "try.py")).toBeUndefined();
  });
});

describe("a change that was taken back and made again", () => {
  const FIX = bash("sed -i s/1/2/ src/clock.py");
  const TEST = bash("pytest -q", "1 failed, 3 passed in 0.2s", FAILED);

  it("stands since it was made first, and the runs between are those of the project as it was", () => {
    const context = after(READ, FIX, TEST, bash("git checkout src/clock.py"), TEST, FIX);
    expect(file(context, "src/clock.py")).toMatchObject({ editedAt: 5, sameSince: 1 });
    const [own, base] = context.checks ?? [];
    expect([own?.base, base?.base]).toEqual([undefined, true]);
    expect(own?.failure).toBe(base?.failure);
  });

  it("is a new one where it differs, or was added to another", () => {
    const other = after(READ, FIX, bash("git checkout src/clock.py"), bash("sed -i s/1/3/ src/clock.py"));
    expect(file(other, "src/clock.py")?.sameSince).toBeUndefined();
    expect(file(after(READ, FIX, FIX), "src/clock.py")?.sameSince).toBeUndefined();
  });
});

describe("a test run of the session's own script", () => {
  it("tells nothing of the project where it fails", () => {
    const context = after(
      bash("cat > test_try.py <<'EOF'\nassert 0\nEOF"),
      bash("python test_try.py", "AssertionError", FAILED),
      bash("python test_try.py", "fine", WELL),
      bash("python tests/test_hands.py", "AssertionError", FAILED),
    );
    expect(context.checks?.map(({ passed, own }) => [passed, own])).toEqual([
      [undefined, true],
      [true, true],
      [false, undefined],
    ]);
  });
});

describe("a call that the person or a rule turned down", () => {
  it.each([
    "The user doesn't want to proceed with this tool use. The tool use was rejected.",
    "Permission to use Bash with command npm test has been denied.",
    "<tool_use_error>InputValidationError: Bash failed</tool_use_error>",
  ])("has not run: %s", (observation) => {
    const context = after(bash("npm test", observation, { ok: false }));
    expect([context.checks, context.commands]).toEqual([[], []]);
  });
});

describe("tests in the background", () => {
  const start = (text: string): Done => [
    "Bash",
    { command: "npm test", background: true },
    text,
    { ok: true },
  ];
  const STARTED = start(
    "Command running in background with ID: b1. Output is being written to: /tmp/x/tasks/b1.output",
  );

  it("have not passed when they have started", () => {
    expect(after(STARTED).checks).toMatchObject([{ t: 0, command: "npm test", running: ["b1"] }]);
    expect(after(start("")).checks).toMatchObject([{ running: [] }]);
    expect(after(bash("nohup npm test > test.log 2>&1 &")).checks).toMatchObject([{ running: ["test.log"] }]);
    expect(after(bash("npm test & wait")).checks?.[0]?.running).toBeUndefined();
  });

  it.each([
    [
      "TaskOutput",
      { task_id: "b1" },
      "<status>completed</status>\n<exit_code>0</exit_code>\n<output>ok</output>",
      true,
    ],
    ["TaskOutput", { task_id: "b1" }, "<status>failed</status>\n<exit_code>1</exit_code>", false],
    [
      "BashOutput",
      { bash_id: "b1" },
      '{"status":"completed","exitCode":0,"stdout":"Tests  7 passed (7)"}',
      true,
    ],
    ["Read", { path: "/tmp/x/tasks/b1.output" }, " Tests  7 passed (7)", true],
    ["Bash", { command: "tail -5 /tmp/x/tasks/b1.output" }, "Tests: 1 failed, 3 passed, 4 total", false],
  ] as const)("have ended when their result is there: %s %j", (type, input, observation, passed) => {
    const [check] = after(STARTED, [type, input, observation]).checks ?? [];
    expect(check).toMatchObject({ t: 0, command: "npm test", passed });
    expect(check?.running).toBeUndefined();
  });

  it.each([
    ["TaskOutput", { task_id: "b1" }, "<status>running</status>\n<output>3 of 9</output>"],
    ["TaskOutput", { task_id: "b2" }, "<status>completed</status>\n<exit_code>0</exit_code>"],
    ["Bash", { command: "tail -5 /tmp/x/tasks/b1.output" }, "> vitest run"],
    ["Bash", { command: "ls" }, "b1"],
    ["Bash", { command: "cat notes.txt" }, NOTICE],
    ["TaskOutput", { task_id: "b1" }, "<status>running</status>\n<output>(exit code 0)</output>"],
  ] as const)("still run: %s %j", (type, input, observation) => {
    expect(after(STARTED, [type, input, observation]).checks?.[0]?.running).toEqual(["b1"]);
  });

  it("end by the host's own words after a step, and not in what a program prints", () => {
    const executed = { type: "Bash", arg: '{"command":"ls"}' };
    const step = { executed, observation: NOTICE, extra: { notified: true } };
    const [check] = advance(after(STARTED), step, facts, rules).checks ?? [];
    expect(check).toMatchObject({ t: 0, command: "npm test", passed: true });
  });
});

describe("what a command would delete", () => {
  it("is told by its place", () => {
    const action = {
      type: "Bash",
      arg: JSON.stringify({ command: "cd tests && rm -f test_a.py /repo/b.py" }),
    };
    const asked = withProposal(after(READ), { thought: "", action }, rules);
    expect(asked.deletes).toEqual(["tests/test_a.py", "b.py"]);
  });
});

describe("the output of a command that failed", () => {
  it("is the same without its times, addresses and process ids", () => {
    const run = (text: string): Done => bash("make", text, FAILED);
    const { commands } = after(
      run("12:00:01 pid=41 <Clock at 0x7f00aa> failed in 0.31s"),
      run("12:00:09 pid=97 <Clock at 0x7f11bb> failed in 12.5s"),
      run("12:00:09 pid=97 <Clock at 0x7f11bb> broke in 12.5s"),
      bash("make", "fine"),
    );
    const [a, b, c, d] = commands?.map(({ output }) => output) ?? [];
    expect(a).toBe(b);
    expect(a).not.toBe(c);
    expect(d).toBeUndefined();
  });
});
