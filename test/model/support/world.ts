import { readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../../support/core.ts";

export const QUESTIONS_FILE = path.join(ROOT, "test/fixtures/model/questions.jsonl");
export const CORPUS_FILE = path.join(ROOT, "test/fixtures/model/corpus.jsonl");

export interface OwnQuestion {
  readonly id: string;
  readonly question: string;
  readonly gold: readonly string[];
}

export interface Passage {
  readonly title: string;
  readonly text: string;
}

const rowsOf = <Row>(file: string): Row[] =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);

/** Questions of two links about an invented country, which no model has read of. */
export const QUESTIONS = rowsOf<OwnQuestion>(QUESTIONS_FILE);
export const CORPUS = rowsOf<Passage>(CORPUS_FILE);
