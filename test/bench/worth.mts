import { openContainment } from "../../src/platform/containment/open-containment.ts";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { backtest } from "../../src/analysis/backtest.ts";
import type { SearchedCorpus } from "../../src/analysis/worth/search-results.ts";
import { listing, openCorpus } from "../../src/app/run-corpora.ts";
import { parseCorpus } from "../../src/domains/passages/corpus.ts";
import type { PlacedEpisode } from "../../src/trace/placed-episodes.ts";
import { again, type Opened } from "./library.mts";
import { compare, milliseconds, type BenchRow } from "./measure.mts";

/** Questions with their passages, of which the recorded episodes answer a hundred; then passages alone. */
const QUESTIONS = "hotpotqa/distractor-100.jsonl";
const PASSAGES = ["hotpotqa_train", "musique_train", "2wikimultihopqa"].map(
  (name) => `multihop/${name}_corpus.json`,
);
/** The run whose searches the passages answer. */
const SEARCHED = "reflexion";
const TOP_K = 5;
const ROUNDS = 3;

/** The files as one JSONL text: the questions, then each passage as a line; an object from titles to sentences is one line. */
async function corpusText(data: string): Promise<string> {
  const lines = PASSAGES.map(async (name) => {
    const passages: unknown = JSON.parse(await readFile(path.join(data, name), "utf8"));
    return (Array.isArray(passages) ? passages : [passages]).map((one) => JSON.stringify(one));
  });
  const questions = await readFile(path.join(data, QUESTIONS), "utf8");
  return [questions.trim(), ...(await Promise.all(lines)).flat()].join("\n");
}

/** As the use case opens it: read and indexed once. */
async function open(text: string): Promise<SearchedCorpus> {
  const files = { readText: async () => ({ kind: "text" as const, text }) };
  const { value } = await openCorpus(files, QUESTIONS, new AbortController().signal);
  if (value === undefined) throw new Error("the corpus holds no passage");
  return listing(value)(TOP_K);
}

/** A backtest of the library with worth beside one without; `data`: the shared data sets. No row where these are not there. */
export async function benchWorth(
  { library, host }: Opened,
  episodes: readonly PlacedEpisode[],
  data: string,
): Promise<BenchRow[]> {
  if (![QUESTIONS, ...PASSAGES].every((name) => existsSync(path.join(data, name)))) return [];
  const text = await corpusText(data);
  const passages = parseCorpus(text, QUESTIONS).value?.length;
  let measured = 0;
  const withCorpus = async (): Promise<void> => {
    const corpus = await open(text);
    const corpusOf = (run: string) => (run === SEARCHED ? corpus : undefined);
    const { worth } = await backtest(library, again(episodes, 1), host, {
      worth: { openContainment, corpusOf },
    });
    if (worth?.separation.search === undefined) throw new Error("no search was measured");
    measured += 1;
  };
  const plain = () => backtest(library, again(episodes, 1), host);
  const [ours, baseline] = await compare(ROUNDS, withCorpus, plain);
  const method = `${library.active.length} skills over ${episodes.length} real episodes and ${passages} passages, a corpus for those of ${SEARCHED} alone, median of ${ROUNDS}; baseline: the same backtest without worth`;
  return [
    {
      name: "backtest with worth",
      ours: ours / 1_000,
      baseline: baseline / 1_000,
      unit: "s",
      limit: 2,
      method,
    },
    {
      name: "  its corpus",
      ours: await milliseconds(() => open(text)),
      baseline: undefined,
      unit: "ms",
      method: `reading and indexing ${passages} passages once, part of the row above; ${measured} backtests, as many indexes`,
    },
  ];
}
