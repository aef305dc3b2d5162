import { describe, expect, it } from "vitest";
import { checksOf } from "../../../../src/domains/coding-agent/checks.ts";
import { parseShell } from "../../../../src/domains/coding-agent/shell.ts";
import type { ToolResult } from "../../../../src/model/coding-context.ts";

function found(command: string, observation: string, result?: ToolResult) {
  const executed = { type: "Bash", arg: JSON.stringify({ command }) };
  const step = { executed, observation, ...(result && { result }) };
  const checks = checksOf(parseShell(command, "bash"), { project: [], t: 0, step });
  return checks.map(({ passed }) => passed);
}

const FAILED: ToolResult = { exitCode: 1, ok: false };
const WELL: ToolResult = { exitCode: 0, ok: true };

describe("a run of tests that did not begin is none", () => {
  it.each([
    ["python -m pytest tests", "/usr/bin/python: No module named pytest"],
    ["pytest", "/bin/sh: line 1: pytest: command not found"],
    ["npx vitest run", "sh: 1: vitest: not found"],
    ["./run_tests.sh", "bash: ./run_tests.sh: No such file or directory"],
    ["python tests/runtests.py", "python: can't open file '/repo/tests/runtests.py': [Errno 2] No such file"],
    ["pytest --frob", "usage: pytest [options] [file_or_dir]\npytest: error: unrecognized arguments: --frob"],
    [
      "pytest nope.py",
      "collected 0 items\n\n=== no tests ran in 0.01s ===\nERROR: file or directory not found: nope.py",
    ],
    ["python -m unittest", "----\nRan 0 tests in 0.000s\n\nOK"],
    ["npm test", 'npm error Missing script: "test"'],
    ["make test", "make: *** No rule to make target 'test'.  Stop."],
    [
      "python tests/runtests.py clocks",
      "Traceback (most recent call last):\nModuleNotFoundError: No module named 'pytz'",
    ],
    ["bin/test", "Traceback:\nImportError: cannot import name 'Mapping' from 'collections'"],
    [
      "python tests/runtests.py clokcs",
      "ImportError: Failed to import test module: clokcs\n\nRan 1 test in 0.000s\n\nFAILED (errors=1)",
    ],
    ["npx jest clock", "No tests found, exiting with code 1"],
    ["go test ./...", "?   \texample.com/clock\t[no test files]"],
    ["Exit code 127\npytest", "Exit code 127\n/bin/bash: line 1: pytest: command not found"],
  ])("%s: %s", (command, output) => {
    expect(found(command.split("\n").at(-1) ?? "", output, FAILED)).toEqual([]);
  });

  it("also behind a pipe, and where the program says with code 0 that there was nothing", () => {
    expect(
      found(
        "pytest nope 2>&1 | tail -3",
        "ERROR: file or directory not found: nope\n\nno tests ran in 0.00s",
        WELL,
      ),
    ).toEqual([]);
    expect(
      found("npx vitest run --passWithNoTests", "No test files found, exiting with code 0", WELL),
    ).toEqual([]);
    expect(found("python -m pytest | tail", "/usr/bin/python: No module named pytest", WELL)).toEqual([]);
  });
});

describe("a run of tests that began", () => {
  it("is one whatever its output speaks of", () => {
    expect(
      found("pytest -q", "E   ModuleNotFoundError: No module named 'x'\n1 failed, 3 passed in 0.2s", FAILED),
    ).toEqual([false]);
    expect(found("bin/test", "warning: No such file or directory: cache\n", WELL)).toEqual([true]);
    expect(
      found("pytest", "error: usage of a deprecated option\nsh: git: command not found\n", WELL),
    ).toEqual([true]);
    expect(found("python test_hands.py", "AssertionError: 3 hands", FAILED)).toEqual([false]);
    expect(found("pytest -q", "1 error in 0.12s\nERROR collecting tests/test_a.py", FAILED)).toEqual([false]);
  });

  it("has passed where it says so, whatever else was printed beside it", () => {
    const noise = "sh: 1: git: not found\nnpm error code 1 (expected by this test)\n";
    expect(found("npx vitest run 2>&1 | tail -20", `${noise} Tests  7 passed (7)`, WELL)).toEqual([true]);
  });

  it("tells nothing where it was ended from outside", () => {
    for (const [output, result] of [
      ["...... [ 80%]", { exitCode: 124, ok: false }],
      ["Command timed out after 2m 0.0s\n....", FAILED],
      ["The last command <command>pytest</command> timed out and has been killed.", { ok: false }],
    ] as const)
      expect(found("pytest", output, result)).toEqual([undefined]);
  });

  it("of a lint or a type check that is not there is none either", () => {
    expect(found("npx tsc --noEmit", "sh: 1: tsc: not found", FAILED)).toEqual([]);
    expect(
      found("npx tsc --noEmit", "src/a.ts(1,1): error TS2307: Cannot find module './b'.", FAILED),
    ).toEqual([false]);
  });
});
