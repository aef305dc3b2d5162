/** The one table of the demonstration, as Markdown and as JSON. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";

import { CONTROLS } from "./control.mts";
import type { Size } from "./plan.mts";
import { seedPaths } from "./prepare.mts";
import { byPerson, estimate, type Estimate, resultsOf, triggerRates } from "./table.mts";

type Results = NonNullable<ReturnType<typeof resultsOf>>;
type Cells = Readonly<Record<"off" | "on", readonly Results[] | undefined>>;

interface Row {
  readonly name: string;
  readonly cells: Cells;
}

interface Measured {
  readonly name: string;
  readonly off?: Estimate;
  readonly on?: Estimate;
  /** Against the student before training, of the same people. */
  readonly change?: Estimate;
  /** Episodes with PFs on in which a Program Function replaced an action, and actions replaced in an episode. */
  readonly changed?: number;
  readonly triggers?: readonly (readonly [string, number])[];
}

const RIGHT = ({ right }: Results[number]): number => (right ? 1 : 0);

/** A cell counts where every seed has it. */
function cell(
  folder: string,
  size: Size,
  run: (paths: ReturnType<typeof seedPaths>) => string,
): readonly Results[] | undefined {
  const all = size.seeds.map((seed) => resultsOf(run(seedPaths(folder, seed))));
  return all.every((results) => results !== undefined && results.length > 0) ? (all as Results[]) : undefined;
}

function rowsOf(folder: string, size: Size, split: string): Row[] {
  const [first = "e1"] = size.experiments;
  const of = (name: string, run: (paths: ReturnType<typeof seedPaths>, pfs: string) => string): Row => ({
    name,
    cells: {
      off: cell(folder, size, (paths) => run(paths, "off")),
      on: cell(folder, size, (paths) => run(paths, "on")),
    },
  });
  return [
    of("before training", (paths, pfs) =>
      resolve(paths.experiment(first), `runs/${split}-before-pfs-${pfs}`),
    ),
    ...size.experiments.map((name) =>
      of(name.toUpperCase(), (paths, pfs) =>
        resolve(paths.experiment(name), `runs/${split}-after-pfs-${pfs}`),
      ),
    ),
    ...CONTROLS.map((name) =>
      of(`control: ${name}`, (paths, pfs) => resolve(paths.experiment("control"), name, `pfs-${pfs}`)),
    ),
  ];
}

const shares = (results: readonly Results[] | undefined): ReturnType<typeof byPerson> | undefined =>
  results && byPerson(results, RIGHT);

function measure({ name, cells }: Row, before: Row | undefined): Measured {
  const [off, on, base] = [shares(cells.off), shares(cells.on), shares(before?.cells.off)];
  const all = cells.on?.flat();
  return {
    name,
    ...(off && { off: estimate(off) }),
    ...(on && { on: estimate(on) }),
    ...(off && base && name !== before?.name && { change: estimate(off, base) }),
    ...(all && { changed: all.reduce((sum, { changed }) => sum + changed, 0) / all.length }),
    ...(cells.on && { triggers: triggerRates(cells.on) }),
  };
}

const percent = (share: number): string => (100 * share).toFixed(1);
const shown = (one: Estimate | undefined): string =>
  one === undefined ? "" : `${percent(one.value)} (${percent(one.low)} to ${percent(one.high)})`;
const signed = (one: Estimate | undefined): string =>
  one === undefined ? "" : `${one.value < 0 ? "" : "+"}${shown(one)}`;

function comparison(rows: readonly Row[], name: string, other: string): Estimate | undefined {
  const find = (wanted: string): ReturnType<typeof byPerson> | undefined =>
    shares(rows.find((row) => row.name === wanted)?.cells.off);
  const [of, less] = [find(name), find(other)];
  return of && less && estimate(of, less);
}

/** Writes `miniature-results.md` and `.json` into the folder; answers the Markdown file. */
export function writeResults(folder: string, size: Size, split: "test" | "val"): string {
  const rows = rowsOf(folder, size, split);
  const measured = rows.map((row) => measure(row, rows[0]));
  const comparisons = CONTROLS.map((name) => ({
    name: `E1 less control: ${name}`,
    estimate: comparison(rows, "E1", `control: ${name}`),
  }));
  const people =
    rows[0]?.cells.off?.map((results) => new Set(results.map(({ person }) => person)).size) ?? [];
  const questions = rows[0]?.cells.off?.map((results) => results.length) ?? [];
  const json = {
    schema: "hasp.miniature/1",
    split,
    seeds: size.seeds,
    people,
    questions,
    rows: measured,
    comparisons,
  };
  writeFileSync(resolve(folder, "miniature-results.json"), `${JSON.stringify(json, null, 2)}\n`);
  const file = resolve(folder, "miniature-results.md");
  writeFileSync(file, markdown(measured, comparisons, { split, size, people, questions }));
  return file;
}

interface About {
  readonly split: string;
  readonly size: Size;
  readonly people: readonly number[];
  readonly questions: readonly number[];
}

function markdown(
  rows: readonly Measured[],
  comparisons: readonly { readonly name: string; readonly estimate: Estimate | undefined }[],
  { split, size, people, questions }: About,
): string {
  const lines = rows.map(
    ({ name, off, on, change, changed }) =>
      `| ${[name, shown(off), shown(on), signed(change), changed?.toFixed(2) ?? ""].join(" | ")} |`,
  );
  const skills = [...new Set(rows.flatMap(({ triggers = [] }) => triggers.map(([skill]) => skill)))];
  const rate = ({ triggers = [] }: Measured, skill: string): string =>
    percent(triggers.find(([id]) => id === skill)?.[1] ?? 0);
  const withTriggers = rows.filter(({ triggers }) => triggers !== undefined);
  return [
    `Exact match on the ${split} split in %, mean over the seeds ${size.seeds.join(", ")}, with the 95% interval; people of the seeds: ${people.join(", ")}, questions: ${questions.join(", ")}.`,
    "",
    "| student | EM, PFs off | EM, PFs on | change, PFs off | actions replaced an episode, PFs on |",
    "| --- | --- | --- | --- | --- |",
    ...lines,
    "",
    ...comparisons.map(
      ({ name, estimate: one }) => `- ${name}, PFs off: ${one === undefined ? "not measured" : signed(one)}`,
    ),
    "",
    "Episodes in which a skill acted with PFs on, in %:",
    "",
    `| skill | ${withTriggers.map(({ name }) => name).join(" | ")} |`,
    `| --- |${" --- |".repeat(withTriggers.length)}`,
    ...skills.map((skill) => `| ${skill} | ${withTriggers.map((row) => rate(row, skill)).join(" | ")} |`),
    "",
    "Intervals: percentile bootstrap with 2,000 resamples; in each, as many people of each seed are drawn anew with all of their questions. Differences are of the same people.",
    "The policy of the pre-training, the author (E4 to E6) and the teacher (reviews of E4) are played by rules. No language model was asked.",
    "",
  ].join("\n");
}
