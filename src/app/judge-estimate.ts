import { dollars as inDollars } from "../llm/budget.ts";
import { costOf, type Price } from "../llm/price.ts";
import { counted } from "../model/counted.ts";
import type { Checked } from "../model/diagnostic.ts";
import type { Judge } from "../scoring/judge.ts";
import { readMaterials } from "../trace/judging-store.ts";
import { noneSkipped, textsOfRun } from "./judge-tasks.ts";
import type { JudgeOrder, JudgeServices } from "./judge-run.ts";
import { knownJudge } from "./open-judge.ts";
import { openRunAt } from "./open-run.ts";
import { checked, need } from "./refusal.ts";

/** Texts that a judge is to look at, and the calls of a model that they need. Tokens are guessed from the prompts. */
export interface JudgingCost {
  /** Each text of an episode once. */
  readonly texts: number;
  readonly calls: number;
  readonly inputTokens: number;
  /** With the longest replies. */
  readonly outputTokens: number;
}

/** The cost of judging a run, before anything is asked. */
export interface JudgingEstimate {
  readonly answers: JudgingCost;
  /** Of drafts with another text than their episode's answer. */
  readonly drafts: JudgingCost;
}

const NOTHING: JudgingCost = { texts: 0, calls: 0, inputTokens: 0, outputTokens: 0 };

/** Of both together. */
export const costTogether = (a: JudgingCost, b: JudgingCost): JudgingCost => ({
  texts: a.texts + b.texts,
  calls: a.calls + b.calls,
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
});

/**
 * The calls that `judgeRun` makes at most with this judge, for answers and for drafts. Asks nobody, and writes nothing; a reply that is kept
 * in the cache counts as a call. No value where there is no run. Rejects on I/O errors and on abort.
 */
export async function estimateJudging(
  { run, judge: named, again }: Pick<JudgeOrder, "run" | "again"> & { readonly judge: Judge },
  { files, signal, on }: Pick<JudgeServices, "files" | "signal" | "on">,
): Promise<Checked<JudgingEstimate>> {
  return checked(async () => {
    const opened = need(await openRunAt(files, run));
    const { index, folder } = opened;
    const judge = await knownJudge(files, opened, named);
    const materials = await readMaterials(files, folder);
    const wanted = { judge: judge.name, drafts: true, again };
    const finds = { skipped: noneSkipped(), diagnostics: [] };
    let [answers, drafts] = [NOTHING, NOTHING];
    for await (const text of textsOfRun({ index, judge, wanted, materials }, { files, on }, finds)) {
      signal.throwIfAborted();
      if (text.known !== undefined) continue;
      const call = judge.callOf?.(text.task);
      const cost = { texts: 1, calls: call === undefined ? 0 : 1, inputTokens: 0, outputTokens: 0, ...call };
      if (text.isAnswer) answers = costTogether(answers, cost);
      else drafts = costTogether(drafts, cost);
    }
    return { answers, drafts };
  });
}

const grouped = (value: number): string => value.toLocaleString("en-US");

/** `5 calls, about 1,710 tokens in and at most 1,280 out, about $0.02`. */
export function judgingCostWords(
  { calls, inputTokens, outputTokens }: JudgingCost,
  price: Price | undefined,
): string {
  if (calls === 0) return "no call of the model";
  const cost =
    price === undefined
      ? "cost unknown"
      : `at most about ${inDollars(costOf(price, { inputTokens, outputTokens }))}`;
  return `${counted(calls, "call")}, about ${grouped(inputTokens)} tokens in and at most ${grouped(outputTokens)} out, ${cost}`;
}

/** `7 answers`, or with drafts `7 answers and 4 drafts`. */
export function textsWords({ answers, drafts }: JudgingEstimate, withDrafts: boolean): string {
  const words = counted(answers.texts, "answer");
  return withDrafts ? `${words} and ${counted(drafts.texts, "draft")}` : words;
}
