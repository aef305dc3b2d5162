import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { isCi } from "../../../scripts/lib/stages.mts";
import { openBubblewrap } from "../../../src/platform/containment/bubblewrap.ts";
import { openControlGroup } from "../../../src/platform/containment/control-group.ts";
import { inSurroundings } from "../../../src/platform/surroundings.ts";
import { isContainment, type ContainedLimits, type Containment } from "../../../src/scoring/containment.ts";
import { folderForAll } from "../../support/folder-for-all.ts";
import { processesNamed } from "../../support/hostile-suite.ts";

const opened = await openBubblewrap(2);
const why = isContainment(opened) ? "" : ` (skipped: ${opened.why})`;
const group = openControlGroup();
group?.close();
const LIMITS: ContainedLimits = { wallMs: 15_000, memoryBytes: 1 << 30, outputBytes: 4 << 20 };

let containment: Containment;
beforeAll(() => {
  if (isContainment(opened)) containment = opened;
});
afterAll(async () => {
  await containment?.close();
});

function begin(program: string, { input = "", limits = {}, signal = new AbortController().signal } = {}) {
  return containment.start({ program, input, limits: { ...LIMITS, ...limits } }, signal);
}

async function run(...args: Parameters<typeof begin>) {
  const program = begin(...args);
  const lines: string[] = [];
  for await (const line of program.results) lines.push(line);
  return { lines, ...(await program.ended) };
}

/** Becomes a process that the test can find, reports, and sleeps. */
const sleeperNamed = (marker: string): string =>
  `import os, sys
os.execv(sys.executable, ["${marker}", "-c", "import os, time; os.write(3, b'up\\\\n'); time.sleep(3600)"])`;

/** Folders of groups of this process. */
const groups = (): readonly string[] =>
  fs
    .globSync("/sys/fs/cgroup/**/hasp-contained-*")
    .filter((folder) => folder.includes(`hasp-contained-${process.pid}-`));

// Elsewhere the tests that need it are skipped, also those of other files.
test.runIf(isCi())("a machine that tests a change contains programs", () => {
  expect(why).toBe("");
});

