import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";

/** A file of questions, of which 30 are the test split and 20 the train split. */
export const COUNTRIES = "countries.jsonl";
export const CORPUS = "corpus/atlas.jsonl";
/** The folder of the student's model. */
export const STUDENT = "models/student";

const QUESTIONS = 150;

function write(folder: string, name: string, text: string): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const asLines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** Writes questions, passages and a model's folder into a workspace. */
export function writeCountries(workspace: string): void {
  const numbers = Array.from({ length: QUESTIONS }, (_, i) => i + 1);
  const questions = numbers.map((n) => ({
    id: `q${n}`,
    question: `What is the capital of Country${n}?`,
    gold: [`City${n}`],
  }));
  const passages = numbers.map((n) => ({
    title: `Country${n}`,
    text: `Country${n} is a country. City${n} is the capital of Country${n}.`,
  }));
  write(workspace, COUNTRIES, asLines(questions));
  write(workspace, CORPUS, asLines(passages));
  write(workspace, `${STUDENT}/config.json`, JSON.stringify({ model_type: "llama" }));
  write(workspace, `${STUDENT}/tokenizer_config.json`, JSON.stringify({}));
}

/** Small values for an experiment on those questions, as a person's YAML file. */
export const SMALL_CONFIG = `model: ${STUDENT}
rollout: {samples: 1, retriever: corpus, setting: pf-only, concurrency: 2}
train: {epochs: 1, max_length: 512}
evaluate: {limit: 6}
`;

/** An executable that stands in for the trainer's Python (scripted-trainer.ts). `program`: that file. */
export function writeScriptedPython(
  folder: string,
  program: string,
  { steps = 4, stepMs = 50 }: { readonly steps?: number; readonly stepMs?: number } = {},
): string {
  const file = join(folder, "python");
  const env = `ELECTRON_RUN_AS_NODE=1 SCRIPTED_STEPS=${steps} SCRIPTED_STEP_MS=${stepMs}`;
  const text = `#!/bin/sh\n${env} exec "${process.execPath}" --no-warnings "${program}" "$@"\n`;
  write(folder, "python", text);
  chmodSync(file, 0o755);
  return file;
}
