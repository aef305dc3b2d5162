import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { EVERY_RECORD } from "../../support/every-record.mts";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { Checked } from "../../../src/model/diagnostic.ts";
import type { ExperimentName } from "../../../src/model/experiment.ts";
import type { JobBackend, JobCommand, JobRecord, JobSpec } from "../../../src/model/job.ts";
import { filesBelow } from "../../../src/platform/files-below.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { sha256 } from "../../../src/platform/sha256.ts";
import { createRun } from "../../../src/trace/create-run.ts";
import type { ExperimentEvent, ExperimentOrder, ExperimentServices } from "../../../src/training/order.ts";
import { shippedConfig } from "../../../src/training/shipped-configs.ts";
import { episode } from "../trace/support.ts";

export const QUESTIONS = 200;
/** Of 200 questions: 40 test, and 160 of which 50 are seed and 50 validation. */
export const SIZES = { test: 40, train: 60 };

/** A folder with questions and a corpus. */
export function workspace(): string {
  const root = mkdtempSync(path.join(tmpdir(), "hasp-training-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const rows = Array.from({ length: QUESTIONS }, (_, i) => ({
    id: `q${i}`,
    question: `Which city is person n${i} from?`,
    gold: [`c${i % 7}`],
  }));
  const passages = rows.map(({ gold }, i) => ({ title: `n${i}`, text: `n${i} is from ${gold[0]}.` }));
  const lines = (list: readonly object[]): string => list.map((one) => `${JSON.stringify(one)}\n`).join("");
  writeFileSync(path.join(root, "questions.jsonl"), lines(rows));
  writeFileSync(path.join(root, "corpus.jsonl"), lines(passages));
  return root;
}

export const FOLDER = "exp";

export function orderOf(name: ExperimentName, change: Partial<ExperimentOrder> = {}): ExperimentOrder {
  return {
    name,
    folder: FOLDER,
    config: shippedConfig(name),
    domain: "web-search",
    questions: "questions.jsonl",
    corpus: "corpus.jsonl",
    skills: ["builtin:web-search"],
    teacher: "scripted:teacher.yaml",
    pool: [],
    seed: 42,
    ...change,
  };
}

/** What a job of the fake backend does beside its usual work. */
export interface FakeOptions {
  /** Ends the job with this record, in place of its work. */
  readonly fails?: (spec: JobSpec) => Omit<JobRecord, "status"> | undefined;
  /** The share of right answers in a run. */
  readonly right?: (run: string) => number;
  /** Rows of a folder of training data. */
  readonly rows?: (folder: string) => number;
  /** The stop reason of an episode. */
  readonly stopReason?: (run: string, index: number) => string;
  /** Episodes that the run lacks. */
  readonly missing?: (run: string) => number;
}

const after = ({ args }: JobCommand, name: string): string | undefined => {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args[at + 1];
};

/** A machine that jobs run on; it lives on when a sitting is killed. */
export class FakeMachine {
  readonly records = new Map<string, JobRecord>();
  /** Ids of the jobs whose work was done, in order. */
  readonly worked: string[] = [];
  readonly cancelled: string[] = [];
  readonly files: ReturnType<typeof nodeFiles>;
  private readonly root: string;
  private readonly options: FakeOptions;

  constructor(root: string, options: FakeOptions = {}) {
    this.root = root;
    this.options = options;
    this.files = filesBelow(root, nodeFiles());
  }

  private specOf(folder: string): JobSpec {
    return JSON.parse(readFileSync(path.join(folder, "job.json"), "utf8")) as JobSpec;
  }

  /** Does the work of a job that runs. */
  async finish(folder: string): Promise<void> {
    if (this.records.get(folder)?.status !== "running") return;
    const spec = this.specOf(folder);
    const failure = this.options.fails?.(spec);
    if (failure !== undefined) {
      this.records.set(folder, { ...failure, status: "failed" });
      return;
    }
    for (const command of spec.commands) await this.execute(command);
    this.worked.push(spec.id);
    this.records.set(folder, { status: "succeeded" });
  }

  private async execute(command: JobCommand): Promise<void> {
    const [first, , third = ""] = command.args;
    if (first === "run") return this.run(command);
    if (first === "evolve") return this.evolve(command);
    if (first === "train-data") return this.data(command);
    return third === "preflight" ? undefined : this.train(command);
  }

  private async run(command: JobCommand): Promise<void> {
    const folder = after(command, "-o") ?? "";
    const split = after(command, "--split") as keyof typeof SIZES;
    const samples = Number(after(command, "--samples") ?? 1);
    const { right = () => 0.5, stopReason = () => "final", missing = () => 0 } = this.options;
    const settings = { split, questions: { file: "questions.jsonl", hash: "" } };
    const run = { id: "run", title: "run", domain: "web-search", createdAt: "", source: "hasp", settings };
    await createRun(this.files, folder, run);
    const asked = Math.min(SIZES[split], Number(after(command, "--limit") ?? SIZES[split]));
    const lines = Array.from({ length: asked * samples - missing(folder) }, (_, i) => {
      const isRight = i < right(folder) * asked;
      const outcome = isRight ? ("correct" as const) : ("wrong" as const);
      const question = Math.floor(i / samples);
      const parts = {
        answer: isRight ? "right" : "wrong",
        gold: ["right"],
        stopReason: stopReason(folder, i),
      };
      return JSON.stringify(
        episode(`e${i}`, { questionId: `q${question}`, sample: 1 + (i % samples), outcome, ...parts }),
      );
    });
    await this.files.writeText(`${folder}/episodes.jsonl`, `${lines.join("\n")}\n`);
  }

