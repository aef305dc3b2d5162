import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JobBackend, JobCommand, JobEvent, JobRecord, JobSpec } from "../../src/model/job.ts";
import { ROOT } from "../support/core.ts";
import { openScene, type HookScene } from "../support/hook-process.ts";
import { SHELL_JOBS } from "../support/shell-jobs.mts";

/** Jobs with real processes: a runner of their own, that is followed, stopped and killed. */

const PATIENCE = 120_000;
const SECRET = "s3cret-value-of-the-teacher";
const JOB = "job";

/** Takes `-c script` as Python does, and `-m name` for the script in the file of that name. */
const SHELL_AS_PYTHON = `#!/bin/sh
[ "$1" != -m ] || shift
exec /bin/sh "$@"
`;

let scene: HookScene;
let jobs: JobBackend;
beforeEach(() => {
  scene = openScene("job");
  mkdirSync(scene.at(JOB));
  scene.env["TEACHER_KEY"] = SECRET;
  const shell = path.join(scene.base, "python");
  writeFileSync(shell, SHELL_AS_PYTHON, { mode: 0o755 });
  scene.env["HASP_TEST_SHELL"] = shell;
  jobs = SHELL_JOBS(scene.env);
});
afterEach(async () => {
  try {
    await expect.poll(() => scene.running(), { timeout: 20_000 }).toEqual([]);
  } finally {
    for (const pid of scene.running()) process.kill(pid, "SIGKILL");
    scene.close();
  }
}, PATIENCE);

const sh = (script: string): JobCommand => ({ program: "python", args: ["-c", script], about: "A script." });

function writeJob(commands: readonly JobCommand[], more: Partial<JobSpec> = {}): string {
  const folder = scene.at(JOB);
  const spec = {
    schema: "hasp.job/1",
    id: "one",
    title: "One",
    cwd: ".",
    env: {},
    passEnv: [],
    ...more,
    commands,
  };
  writeFileSync(path.join(folder, "job.json"), JSON.stringify(spec));
  return folder;
}

async function eventsOf(folder: string): Promise<JobEvent[]> {
  const events: JobEvent[] = [];
  for await (const event of jobs.follow(folder, new AbortController().signal)) events.push(event);
  return events;
}

const linesOf = (events: readonly JobEvent[]): string[] =>
  events.flatMap((event) => (event.kind === "log" ? [event.line] : []));

const read = (name: string): string => readFileSync(scene.at(JOB, name), "utf8");
const isThere = (name: string): boolean => existsSync(scene.at(JOB, name));
const untilThere = (name: string): Promise<void> =>
  expect.poll(() => isThere(name), { timeout: 30_000 }).toBe(true);
const statusOf = async (): Promise<JobRecord> => jobs.status(scene.at(JOB));
const untilStatus = (status: string): Promise<void> =>
  expect.poll(async () => (await statusOf()).status, { timeout: 60_000 }).toBe(status);

/** The runner that holds the job now. */
const runnerPid = (): number => (JSON.parse(read("runner.lock")) as { pid: number }).pid;

/** Waits for `go` in the folder of the job. */
const WAIT = "while [ ! -e go ]; do sleep 0.02; done";

