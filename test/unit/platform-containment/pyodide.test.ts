import { describe, expect, it } from "vitest";
import { THOROUGH } from "../../support/thorough.ts";
import { LIMITS, PATIENCE, run, usePyodide } from "./pyodide-world.ts";

describe("Pyodide alone", { timeout: PATIENCE }, () => {
  const opened = usePyodide("alone");

  it("runs a program with its input, and tells its results, its messages and its exit code", async () => {
    const program = [
      "import os, sys",
      'os.write(3, b"one\\n")',
      "print(input(), __name__, flush=True)",
      "raise SystemExit(sys.stdin.read())",
    ].join("\n");
    expect(await run(opened() ?? expect.unreachable(), program, "first\nrest\n")).toEqual({
      kind: "exited",
      code: 1,
      stdout: "first __main__\n",
      stderr: "rest\n\n",
      results: ["one"],
    });
  });

  it("ends a program at its limits of time and memory", async () => {
    const containment = opened() ?? expect.unreachable();
    const endless = await run(containment, "while True: pass", "", { wallMs: 300 });
    expect(endless).toMatchObject({ kind: "stopped", why: "time" });
    const { stderr } = await run(containment, "bytearray(1 << 30)");
    expect(stderr).toContain("MemoryError");
  });
});

/** Each test starts interpreters, which take a second and more. */
const FORMS = ["alone", "in bubblewrap"] as const;

describe.runIf(THOROUGH).each(FORMS)("Pyodide %s, thoroughly", { timeout: PATIENCE }, (form) => {
  const opened = usePyodide(form);
  const contained = (skip: (note: string) => never) =>
    opened() ?? skip("Bubblewrap does not work here: Pyodide is tried alone.");

  it("runs a program with its input, and tells its results by descriptor 3", async ({ skip }) => {
    const program = [
      "import os, sys",
      'os.write(3, b"one\\n")',
      'with open(3, "wb", closefd=False) as results: results.write(b"two\\n")',
      "print(input(), sys.argv, __name__)",
      "print(sys.stdin.read(), file=sys.stderr)",
    ].join("\n");
    const end = await run(contained(skip), program, "first\nrest\n");
    expect(end).toEqual({
      kind: "exited",
      code: 0,
      stdout: "first ['program.py'] __main__\n",
      stderr: "rest\n\n",
      results: ["one", "two"],
    });
  });

  it.for([
    ["import sys; sys.exit(7)", 7, ""],
    ["import os; os._exit(5)", 5, ""],
    ["raise SystemExit('enough')", 1, "enough\n"],
    ["def f(:", 1, "SyntaxError"],
    ["def f():\n    return 1 / 0\nf()", 1, "    return 1 / 0\n"],
  ] as const)("hands out the exit code and the message of %j", async ([program, code, stderr], { skip }) => {
    const end = await run(contained(skip), program);
    expect(end).toMatchObject({ kind: "exited", code });
    expect(end.stderr).toContain(stderr);
    expect(end.stderr).not.toContain('harness.py", line 1');
  });

  it("has sleep and coroutines without an event loop of JavaScript", async ({ skip }) => {
    const program = [
      "import asyncio, time",
      "async def late(n):",
      "    await asyncio.sleep(0.01)",
      "    return n",
      "async def both(): return await asyncio.gather(late(1), late(2))",
      "time.sleep(0.01)",
      "print(asyncio.run(both()))",
    ].join("\n");
    expect(await run(contained(skip), program)).toMatchObject({ code: 0, stdout: "[1, 2]\n" });
  });

  it("gives each program an interpreter that nothing else has used", async ({ skip }) => {
    const containment = contained(skip);
    const first = await run(
      containment,
      "import builtins\nbuiltins.len = lambda _: 7\nprint(len([]))\nopen('left', 'w')",
    );
    const second = await run(containment, "import os\nprint(len([]), os.path.exists('left'))");
    expect([first.stdout, second.stdout]).toEqual(["7\n", "0 False\n"]);
  });

  it.for([
    ["time", "while True: pass", { wallMs: 300 }],
    ["output", "while True: print('x' * 10_000)", { outputBytes: 100_000 }],
    ["output", "import os\nwhile True: os.write(3, b'x' * 10_000)", { outputBytes: 100_000 }],
  ] as const)("ends a program at its limit of %s", async ([why, program, limits], { skip }) => {
    const end = await run(contained(skip), program, "", limits);
    expect(end).toMatchObject({ kind: "stopped", why });
    expect(end.stdout.length).toBeLessThanOrEqual(LIMITS.outputBytes);
  });

  it.for([
    ["memory", "bytearray(1 << 30)", "MemoryError"],
    ["memory, bit by bit", "kept = []\nwhile True: kept.append(bytearray(1 << 22))", "MemoryError"],
    [
      "files",
      "with open('/tmp/large', 'wb') as file:\n    for _ in range(1000): file.write(bytes(1 << 22))",
      "No space left",
    ],
  ] as const)("has an end of %s", async ([_, program, stderr], { skip }) => {
    const end = await run(contained(skip), program);
    expect(end).toMatchObject({ kind: "exited", code: 1 });
    expect(end.stderr).toContain(stderr);
  });

  it("outlives an interpreter that a deep recursion ends", async ({ skip }) => {
    const containment = contained(skip);
    const deep = "import sys\nsys.setrecursionlimit(10 ** 9)\ndef f(n): return 1 + f(n + 1)\nf(0)";
    expect(await run(containment, deep)).toMatchObject({ kind: "exited", code: 134, results: [] });
    expect(await run(containment, "print(1)")).toMatchObject({ code: 0, stdout: "1\n" });
  });

  it("stops a program on its abort, and at its close", async ({ skip }) => {
    const containment = contained(skip);
    const order = {
      program: "import os\nos.write(3, b'here\\n')\nwhile True: pass",
      input: "",
      limits: LIMITS,
    };
    const abort = new AbortController();
    const program = containment.start(order, abort.signal);
    for await (const line of program.results) {
      expect(line).toBe("here");
      abort.abort();
    }
    expect(await program.ended).toMatchObject({ kind: "stopped", why: "stopped" });
  });
});

describe("Pyodide in bubblewrap", { timeout: PATIENCE }, () => {
  const opened = usePyodide("in bubblewrap");

  it("runs a program, and ends one at its limit of time", async ({ skip }) => {
    const containment = opened() ?? skip("Bubblewrap does not work here.");
    const end = await run(containment, "import os\nos.write(3, b'one\\n')\nprint(input())", "text\n");
    expect(end).toMatchObject({ kind: "exited", code: 0, stdout: "text\n", results: ["one"] });
    const endless = await run(containment, "while True: pass", "", { wallMs: 300 });
    expect(endless).toMatchObject({ kind: "stopped", why: "time" });
  });
});
