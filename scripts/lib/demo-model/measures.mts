/** One row a question and side, from what the sides left behind: the plain script its rows, the product its episodes. */
import { existsSync, readFileSync } from "node:fs";

import { SEARCH } from "../../../src/model/action-types.ts";
import { OUTAGE_REASONS } from "../../../src/evolve/models.ts";
import { proposalSchema } from "../../../src/model/episode.ts";
import { countReplies } from "../../../src/model/replies.ts";
import { z } from "../../../src/model/zod.ts";
import { exactMatch } from "../../../src/scoring/exact-match.ts";
import { tokenF1 } from "../../../src/scoring/f1.ts";
import { runPaths } from "../../../src/trace/run-paths.ts";
import { PLAIN, type Side } from "./order.mts";
import { pathsIn } from "./paths.mts";

export interface Row {
  readonly id: string;
  readonly em: boolean;
  readonly f1: number;
  /** No answer came. */
  readonly halted: boolean;
  /** The server was silent for longer than the product waits. */
  readonly timedOut: boolean;
  readonly replies: number;
  /** Replies without an action that could be read. */
  readonly invalid: number;
  /** Replies in another form than the prompt's. */
  readonly lenient: number;
  readonly steps: number;
  /** Searches that had run before in the episode, word for word; undefined for the plain script, which keeps no steps. */
  readonly repeated: number | undefined;
  readonly promptTokens: number;
  /** Undefined where the server does not say what it took from its cache. */
  readonly promptTokensReadAnew: number | undefined;
  readonly generatedTokens: number;
  /** Waiting for the model and for the sandbox of skills. */
  readonly seconds: number;
}

const count = z.number().nonnegative();
const plainSchema = z.object({
  id: z.string(),
  answer: z.string().optional(),
  em: z.boolean(),
  f1: count,
  replies: count,
  invalid: count,
  steps: count,
  promptTokens: count,
  promptTokensReadAnew: z.number().optional(),
  generatedTokens: count,
  seconds: count,
});

const episodeSchema = z.object({
  questionId: z.string(),
  answer: z.string().optional(),
  gold: z.array(z.string()).default([]),
  stopReason: z.string(),
  cost: z
    .object({
      inputTokens: count,
      outputTokens: count,
      cachedInputTokens: count.optional(),
      latencyMs: count.default(0),
    })
    .optional(),
  steps: z.array(
    z.object({
      proposals: z.array(proposalSchema),
      executed: z.object({ type: z.string(), arg: z.string() }),
      dispatchMs: count.default(0),
    }),
  ),
});

/** The values of a JSONL file; none where it is absent. A line that a kill tore is left out. */
function valuesIn<T>(file: string, schema: z.ZodType<T>): readonly T[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        return [schema.parse(JSON.parse(line))];
      } catch {
        return [];
      }
    });
}

const plainRow = ({ answer, ...row }: z.infer<typeof plainSchema>): Row => ({
  ...row,
  halted: answer === undefined,
  timedOut: false,
  lenient: 0,
  repeated: undefined,
  promptTokensReadAnew: row.promptTokensReadAnew,
});

function repeatedIn(actions: readonly { readonly type: string; readonly arg: string }[]): number {
  const searches = actions.filter(({ type }) => type === SEARCH).map(({ arg }) => arg.trim().toLowerCase());
  return searches.length - new Set(searches).size;
}

function episodeRow(episode: z.infer<typeof episodeSchema>): Row {
  const { questionId: id, answer, gold, cost, steps, stopReason } = episode;
  const { inputTokens = 0, outputTokens = 0, cachedInputTokens, latencyMs = 0 } = cost ?? {};
  return {
    id,
    em: answer !== undefined && exactMatch(answer, gold),
    f1: answer === undefined ? 0 : tokenF1(answer, gold),
    halted: answer === undefined,
    timedOut: stopReason === TIMEOUT,
    ...countReplies(steps),
    steps: steps.length,
    repeated: repeatedIn(steps.map(({ executed }) => executed)),
    promptTokens: inputTokens,
    promptTokensReadAnew: cachedInputTokens === undefined ? undefined : inputTokens - cachedInputTokens,
    generatedTokens: outputTokens,
    seconds: (latencyMs + steps.reduce((ms, { dispatchMs }) => ms + dispatchMs, 0)) / 1_000,
  };
}

/** A model that is too slow for the product would be so again: such an episode is a result. */
const TIMEOUT = "model_timeout";

/** The server, not the setting, ended such an episode: it is asked again, and counts for nothing until then. */
export const isOutage = (reason: string): boolean => OUTAGE_REASONS.has(reason) && reason !== TIMEOUT;

/** The first row of each question. */
function once(rows: readonly Row[]): readonly Row[] {
  return [...new Map(rows.toReversed().map((row) => [row.id, row])).values()].toReversed();
}

export function rowsOf(folder: string, side: Side): readonly Row[] {
  const paths = pathsIn(folder);
  if (side === PLAIN) return once(valuesIn(paths.plain, plainSchema).map(plainRow));
  const episodes = valuesIn(runPaths(paths.run(side)).episodes, episodeSchema);
  return once(episodes.filter(({ stopReason }) => !isOutage(stopReason)).map(episodeRow));
}