describe.skipIf(!isContainment(opened))(`a program in Bubblewrap${why}`, () => {
  test("gets its input, and its output and results come back", async () => {
    const program = `import os, sys
print(input(), open("/dev/stdin").read().splitlines())
print("warned", file=sys.stderr)
os.write(3, "one\\ntwö\\n\\nlast".encode())
sys.exit(7)`;
    expect(await run(program, { input: "first\nsecond\n" })).toEqual({
      lines: ["one", "twö", "", "last"],
      kind: "exited",
      code: 7,
      stdout: "first ['first', 'second']\n",
      stderr: "warned\n",
    });
  });

  test("is __main__, alone in its folders, with exit() and without packages of the system", async () => {
    const program = `import os, sys
print(__name__, sys.argv, os.listdir("."), os.listdir("/tmp"), os.path.expanduser("~") == os.getcwd())
print([name for name in dir() if not name.startswith("__")], any("packages" in folder for folder in sys.path))
open("own", "w").write("x")
exit(3)`;
    const { stdout, code } = (await run(program)) as { stdout: string; code?: number };
    expect(stdout).toBe("__main__ ['program.py'] [] [] True\n['os', 'sys'] False\n");
    expect(code).toBe(3);
  });

  test("tells how it ended", async () => {
    expect(await run("def f(:")).toMatchObject({
      kind: "exited",
      code: 1,
      stderr: expect.stringContaining("SyntaxError"),
    });
    expect(await run("import os; os.abort()")).toMatchObject({ kind: "signal", signal: "SIGABRT" });
    expect(await run("while True: pass", { limits: { wallMs: 100 } })).toMatchObject({
      kind: "stopped",
      why: "time",
    });
    expect(await run("x = bytearray(3 << 30)")).toMatchObject({
      kind: "exited",
      stderr: expect.stringContaining("MemoryError"),
    });
    const much = await run("import os\nprint('kept', flush=True)\nwhile True: os.write(3, b'x\\n')", {
      limits: { outputBytes: 1000 },
    });
    expect(much).toMatchObject({ kind: "stopped", why: "output", stdout: "kept\n" });
    const empty = await run("import os\nwhile True: os.write(3, b'\\n' * 65536)");
    expect(empty).toMatchObject({ kind: "stopped", why: "output" });
    expect(empty.lines.length).toBeLessThan(LIMITS.outputBytes / 8);
  });

  test("waits for its threads, runs what was registered for its end, and writes what was left to write", async () => {
    const program = `import atexit, sys, threading
atexit.register(print, "at the end")
threading.Thread(target=lambda: (threading.main_thread().join(), print("thread"))).start()
sys.stderr.write("told")
sys.stdout.write("main ")`;
    expect(await run(program)).toMatchObject({
      kind: "exited",
      code: 0,
      stdout: "main thread\nat the end\n",
      stderr: "told",
    });
    const closing = await run("import sys\nprint('kept')\nsys.stdout.close()\nsys.stderr = None");
    expect(closing).toMatchObject({ kind: "exited", code: 0, stdout: "kept\n" });
    expect(await run("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)")).toMatchObject({
      kind: "signal",
      signal: "SIGSEGV",
      stderr: "",
    });
  });

  test.each([
    ["closes its files", "file = open(1, 'w')\nfile.write('kept')", "kept", 0],
    ["ends its objects", "class A:\n  def __del__(self): print('bye')\na = A()", "bye\n", 0],
    [
      "has put a stream in place of its output",
      "import io, sys\nprint('kept')\nsys.stdout = io.StringIO()",
      "kept\n",
      0,
    ],
    [
      "has put an object in place of its output",
      `import sys
class Output:
    def write(self, text): sys.__stdout__.write(text)
    def flush(self): sys.__stdout__.flush()
sys.stdout = Output()
print("kept")`,
      "kept\n",
      0,
    ],
    ["has deleted its output", "import sys\nprint('kept', flush=True)\ndel sys.stdout", "kept\n", 0],
    ["has nowhere to write", "import os\nos.close(1)\nprint('lost')", "", 120],
    [
      "has no threads any more",
      "import sys, threading\nsys.modules['threading'] = None\nprint('kept')",
      "kept\n",
      0,
    ],
    [
      "leaves a thread",
      "import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()\nprint('kept')",
      "kept\n",
      0,
    ],
  ])("ends as without a containment where it %s", async (_, program, stdout, code) => {
    expect(await run(program)).toMatchObject({ kind: "exited", code, stdout });
  });

  test("of several megabytes, with as much input", async () => {
    const program = `x = ${JSON.stringify("y".repeat(3 << 20))}\nprint(len(x), len(input()))`;
    const input = "z".repeat(5 << 20);
    expect((await run(program, { input })).stdout).toBe(`${3 << 20} ${5 << 20}\n`);
  });

  test("gets an interpreter that nothing else has used, with the same order of sets", async () => {
    await run("import builtins\nbuiltins.len = lambda x: 0\nopen('/tmp/left', 'w').close()");
    const program = "import os\nprint(len('abc'), os.listdir('/tmp'), set('abcdefgh'))";
    const first = await run(program);
    expect(first.stdout).toMatch(/^3 \[\] \{/);
    expect((await run(program)).stdout).toBe(first.stdout);
  });

  test("is not called slow by a clock that comes late", async () => {
    const marker = `hasp-late-${randomUUID()}`;
    const wallMs = 1000;
    const program = begin(
      `import os, sys
os.execv(sys.executable, ["${marker}", "-c", "import os; os.write(3, b'up\\\\n'); os.write(3, b'done\\\\n')"])`,
      { limits: { wallMs } },
    );
    const lines: string[] = [];
    for await (const line of program.results) {
      lines.push(line);
      // This process does nothing else until the program has ended and its time is over.
      const start = performance.now();
      while (performance.now() - start < wallMs || processesNamed(marker).length > 0);
    }
    expect(await program.ended).toMatchObject({ kind: "exited", code: 0 });
    expect(lines).toEqual(["up", "done"]);
  });
});

describe.skipIf(!isContainment(opened))(`the end of a contained program${why}`, () => {
  test("by abort, by stop and by close leaves no process", async () => {
    const marker = `hasp-stopped-${randomUUID()}`;
    const abort = new AbortController();
    const own = await openBubblewrap(3);
    if (!isContainment(own)) throw new Error(own.why);
    const programs = [abort.signal, new AbortController().signal, new AbortController().signal].map(
      (signal) =>
        own.start(
          { program: sleeperNamed(marker), input: "", limits: { ...LIMITS, wallMs: 600_000 } },
          signal,
        ),
    );
    for (const { results } of programs) for await (const line of results) if (line === "up") break;
    expect(processesNamed(marker)).toHaveLength(3);
    abort.abort();
    expect(await programs[0]?.ended).toMatchObject({ kind: "stopped", why: "stopped" });
    expect(processesNamed(marker)).toHaveLength(2);
    programs[1]?.stop("time");
    expect(await programs[1]?.ended).toMatchObject({ kind: "stopped", why: "time" });
    expect(processesNamed(marker)).toHaveLength(1);
    await own.close();
    expect(processesNamed(marker)).toHaveLength(0);
    expect(await programs[2]?.ended).toMatchObject({ kind: "stopped", why: "stopped" });
    await own.close();
  });

  test("closes what it had open, and removes its groups", async () => {
    const count = (): number => fs.readdirSync("/proc/self/fd").length;
    const before = { descriptors: count(), groups: groups().length };
    const own = await openBubblewrap(2);
    if (!isContainment(own)) throw new Error(own.why);
    const limits = { ...LIMITS, wallMs: 100 };
    const signal = new AbortController().signal;
    const programs = ["print(1)", "while True: pass", "import os; os.fork()"];
    await Promise.all(
      programs.map(async (program) => await own.start({ program, input: "", limits }, signal).ended),
    );
    await Promise.all([own.close(), own.close()]);
    expect({ descriptors: count(), groups: groups().length }).toEqual(before);
  });

  test("does not wait for a place once it is not wanted any more", async () => {
    const own = await openBubblewrap(1);
    if (!isContainment(own)) throw new Error(own.why);
    const abort = new AbortController();
    const order = { program: "while True: pass", input: "", limits: { ...LIMITS, wallMs: 600_000 } };
    const first = own.start(order, new AbortController().signal);
    const second = own.start(order, abort.signal);
    const third = own.start(order, AbortSignal.abort());
    expect(await third.ended).toMatchObject({ kind: "stopped", why: "stopped" });
    abort.abort();
    expect(await second.ended).toMatchObject({ kind: "stopped", why: "stopped" });
    for await (const line of second.results) expect.unreachable(line);
    first.stop("stopped");
    await first.ended;
    // The place is free again.
    expect(
      await own.start({ ...order, program: "print(1)" }, new AbortController().signal).ended,
    ).toMatchObject({
      stdout: "1\n",
    });
    await own.close();
    expect(await own.start(order, new AbortController().signal).ended).toMatchObject({ kind: "stopped" });
  });

  test("comes when its starter is killed", async () => {
    const marker = `hasp-orphan-${randomUUID()}`;
    const source = `
import { openBubblewrap } from ${JSON.stringify(path.resolve("src/platform/containment/bubblewrap.ts"))};
const containment = await openBubblewrap(1);
const order = { program: process.argv[2], input: "", limits: { wallMs: 600000, memoryBytes: 1 << 30, outputBytes: 4096 } };
for await (const line of containment.start(order, new AbortController().signal).results) console.log(line);
`;
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "hasp-"));
    const file = path.join(folder, "starter.mts");
    fs.writeFileSync(file, source);
    const starter = spawn(process.execPath, [file, sleeperNamed(marker)], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    await new Promise((resolve) => starter.stdout.once("data", resolve));
    expect(processesNamed(marker)).toHaveLength(1);
    starter.kill("SIGKILL");
    await expect.poll(() => processesNamed(marker)).toEqual([]);
    fs.rmSync(folder, { recursive: true });
  });

  test.skipIf(group === undefined)("comes when all its processes together take too much memory", async () => {
    const program = `import os
for _ in range(4):
    if os.fork() == 0:
        data = bytearray(400 << 20)
        for at in range(0, len(data), 4096): data[at] = 1
        os.write(3, b"has it\\n")
        os.read(0, 1)
        import time; time.sleep(3600)
killed = os.waitstatus_to_exitcode(os.wait()[1])
os.write(3, b"killed %d\\n" % killed)`;
    const { lines } = await run(program);
    expect(lines).toContain("killed -9");
  });
});

