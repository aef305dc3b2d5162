import { detectorsIn } from "../analysis/failures/detect-failures.ts";
import { summariseFailure, type Summarised } from "../analysis/failures/summarise-failure.ts";
import { domainOfRecord } from "../domains/registry.ts";
import type { ChatModel, ModelError } from "../llm/chat-model.ts";
import { counted } from "../model/counted.ts";
import { START_OF_FILE, type Diagnostic } from "../model/diagnostic.ts";
import type { Episode } from "../model/episode.ts";
import {
  FAILURE_DETECTORS,
  type FailureSummary,
  type FoundFailure,
  type KnownSkill,
  type SummaryCounts,
} from "../model/failure.ts";
import type { RefusedReply } from "../model/refused-reply.ts";
import { askEach, isHopeless } from "../scoring/ask-each.ts";

/**
 * Failures that are summarised at once at most. A request names the ids of the batches before its own, never those of its own batch: else
 * the order in which replies come would decide on what the model is asked.
 */
const BATCH = 32;

const DETECTOR_NAMES: ReadonlySet<string> = new Set(FAILURE_DETECTORS);

/** The ids of detectors that make sense in the episode's domain. */
function detectorNames({ facts }: Episode): readonly string[] {
  const detectors = detectorsIn(domainOfRecord(facts));
  return FAILURE_DETECTORS.filter((name) => detectors[name] !== undefined);
}

export interface SummariesOptions {
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Receives the number of failures that are done. */
  readonly onDone: (done: number) => void;
}

export interface Summaries {
  /** Summarises the failures so far where they fill a batch. */
  add(failure: FoundFailure, episode: Episode): Promise<void>;
  /** Summarises the rest. */
  end(): Promise<{
    readonly of: ReadonlyMap<FoundFailure, FailureSummary>;
    /** Replies that were not taken. */
    readonly refused: ReadonlyMap<FoundFailure, readonly RefusedReply[]>;
    readonly counts: SummaryCounts;
    readonly diagnostics: readonly Diagnostic[];
  }>;
}

/** Without a model there is nothing to summarise with. */
export const NO_SUMMARIES: Summaries = {
  add: async () => undefined,
  end: async () => ({
    of: new Map(),
    refused: new Map(),
    counts: { made: 0, missing: 0, namesAnswer: 0 },
    diagnostics: [],
  }),
};

/**
 * Summaries of failures by a model, in batches. After a failure that further calls would meet too (budget, key, an endpoint that is down)
 * no call is made; an abort ends the batch. Neither rejects: the rest has no summary.
 */
export function openSummaries(
  model: ChatModel,
  known: readonly KnownSkill[],
  { concurrency, signal, onDone }: SummariesOptions,
): Summaries {
  const ids = new Set(known.map(({ category }) => category));
  const results = new Map<FoundFailure, Summarised>();
  let batch: { readonly failure: FoundFailure; readonly episode: Episode }[] = [];
  let [total, done, failed] = [0, 0, 0];
  let [firstFailure, down]: (ModelError | undefined)[] = [];

  async function askBatch(): Promise<void> {
    const asked = batch;
    batch = [];
    if (down !== undefined || signal.aborted) return;
    const usable = [...ids].filter((id) => !DETECTOR_NAMES.has(id));
    const outcome = await askEach(
      asked,
      async ({ failure, episode }, guarded) => {
        try {
          const ask = async (request: Parameters<ChatModel["chat"]>[0]) =>
            guarded(() => model.chat(request, { signal }));
          results.set(failure, await summariseFailure(episode, [...detectorNames(episode), ...usable], ask));
          return true;
        } finally {
          onDone(++done);
        }
      },
      { concurrency, signal },
    ).catch((error: unknown) => {
      if (signal.aborted) return { failed: 0, failure: undefined };
      throw error;
    });
    failed += outcome.failed;
    firstFailure ??= outcome.failure;
    if (outcome.failure !== undefined && (isHopeless(outcome.failure) || outcome.failed === asked.length))
      down = outcome.failure;
    for (const { failure } of asked) {
      const result = results.get(failure);
      if (result?.kind === "made") ids.add(result.summary.category);
    }
  }

  return {
    async add(failure, episode) {
      total += 1;
      if (down !== undefined) return;
      batch.push({ failure, episode });
      if (batch.length >= BATCH) await askBatch();
    },
    async end() {
      await askBatch();
      const all = [...results.values()];
      const of = new Map(
        [...results].flatMap(([failure, result]) =>
          result.kind === "made" ? [[failure, result.summary] as const] : [],
        ),
      );
      const namesAnswer = all.filter(({ kind }) => kind === "names answer").length;
      const unreadable = all.flatMap((result) => (result.kind === "unreadable" ? [result.problem] : []));
      const counts = { made: of.size, missing: total - of.size, namesAnswer };
      return {
        of,
        refused: new Map([...results].map(([failure, { refused = [] }]) => [failure, refused] as const)),
        counts,
        diagnostics: [
          ...downFinding(down, counts),
          ...lostFinding({ unreadable, failed, firstFailure, down }),
        ],
      };
    },
  };
}

function downFinding(down: ModelError | undefined, { made, missing }: SummaryCounts): Diagnostic[] {
  if (down === undefined) return [];
  const message = `${counted(missing, "failure")} of ${made + missing} ${missing === 1 ? "has" : "have"} no summary, because the model cannot be asked: ${down.message}`;
  const next =
    down.next ?? "The table of the detectors is complete. Run the same command again for the summaries.";
  return [{ code: "HASP641", severity: "error", message, next, range: START_OF_FILE }];
}

interface Lost {
  readonly unreadable: readonly string[];
  readonly failed: number;
  readonly firstFailure: ModelError | undefined;
  readonly down: ModelError | undefined;
}

/** Failures without a summary, one by one; those behind the end of a budget or a connection are another finding. */
function lostFinding({ unreadable, failed, firstFailure, down }: Lost): Diagnostic[] {
  const [problem] = unreadable;
  const replies =
    problem === undefined
      ? []
      : [`the replies on ${counted(unreadable.length, "failure")} cannot be read (${problem})`];
  const calls =
    down !== undefined || firstFailure === undefined
      ? []
      : [`${counted(failed, "call")} failed (${firstFailure.message})`];
  if (replies.length + calls.length === 0) return [];
  return [
    {
      code: "HASP642",
      severity: "warning",
      message: `Some failures have no summary: ${[...replies, ...calls].join("; ")}`,
      next: "Clusters of the detectors are complete; those of the model lack these failures.",
      range: START_OF_FILE,
    },
  ];
}
