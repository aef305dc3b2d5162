import { DATA_BLOCKS } from "../dataset/experiments.ts";
import type { ExperimentConfig, Stage } from "../model/experiment.ts";
import { STAGE_WORDS } from "../model/experiment.ts";
import type { JobCommand } from "../model/job.ts";
import { dataCommand, evolveCommand, rolloutCommand, testCommand, trainCommands } from "./commands.ts";
import { keysOf } from "./keys-of.ts";
import type { Evaluation, ExperimentOrder } from "./order.ts";
import type { Plan, PlannedEvaluation, PlannedJob, Student } from "./planned.ts";
import { experimentPaths, trainPaths } from "./paths.ts";

/** What makes a plan its own, beside its order. */
export interface PlanContext {
  /** Eight hexadecimal digits: two experiments of one order in two folders have different ones. */
  readonly id: string;
  readonly cwd: string;
}

/** The jobs of an experiment while they are listed. */
class Planner {
  readonly jobs: PlannedJob[] = [];
  readonly evaluations: PlannedEvaluation[] = [];
  private readonly order: ExperimentOrder;
  private readonly context: PlanContext;
  readonly paths: ReturnType<typeof experimentPaths>;
  private trainings = 0;
  student: Student;
  private hasRolledOut = false;
  /** Evolved skills act, too. */
  private hasEvolved = false;

  constructor(order: ExperimentOrder, context: PlanContext) {
    this.order = order;
    this.context = context;
    this.paths = experimentPaths(order.folder);
    const { start, model } = order.config;
    this.student = this.studentOf(model, start.kind === "adapter" ? start.folder : undefined);
  }

  private studentOf(model: string, adapter: string | undefined): Student {
    const spec = `served:${this.order.name}-${this.context.id}-${this.trainings}`;
    return { spec, model, adapter };
  }

  private get words(): string {
    return this.order.config.loop === "open" ? "iteration" : "phase";
  }

  private titleOf(stage: Stage, iteration: number): string {
    const { iterations } = this.order.config;
    if (iteration > 0) return `${STAGE_WORDS[stage]}, ${this.words} ${iteration} of ${iterations}`;
    return `${STAGE_WORDS[stage]}, before the first ${this.words}`;
  }

  private get skills(): readonly string[] {
    const { skills, domain } = this.order;
    return this.hasEvolved ? [...skills, this.paths.generated(domain)] : skills;
  }

  add(
    stage: Stage,
    iteration: number,
    job: Pick<PlannedJob, "result"> & {
      readonly commands: readonly JobCommand[];
      readonly isServed: boolean;
      readonly title?: string;
      readonly metrics?: string;
      readonly config?: (path: string) => { readonly text: string; readonly commands: readonly JobCommand[] };
    },
  ): string {
    const { order, context, student, jobs } = this;
    const number = String(jobs.length + 1).padStart(2, "0");
    const name = `${number}-${stage}${stage === "evaluate" ? "" : `-${iteration}`}`;
    const folder = this.paths.job(name);
    const title = job.title ?? this.titleOf(stage, iteration);
    const configured = job.config?.(`${folder}/config.json`);
    const served = { model: student.model, engine: "auto" as const };
    jobs.push({
      stage,
      iteration,
      title,
      folder,
      result: job.result,
      optionalSkills: this.hasEvolved ? [this.paths.generated(order.domain)] : [],
      file: configured && { path: `${folder}/config.json`, text: configured.text },
      spec: {
        schema: "hasp.job/1",
        id: `${order.name}-${context.id}-${name}`,
        title,
        cwd: context.cwd,
        commands: [...job.commands, ...(configured?.commands ?? [])],
        ...(job.isServed && {
          serve: { ...served, ...(student.adapter !== undefined && { adapter: student.adapter }) },
        }),
        env: {},
        passEnv: [...keysOf(order)],
        ...(job.metrics !== undefined && { metrics: [job.metrics] }),
      },
    });
    return folder;
  }

