import { parseArgs } from "node:util";

import { changedFiles } from "./git.mts";
import { stop } from "./report.mts";
import { type Stage, STAGES } from "./stages.mts";
import { stagesThatFit, touchedStages } from "./touched-stages.mts";

const NAMES = STAGES.map(({ name }) => name);

const USAGE = `npm test -- [--only STAGES] [--thorough[=STAGES]] [--changed[=COMMIT]] [--minutes N] [--built]
  --only      these stages, of ${NAMES.join(",")}
  --thorough  all kills, seeds and themes of the stages (all of them where none is named)
  --changed   thorough where the stage's sources differ from COMMIT (HEAD^1, the first parent), as far as the time allows
  --minutes   all ends then; the time that --changed plans with
  --built     with dist/ and dist-test/ as they are`;

/** The stages to run, each in its form. */
export interface TestPlan {
  stages: { stage: Stage; isThorough: boolean }[];
  /** In words, what of all tests this leaves out. */
  omitted: string[];
  minutes: number | undefined;
  isBuilt: boolean;
}

/** Stages at a time: none of them keeps two cores busy, and their deadlines hold on half a core. */
export const LANES = 2;

/** Reads the command line. Throws a `stop()` with the usage. */
export function readPlan(argv: readonly string[]): TestPlan {
  const { values } = parse(argv);
  const only = namesIn(values.only) ?? [];
  const minutes = minutesIn(values.minutes);
  const wanted = values.changed === undefined ? [] : touchedSince(values.changed);
  const touched = stagesThatFit(STAGES, wanted, (minutes ?? Infinity) * 60, LANES);
  const left = wanted.filter((name) => !touched.includes(name));
  const named = namesIn(values.thorough) ?? [];
  const isThorough = ({ name, formOfChange }: Stage): boolean =>
    named.includes(name) || (formOfChange !== "normal" && touched.includes(name));
  const stages = STAGES.filter((stage) =>
    only.length > 0
      ? only.includes(stage.name)
      : stage.isOptional !== true || isThorough(stage) || touched.includes(stage.name),
  ).map((stage) => ({ stage, isThorough: isThorough(stage) }));
  return { stages, omitted: omissions(stages, only, left), minutes, isBuilt: values.built };
}

function parse(argv: readonly string[]) {
  const args = argv.map(withValue);
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args,
      options: {
        only: text,
        thorough: text,
        changed: text,
        minutes: text,
        built: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw stop(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}

/** `parseArgs` has no options whose value may be left out. */
function withValue(arg: string): string {
  if (arg === "--thorough") return `${arg}=${NAMES.join(",")}`;
  return arg === "--changed" ? `${arg}=HEAD^1` : arg;
}

function namesIn(list: string | undefined): string[] | undefined {
  const names = list?.split(",");
  const unknown = names?.filter((name) => !NAMES.includes(name)) ?? [];
  if (unknown.length > 0) throw stop(`Unknown stage ${unknown.join(", ")}.\n${USAGE}`);
  return names;
}

function minutesIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const minutes = Number(text);
  if (!(minutes > 0)) throw stop(`Expected a number of minutes, not ${text}.\n${USAGE}`);
  return minutes;
}

/** A clone without history counts as touched all over. */
function touchedSince(commit: string): string[] {
  const files = changedFiles(commit);
  return files === undefined ? NAMES : touchedStages(files);
}

/** In words, what the plan leaves out of its stages, and the stages without a normal form that it leaves out whole. */
function omissions(planned: TestPlan["stages"], only: readonly string[], left: readonly string[]): string[] {
  const inForm = (name: string): "none" | "normal" | "thorough" => {
    const found = planned.find(({ stage }) => stage.name === name);
    if (found === undefined) return "none";
    return found.isThorough ? "thorough" : "normal";
  };
  const isIncomplete = ({ name, isOptional }: Stage): boolean =>
    isOptional === true ? only.length === 0 && inForm(name) === "none" : inForm(name) === "normal";
  return [
    ...STAGES.filter((stage) => stage.omits !== undefined && isIncomplete(stage)).map(
      ({ name, omits }) => `${name}: not run: ${omits} (\`npm test -- --thorough=${name}\`)`,
    ),
    ...STAGES.filter(({ name }) => left.includes(name)).map(
      ({ name, formOfChange = "thorough" }) =>
        `${name}: not run: its ${formOfChange} form, which does not fit into the time`,
    ),
  ];
}
