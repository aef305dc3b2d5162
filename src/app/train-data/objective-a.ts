import { signalTally } from "../../analysis/signals/signal-tally.ts";
import {
  compositeOf,
  rankSamples,
  scoreOf,
  type RankedSample,
  type Ranking,
} from "../../dataset/rejection-sampling.ts";
import { scoreEpisode, type ScoredEpisode, type ScoredStep } from "../../dataset/scored-steps.ts";
import { tokensOf } from "../../dataset/card-tally.ts";
import { contextPrompts, contextRow, contextsOf, contextSkills } from "../../dataset/context-rows.ts";
import {
  dpoRow,
  promptOrigin,
  promptRow,
  sftRow,
  stepRow,
  weightOf,
  type TrainableStep,
} from "../../dataset/step-rows.ts";
import type { Domain, DomainKeys } from "../../domains/domain.ts";
import { redactTexts } from "../../llm/redact.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Episode } from "../../model/episode.ts";
import { isStanding } from "../../model/outcomes.ts";
import { timeSlices } from "../../model/time-slices.ts";
import type { SignalsReport } from "../../model/signals-report.ts";
import type { DropReason } from "../../model/train-data.ts";
import { openMessages } from "../../trace/message-reader.ts";
import { placedEpisodes, type PlacedEpisode } from "../../trace/placed-episodes.ts";
import { type CachedPrompt, cachedPrompts } from "../../trace/prompt-cache.ts";
import { readAhead } from "../../trace/read-ahead.ts";
import { progressOf } from "../progress.ts";
import { semanticScores, type RunScores } from "../semantic-scores.ts";
import type { HeldOutEpisodes } from "./held-out-questions.ts";
import { heldTally, type HeldSteps } from "./held-steps.ts";
import type { TrainDataOrder, TrainDataServices, TrainRun } from "./order.ts";
import type { Output, Outputs } from "./outputs.ts";
import { unjudgedTally } from "./unjudged.ts";
import { optionsWithoutVerdicts } from "./ways-to-rows.ts";
import { lengthDrop, promptDrop, redactedOnce, textDrop, trainable, type TextSource } from "./step-texts.ts";

/** Figures of one run of a build. */
export interface SourceFigures {
  readonly run: string;
  episodes: number;
  steps: number;
}

/** Counts of a build of objective A beside its rows. */
export interface StepCounts {
  readonly report: SignalsReport;
  readonly dropped: ReadonlyMap<DropReason, number>;
  /** Of the rows of contexts, which take other steps. */
  readonly contextsDropped: ReadonlyMap<DropReason, number>;
  readonly sources: readonly SourceFigures[];
  /** Steps that became rows and were modified, and those that were revised. */
  readonly modified: number;
  readonly revised: number;
  /** Episodes without any completion of a policy: their format tells none. */
  readonly withoutCompletions: number;
  /** Steps that would be rows with a lower floor, or with a verdict. */
  readonly held: HeldSteps;
}

/** One run as the passes over it need it. */
interface OpenedSource {
  readonly scores: RunScores;
  readonly prompt: (id: string) => Promise<CachedPrompt | undefined>;
  readonly file: string;
}

interface Bench {
  readonly order: TrainDataOrder;
  readonly services: TrainDataServices;
  readonly domain: Domain | undefined;
  /** Of the runs' domain, also of one that is not registered. */
  readonly keys: DomainKeys;
  readonly heldOut: HeldOutEpisodes;
  readonly sources: ReadonlyMap<string, OpenedSource>;
}

async function openSource({ folder, index }: TrainRun, { files }: TrainDataServices, found: Diagnostic[]) {
  const scores = await semanticScores(files, folder);
  found.push(...scores.diagnostics);
  return { scores, prompt: cachedPrompts(await openMessages(readAhead(files), folder)), file: index.path };
}

function addTo(counts: Map<DropReason, number>, reason: DropReason | undefined): void {
  if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
}

/** Layer 1 of an episode. */
function scored({ order, heldOut, sources }: Bench, { run, episode }: PlacedEpisode): ScoredEpisode {
  return scoreEpisode(episode, order, {
    semantic: sources.get(run)?.scores.of(episode.id),
    isHeldOut: heldOut.has(run, episode),
  });
}

const keyOf = ({ run, episode }: PlacedEpisode): string => `${run}\n${episode.id}`;

