import { redactTexts } from "../llm/redact.ts";
import type { ModelError } from "../llm/chat-model.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import type { Episode } from "../model/episode.ts";
import type { Verdict } from "../model/verdict.ts";
import { askEach } from "../scoring/ask-each.ts";
import { exactMatchJudge, f1Judge, outcomeOf, type Judge } from "../scoring/judge.ts";
import { encodeEpisode, readEpisode, readEpisodes } from "../trace/episode-file.ts";
import type { EpisodeIndex } from "../trace/episode-index.ts";
import type { TraceFiles } from "../trace/ports.ts";
import type { OpenedRunFolder } from "../trace/run-folder.ts";
import { openRunAt, runFolderOf } from "./open-run.ts";
import type { OnlyWriter } from "./ports.ts";
import { progressOf, type Progress } from "./progress.ts";
import { checked, need, refuse } from "./refusal.ts";
import { MODEL_JUDGE, namesOf, refuseWords } from "./refuse-words.ts";

export interface JudgeOrder {
  /** A run folder, or its `episodes.jsonl`. */
  readonly run: string;
  readonly judge: Judge;
  /** Also judges answers that have a verdict of this judge, and adds another. */
  readonly again: boolean;
  /** Answers judged at once. */
  readonly concurrency: number;
}

export interface JudgeServices {
  readonly files: TraceFiles;
  readonly asOnlyWriter: OnlyWriter;
  readonly redact: (text: string) => string;
  readonly signal: AbortSignal;
  readonly on: (event: Progress) => void;
}

/** Counts of agreement between two judges. */
export interface JudgeAgreement {
  readonly bothRight: number;
  readonly bothWrong: number;
  readonly onlyFirst: number;
  readonly onlyNew: number;
}

export interface JudgedRun {
  readonly run: string;
  readonly judge: string;
  /** Verdicts that were added. */
  readonly added: number;
  readonly passed: number;
  /** Answers that had a verdict of this judge already. */
  readonly had: number;
  /** Episodes without an answer or without an accepted one. */
  readonly nothingToJudge: number;
  /** Answers to which the judge came to no verdict. */
  readonly withoutVerdict: number;
  /** Calls of the judge that failed, or were not made since others had. */
  readonly failed: number;
  readonly failure: ModelError | undefined;
  /** Against the first verdict of each episode that got one more. */
  readonly agreement: JudgeAgreement;
  /** A person stopped it; what was judged until then is kept. */
  readonly stopped: boolean;
}

/** The judge of a spec that names no model; undefined for any other spec. HASP592 for a threshold that is none. */
export function plainJudge(spec: string): Checked<Judge> | undefined {
  if (spec === exactMatchJudge.name) return { value: exactMatchJudge, diagnostics: [] };
  const [, threshold] = /^f1(?::(.*))?$/s.exec(spec) ?? [];
  if (spec !== "f1" && threshold === undefined) return undefined;
  if (threshold === undefined) return { value: f1Judge(), diagnostics: [] };
  const passes = threshold.trim() === "" ? Number.NaN : Number(threshold);
  if (passes > 0 && passes <= 1) return { value: f1Judge(passes), diagnostics: [] };
  const diagnostic = {
    code: "HASP592",
    severity: "error",
    message: `${JSON.stringify(threshold.slice(0, 40))} is no F1 at which an answer counts as right.`,
    next: "Write a number over 0 and at most 1, as in `f1:0.8`.",
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
  } as const;
  return { value: undefined, diagnostics: [diagnostic] };
}

/** The episode with one verdict more. What was said first stays first; an outcome that nothing was known of follows from it. */
function withVerdict(episode: Episode, verdict: Verdict): Episode {
  const { verdicts = [], outcome } = episode;
  return {
    ...episode,
    outcome: outcome === "unjudged" ? outcomeOf(episode.answer, verdict) : outcome,
    verdicts: [...verdicts, verdict],
  };
}

interface Tally {
  passed: number;
  had: number;
  nothingToJudge: number;
  withoutVerdict: number;
  readonly agreement: { bothRight: number; bothWrong: number; onlyFirst: number; onlyNew: number };
}

function compare(
  { agreement }: Tally,
  { outcome, verdicts }: Episode,
  { passed }: Pick<Verdict, "passed">,
): void {
  const first = verdicts?.[0]?.passed ?? (outcome === "unjudged" ? undefined : outcome === "correct");
  if (first === undefined) return;
  agreement[first ? (passed ? "bothRight" : "onlyFirst") : passed ? "onlyNew" : "bothWrong"] += 1;
}