describe("a job that runs to its end", () => {
  it(
    "executes its commands in order, and its events come once each, in the order of the log",
    async () => {
      const folder = writeJob(
        [
          sh("echo one; echo two >&2"),
          { program: "hasp", args: ["--version"], about: "The version." },
          sh(`printf 'half a line'; echo "$GREETING $0" > out`),
        ],
        { env: { GREETING: "hello" } },
      );
      await jobs.submit(folder);
      const events = await eventsOf(folder);
      const { version } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
        version: string;
      };
      // Output and errors are two pipes: their order is the system's.
      expect(linesOf(events).slice(0, 2).toSorted()).toEqual(["one", "two"]);
      expect(linesOf(events).slice(2)).toEqual([version, "half a line"]);
      expect(events.at(-1)).toMatchObject({
        kind: "status",
        record: { status: "succeeded", attempt: 1, command: 2 },
      });
      expect(read("out")).toContain("hello");
      // Whoever follows it later sees the same.
      expect(linesOf(await eventsOf(folder))).toEqual(linesOf(events));
    },
    PATIENCE,
  );

  it(
    "a job that has succeeded is not executed again",
    async () => {
      const folder = writeJob([sh("echo x >> ran")]);
      await jobs.submit(folder);
      await untilStatus("succeeded");
      await jobs.submit(folder);
      expect([read("ran"), (await statusOf()).attempt]).toEqual(["x\n", 1]);
    },
    PATIENCE,
  );

  it(
    "a failed command ends the job with its exit code and last lines; submitted again it begins anew",
    async () => {
      const folder = writeJob([
        sh("echo x >> ran; echo; echo why; [ -e fixed ] || exit 7"),
        sh("echo y >> ran"),
      ]);
      await jobs.submit(folder);
      const first = await eventsOf(folder);
      expect(first.at(-1)).toMatchObject({
        record: { status: "failed", command: 0, exitCode: 7, lastLines: ["why"] },
      });
      writeFileSync(scene.at(JOB, "fixed"), "");
      await jobs.submit(folder);
      const second = await eventsOf(folder);
      expect(second.at(-1)).toMatchObject({ record: { status: "succeeded", attempt: 2 } });
      // Of the present attempt alone.
      expect([linesOf(second), read("ran")]).toEqual([["", "why"], "x\nx\ny\n"]);
    },
    PATIENCE,
  );

  it(
    "a command that a signal ends has failed",
    async () => {
      const folder = writeJob([sh("kill -SEGV $$")]);
      await jobs.submit(folder);
      expect((await eventsOf(folder)).at(-1)).toMatchObject({
        record: { status: "failed", signal: "SIGSEGV" },
      });
    },
    PATIENCE,
  );

  it(
    "whatever a command leaves running ends with it, also what has left its group",
    async () => {
      const folder = writeJob([sh("sleep 600 & setsid sleep 601 & echo started")]);
      await jobs.submit(folder);
      await untilStatus("succeeded");
      await expect.poll(() => scene.running()).toEqual([]);
    },
    PATIENCE,
  );

  it(
    "100 MB of log arrive whole and in order",
    async () => {
      const count = 1_000_000;
      const script = `awk 'BEGIN { for (i = 0; i < ${count}; i++) printf "%d %090d\\n", i, i }'`;
      const folder = writeJob([sh(script)]);
      await jobs.submit(folder);
      let next = 0;
      for await (const event of jobs.follow(folder, new AbortController().signal)) {
        if (event.kind !== "log") continue;
        if (!event.line.startsWith(`${next} `)) expect(event.line).toBe(`line ${next}`);
        next++;
      }
      expect(next).toBe(count);
    },
    PATIENCE,
  );
});

describe("secrets", () => {
  it(
    "a variable of a key reaches the commands where the job names it, and no file of the job",
    async () => {
      scene.env["OTHER_API_KEY"] = "not-to-be-handed-over-1";
      const script = `echo "key $TEACHER_KEY"; echo "length \${#TEACHER_KEY} other <$OTHER_API_KEY>"; exit 1`;
      const folder = writeJob([sh(script)], { passEnv: ["TEACHER_KEY"] });
      await jobs.submit(folder);
      const events = await eventsOf(folder);
      expect(linesOf(events)).toEqual(["key [redacted]", `length ${SECRET.length} other <>`]);
      expect(JSON.stringify(events)).not.toContain(SECRET);
      for (const name of readdirSync(folder)) expect(read(name)).not.toContain(SECRET);
    },
    PATIENCE,
  );

  it("a key in job.json is refused", async () => {
    const folder = writeJob([sh("true")], { env: { OPENAI_API_KEY: SECRET } });
    await expect(jobs.submit(folder)).rejects.toThrow("env holds what looks like a key: OPENAI_API_KEY");
    expect(isThere("state.jsonl")).toBe(false);
  });
});