/** A pass over all episodes; findings on lines are added to `found`. Rejects on abort. */
async function eachEpisode(
  { order, services }: Bench,
  what: string,
  found: Diagnostic[],
  work: (placed: PlacedEpisode) => Promise<void> | void,
): Promise<void> {
  const total = order.runs.reduce((sum, { index }) => sum + index.entries.length, 0);
  let done = 0;
  const pause = timeSlices(order.signal);
  for await (const placed of placedEpisodes(services.files, order.runs, (more) => found.push(...more))) {
    order.signal.throwIfAborted();
    await pause();
    await work(placed);
    services.on(progressOf(++done, total, what));
  }
}

function textSource({ order, domain, sources, services: { redact } }: Bench): TextSource {
  return {
    order,
    domain,
    redact,
    hidden: redactedOnce(redact),
    prompt: async (run, id) => sources.get(run)?.prompt(id),
  };
}

const hasNoCompletion = ({ steps }: Episode): boolean =>
  steps.length > 0 &&
  steps.every(({ proposals }) => proposals.every(({ completion }) => completion === undefined));

/** Rejection sampling needs the scores of all samples of a question before the first row. */
async function rankings(bench: Bench): Promise<ReadonlyMap<string, Ranking> | undefined> {
  if (bench.order.filter !== "rs") return undefined;
  const samples: RankedSample[] = [];
  const { question: questionKey } = bench.keys;
  await eachEpisode(bench, "episodes ranked", [], (placed) => {
    const { signals, episode, steps } = scored(bench, placed);
    const { passed } = signals;
    if (passed === undefined || steps.some(({ dropped }) => dropped === "held_out")) return;
    const composite = compositeOf(episode, passed);
    const question = questionKey(episode.question);
    samples.push({ key: keyOf(placed), question, score: scoreOf(signals, passed), composite });
  });
  return rankSamples(samples);
}

/** The reason why the filter leaves a step out. */
function filtered(
  { order: { filter } }: Bench,
  { signals }: ScoredStep,
  ranking: Ranking | undefined,
): DropReason | undefined {
  if (filter === "opd") return signals.correction === "none" ? "not_corrected" : undefined;
  if (filter !== "rs" || ranking === "kept") return undefined;
  // Rejection sampling ranks by the outcome; an episode without one has no rank.
  return ranking ?? "no_rank";
}

async function writeRows(one: TrainableStep, { order }: Bench, outputs: Outputs): Promise<void> {
  const { episode, run, step, signals, prompt, target, proposed, rendered } = one;
  const { id, questionId, sample } = episode;
  const row = {
    place: { run, episode: id, questionId, sample, step: step.t + 1 },
    weight: weightOf(signals),
    skills: signals.acted,
    correction: signals.correction,
    families: signals.families,
    prompt,
    target,
    rendered,
    isTranscript: promptOrigin(step) === "transcript",
  };
  await outputs.file("a-sft").add(sftRow(one), row);
  const pair = dpoRow(one, { revised: order.dpoRevised });
  if (pair !== undefined) await outputs.file("a-dpo").add(pair, { ...row, rejected: proposed });
  await outputs.file("a-prompt").add(promptRow(one), { ...row, target: "" });
}

/** Adds the row of a step at which the policy read contexts (E7); answers the reason where there is none. */
async function writeContextRow(
  { sources, domain, order, services: { redact } }: Bench,
  { run, episode }: PlacedEpisode,
  passed: boolean | undefined,
  { step, signals, answers }: ScoredStep,
  output: Output,
): Promise<DropReason | undefined> {
  const contexts = contextsOf(episode, step);
  if (contexts.all.length === 0) return "no_context";
  const read = async (id: string | undefined) =>
    id === undefined ? undefined : (await sources.get(run)?.prompt(id))?.messages();
  const [first, last] = [step.proposals[0], step.proposals.at(-1)];
  const hidden = promptDrop({ step }, order);
  if (hidden !== undefined) return hidden;
  const texts = contextPrompts(
    contexts,
    [await read(first?.messages), await read(last?.messages)],
    domain?.prompt,
  );
  if (typeof texts === "string") return texts;
  const long = lengthDrop(tokensOf({ prompt: texts.privileged, target: "" }).prompt, order);
  if (long !== undefined) return long;
  const clean = redactTexts({ ...texts, contexts: contexts.all }, redact);
  const { id, questionId, sample } = episode;
  await output.add(contextRow({ run, episode, passed, step, signals, answers, ...clean }), {
    place: { run, episode: id, questionId, sample, step: step.t + 1 },
    weight: weightOf(signals),
    skills: contextSkills(clean.contexts),
    correction: signals.correction,
    families: signals.families,
    prompt: clean.prompt,
    target: clean.contexts.map((one) => one.text).join("\n"),
    rendered: first?.completion?.rendered ?? false,
    isTranscript: promptOrigin(step) === "transcript",
  });
  return undefined;
}

