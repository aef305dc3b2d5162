import { Option } from "commander";
import type { WorkspaceConfig } from "../app/run/settings.ts";
import type { ToolOrder } from "../domains/environment.ts";
import {
  MOST_RESULTS,
  RESULTS,
  RETRIEVER_KINDS,
  type RetrieverKind,
} from "../domains/web-search/retriever-kinds.ts";
import { wholeNumber } from "./numbers.ts";

/** A command line's words about retrievers and the corpus, with the defaults. */
export interface RetrieverOptions {
  readonly corpus?: string;
  readonly retriever: RetrieverKind;
  readonly retrieverUrl?: string;
  readonly retrieverLanguage: string;
  /** 0: as many as suit the retriever. */
  readonly retrieverConcurrency: number;
  readonly topK: number;
}

/** The options, in the order in which `--help` lists them; `--corpus` is the command's own. */
export function retrieverOptions(): readonly Option[] {
  return [
    new Option("--retriever <kind>", "what SEARCH and READ ask")
      .choices([...RETRIEVER_KINDS])
      .default("corpus"),
    new Option(
      "--retriever-url <url>",
      "http: where /retrieve answers (needed); wikipedia: another api.php; serpapi: another server that speaks like it",
    ),
    new Option("--retriever-language <code>", "the Wikipedia that is asked").default("en"),
    new Option("--retriever-concurrency <n>", "calls under way at once; 0: 8, and 3 for Wikipedia")
      .argParser(wholeNumber(0))
      .default(0),
    new Option("--top-k <n>", `results that one search lists, at most ${MOST_RESULTS}`)
      .argParser(wholeNumber(1))
      .default(RESULTS),
  ];
}

/** True for an option that stands on the command line, and is no default. */
export type IsGiven = (option: string) => boolean;

/** The tools and the corpus of a run; where the command line names none, those of `hasp.yaml`. */
export function toolsOf(
  options: RetrieverOptions,
  { tools }: Pick<WorkspaceConfig, "tools">,
  isGiven: IsGiven,
): { readonly tools: ToolOrder; readonly corpus: string | undefined } {
  const { retrieverUrl: url, retrieverLanguage: language, retrieverConcurrency: concurrency } = options;
  const retriever = (isGiven("retriever") ? undefined : tools.retriever) ?? options.retriever;
  const topK = (isGiven("topK") ? undefined : tools.topK) ?? options.topK;
  const corpus = isGiven("corpus") ? options.corpus : tools.corpus;
  return { tools: { retriever, url, language, concurrency, topK }, corpus };
}