describe("stopping", () => {
  it(
    "a trainer gets its time to write a checkpoint, and its exit code 75 is no failure",
    async () => {
      const folder = writeJob([sh(`trap 'echo saved; exit 75' TERM; touch up; ${WAIT}`), sh("touch never")]);
      await jobs.submit(folder);
      await untilThere("up");
      await jobs.cancel(folder);
      expect(await statusOf()).toMatchObject({ status: "stopped", command: 0, exitCode: 75 });
      expect([read("log.txt"), isThere("never")]).toEqual(["saved\n", false]);
      // Cancelling again changes nothing.
      await jobs.cancel(folder);
      expect((await statusOf()).attempt).toBe(1);
    },
    PATIENCE,
  );

  it(
    "a command that ignores SIGTERM is killed after the grace period, with what it has started",
    async () => {
      const script = `trap '' TERM; sleep 600 & touch up; while :; do sleep 1; done`;
      const folder = writeJob([sh(script)], { graceSeconds: 0.5 });
      await jobs.submit(folder);
      await untilThere("up");
      await jobs.cancel(folder);
      expect(await statusOf()).toMatchObject({ status: "stopped", signal: "SIGKILL" });
    },
    PATIENCE,
  );

  it(
    "a runner that gets SIGTERM passes it on",
    async () => {
      const folder = writeJob([sh(`trap 'exit 75' TERM; touch up; ${WAIT}`)]);
      await jobs.submit(folder);
      await untilThere("up");
      process.kill(runnerPid(), "SIGTERM");
      await untilStatus("stopped");
    },
    PATIENCE,
  );

  it(
    "a stopped job is resumed by submitting it again",
    async () => {
      const folder = writeJob([sh(`trap 'exit 75' TERM; touch up; ${WAIT}; echo done`)]);
      await jobs.submit(folder);
      await untilThere("up");
      await jobs.cancel(folder);
      writeFileSync(scene.at(JOB, "go"), "");
      await jobs.submit(folder);
      expect((await eventsOf(folder)).at(-1)).toMatchObject({ record: { status: "succeeded", attempt: 2 } });
    },
    PATIENCE,
  );
});

/** A command that must not run twice at once, and says in `ran` when it does. */
const ALONE = `mkdir alone || { echo twice >> ran; exit 1; }; echo begun >> ran; ${WAIT}; rmdir alone; echo ended >> ran`;

const SUBMIT = path.join(ROOT, "test/support/submit-job.mts");

describe("processes that are killed", () => {
  it(
    "a submitter that is killed at any moment starts no second attempt, and the next submit finds the first",
    async () => {
      for (let i = 0; i < 8; i++) {
        const name = `${JOB}-${i}`;
        mkdirSync(scene.at(name));
        const spec = {
          schema: "hasp.job/1",
          id: name,
          title: name,
          cwd: ".",
          env: {},
          passEnv: [],
          commands: [sh(ALONE)],
        };
        const folder = scene.at(name);
        writeFileSync(path.join(folder, "job.json"), JSON.stringify(spec));
        const { child, ended } = scene.start([SUBMIT, folder], "");
        const others = [scene.start([SUBMIT, folder], "")];
        setTimeout(() => child.kill("SIGKILL"), 150 + Math.random() * 900);
        await ended;
        others.push(scene.start([SUBMIT, folder], ""));
        for (const other of others) expect(await other.ended).toMatchObject({ code: 0, err: "" });
        writeFileSync(path.join(folder, "go"), "");
        await expect
          .poll(async () => (await jobs.status(folder)).status, { timeout: 30_000 })
          .toBe("succeeded");
        const ran = readFileSync(path.join(folder, "ran"), "utf8");
        expect([ran, (await jobs.status(folder)).attempt]).toEqual(["begun\nended\n", 1]);
      }
    },
    2 * PATIENCE,
  );

  it(
    "a runner that is killed is lost; the next submit ends what it left, and begins anew",
    async () => {
      // Its own group, as workers of a served model have, and deaf to all but SIGKILL.
      const folder = writeJob([
        sh(`setsid sh -c 'trap "" TERM PIPE; echo $$ > orphan; ${WAIT}' & touch up; ${WAIT}`),
      ]);
      await jobs.submit(folder);
      await untilThere("up");
      await untilThere("orphan");
      const orphan = Number(read("orphan"));
      process.kill(runnerPid(), "SIGKILL");
      await untilStatus("lost");
      expect((await eventsOf(folder)).at(-1)).toMatchObject({ record: { status: "lost", attempt: 1 } });
      expect(scene.running()).toContain(orphan);
      await jobs.submit(folder);
      expect(scene.running()).not.toContain(orphan);
      writeFileSync(scene.at(JOB, "go"), "");
      await untilStatus("succeeded");
      expect((await statusOf()).attempt).toBe(2);
    },
    PATIENCE,
  );

  it(
    "cancelling a lost job ends what its runner left",
    async () => {
      const folder = writeJob([sh(`trap '' TERM; touch up; ${WAIT}`)]);
      await jobs.submit(folder);
      await untilThere("up");
      process.kill(runnerPid(), "SIGKILL");
      await jobs.cancel(folder);
      expect(await statusOf()).toMatchObject({ status: "stopped", attempt: 1 });
      expect(scene.running()).toEqual([]);
    },
    PATIENCE,
  );

  it(
    "a process that has the pid of a dead runner is not taken for it, and not ended",
    async () => {
      const folder = writeJob([sh(`touch up; ${WAIT}`)]);
      await jobs.submit(folder);
      await untilThere("up");
      const lock = JSON.parse(read("runner.lock")) as object;
      process.kill(runnerPid(), "SIGKILL");
      await untilStatus("lost");
      // Ours, as if the system had given us that pid.
      writeFileSync(scene.at(JOB, "runner.lock"), JSON.stringify({ ...lock, pid: process.pid }));
      expect((await statusOf()).status).toBe("lost");
      await jobs.cancel(folder);
      expect((await statusOf()).status).toBe("stopped");
    },
    PATIENCE,
  );
});