/** A system whose `bwrap` is this script. */
async function withBubblewrap(script: string | undefined) {
  const folder = folderForAll("hasp-bwrap-");
  if (script !== undefined)
    fs.writeFileSync(path.join(folder, "bwrap"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const found = await inSurroundings(
    { cwd: folder, env: { PATH: folder } },
    async () => await openBubblewrap(1),
  );
  fs.rmSync(folder, { recursive: true });
  return found;
}

describe.skipIf(process.platform !== "linux")("no containment by Bubblewrap", () => {
  test("where it is not installed", async () => {
    const { next } = await expectNone(withBubblewrap(undefined), "Bubblewrap is not installed");
    expect(next).toContain("apt-get install bubblewrap");
  });

  test("where the system refuses it", async () => {
    const refused = "bwrap: setting up uid map: Permission denied";
    const { next } = await expectNone(withBubblewrap(`echo '${refused}' >&2; exit 1`), refused);
    expect(next).toMatch(/user namespaces/);
  });

  test("where it is too old", async () => {
    const refused = "bwrap: Unknown option --disable-userns";
    const { next } = await expectNone(withBubblewrap(`echo '${refused}' >&2; exit 1`), refused);
    expect(next).toContain("0.8.0");
  });

  test("where it ends without a word, or cannot be started", async () => {
    await expectNone(withBubblewrap("exit 3"), "it ended with code 3");
    await expectNone(withBubblewrap("echo ready >&3; exit 0"), "Bubblewrap cannot run Python");
  });

  test("where it does not come up, and nothing of it is left", async () => {
    const marker = `3600.${Math.random().toString().slice(2)}`;
    const left = (): readonly string[] =>
      fs.globSync("/proc/[0-9]*/cmdline").filter((file) => {
        try {
          return fs.readFileSync(file, "utf8").split("\0").includes(marker);
        } catch {
          return false;
        }
      });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const opening = withBubblewrap(`/usr/bin/env sleep ${marker}`);
      await expect.poll(left).toHaveLength(1);
      vi.runAllTimers();
      await expectNone(opening, "it did not answer in time");
    } finally {
      vi.useRealTimers();
    }
    expect(left()).toEqual([]);
  });

  test("where its Python is too old, or its end is not as it should be", async () => {
    const old = "echo ready >&3; cat >/dev/null; echo 3.8.18; exit 1";
    const { next } = await expectNone(
      withBubblewrap(`PATH=/usr/bin:/bin\n${old}`),
      "Python 3.8.18 is too old",
    );
    expect(next).toContain("3.9");
    const broken = "echo ready >&3; cat >/dev/null; echo 3.11.2; exit 1";
    await expectNone(withBubblewrap(`PATH=/usr/bin:/bin\n${broken}`), "it ended with code 1");
  });
});

async function expectNone(opening: ReturnType<typeof openBubblewrap>, why: string) {
  const none = await opening;
  if (isContainment(none)) throw new Error("It was opened.");
  expect(none.why).toContain(why);
  return none;
}