  /** A rollout of the train split; answers the runs that the next data are made of. */
  rollOut(iteration: number): readonly string[] {
    const { config, pool } = this.order;
    const isFirst = !this.hasRolledOut;
    this.hasRolledOut = true;
    if (isFirst && pool.length > 0) return pool;
    const run = this.paths.run(`train-${iteration}`);
    const { samples } = config.rollout;
    this.add("rollout", iteration, {
      commands: [rolloutCommand(this.order, this.student, { run, skills: this.skills })],
      isServed: true,
      result: { kind: "runs", runs: [{ run, split: "train", samples, limit: undefined }] },
    });
    return [run];
  }

  /** Training data of runs; answers the file to train on. `isWarmUp`: of every step, as SFT takes them. */
  build(iteration: number, runs: readonly string[], isWarmUp: boolean): string {
    const folder = this.paths.data(iteration);
    const file = isWarmUp ? "a-sft.jsonl" : DATA_BLOCKS[this.order.name].file;
    // A first iteration without a row would be an experiment without a training.
    const mayBeEmpty = iteration > 1;
    this.add("data", iteration, {
      commands: [dataCommand(this.order, { runs, folder, isWarmUp, mayBeEmpty })],
      isServed: false,
      result: { kind: "data", folder, file, mayBeEmpty },
    });
    return `${folder}/${file}`;
  }

  /** A training of the student as it is; the student is then the one that was trained. */
  train(iteration: number, data: string, isWarmUp: boolean): void {
    const { order, student, paths } = this;
    const output = paths.train(iteration);
    const after = iteration > 1 ? paths.train(iteration - 1) : null;
    this.add("train", iteration, {
      commands: [],
      isServed: false,
      metrics: trainPaths(output).metrics,
      config: (path) => trainCommands(order, student, { path, data, output, after, iteration, isWarmUp }),
      result: { kind: "train", output },
      ...(isWarmUp && { title: "Train the student by SFT, before the first " + this.words }),
    });
    this.trainings++;
    const { adapter } = trainPaths(output);
    const isAdapter = order.config.train.lora !== null;
    this.student = isAdapter ? this.studentOf(student.model, adapter) : this.studentOf(adapter, undefined);
  }

  evolve(phase: number): void {
    const { order, student, paths, skills } = this;
    const { evolve } = order.config;
    if (evolve === null) return;
    const folder = paths.evolution(phase);
    const generated = paths.generated(order.domain);
    this.add("evolve", phase, {
      commands: [evolveCommand(order, student, { folder, generated, skills, ...evolve })],
      isServed: true,
      result: { kind: "evolution", folder, epochs: evolve.epochs },
    });
    this.hasEvolved = true;
  }

  /** The student without Program Functions and with them, served once. */
  evaluate(when: Evaluation["when"]): void {
    const { order, student, skills } = this;
    const { split, limit, when: wanted } = order.config.evaluate;
    if (split === "none" || !wanted.includes(when)) return;
    const runs = (["off", "on"] as const).map((pfs) => ({
      pfs,
      run: this.paths.run(`${split}-${when}-pfs-${pfs}`),
      split,
      samples: 1,
      limit: limit ?? undefined,
    }));
    const job = this.add("evaluate", when === "before" ? 0 : order.config.iterations, {
      commands: runs.map((one) => testCommand(order, student, { ...one, skills })),
      isServed: true,
      result: { kind: "runs", runs },
      title: `${STAGE_WORDS.evaluate} ${when} training`,
    });
    this.evaluations.push(...runs.map(({ pfs, run }) => ({ when, pfs, run, job })));
  }
}

/** The one rollout, training data and training before the first iteration (SPEC §8: RS and OPD start from an SFT-warmed policy). */
function warmUp(planner: Planner, { start }: ExperimentConfig): void {
  if (start.kind !== "sft") return;
  planner.train(0, planner.build(0, planner.rollOut(0), true), true);
}

/**
 * The jobs of an experiment in order (SPEC §8). Pure: the same order in the same context gives the same plan, and a resumed experiment finds its
 * jobs by their folders.
 */
export function planExperiment(order: ExperimentOrder, context: PlanContext): Plan {
  const { config } = order;
  const planner = new Planner(order, context);
  planner.evaluate("before");
  warmUp(planner, config);
  for (let iteration = 1; iteration <= config.iterations; iteration++) {
    planner.evolve(iteration);
    planner.train(iteration, planner.build(iteration, planner.rollOut(iteration), false), false);
  }
  planner.evaluate("after");
  return { jobs: planner.jobs, evaluations: planner.evaluations };
}
