/** Questions and passages of the measurement, as files of its folder: one and the same for the plain script and every setting. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

import type { Passage } from "../../../src/domains/environment.ts";
import { parseRunInputs } from "../../../src/evaluation/run-inputs.ts";
import { hashText } from "../../../src/trace/hash.ts";
import type { PlainQuestion } from "../plain-react.mts";
import { messageOf, say, stop } from "../report.mts";
import type { Order } from "./order.mts";
import { pathsIn } from "./paths.mts";

export interface Inputs {
  readonly questions: readonly PlainQuestion[];
  readonly passages: readonly Passage[];
}

/** Facts of the folder that all its results share. */
export interface Manifest {
  readonly model: string;
  /** Name and hash of the file. */
  readonly questions: string;
  readonly corpus: string;
  readonly offset: number;
  /** Hash of the plain script. */
  readonly script: string;
}

function textOf(file: string, option: string): { file: string; text: string } {
  try {
    return { file, text: readFileSync(file, "utf8") };
  } catch (error) {
    throw stop(`${option} cannot be read: ${messageOf(error)}.`);
  }
}

const PLAIN_SCRIPT = new URL("../plain-react.mts", import.meta.url);

const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** Reads the questions and keeps those that are asked. Stops where a file is unusable or too short to ask any. */
export function readInputs(order: Order): Inputs {
  const { questions: file, corpus, offset, asked } = order;
  const from = textOf(file, "--questions");
  const read = parseRunInputs(from, {
    corpus: corpus === undefined ? undefined : textOf(corpus, "--corpus"),
  });
  const [problem] = read.diagnostics;
  if (read.value?.corpus === undefined)
    throw stop(`${file}: ${problem?.message ?? "no questions."} ${problem?.next ?? ""}`.trim());
  const most = Math.max(...asked.map(({ count }) => count));
  const questions = read.value.questions.slice(offset, offset + most);
  const judged = questions.flatMap(({ id, question, gold }) =>
    gold === undefined ? [] : [{ id, question, gold }],
  );
  if (questions.length === 0)
    throw stop(
      `${file} has ${read.value.questions.length} questions: none is left after --offset ${offset}.`,
    );
  if (judged.length < questions.length)
    throw stop(
      `${file}: ${questions.length - judged.length} of the questions have no accepted answer (\`gold\`), so nothing can be said of them.`,
    );
  if (questions.length < most)
    say(`${file} has ${questions.length} questions after --offset ${offset}, fewer than ${most}.`);
  return { questions: judged, passages: read.value.corpus.passages };
}

export function readManifest(folder: string): Manifest | undefined {
  const { manifest } = pathsIn(folder);
  return existsSync(manifest) ? (JSON.parse(readFileSync(manifest, "utf8")) as Manifest) : undefined;
}

/** Writes the inputs into the folder. Stops where the folder holds results of another model or of other questions. */
export function keepInputs(order: Order, model: string, { questions, passages }: Inputs): void {
  const { folder, offset } = order;
  const paths = pathsIn(folder);
  const corpus = lines(passages.map(({ title, text }) => ({ title, text })));
  const now: Manifest = {
    model,
    questions: `${basename(order.questions)} ${hashText(readFileSync(order.questions, "utf8"))}`,
    corpus: hashText(corpus),
    offset,
    script: hashText(readFileSync(PLAIN_SCRIPT, "utf8")),
  };
  const before = readManifest(folder);
  const differs = (Object.keys(now) as (keyof Manifest)[]).find(
    (key) => before !== undefined && before[key] !== now[key],
  );
  if (differs !== undefined)
    throw stop(
      `${folder} holds results with another ${differs} (${before?.[differs]}). Name another folder with -o.`,
    );
  mkdirSync(folder, { recursive: true });
  writeFileSync(paths.manifest, `${JSON.stringify(now, undefined, 2)}\n`);
  writeFileSync(paths.questions, lines(questions));
  writeFileSync(paths.corpus, corpus);
  writeFileSync(join(folder, "hasp.yaml"), LIBRARIES);
}

export const LIBRARIES = "libraries:\n  - builtin:web-search\n";
