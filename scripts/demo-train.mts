// `npm run demo:train`: a small student, made and pre-trained here, goes through E1 to E7; one table says what they did.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";

import { EXPERIMENTS, type ExperimentName } from "../src/model/experiment.ts";
import { build } from "./lib/package.mts";
import { runMain, say, secondsSince, stop } from "./lib/report.mts";
import { prepareTrainer } from "./lib/trainer-env.mts";
import { runControls } from "./miniature/control.mts";
import { needsWarmStart, type OneExperiment, runOne } from "./miniature/experiments.mts";
import { serveReplies } from "./miniature/loopback.mts";
import { FULL, SHORT, type Size } from "./miniature/plan.mts";
import { prepareSeed, seedPaths } from "./miniature/prepare.mts";
import { replyAs } from "./miniature/roles.mts";
import { writeResults } from "./miniature/write-results.mts";

const USAGE = `npm run demo:train -- [--seeds 1,2,3] [--only e1,e4] [--short] [--split test|val] [-o <folder>]
  --seeds   one student, one world and one set of experiments for each (default: 1,2,3)
  --only    these experiments (default: all)
  --short   the smallest world, a student that has hardly learned, and E1 alone: whether all parts work
  --split   the questions of the evaluation (default: test)
  --lanes   parts at a time (default: 2)
  --built   with dist/ as it is
  -o        the folder of all files; what is there is kept (default: .hasp/miniature)`;

interface Order {
  readonly folder: string;
  readonly size: Size;
  readonly split: "test" | "val";
  readonly lanes: number;
  readonly isBuilt: boolean;
}

await runMain(async () => {
  const order = orderOf();
  if (order === undefined) {
    console.log(USAGE);
    return 0;
  }
  const start = performance.now();
  if (!order.isBuilt) await build();
  const trainer = await prepareTrainer();
  if ("missing" in trainer) throw stop(`The trainer's Python is missing: ${trainer.missing}.`);
  mkdirSync(order.folder, { recursive: true });
  const failures = await runAll(order, trainer.python);
  const file = writeResults(order.folder, order.size, order.split);
  process.stdout.write(readFileSync(file, "utf8"));
  say(`${file}, after ${secondsSince(start)}`);
  if (failures > 0) say(`${failures} parts failed, as said above; the same command does what is left.`);
  return failures > 0 ? 1 : 0;
});

