/** Runs with a scripted policy, and the training data that the built `hasp train-data` makes of them. */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Episode } from "../../src/model/episode.ts";
import type { DataCard } from "../../src/model/data-card.ts";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import { ROOT } from "./core.ts";
import { openScene, type Ended, type HookScene } from "./hook-process.ts";
import { paperSkill } from "./shipped.ts";

export const FIXTURES = path.join(ROOT, "test/fixtures/train-data");

/** Files of a folder of training data by their name. */
export type Folder = Readonly<Record<string, string>>;

export interface Message {
  readonly role: string;
  readonly content: string;
}

/** A row of objective A, or a line of steps.jsonl. */
export interface Row {
  readonly run: string;
  readonly episode: string;
  readonly question_id: string;
  readonly sample: number;
  readonly step: number;
  readonly correction: string;
  readonly prompt?: readonly Message[];
  readonly completion?: readonly Message[];
  readonly chosen?: readonly Message[];
  readonly rejected?: readonly Message[];
  readonly sample_weight?: number;
  readonly reward?: number;
  readonly dropped?: string;
}

export interface Built {
  readonly cards: readonly DataCard[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ScriptedRun {
  readonly output: string;
  readonly questions?: string;
  /** Replies in order, question by question, or entries of a script. */
  readonly script: readonly unknown[] | string;
  readonly args?: readonly string[];
}

export interface TrainScene extends HookScene {
  /** `hasp run` over the corpus of the fixtures; fails where it fails. */
  run(order: ScriptedRun): Promise<readonly Episode[]>;
  /** `hasp train-data --json`; fails where it ends with another code than this one. */
  build(args: readonly string[], code?: number): Promise<Built>;
  read(file: string): string;
  write(file: string, text: string): void;
}

export const jsonl = (rows: readonly object[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join("");

export const linesOf = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];

export const rowsOf = (file: string): readonly Row[] => linesOf(file).map((line) => JSON.parse(line) as Row);

export const placeOf = ({ episode, step }: Row): string => `${episode}:${step}`;

/** All files of a folder with their bytes; `.tmp` files of a build that was killed do not count. */
export const folderOf = (folder: string): Folder =>
  Object.fromEntries(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith(".tmp"))
      .map(({ name }) => name)
      .toSorted()
      .map((name) => [name, readFileSync(path.join(folder, name), "latin1")]),
  );

/** The reply of a policy with one action. */
export const say = (action: string, thought = "I go on."): string => `Thought: ${thought}\nAction: ${action}`;

/** The last one is the fixture's own: the shipped one holds back more answers. */
const SKILLS = [
  paperSkill("insufficient-exploration"),
  paperSkill("retrieval-failure"),
  "test/fixtures/train-data/claim-triangulation",
];

/** A folder in which the three are the library. */
export function openTrainScene(name: string): TrainScene {
  const scene = openScene(name);
  for (const skill of SKILLS)
    cpSync(path.join(ROOT, skill), scene.at("skills/web-search", path.basename(skill)), { recursive: true });
  const all = (ended: Ended): string => `${ended.code}\n${ended.err}${ended.out}`;
  return {
    ...scene,
    async run({ output, questions = path.join(FIXTURES, "questions.jsonl"), script, args = [] }) {
      const file = typeof script === "string" ? script : scene.at(`${path.basename(output)}-script.json`);
      if (typeof script !== "string") writeFileSync(file, JSON.stringify(script));
      const sources = ["--questions", questions, "--corpus", path.join(FIXTURES, "corpus.jsonl")];
      const rest = ["--policy", `scripted:${file}`, "--setting", "pf-only", "--concurrency", "1"];
      const ended = await scene.hasp("run", ...sources, ...rest, "-o", output, ...args);
      if (ended.code !== 0) throw new Error(`hasp run ended with ${all(ended)}`);
      return linesOf(scene.at(output, "episodes.jsonl")).map((line) => JSON.parse(line) as Episode);
    },
    async build(args, code = 0) {
      const ended = await scene.hasp("train-data", ...args, "--json");
      if (ended.code !== code) throw new Error(`hasp train-data ended with ${all(ended)}`);
      const result = ended.out.slice(ended.out.indexOf("{"));
      return JSON.parse(result) as Built;
    },
    read: (file) => readFileSync(scene.at(file), "utf8"),
    write: (file, text) => writeFileSync(scene.at(file), text),
  };
}

/** The run of the fixtures, `run`. */
export const fixtureRun = (scene: TrainScene, output = "run"): Promise<readonly Episode[]> =>
  scene.run({
    output,
    script: path.join(FIXTURES, "script.yaml"),
    args: ["--skills", "skills/web-search", "--max-steps", "12"],
  });
