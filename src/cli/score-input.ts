import path from "node:path";
import { parseAnswers } from "../evaluation/answer-file.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Episode } from "../model/episode.ts";
import type { NodeFiles } from "../platform/files.ts";
import type { Answered } from "../scoring/score-answers.ts";
import { readEpisodes } from "../trace/episode-file.ts";
import { need } from "./checked.ts";
import { readNamed } from "./named-text.ts";
import { openRunAt } from "./runs.ts";

/** Answers to score, with where they came from. */
export interface ScoreInput {
  readonly name: string;
  readonly answers: readonly Answered[];
  /** True where another program said what is correct: only then does agreement say anything. */
  readonly foreignVerdicts: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

function answeredOf({ id, question, answer, gold, outcome }: Episode): Answered {
  return { id, question, answer, gold, recorded: outcome };
}

async function readRunInput(name: string, files: NodeFiles): Promise<ScoreInput> {
  const { index, diagnostics } = await openRunAt(name, files);
  const answers: Answered[] = [];
  const unreadable: Diagnostic[] = [];
  let foreignVerdicts = false;
  for await (const { value, diagnostics: found } of readEpisodes(files, index)) {
    unreadable.push(...found);
    if (value === undefined) continue;
    answers.push(answeredOf(value));
    foreignVerdicts ||= value.source !== "hasp";
  }
  return { name, answers, foreignVerdicts, diagnostics: [...diagnostics, ...unreadable] };
}

async function isFile(name: string, files: NodeFiles): Promise<boolean> {
  return path.basename(name) !== "episodes.jsonl" && (await files.readText(name, 0)).kind !== "absent";
}

/** A run folder, its `episodes.jsonl`, or a file of answers with `pred` and `gold`. CliError where it is none of these. */
export async function readScoreInput(name: string, files: NodeFiles): Promise<ScoreInput> {
  if (!(await isFile(name, files))) return readRunInput(name, files);
  const { text } = await readNamed(name, files);
  const checked = parseAnswers(text, name);
  return { name, answers: need(checked), foreignVerdicts: true, diagnostics: checked.diagnostics };
}