  private async evolve(command: JobCommand): Promise<void> {
    const folder = after(command, "-o") ?? "";
    const order = {
      schema: "hasp.evolution/1",
      id: "evo",
      createdAt: "",
      domain: "web-search",
      generated: after(command, "--generated") ?? "",
      mode: "lite",
      gate: "exec-only",
      worth: false,
      caps: { candidates: 1, minClusterSize: 1, librarySize: 1 },
      seed: 1,
      author: "",
      teacher: "",
      pinned: [],
      rollouts: {},
      epochs: 1,
    };
    await this.files.writeText(`${folder}/evolution.json`, JSON.stringify(order));
    const phases = {
      rollout: { runs: [], episodes: 0, failed: 0 },
      failures: { clusters: [] },
      proposals: { proposals: [] },
      checks: { candidates: [] },
      reviews: { candidates: [] },
      admission: { before: 0, after: 0, admitted: [], retired: [] },
      credit: {},
      data: { rows: {}, notices: [] },
    };
    for (const [phase, value] of Object.entries(phases))
      await this.files.writeText(
        `${folder}/epoch_1/${phase}.json`,
        JSON.stringify({ ...value, words: "done" }),
      );
  }

  private async data(command: JobCommand): Promise<void> {
    const folder = after(command, "-o") ?? "";
    const file = after(command, "--experiment") === "e7" ? "a-context" : "a-sft";
    const rows = this.options.rows?.(folder) ?? 3;
    await this.files.writeText(`${folder}/${file}.jsonl`, "{}\n".repeat(rows));
    await this.files.writeText(`${folder}/${file}.card.json`, JSON.stringify({ rows }));
  }

  private async train({ args }: JobCommand): Promise<void> {
    const config = JSON.parse(readFileSync(path.join(this.root, args[3] ?? ""), "utf8")) as {
      output: string;
      data: string[];
    };
    const { output, data } = config;
    const [rows] = data.map((file) => readFileSync(path.join(this.root, file), "utf8"));
    const isEmpty = rows === "";
    const metrics = { step: 10, iteration: 1, loss: 0.5, grad_norm: 1, learning_rate: 1e-5, entropy: 1 };
    const line = { ...metrics, num_tokens: 100, mean_token_accuracy: 0.9, epoch: 1 };
    if (!isEmpty) await this.files.writeText(`${output}/metrics.jsonl`, `${JSON.stringify(line)}\n`);
    await this.files.writeText(`${output}/adapter/adapter_config.json`, "{}");
    const result = {
      schema: "hasp.training/1",
      steps: isEmpty ? 0 : 10,
      tokens: isEmpty ? 0 : 100,
      loss: isEmpty ? null : 0.5,
      seconds: 1,
      adapter: "adapter",
    };
    await this.files.writeText(`${output}/result.json`, JSON.stringify(result));
  }

  get backend(): JobBackend {
    const record = (folder: string): JobRecord => this.records.get(folder) ?? { status: "prepared" };
    return {
      name: "fake",
      submit: async (folder) => {
        if (!["running", "succeeded"].includes(record(folder).status))
          this.records.set(folder, { status: "running" });
      },
      status: async (folder) => record(folder),
      follow: (folder, signal) => this.follow(folder, signal),
      cancel: async (folder) => {
        this.cancelled.push(folder);
        if (record(folder).status === "running") this.records.set(folder, { status: "stopped" });
      },
      fetch: async () => undefined,
    };
  }

  private async *follow(folder: string, signal: AbortSignal) {
    yield { kind: "log" as const, line: "begun" };
    if (signal.aborted) return;
    await this.finish(folder);
    yield { kind: "status" as const, record: this.records.get(folder) ?? { status: "lost" as const } };
  }
}

export interface Sitting extends Partial<ExperimentServices> {
  readonly events?: ExperimentEvent[];
}

export function servicesOn(machine: FakeMachine, root: string, change: Sitting = {}): ExperimentServices {
  const { events, ...rest } = change;
  return {
    files: machine.files,
    cwd: root,
    backend: machine.backend,
    clock: { now: () => "2026-01-01T00:00:00.000Z" },
    sha256,
    own: EVERY_RECORD,
    libraryHash: async () => "library",
    signal: new AbortController().signal,
    stop: new AbortController().signal,
    on: (event) => void events?.push(event),
    ...rest,
  };
}

/** Every file below a folder with its text. */
export function filesOf(root: string, folder: string): Readonly<Record<string, string>> {
  const at = path.join(root, folder);
  const names = readdirSync(at, { recursive: true, encoding: "utf8" }).toSorted();
  return Object.fromEntries(
    names
      .filter((name) => statSync(path.join(at, name)).isFile() && !name.endsWith(".index"))
      .map((name) => [name, readFileSync(path.join(at, name), "utf8")]),
  );
}

/** `1/5 evaluate 0 done` */
export const stagesIn = (events: readonly ExperimentEvent[]): readonly string[] =>
  events.flatMap((event) =>
    event.kind === "stage"
      ? [`${event.index + 1}/${event.total} ${event.stage} ${event.iteration} ${event.status}`]
      : [],
  );

/** The results of the jobs in words. */
export const wordsIn = (events: readonly ExperimentEvent[]): readonly string[] =>
  events.flatMap((event) => (event.kind === "stage" ? (event.words ?? []) : []));

export const problemsOf = (ended: Checked<unknown>): readonly string[] =>
  ended.diagnostics.map(({ code, message }) => `${code} ${message}`);