/**
 * Layers 1 and 2 of objective A (SPEC §8): every step is scored and becomes a line of layer 1; those that pass become rows. Episodes are
 * read one at a time. Rejects on I/O errors and on abort.
 */
export async function writeStepRows(
  order: TrainDataOrder,
  services: TrainDataServices,
  about: Pick<Bench, "domain" | "keys" | "heldOut">,
  outputs: Outputs,
  found: Diagnostic[],
): Promise<StepCounts> {
  const sources = new Map<string, OpenedSource>();
  for (const run of order.runs) sources.set(run.run, await openSource(run, services, found));
  const bench: Bench = { order, services, ...about, sources };
  const ranked = await rankings(bench);
  const [tally, held, unjudged] = [signalTally(order.floor), heldTally(order), unjudgedTally(order.runs)];
  const [dropped, contextsDropped] = [new Map<DropReason, number>(), new Map<DropReason, number>()];
  const figures = new Map(order.runs.map(({ run }) => [run, { run, episodes: 0, steps: 0 }]));
  const corrected = { modified: 0, revised: 0, none: 0 };
  const contextOutput = outputs.has("a-context") ? outputs.file("a-context") : undefined;
  const texts = textSource(bench);
  let withoutCompletions = 0;

  async function takeStep(
    placed: PlacedEpisode,
    one: ScoredStep,
    passed: boolean | undefined,
  ): Promise<void> {
    const { run, episode } = placed;
    const left = filtered(bench, one, ranked?.get(keyOf(placed)));
    const row = one.dropped ?? left ?? (await trainable(texts, placed, passed, one));
    const drop = typeof row === "string" ? row : undefined;
    const { step, signals, answers } = one;
    if (one.dropped !== undefined && (one.otherReason ?? left) === undefined && (await hasTexts(placed, one)))
      held.add(one, passed);
    if (contextOutput !== undefined)
      addTo(
        contextsDropped,
        one.dropped ?? (await writeContextRow(bench, placed, passed, one, contextOutput)),
      );
    await outputs.addStep(stepRow({ run, episode, passed, step, signals, answers }, drop));
    addTo(dropped, drop);
    if (typeof row !== "string") {
      corrected[signals.correction] += 1;
      await writeRows(row, bench, outputs);
    }
  }

  /** Whether a step would be a row if its reward sufficed. How long it is only its messages tell. */
  async function hasTexts(placed: PlacedEpisode, one: ScoredStep): Promise<boolean> {
    if (order.maxTokens === undefined) return textDrop(one, texts) === undefined;
    return typeof (await trainable(texts, placed, undefined, one)) !== "string";
  }

  await eachEpisode(bench, "episodes", found, async (placed) => {
    const { run, index, episode } = placed;
    const { signals, steps } = scored(bench, placed);
    const semantic = sources.get(run)?.scores.of(episode.id);
    if (isStanding(episode))
      tally.add(signals, { run, index, episode: episode.id }, (t) => semantic?.has(t) ?? false);
    const figure = figures.get(run);
    if (figure !== undefined) {
      figure.episodes += 1;
      figure.steps += steps.length;
    }
    if (isStanding(episode) && hasNoCompletion(episode)) withoutCompletions += 1;
    if (steps.some((one) => one.dropped === "no_outcome")) unjudged.add(placed);
    for (const one of steps) await takeStep(placed, one, signals.passed);
  });
  const heldBack = held.end();
  found.push(...unjudged.list(optionsWithoutVerdicts(heldBack, order)));
  const { modified, revised } = corrected;
  return {
    report: tally.report(),
    dropped,
    contextsDropped,
    sources: [...figures.values()],
    modified,
    revised,
    withoutCompletions,
    held: heldBack,
  };
}
