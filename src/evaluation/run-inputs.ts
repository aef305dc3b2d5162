import type { Domain } from "../domains/domain.ts";
import type { Passage } from "../domains/environment.ts";
import { datasetsOf, defaultDomain } from "../domains/registry.ts";
import { parseCorpus } from "../domains/passages/corpus.ts";
import type { Question } from "../harness/question.ts";
import type { Checked } from "../model/diagnostic.ts";
import { hashText } from "../trace/hash.ts";
import type { SplitName } from "../model/question-set.ts";
import { parseDataset } from "./datasets.ts";
import { parseQuestions, type ReadsGold } from "./questions.ts";
import { splitOf } from "./splits.ts";

/** A file with its text, as somebody named it. */
export interface NamedText {
  readonly file: string;
  readonly text: string;
}

/** A file that a run was made from, as `run.json` records it. */
export interface InputFile {
  readonly file: string;
  readonly hash: string;
}

export interface RunInputs {
  readonly questions: readonly Question[];
  readonly questionsFile: InputFile;
  /** What is searched; undefined where nothing here is. */
  readonly corpus: { readonly passages: readonly Passage[]; readonly file: InputFile } | undefined;
}

/** What a run takes of its questions, and whether it searches passages of its own. */
export interface InputChoice {
  readonly corpus?: NamedText | undefined;
  /** Of the run, with its data sets and keys; by default the usual one. */
  readonly domain?: Pick<Domain, "name" | "keys"> | undefined;
  /** Name of the data set: forces the format; by default it is recognised. */
  readonly dataset?: string | undefined;
  readonly split?: SplitName | undefined;
  /** False where the search is elsewhere: passages are then taken only from a corpus that is named. */
  readonly searchesPassages?: boolean;
  /** Of the run's judge. */
  readonly readsGold?: ReadsGold | undefined;
}

const recorded = ({ file, text }: NamedText): InputFile => ({ file, hash: hashText(text) });

function readQuestions(
  from: NamedText,
  { dataset, split, domain = defaultDomain(), readsGold }: InputChoice,
): Checked<readonly Question[]> {
  const datasets = datasetsOf(domain.name);
  if (dataset === undefined && split === undefined)
    return parseQuestions(from.text, from.file, datasets, readsGold);
  const read = parseDataset(from.text, from.file, dataset, datasets, () => readsGold);
  if (read.value === undefined || split === undefined)
    return { value: read.value?.questions, diagnostics: read.diagnostics };
  const chosen = splitOf(read.value.questions, { dataset: read.value.dataset, split, keys: domain.keys });
  return { value: chosen.value, diagnostics: [...read.diagnostics, ...chosen.diagnostics] };
}

/**
 * The questions of a run and what is searched for them: the corpus, or without one the paragraphs that come with the questions. No
 * value where either is missing; the last diagnostic then says what.
 */
export function parseRunInputs(from: NamedText, choice: InputChoice = {}): Checked<RunInputs> {
  const questions = readQuestions(from, choice);
  if (questions.value === undefined) return { value: undefined, diagnostics: questions.diagnostics };
  const found = { questions: questions.value, questionsFile: recorded(from) };
  const searched = choice.corpus ?? (choice.searchesPassages === false ? undefined : from);
  if (searched === undefined)
    return { value: { ...found, corpus: undefined }, diagnostics: questions.diagnostics };
  const corpus = parseCorpus(searched.text, searched.file);
  const diagnostics = [...questions.diagnostics, ...corpus.diagnostics];
  if (corpus.value === undefined) return { value: undefined, diagnostics };
  return {
    value: { ...found, corpus: { passages: corpus.value, file: recorded(searched) } },
    // A row that is no question is reported once, not again as no passage.
    diagnostics: choice.corpus === undefined ? questions.diagnostics : diagnostics,
  };
}
