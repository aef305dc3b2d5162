import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openScene, type HookScene } from "../support/hook-process.ts";
import { loopbackModel, type LoopbackModel } from "../support/loopback-model.ts";

/** `hasp job` on this machine, as a person types it. Jobs on a cluster: test/cluster/job-cli.test.ts. */
const QUESTIONS = 5;
const PATIENCE = 180_000;

let model: LoopbackModel;
beforeAll(async () => {
  model = await loopbackModel([{ kind: "text", text: "Thought: t\nAction: FINAL[c1]" }]);
});
afterAll(async () => model.close());

let scene: HookScene;
afterEach(() => scene.close());

function workspace(): HookScene {
  scene = openScene("jobs");
  const lines = (list: readonly object[]): string => list.map((one) => `${JSON.stringify(one)}\n`).join("");
  const numbers = Array.from({ length: QUESTIONS }, (_, i) => i);
  const rows = numbers.map((i) => ({
    id: `q${i}`,
    question: `Which city is person n${i} from?`,
    gold: [`c${i}`],
  }));
  writeFileSync(scene.at("questions.jsonl"), lines(rows));
  writeFileSync(scene.at("corpus.jsonl"), lines(numbers.map((i) => ({ title: `n${i}`, text: `c${i}` }))));
  return scene;
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
  "-o",
  output,
];

const idsIn = (run: string): readonly string[] =>
  readFileSync(scene.at(run, "episodes.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { id: string }).id);

describe("jobs on this machine", () => {
  it(
    "a run is dealt out to tasks and merged; list, status and logs tell of it, and gc leaves it",
    async () => {
      const { hasp } = workspace();
      const submit = ["job", "submit", "--shards", "2", "--follow", "--json"];
      const sent = await hasp(...submit, "--", ...runArgs("dealt"));
      expect(sent).toMatchObject({ code: 0, err: "" });
      const { jobs, target } = JSON.parse(sent.out) as {
        target: string;
        jobs: { id: string; folder: string }[];
      };
      expect(target).toBe("local");
      expect(jobs.map(({ id }) => id.replace(/-\d{4}-\d{6}-[0-9a-f]{4}/, ""))).toEqual(["run", "run-merge"]);
      expect(idsIn("dealt")).toEqual(["q0#1", "q1#1", "q2#1", "q3#1", "q4#1"]);
      expect([...idsIn("dealt-shard-1"), ...idsIn("dealt-shard-2")].toSorted()).toEqual(idsIn("dealt"));

      const [array, merge] = jobs;
      const list = await hasp("job", "list");
      expect(list.out).toMatch(new RegExp(`${array?.id} +local +done`));
      expect(list.out).toMatch(new RegExp(`${merge?.id} +local +done`));
      const logs = await hasp("job", "logs", merge?.id ?? "");
      expect(logs.out).toContain("run written to dealt");

      // A job that is done is not executed again, by its id or by its folder.
      const calls = model.calls.length;
      const again = await hasp("job", "submit", array?.folder ?? "");
      expect(again.out).toContain("is done already");
      expect(model.calls).toHaveLength(calls);

      const old = new Date(0);
      utimesSync(`${array?.folder}/job.json`, old, old);
      expect((await hasp("gc", "--older-than", "0")).code).toBe(0);
      expect(existsSync(`${array?.folder}/job.json`)).toBe(true);
      expect((await hasp("job", "status", array?.id ?? "")).out).toContain("status     done");
    },
    PATIENCE,
  );

  it(
    "a job whose command fails says why with its last lines, and ends with 1",
    async () => {
      const { hasp } = workspace();
      // A job does not read the rows; the run finds that none is a question.
      writeFileSync(scene.at("questions.jsonl"), "not a question\n");
      const sent = await hasp("job", "submit", "--follow", "--", ...runArgs("none"));
      expect(sent.code).toBe(1);
      expect(sent.out).toMatch(/failed: The command 1 .* ended with exit code 2\./);
      const id = /submitted to local: (\S+)/.exec(sent.out)?.[1] ?? "";
      expect((await hasp("job", "status", id)).code).toBe(1);
      const near = await hasp("job", "status", `${id}x`);
      expect(near.err).toContain(`Did you mean "${id}"?`);
    },
    PATIENCE,
  );

  it(
    "a merge that is repeated leaves the run as it is",
    async () => {
      const { hasp } = workspace();
      for (const part of ["1/2", "2/2"])
        expect((await hasp(...runArgs(`part-${part[0]}`), "--shard", part)).code).toBe(0);
      const merge = ["merge", "part-1", "part-2", "-o", "all"];
      expect((await hasp(...merge, "--resume")).out).toContain("run written to all");
      const before = readFileSync(scene.at("all/run.json"), "utf8");
      expect((await hasp(...merge)).code).toBe(2);
      const repeated = await hasp(...merge, "--resume");
      expect(repeated).toMatchObject({ code: 0, err: "" });
      expect(repeated.out).toContain("all is there already.");
      expect(readFileSync(scene.at("all/run.json"), "utf8")).toBe(before);
    },
    PATIENCE,
  );

  it("says how a target is added where there is none, and lists presets", async () => {
    const { hasp } = workspace();
    const none = await hasp("job", "submit", "--target", "lab", "--", ...runArgs("x"));
    expect(none).toMatchObject({ code: 2, out: "" });
    expect(none.err).toContain("hasp.yaml names no target, so there is no lab.");
    expect(none.err).toContain("docs/jobs.md");
    const head = await hasp("job", "preset", "e3");
    expect(head.out.split("\n")).toContain("#SBATCH --time=1-00:00:00");
    const wrong = await hasp("job", "preset", "e33");
    expect(wrong.err).toContain('Did you mean "e3"?');
  });
});
