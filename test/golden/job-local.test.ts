import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JobCommand, JobEvent } from "../../src/model/job.ts";
import { ROOT } from "../support/core.ts";
import { THOROUGH } from "../support/thorough.ts";
import { linesOf, openJobScene, sh, WAIT, type JobScene } from "../support/job-scene.ts";

/** Jobs with real processes: a runner of their own, that is followed and stopped. */

const SECRET = "s3cret-value-of-the-teacher";
const PATIENCE = 120_000;

let scene: JobScene;
beforeEach(() => {
  scene = openJobScene({ TEACHER_KEY: SECRET });
});
afterEach(() => scene.close(), PATIENCE);

describe("a job that runs to its end", () => {
  it(
    "executes its commands in order, and its events come once each, in the order of the log",
    async () => {
      const folder = scene.write(
        [
          sh("echo one; echo two >&2"),
          { program: "hasp", args: ["--version"], about: "The version." },
          sh(`printf 'half a line'; echo "$GREETING $0 in $HASP_JOB" > out`),
        ],
        { env: { GREETING: "hello" } },
      );
      await scene.jobs.submit(folder);
      const events = await scene.events();
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
      expect(scene.read("out")).toMatch(/^hello .* in one\n$/);
      // Whoever follows it later sees the same.
      expect(linesOf(await scene.events())).toEqual(linesOf(events));
    },
    PATIENCE,
  );

  it(
    "a job that has succeeded is not executed again",
    async () => {
      const folder = scene.write([sh("echo x >> ran")]);
      await scene.jobs.submit(folder);
      await scene.untilStatus("succeeded");
      await scene.jobs.submit(folder);
      expect([scene.read("ran"), (await scene.status()).attempt]).toEqual(["x\n", 1]);
    },
    PATIENCE,
  );

  it(
    "a failed command ends the job with its exit code and last lines; submitted again it begins anew",
    async () => {
      const folder = scene.write([
        sh("echo x >> ran; echo; echo why; [ -e fixed ] || exit 7"),
        sh("echo y >> ran"),
      ]);
      await scene.jobs.submit(folder);
      const first = await scene.events();
      expect(first.at(-1)).toMatchObject({
        record: { status: "failed", command: 0, exitCode: 7, lastLines: ["why"] },
      });
      scene.make("fixed");
      await scene.jobs.submit(folder);
      const second = await scene.events();
      expect(second.at(-1)).toMatchObject({ record: { status: "succeeded", attempt: 2 } });
      // Of the present attempt alone.
      expect([linesOf(second), scene.read("ran")]).toEqual([["", "why"], "x\nx\ny\n"]);
    },
    PATIENCE,
  );

  it(
    "a command that a signal ends has failed",
    async () => {
      const folder = scene.write([sh("kill -SEGV $$")]);
      await scene.jobs.submit(folder);
      expect((await scene.events()).at(-1)).toMatchObject({
        record: { status: "failed", signal: "SIGSEGV" },
      });
    },
    PATIENCE,
  );

  it(
    "whatever a command leaves running ends with it, also what has left its group",
    async () => {
      const folder = scene.write([sh("sleep 600 & setsid sleep 601 & echo started")]);
      await scene.jobs.submit(folder);
      await scene.untilStatus("succeeded");
      await expect.poll(() => scene.processes.running()).toEqual([]);
    },
    PATIENCE,
  );

  it(
    "a long log arrives whole and in order",
    async () => {
      // 10 MB; thorough: 100 MB.
      const count = THOROUGH ? 1_000_000 : 100_000;
      const script = `awk 'BEGIN { for (i = 0; i < ${count}; i++) printf "%d %090d\\n", i, i }'`;
      const folder = scene.write([sh(script)]);
      await scene.jobs.submit(folder);
      let next = 0;
      for await (const event of scene.jobs.follow(folder, new AbortController().signal)) {
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
      scene.processes.env["OTHER_API_KEY"] = "not-to-be-handed-over-1";
      const script = `echo "key $TEACHER_KEY"; echo "length \${#TEACHER_KEY} other <$OTHER_API_KEY>"; exit 1`;
      const folder = scene.write([sh(script)], { passEnv: ["TEACHER_KEY"] });
      await scene.jobs.submit(folder);
      const events = await scene.events();
      expect(linesOf(events)).toEqual(["key [redacted]", `length ${SECRET.length} other <>`]);
      expect(JSON.stringify(events)).not.toContain(SECRET);
      for (const name of readdirSync(folder)) expect(scene.read(name)).not.toContain(SECRET);
    },
    PATIENCE,
  );

  it("a key in job.json is refused", async () => {
    const folder = scene.write([sh("true")], { env: { OPENAI_API_KEY: SECRET } });
    await expect(scene.jobs.submit(folder)).rejects.toThrow(
      "env holds what looks like a key: OPENAI_API_KEY",
    );
    expect(scene.has("state.jsonl")).toBe(false);
  });
});

describe("stopping", () => {
  it(
    "a trainer gets its time to write a checkpoint, and its exit code 75 is no failure",
    async () => {
      const folder = scene.write([
        sh(`trap 'echo saved; exit 75' TERM; touch up; ${WAIT}`),
        sh("touch never"),
      ]);
      await scene.jobs.submit(folder);
      await scene.untilThere("up");
      await scene.jobs.cancel(folder);
      expect(await scene.status()).toMatchObject({ status: "stopped", command: 0, exitCode: 75 });
      expect([scene.read("log.txt"), scene.has("never")]).toEqual(["saved\n", false]);
      // Cancelling again changes nothing.
      await scene.jobs.cancel(folder);
      expect((await scene.status()).attempt).toBe(1);
    },
    PATIENCE,
  );

  it(
    "a command that ignores SIGTERM is killed after the grace period, with what it has started",
    async () => {
      const script = `trap '' TERM; sleep 600 & touch up; while :; do sleep 1; done`;
      const folder = scene.write([sh(script)], { graceSeconds: 0.5 });
      await scene.jobs.submit(folder);
      await scene.untilThere("up");
      await scene.jobs.cancel(folder);
      expect(await scene.status()).toMatchObject({ status: "stopped", signal: "SIGKILL" });
    },
    PATIENCE,
  );

  it(
    "a runner that gets SIGTERM passes it on",
    async () => {
      const folder = scene.write([sh(`trap 'exit 75' TERM; touch up; ${WAIT}`)]);
      await scene.jobs.submit(folder);
      await scene.untilThere("up");
      process.kill(scene.runner(), "SIGTERM");
      await scene.untilStatus("stopped");
    },
    PATIENCE,
  );

  it(
    "a stopped job is resumed by submitting it again",
    async () => {
      const folder = scene.write([sh(`trap 'exit 75' TERM; touch up; ${WAIT}; echo done`)]);
      await scene.jobs.submit(folder);
      await scene.untilThere("up");
      await scene.jobs.cancel(folder);
      scene.make("go");
      await scene.jobs.submit(folder);
      expect((await scene.events()).at(-1)).toMatchObject({ record: { status: "succeeded", attempt: 2 } });
    },
    PATIENCE,
  );
});

describe("a served model", () => {
  const served = { model: "a-model", engine: "auto" } as const;
  /** The script that `python -m hasp_trainer` runs. */
  const student = (script: string): void => writeFileSync(path.join(scene.folder, "hasp_trainer"), script);

  it(
    "its address replaces {student}, and it ends after the commands",
    async () => {
      student(`echo "$@" > asked; echo ready http://127.0.0.1:4711/v1 student; echo $$ > server; sleep 600`);
      const command = {
        program: "python" as const,
        args: ["-c", `echo "$0" > policy`, "{student}"],
        about: "Ask.",
      };
      const folder = scene.write([command], { serve: { ...served, adapter: "an adapter" } });
      await scene.jobs.submit(folder);
      await scene.untilStatus("succeeded");
      expect(scene.read("policy")).toBe("http://127.0.0.1:4711/v1#student\n");
      expect(scene.read("asked")).toBe(
        "serve --model a-model --adapter an adapter --engine auto --port 0 --with-parent\n",
      );
      expect(scene.processes.running()).not.toContain(Number(scene.read("server")));
    },
    PATIENCE,
  );

  it(
    "its key is in a file that only this user reads, while it serves, and nowhere else",
    async () => {
      // Careless programs: each shows the key.
      student(
        `echo "$HASP_STUDENT_KEY" > given; echo "key $HASP_STUDENT_KEY"; echo "$@" > asked; echo ready http://127.0.0.1:4711/v1 student; sleep 600`,
      );
      const look = `echo "[$HASP_STUDENT_KEY]" > own; ls -ld "$(dirname "$HASP_STUDENT_KEY_FILE")" "$HASP_STUDENT_KEY_FILE" | cut -c 1-10 > modes`;
      const show = `echo "$HASP_STUDENT_KEY_FILE" > place; cat "$HASP_STUDENT_KEY_FILE" > found; cat "$HASP_STUDENT_KEY_FILE"`;
      const folder = scene.write([sh(look), sh(show)], { serve: served });
      await scene.jobs.submit(folder);
      await scene.untilStatus("succeeded");
      const key = scene.read("found");
      expect(key).toMatch(/^[0-9a-f]{64}$/);
      expect(scene.read("given")).toBe(`${key}\n`);
      expect([scene.read("own"), scene.read("modes")]).toEqual(["[]\n", "drwx------\n-rw-------\n"]);
      for (const name of ["log.txt", "state.jsonl", "job.json", "asked"])
        expect(scene.read(name)).not.toContain(key);
      expect(scene.read("log.txt")).toContain("key [redacted]");
      expect(existsSync(path.dirname(scene.read("place").trim()))).toBe(false);
    },
    PATIENCE,
  );

  it(
    "one that does not come up leaves no key behind, and fails the job with its last words",
    async () => {
      scene.processes.env["TMPDIR"] = scene.folder;
      student("ls -d $TMPDIR/hasp-key-* > keys; echo no such model >&2; exit 2");
      const folder = scene.write([sh("touch never")], { serve: served });
      await scene.jobs.submit(folder);
      await scene.untilStatus("failed");
      expect(await scene.status()).toMatchObject({ exitCode: 2, lastLines: ["no such model"] });
      expect(scene.has("never")).toBe(false);
      expect(scene.read("keys")).toContain("hasp-key-");
      expect(readdirSync(scene.folder).filter((name) => name.startsWith("hasp-key-"))).toEqual([]);
    },
    PATIENCE,
  );

  it(
    "one that never answers fails the job when its time is up",
    async () => {
      student("echo loading; sleep 600");
      const folder = scene.write([sh("touch never")], { serve: { ...served, readySeconds: 0.5 } });
      await scene.jobs.submit(folder);
      await scene.untilStatus("failed");
      expect(await scene.status()).toMatchObject({
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
      const folder = scene.write([sh(`touch up; ${WAIT}`)], { serve: served });
      await scene.jobs.submit(folder);
      await scene.untilStatus("failed");
      expect(await scene.status()).toMatchObject({
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
    const folder = scene.write([sh(script)], { metrics: ["m.jsonl"] });
    await scene.jobs.submit(folder);
    const events: JobEvent[] = [];
    for await (const event of scene.jobs.follow(folder, new AbortController().signal)) {
      events.push(event);
      if (event.kind === "metrics" && event.metrics.step === 4) scene.make("go");
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

describe("a training on several machines of a cluster", () => {
  const trainer = (command: string): JobCommand => ({
    program: "python",
    args: ["-m", "hasp_trainer", command, "a.json"],
    processes: 4,
    about: "Train.",
  });
  /** A job of SLURM with two machines, whose `srun` is this script. */
  function openCluster(srun: string): void {
    const bin = scene.processes.at("bin");
    mkdirSync(bin);
    writeFileSync(path.join(bin, "srun"), `#!/bin/sh\n${srun}\n`, { mode: 0o755 });
    writeFileSync(path.join(bin, "scontrol"), "#!/bin/sh\necho gpu1\n", { mode: 0o755 });
    // `-m name` of the shell that stands in for Python is the script of that name.
    writeFileSync(path.join(scene.folder, "hasp_trainer"), `echo "python: $*"\n`);
    Object.assign(scene.processes.env, {
      PATH: `${bin}:${scene.processes.env["PATH"]}`,
      SLURM_JOB_ID: "41",
      SLURM_JOB_NUM_NODES: "2",
      SLURM_JOB_NODELIST: "gpu[1-2]",
    });
  }

  it(
    "starts through srun, with all of its processes; preflight does not",
    async () => {
      openCluster(`echo "srun: $*"`);
      await scene.jobs.submit(scene.write([trainer("preflight"), trainer("sft")]));
      const [preflight, train] = linesOf(await scene.events());
      expect(preflight).toBe("python: preflight a.json --processes 4 --nodes 2");
      const started = "srun: --nodes=2 --ntasks=2 --ntasks-per-node=1 --wait=60 ";
      const processes = "--processes 4 --nodes 2 --address gpu1 --port 15041";
      expect(train).toBe(
        `${started}${scene.processes.env["HASP_TEST_SHELL"]} -m hasp_trainer launch ${processes} sft a.json`,
      );
    },
    PATIENCE,
  );

  it(
    "is asked to end by a signal that srun passes on: SIGTERM would kill it",
    async () => {
      openCluster(`trap 'echo asked; exit 75' USR1; touch up; while :; do sleep 0.02; done`);
      const folder = scene.write([trainer("sft")]);
      await scene.jobs.submit(folder);
      await scene.untilThere("up");
      await scene.jobs.cancel(folder);
      expect(await scene.status()).toMatchObject({ status: "stopped", exitCode: 75 });
      expect(scene.read("log.txt")).toBe("asked\n");
    },
    PATIENCE,
  );
});