function orderOf(): Order | undefined {
  const { values } = parseArgs({
    options: {
      seeds: { type: "string" },
      only: { type: "string" },
      short: { type: "boolean", default: false },
      split: { type: "string", default: "test" },
      lanes: { type: "string", default: "2" },
      built: { type: "boolean", default: false },
      output: { type: "string", short: "o", default: ".hasp/miniature" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  const base = values.short ? SHORT : FULL;
  const seeds = values.seeds === undefined ? base.seeds : values.seeds.split(",").map(Number);
  if (seeds.some((seed) => !Number.isSafeInteger(seed) || seed < 0))
    throw stop(`--seeds ${values.seeds} are not whole numbers.\n${USAGE}`);
  const lanes = Number(values.lanes);
  if (!Number.isSafeInteger(lanes) || lanes < 1)
    throw stop(`--lanes ${values.lanes} is not a whole number of 1 or more.\n${USAGE}`);
  const { split } = values;
  if (split !== "test" && split !== "val") throw stop(`--split is test or val.\n${USAGE}`);
  const experiments = values.only === undefined ? base.experiments : experimentsOf(values.only);
  const folder = resolve(values.output);
  return { folder, size: { ...base, seeds, experiments }, split, lanes, isBuilt: values.built };
}

function experimentsOf(text: string): readonly ExperimentName[] {
  const names = text.split(",");
  const unknown = names.filter((name) => !(EXPERIMENTS as readonly string[]).includes(name));
  if (unknown.length > 0) throw stop(`Unknown experiment ${unknown.join(", ")}.\n${USAGE}`);
  return EXPERIMENTS.filter((name) => names.includes(name));
}

/** Students first, then each experiment seed by seed: as many at a time as there are lanes. Answers how many parts failed. */
async function runAll({ folder, size, split, lanes }: Order, interpreter: string): Promise<number> {
  // Lanes that each compute with as many threads as there are cores hinder one another.
  process.env["OMP_NUM_THREADS"] ??= String(Math.max(1, Math.floor(availableParallelism() / lanes)));
  const roles = await serveReplies(replyAs, portIn(folder));
  writeFileSync(resolve(folder, "port.txt"), new URL(roles.url).port);
  try {
    const common = { size, split, interpreter, roles: roles.url };
    const works = size.seeds.map((seed) =>
      worksOf({ ...common, paths: seedPaths(folder, seed), seed }, folder),
    );
    const ranks = works[0]?.map((_, rank) => rank) ?? [];
    return await inLanes(
      lanes,
      ranks.flatMap((rank) => works.flatMap((own) => own[rank] ?? [])),
    );
  } finally {
    await roles.close();
  }
}

type Part = "student" | "controls" | ExperimentName;

/** Student, experiments and controls of a seed. Those that need another one's result wait for it, and are left out where it failed. */
function worksOf(common: Omit<OneExperiment, "name">, folder: string): (() => Promise<void>)[] {
  const { paths, seed, size, interpreter } = common;
  const wanted = size.experiments;
  const ended = new Map<Part, Promise<boolean>>();
  const part = (name: Part, work: () => Promise<void>, after?: Part): (() => Promise<void>) => {
    const { promise, resolve: end } = Promise.withResolvers<boolean>();
    ended.set(name, promise);
    return timed(folder, `seed ${seed}: ${name}`, async () => {
      let hasPassed = false;
      try {
        if (after !== undefined && (await ended.get(after)) === false)
          throw stop(`seed ${seed}: ${name} is left out, because ${after} failed.`);
        await work();
        hasPassed = true;
      } finally {
        end(hasPassed);
      }
    });
  };
  const startOf = (name: ExperimentName): Part =>
    needsWarmStart(name) && wanted.includes("e2") ? "e2" : "student";
  const experiment = (name: ExperimentName): (() => Promise<void>) =>
    part(name, () => runOne({ ...common, name }), startOf(name));
  const isFirst = (name: ExperimentName): boolean => name === "e1" || name === "e2";
  const later = wanted.filter((name) => !isFirst(name));
  return [
    part("student", () => prepareSeed(paths, seed, size, interpreter)),
    ...wanted.filter(isFirst).map(experiment),
    ...(wanted.includes("e1") ? [part("controls", () => runControls(common), "e1")] : []),
    ...[...later.filter((name) => !needsWarmStart(name)), ...later.filter(needsWarmStart)].map(experiment),
  ];
}

/** The port of author and teacher stands in the orders of the experiments, so that a resumed one needs the same. */
function portIn(folder: string): number {
  const file = resolve(folder, "port.txt");
  return existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
}

/** Says how long a part took, and keeps it in `times.jsonl`. */
function timed(folder: string, part: string, work: () => Promise<void>): () => Promise<void> {
  return async () => {
    const start = performance.now();
    say(`${part} …`);
    await work();
    say(`${part}: ${secondsSince(start)}`);
    const seconds = Math.round((performance.now() - start) / 100) / 10;
    writeFileSync(resolve(folder, "times.jsonl"), `${JSON.stringify({ part, seconds })}\n`, { flag: "a" });
  };
}

/** Does the works in their order, so many at a time. One that fails is said and counted, and the others are done. */
async function inLanes(count: number, works: readonly (() => Promise<void>)[]): Promise<number> {
  const waiting = [...works];
  let failures = 0;
  const lane = async (): Promise<void> => {
    for (let work = waiting.shift(); work !== undefined; work = waiting.shift())
      await work().catch((error: unknown) => {
        failures += 1;
        say(error instanceof Error ? error.message : String(error));
      });
  };
  await Promise.all(Array.from({ length: count }, lane));
  return failures;
}