/** Asks the judge about each answer. The verdicts by position in the index; also where it is stopped or fails midway. */
async function verdictsOn(
  index: EpisodeIndex,
  { judge, again, concurrency }: JudgeOrder,
  { files, signal, on, redact }: JudgeServices,
  found: Diagnostic[],
) {
  const verdicts = new Map<number, Verdict>();
  const agreement = { bothRight: 0, bothWrong: 0, onlyFirst: 0, onlyNew: 0 };
  const tally: Tally = { passed: 0, had: 0, nothingToJudge: 0, withoutVerdict: 0, agreement };
  const total = index.entries.length;
  let done = 0;
  const asked = askEach(
    index.entries.keys(),
    async (n, guarded) => {
      on(progressOf(done++, total, "episodes"));
      const { value, diagnostics } = await readEpisode(files, index, n);
      found.push(...diagnostics);
      if (value === undefined) return false;
      const { question, answer, gold, verdicts: known = [] } = value;
      if (!again && known.some((one) => one.judge === judge.name)) {
        tally.had++;
        return false;
      }
      if (answer === undefined || gold === undefined) {
        tally.nothingToJudge++;
        return false;
      }
      const verdict = await guarded(() => judge.judge({ question, answer, gold }, signal));
      if (verdict === undefined) tally.withoutVerdict++;
      else {
        verdicts.set(n, redactTexts(verdict, redact));
        if (verdict.passed) tally.passed++;
        compare(tally, value, verdict);
      }
      return true;
    },
    { concurrency, signal },
  );
  // Verdicts that came are written first, also where something unexpected ended the rest.
  const failures = await asked.catch((error: unknown) => {
    const unexpected = signal.aborted ? undefined : { error };
    return { failed: 0, failure: undefined, unexpected };
  });
  return { verdicts, tally, unexpected: undefined, ...failures };
}

async function refuseMath(
  { index, run }: Pick<OpenedRunFolder, "index" | "run">,
  name: string,
  { files, signal }: JudgeServices,
): Promise<void> {
  const golds: Episode["gold"][] = [];
  for await (const { value } of readEpisodes(files, index)) {
    signal.throwIfAborted();
    golds.push(value?.gold);
  }
  refuseWords({ golds, from: namesOf(run) }, `Name a model as the judge: ${MODEL_JUDGE}.`, name);
}

/** The file with the new verdicts; every other byte is copied, unreadable lines included. */
async function* rewritten(
  files: TraceFiles,
  index: EpisodeIndex,
  verdicts: ReadonlyMap<number, Verdict>,
): AsyncGenerator<Uint8Array> {
  const copy = async function* (from: number, to: number): AsyncGenerator<Uint8Array> {
    // A piece is valid until the next one is asked for.
    for await (const piece of files.chunks(index.path, from, to)) yield piece.slice();
  };
  let at = 0;
  for (const [n, verdict] of [...verdicts].toSorted(([a], [b]) => a - b)) {
    const entry = index.entries[n];
    const { value } = await readEpisode(files, index, n);
    if (entry === undefined || value === undefined) continue;
    yield* copy(at, entry.offset);
    const line = encodeEpisode(withVerdict(value, verdict));
    // The next copy begins with its newline.
    yield line.subarray(0, -1);
    at = entry.offset + entry.bytes;
  }
  yield* copy(at, index.size);
}

/**
 * Has another judge look at the answers of a run: each gets a verdict more, after those that it has. The episode file is replaced as a
 * whole or not at all, also where the judge fails or a person stops it: the verdicts until then are kept. No value where there is no
 * run, or no answer to judge (HASP595). Rejects on I/O errors.
 */
export function judgeRun(order: JudgeOrder, services: JudgeServices): Promise<Checked<JudgedRun>> {
  const { files, asOnlyWriter, signal } = services;
  const folder = runFolderOf(order.run);
  return checked(async (found) => {
    need(await openRunAt(files, order.run));
    return asOnlyWriter(folder, async ({ lost }) => {
      // Read again under the lock: another process may have written before.
      const { index, run } = need(await openRunAt(files, order.run));
      if (order.judge.comparesWords === true) await refuseMath({ index, run }, order.run, services);
      const stop = AbortSignal.any([signal, lost]);
      const judged = await verdictsOn(index, order, { ...services, signal: stop }, found);
      // Another process may write by now.
      lost.throwIfAborted();
      const { verdicts, tally, failed, failure, unexpected } = judged;
      if (verdicts.size > 0) await files.writeAtomic(index.path, rewritten(files, index, verdicts));
      if (unexpected !== undefined) throw unexpected.error;
      const nothing = verdicts.size + tally.had + tally.withoutVerdict + failed === 0;
      if (nothing && !signal.aborted)
        refuse(
          "HASP595",
          `The run ${order.run} has no answer with an accepted one to compare it with.`,
          "Name a run whose questions have gold answers.",
        );
      const { name: judge } = order.judge;
      const added = verdicts.size;
      return { run: folder, judge, added, ...tally, failed, failure, stopped: signal.aborted };
    });
  });
}
