import type { Domain } from "../../domains/domain.ts";
import { domainsThatReadGold } from "../../domains/registry.ts";
import type { ToolOrder } from "../../domains/environment.ts";
import { parseCorpus } from "../../domains/passages/corpus.ts";
import { inShard } from "../../evaluation/in-shard.ts";
import { parseRunInputs, type NamedText, type RunInputs } from "../../evaluation/run-inputs.ts";
import type { Question } from "../../harness/question.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { SplitName } from "../../model/question-set.ts";
import type { Shard } from "../../model/shard.ts";
import type { Judge } from "../../scoring/judge.ts";
import { hashText } from "../../trace/hash.ts";
import { readNamed, type TextFiles } from "../named-text.ts";
import { need, take } from "../refusal.ts";
import { goldSource, nameAnotherJudge, refuseWords } from "../refuse-words.ts";

/** A file that a person chose. */
export interface NamedFile {
  /** As `run.json` names it. */
  readonly name: string;
  readonly path: string;
}

/** The questions of a run, and the file that it searches. */
export interface InputOrder {
  readonly questions: NamedFile;
  /** Undefined: the paragraphs that come with the questions. */
  readonly corpus: NamedFile | undefined;
  /** Name of the data set; undefined: the rows show it. */
  readonly dataset?: string | undefined;
  readonly split?: SplitName | undefined;
}

/** Properties of a run that decide how the files are read. */
export interface Reading {
  /** Undefined: the usual one. */
  readonly domain: Pick<Domain, "name" | "keys"> | undefined;
  /** Whether the corpus is needed: the domain's tools search passages. */
  readonly searchesPassages: boolean;
  /** The judge of the answers; `{}` where they are only counted. */
  readonly judge: Pick<Judge, "comparesWords" | "readsGold">;
}

/** The reading of a run in this domain with these tools. */
export const readingOf = (domain: Domain, tools: ToolOrder): Reading => ({
  domain,
  searchesPassages: domain.needsPassages?.(tools) ?? false,
  judge: domain.judge,
});

/** The part of the questions that is asked. */
export interface QuestionPart {
  readonly shard?: Shard | undefined;
  /** The first so many. */
  readonly limit?: number | undefined;
}

/** A domain whose judge reads such answers, or another judge for answers of another program. */
function runOtherwise(): string {
  const domains = domainsThatReadGold().map(({ name }) => `\`--domain ${name}\``);
  const run = domains.length === 0 ? "" : `Run them with ${domains.join(" or ")}. `;
  return `${run}For answers of another program, \`hasp score <file of answers>\`: ${nameAnotherJudge()}`;
}

/** The text of the file, under the name of `run.json`. */
async function textOf(files: TextFiles, { name, path }: NamedFile): Promise<NamedText> {
  return { ...need(await readNamed(files, path)), file: name };
}

/**
 * Reads the inputs of a run; adds to `found` what is left out. Refuses where either part is unusable, or the answers are math and their judge
 * compares words (HASP599).
 */
export async function readInputs(
  files: TextFiles,
  { questions, corpus, dataset, split }: InputOrder,
  { domain, searchesPassages, judge }: Reading,
  found: Diagnostic[],
): Promise<RunInputs> {
  const from = await textOf(files, questions);
  const searched = corpus === undefined ? undefined : await textOf(files, corpus);
  const { readsGold } = judge;
  const choice = { corpus: searched, dataset, split, searchesPassages, domain, readsGold };
  const inputs = take(parseRunInputs(from, choice), found);
  const { name: file } = questions;
  const names = [dataset, inputs.questions[0]?.dataset, file];
  const golds = inputs.questions.map(({ gold }) => gold);
  if (judge.comparesWords === true) refuseWords(goldSource(golds, names), runOtherwise(), file);
  return inputs;
}

/** Reads a corpus by itself; undefined where none is named. */
export async function readCorpus(files: TextFiles, corpus: NamedFile | undefined, found: Diagnostic[]) {
  if (corpus === undefined) return undefined;
  const { file, text } = await textOf(files, corpus);
  const passages = take(parseCorpus(text, file), found);
  return { passages, file: { file, hash: hashText(text) } };
}

/** The questions that a run is to ask. */
export function askedOf({ questions }: RunInputs, { shard, limit }: QuestionPart): readonly Question[] {
  // The first ones of all: shards of a limited run make up that very run.
  return questions.slice(0, limit).filter((question) => shard === undefined || inShard(question, shard));
}
