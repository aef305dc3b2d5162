import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { missingForCluster } from "../../scripts/lib/cluster.mts";
import { parseEpisode } from "../../src/trace/episode-file.ts";
import { episodeFingerprint } from "../../src/trace/fingerprint.ts";
import { hashText } from "../../src/trace/hash.ts";
import { SYSTEM_PYTHON } from "../support/cluster-scene.ts";
import {
  loopbackModel,
  type Behaviour,
  type LoopbackCall,
  type LoopbackModel,
} from "../support/loopback-model.ts";
import { jobNames, joinClusterScene, type JoinedScene } from "../support/stage-cluster.ts";

/** `hasp job` against a real cluster, as a person types it. */
const missing = missingForCluster();
const note = missing === undefined ? "" : ` (skipped: ${missing})`;

const QUESTIONS = 6;
const KEY = "sk-of-a-loopback-0123456789";
const CLI = path.resolve("dist/hasp.cjs");

interface Said {
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

/** A number that what is asked alone decides. */
const drawnFor = ({ request }: LoopbackCall): number =>
  Number.parseInt(hashText(request.messages.map(({ content }) => content).join("\n")).slice(-4), 16);

/** Answers by what it is asked alone, so that shards and a whole run get the same. */
function scripted(call: LoopbackCall): Behaviour {
  const { request } = call;
  const drawn = drawnFor(call);
  if (request.messages.length > 6 || drawn % 2 === 0)
    return { kind: "text", text: `Thought: ${drawn}\nAction: FINAL[c${drawn % 7}]` };
  return { kind: "text", text: `Thought: ${drawn}\nAction: SEARCH[person n${drawn % QUESTIONS}]` };
}

describe.skipIf(missing !== undefined)(`hasp job on a cluster${note}`, () => {
  let scene: JoinedScene;
  let model: LoopbackModel;
  /** Calls are held while this is set. */
  let hold: Promise<void> | undefined;

  const at = (...names: string[]): string => path.join(scene.here, ...names);
  const keyName = (): string => `HASP_KEY_127_0_0_1_${model.port}`;

  async function hasp(...args: readonly string[]): Promise<Said> {
    const ran = await execa(process.execPath, [CLI, ...args], {
      cwd: scene.here,
      env: { ...scene.environment, XDG_CONFIG_HOME: at("../config"), [keyName()]: KEY },
      reject: false,
      stdin: "ignore",
      stripFinalNewline: false,
    });
    return { code: ran.exitCode, out: ran.stdout, err: ran.stderr };
  }

  const runArgs = (output: string): readonly string[] => [
    "run",
    "--questions",
    "questions.jsonl",
    "--corpus",
    "corpus.jsonl",
    "--policy",
    `${model.url}#loopback`,
    "--no-skills",
    "--temperature",
    "0",
    "-o",
    output,
  ];

  /** Episodes of a run by their ids, without what may differ from machine to machine. */
  const episodesOf = (run: string) =>
    fs
      .readFileSync(at(run, "episodes.jsonl"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line, i) => {
        const { value } = parseEpisode(line, run, i);
        if (value === undefined) throw new Error(`${run} has a line that is no episode`);
        return [value.id, episodeFingerprint({ ...value, settings: {} })] as const;
      });
  const byId = (run: string) => new Map(episodesOf(run).toSorted(([a], [b]) => (a < b ? -1 : 1)));

  beforeAll(async () => {
    scene = await joinClusterScene();
    model = await loopbackModel((call) => ({ ...scripted(call), until: hold }) as Behaviour);
    const rows = Array.from({ length: QUESTIONS }, (_, i) => ({
      id: `q${i}`,
      question: `Which city is person n${i} from?`,
      gold: [`c${i}`],
    }));
    const passages = rows.map(({ gold }, i) => ({ title: `n${i}`, text: `n${i} is from ${gold[0]}.` }));
    const lines = (list: readonly object[]): string => list.map((one) => `${JSON.stringify(one)}\n`).join("");
    fs.writeFileSync(at("questions.jsonl"), lines(rows));
    fs.writeFileSync(at("corpus.jsonl"), lines(passages));
    const common = {
      host: scene.sshd.host,
      setup: [`PATH=${path.dirname(process.execPath)}:$PATH`],
      environment: SYSTEM_PYTHON,
    };
    const targets = {
      lab: { kind: "slurm", ...common },
      box: { kind: "ssh", ...common, folder: "~/box" },
      short: { kind: "slurm", ...common, partition: "short" },
      none: { kind: "slurm", ...common, partition: "none" },
      // A yes is to all that a target says: this is another one than `lab`.
      new: { kind: "slurm", ...common, folder: "~/new" },
    };
    fs.writeFileSync(at("hasp.yaml"), JSON.stringify({ targets }));
    for (const name of ["lab", "box", "short", "none"])
      expect((await hasp("job", "target", "allow", name, "--yes")).code).toBe(0);
    expect(await hasp(...runArgs("whole"))).toMatchObject({ code: 0, err: "" });
  });
  afterAll(async () => {
    await model.close();
  });

  test("nobody said yes: nothing is sent; a person's yes is kept", async () => {
    const refused = await hasp("job", "submit", "--target", "new", "--", ...runArgs("never"));
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.err).toContain("Nobody is there to ask.");
    expect(refused.out).toContain(`host    ${scene.sshd.host}`);
    expect(fs.existsSync(at(".hasp/jobs", "never"))).toBe(false);
    const isAllowed = async (): Promise<boolean | undefined> => {
      const { out } = await hasp("job", "target", "list", "--json");
      const targets = JSON.parse(out) as { name: string; isAllowed: boolean }[];
      return targets.find(({ name }) => name === "new")?.isAllowed;
    };
    expect(await isAllowed()).toBe(false);
    expect((await hasp("job", "target", "allow", "new", "--yes")).code).toBe(0);
    expect(await isAllowed()).toBe(true);
  });

  test("a test of a target says what works there, and what to do about the rest", async () => {
    const before = await jobNames(scene);
    const lab = await hasp("job", "target", "test", "lab");
    expect(lab.out).toContain("✓ it answers");
    expect(lab.out).toContain("✓ jobs can run there");
    expect(lab.out).toContain("✓ SLURM takes a job");
    const none = await hasp("job", "target", "test", "none");
    expect(none.code).toBe(1);
    expect(none.out).toMatch(/✗ SLURM on .* does not take the job/);
    expect(none.out).toContain("→ Correct partition");
    expect(await jobNames(scene)).toEqual(before);
  });

  test("a run dealt out to two tasks, merged and fetched, equals the run of one process", async () => {
    const submit = ["job", "submit", "--target", "lab", "--shards", "2", "--follow", "--json"];
    const sent = await hasp(...submit, "--", ...runArgs("dealt"));
    expect(sent).toMatchObject({ code: 0, err: "" });
    const { jobs } = JSON.parse(sent.out) as { jobs: { id: string; folder: string }[] };
    const [array, merge] = jobs;
    expect(jobs).toHaveLength(2);
    expect(fs.existsSync(at("dealt"))).toBe(false);
    const fetched = await hasp("job", "fetch", merge?.id ?? "");
    expect(fetched.out).toContain("here: dealt");
    expect(byId("dealt")).toEqual(byId("whole"));
    // In the order of the questions, which one process with several episodes at once does not keep.
    expect(episodesOf("dealt").map(([id]) => id)).toEqual([0, 1, 2, 3, 4, 5].map((i) => `q${i}#1`));
    expect(fs.existsSync(at("dealt-shard-1"))).toBe(false);

    // The job folder alone is enough, in another workspace.
    const other = at("../other");
    fs.cpSync(array?.folder ?? "", path.join(other, "copied"), { recursive: true });
    const fetchCopied = ["job", "fetch", path.join(other, "copied"), "--to", other];
    const asked = await hasp(...fetchCopied);
    expect(asked.code).toBe(3);
    const moved = await hasp(...fetchCopied, `--yes=${/^content +(\w+)$/m.exec(asked.out)?.[1]}`);
    expect([moved.code, moved.err]).toEqual([0, ""]);
    const shards = [1, 2].map((i) => path.join(other, `dealt-shard-${i}`, "episodes.jsonl"));
    const counts = shards.map((file) => fs.readFileSync(file, "utf8").trimEnd().split("\n").length);
    expect(counts[0] === 0 || counts[1] === 0).toBe(false);
    expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(QUESTIONS);

    // All calls have the key. It is in no file of ours: SLURM itself keeps the variables of a job while it knows it.
    expect(model.calls.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true);
    const places = [at("."), other, scene.slurm.home];
    const found = await execa("grep", ["-rl", KEY, ...places], { reject: false });
    expect(fs.existsSync(path.join(scene.slurm.home, "hasp/work"))).toBe(true);
    expect(found.stdout).toBe("");

    const status = await hasp("job", "status", array?.id ?? "");
    expect(status.code).toBe(0);
    expect(status.out).toContain("done (2 of 2 done)");
    const logs = await hasp("job", "logs", array?.id ?? "");
    expect(logs.out).toContain("run written to dealt-shard-1");
    expect(logs.out).toContain("run written to dealt-shard-2");
    await scene.sshd.stopListening();
    const offline = await hasp("job", "logs", array?.id ?? "");
    await scene.sshd.startListening();
    expect(offline).toMatchObject({ code: 0, err: "" });
    expect(offline.out).toContain("run written to dealt-shard-2");
    expect(offline.out).toContain("refuses the connection: no ssh server answers there. These are the lines");
    expect(offline.out).toContain("→ See whether the machine is up");
    // Submitted again, it is left alone.
    const again = await hasp("job", "submit", merge?.id ?? "");
    expect(again.out).toContain("is done already");
  });

  test("a teacher that refuses 30% of calls with 429: no rollout is lost or doubled, and none differs", async () => {
    let refused = 0;
    const isRefused = ({ index }: LoopbackCall): boolean =>
      Number.parseInt(hashText(`call ${index}`).slice(-4), 16) % 10 < 3;
    let isBusy = true;
    const teacher = await loopbackModel((call): Behaviour => {
      if (!isBusy || !isRefused(call)) return { kind: "text", text: `A snippet: ${drawnFor(call)}` };
      refused++;
      return { kind: "status", status: 429, headers: { "retry-after-ms": "40" } };
    });
    try {
      const asks = ["--retriever", "teacher-snippet", "--teacher", `${teacher.url}#teacher`, "--seed", "7"];
      const submit = ["job", "submit", "--target", "lab", "--shards", "3", "--follow", "--json", "--"];
      const sent = await hasp(...submit, ...runArgs("busy"), ...asks);
      expect(sent).toMatchObject({ code: 0 });
      const { jobs } = JSON.parse(sent.out) as { jobs: { id: string }[] };
      expect((await hasp("job", "fetch", jobs[1]?.id ?? "")).code).toBe(0);
      expect(refused / teacher.calls.length).toBeGreaterThan(0.15);
      expect(episodesOf("busy").map(([id]) => id)).toEqual([0, 1, 2, 3, 4, 5].map((i) => `q${i}#1`));
      isBusy = false;
      expect((await hasp(...runArgs("calm"), ...asks)).code).toBe(0);
      expect(byId("busy")).toEqual(byId("calm"));
    } finally {
      await teacher.close();
    }
  });

  test("a job over ssh is cancelled in the middle, and resumes when it is submitted again", async () => {
    let release = (): void => undefined;
    hold = new Promise((resolve) => (release = resolve));
    const before = model.calls.length;
    const sent = await hasp("job", "submit", "--target", "box", "--json", "--", ...runArgs("held"));
    expect(sent).toMatchObject({ code: 0, err: "" });
    const id = (JSON.parse(sent.out) as { jobs: { id: string }[] }).jobs[0]?.id ?? "";
    await expect.poll(() => model.calls.length, { timeout: 60_000 }).toBeGreaterThan(before);
    const list = await hasp("job", "list", "--refresh");
    expect(list.out).toMatch(new RegExp(`${id} +box +running`));
    const cancelled = await hasp("job", "cancel", id);
    expect(cancelled).toMatchObject({ code: 0, err: "" });
    expect(cancelled.out).toContain("cancelled");
    release();
    hold = undefined;
    const resumed = await hasp("job", "submit", id, "--follow");
    expect(resumed).toMatchObject({ code: 0, err: "" });
    await hasp("job", "fetch", id);
    expect(byId("held")).toEqual(byId("whole"));
  });

  test("what a cluster would refuse is refused before anything is booked", async () => {
    const before = await jobNames(scene);
    for (const name of ["none", "short"]) {
      const refused = await hasp(
        "job",
        "submit",
        "--target",
        name,
        "--hours",
        "5",
        "--",
        ...runArgs(`to-${name}`),
      );
      expect(refused.code).toBe(2);
      expect(refused.err).toContain("does not take the job");
    }
    expect(await jobNames(scene)).toEqual(before);
  });

  test("mistakes are found here, before the target is asked", async () => {
    const sessions = scene.sshd.connections().length;
    const submit = ["job", "submit", "--target", "lab", "--"];
    const option = await hasp(...submit, "run", "--qestions", "questions.jsonl", "-o", "x");
    expect(option).toMatchObject({ code: 2 });
    expect(option.err).toContain("Did you mean --questions?");
    const input = await hasp(
      ...submit,
      ...runArgs("x").map((word) => word.replace("corpus.jsonl", "no.jsonl")),
    );
    expect(input.err).toContain("The job reads no.jsonl, which is not there.");
    const key = await hasp(
      ...submit,
      "experiment",
      "e1",
      "--questions",
      "questions.jsonl",
      "--set",
      "train.epoch=1",
    );
    expect(key.err).toContain('There is no key "train.epoch"');
    const target = await hasp("job", "submit", "--target", "lag", "--", ...runArgs("x"));
    expect(target.err).toContain("There is no target lag.");
    const dry = await hasp(
      "job",
      "submit",
      "--target",
      "lab",
      "--dry-run",
      "--hours",
      "2",
      "--",
      ...runArgs("x"),
    );
    expect(dry.out).toContain("#SBATCH --time=02:00:00");
    const { size } = fs.statSync(at("questions.jsonl"));
    expect(dry.out).toContain(`workspace/questions.jsonl  ${size} bytes\n`);
    expect(fs.existsSync(at("x"))).toBe(false);
    expect(scene.sshd.connections()).toHaveLength(sessions);
  });
});
