import { parseCorpus, type Passage } from "../domains/web-search/corpus.ts";
import type { Question } from "../harness/question.ts";
import type { Checked } from "../model/diagnostic.ts";
import { hashText } from "../trace/hash.ts";
import { parseQuestions } from "./questions.ts";

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
  readonly passages: readonly Passage[];
  readonly corpusFile: InputFile;
}

const recorded = ({ file, text }: NamedText): InputFile => ({ file, hash: hashText(text) });

/**
 * The questions of a run and what is searched for them: the corpus, or without one the paragraphs that come with the questions. No
 * value where either is missing; the last diagnostic then says what.
 */
export function parseRunInputs(questionsFrom: NamedText, corpusFrom?: NamedText): Checked<RunInputs> {
  const questions = parseQuestions(questionsFrom.text, questionsFrom.file);
  if (questions.value === undefined) return { value: undefined, diagnostics: questions.diagnostics };
  const searched = corpusFrom ?? questionsFrom;
  const corpus = parseCorpus(searched.text, searched.file);
  const diagnostics = [...questions.diagnostics, ...corpus.diagnostics];
  if (corpus.value === undefined) return { value: undefined, diagnostics };
  const files = { questionsFile: recorded(questionsFrom), corpusFile: recorded(searched) };
  return {
    value: { questions: questions.value, passages: corpus.value, ...files },
    // A row that is no question is reported once, not again as no passage.
    diagnostics: corpusFrom === undefined ? questions.diagnostics : diagnostics,
  };
}