describe("a served model", () => {
  const served = { model: "a-model", engine: "auto" } as const;
  /** The script that `python -m hasp_trainer` runs. */
  const student = (script: string): void => writeFileSync(scene.at(JOB, "hasp_trainer"), script);

  it(
    "its address replaces {student}, and it ends after the commands",
    async () => {
      student(`echo "$@" > asked; echo ready http://127.0.0.1:4711/v1 student; echo $$ > server; sleep 600`);
      const command = {
        program: "python" as const,
        args: ["-c", `echo "$0" > policy`, "{student}"],
        about: "Ask.",
      };
      const folder = writeJob([command], { serve: { ...served, adapter: "an adapter" } });
      await jobs.submit(folder);
      await untilStatus("succeeded");
      expect(read("policy")).toBe("http://127.0.0.1:4711/v1#student\n");
      expect(read("asked")).toBe("serve --model a-model --adapter an adapter --engine auto --port 0\n");
      expect(scene.running()).not.toContain(Number(read("server")));
    },
    PATIENCE,
  );

  it(
    "one that does not come up fails the job with its last words",
    async () => {
      student("echo no such model >&2; exit 2");
      const folder = writeJob([sh("touch never")], { serve: served });
      await jobs.submit(folder);
      await untilStatus("failed");
      expect(await statusOf()).toMatchObject({ exitCode: 2, lastLines: ["no such model"] });
      expect(isThere("never")).toBe(false);
    },
    PATIENCE,
  );

  it(
    "one that never answers fails the job when its time is up",
    async () => {
      student("echo loading; sleep 600");
      const folder = writeJob([sh("touch never")], { serve: { ...served, readySeconds: 0.5 } });
      await jobs.submit(folder);
      await untilStatus("failed");
      expect(await statusOf()).toMatchObject({
        reason: "The served model did not answer within 0.5 seconds.",
        lastLines: ["loading"],
      });
    },
    PATIENCE,
  );

  it(
    "one that ends while a command runs fails the job",
    async () => {
      student(
        `echo ready http://127.0.0.1:4711/v1 student; while [ ! -e up ]; do sleep 0.02; done; echo out of memory; exit 1`,
      );
      const folder = writeJob([sh(`touch up; ${WAIT}`)], { serve: served });
      await jobs.submit(folder);
      await untilStatus("failed");
      expect(await statusOf()).toMatchObject({
        reason: "The served model ended while a command ran: A script.",
        lastLines: ["ready http://127.0.0.1:4711/v1 student", "out of memory"],
      });
    },
    PATIENCE,
  );
});

it(
  "metrics: NaN is a missing value that is said once, half a line is left out, a resumed trainer goes back",
  async () => {
    const line = (step: number, loss: string): string =>
      `{"step": ${step}, "iteration": 1, "loss": ${loss}}\\n`;
    const first = line(1, "2.5") + line(2, "NaN") + line(3, "NaN") + line(4, "1.5");
    const again = line(1, "2.5") + line(2, "1.75") + '{"step": 3, "iter';
    const script = `printf '${first}' > m.jsonl; touch up; ${WAIT}; printf '${again}' > m.jsonl`;
    const folder = writeJob([sh(script)], { metrics: "m.jsonl" });
    await jobs.submit(folder);
    const events: JobEvent[] = [];
    for await (const event of jobs.follow(folder, new AbortController().signal)) {
      events.push(event);
      if (event.kind === "metrics" && event.metrics.step === 4) writeFileSync(scene.at(JOB, "go"), "");
    }
    const shown = events.flatMap((event): unknown[] => {
      if (event.kind === "metrics") return [[event.metrics.step, event.metrics.loss]];
      return event.kind === "trouble" ? [event.message] : [];
    });
    expect(shown).toEqual([
      [1, 2.5],
      "loss is NaN from step 2 on (line 2 of m.jsonl).",
      [2, null],
      [3, null],
      [4, 1.5],
      [2, 1.75],
      "m.jsonl ends in half a line, which is left out.",
    ]);
  },
  PATIENCE,
);
