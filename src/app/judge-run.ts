import { wasRight } from "../model/outcomes.ts";
import type { Domain } from "../domains/domain.ts";
import { redactTexts } from "../llm/redact.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import type { Episode } from "../model/episode.ts";
import type { Verdict } from "../model/verdict.ts";
import { askEach } from "../scoring/ask-each.ts";
import { askJudge } from "../scoring/ask-judge.ts";
import {
  exactMatchJudge,
  f1Judge,
  type Judge,
  type Judgement,
  type NoVerdict,
  type OpenedJudge,
} from "../scoring/judge.ts";
import type { OpenContainment } from "../scoring/containment.ts";
import { whyNoWords, type GoldSource } from "../scoring/math-answers.ts";
import { countReason, type ReasonCounts } from "../scoring/undecided.ts";
import { encodeEpisode, readEpisode, readEpisodes } from "../trace/episode-file.ts";
import type { EpisodeIndex } from "../trace/episode-index.ts";
import { readMaterials } from "../trace/judging-store.ts";
import type { TraceFiles } from "../trace/ports.ts";
import type { OpenedRunFolder } from "../trace/run-folder.ts";
import { noneSkipped, textsOfRun, type TextToJudge } from "./judge-tasks.ts";
import { withVerdicts, type WantedVerdicts } from "./judge-texts.ts";
import { decidesFirst, judgingDomain, materialGone, openJudge, openNamed } from "./open-judge.ts";
import { openRunAt, runFolderOf } from "./open-run.ts";
import type { OnlyWriter } from "./ports.ts";
import type { Progress } from "./progress.ts";
import { checked, need, refuse } from "./refusal.ts";
import { goldSource, nameAnotherJudge, namesOf, refuseWords } from "./refuse-words.ts";

export interface JudgeOrder {
  /** A run folder, or its `episodes.jsonl`. */
  readonly run: string;
  /** Undefined: the judge of a domain. */
  readonly judge: Judge | undefined;
  /** The domain whose judge is asked where `judge` names none; by default that of the run. */
  readonly domain?: Pick<Domain, "name" | "judge"> | undefined;
  /** Also judges drafts with a judge that asks a model; every other judge does in any case. */
  readonly drafts: boolean;
  /** Also judges what has a verdict of this judge, and adds another. */
  readonly again: boolean;
  /** Answers judged at once. */
  readonly concurrency: number;
}

export interface JudgeServices {
  readonly files: TraceFiles;
  readonly asOnlyWriter: OnlyWriter;
  readonly openContainment: OpenContainment;
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
  /** Verdicts that were added to answers of episodes. */
  readonly added: number;
  readonly passed: number;
  /** The same of drafts: of answers that a policy proposed, whether they were taken or held back. */
  readonly drafts: { readonly added: number; readonly passed: number };
  /** Answers that had a verdict of this judge already. */
  readonly had: number;
  /** Episodes without an answer or without an accepted one. */
  readonly nothingToJudge: number;
  /** Texts on which the judge came to no verdict. */
  readonly withoutVerdict: number;
  /** Why, as far as the judge says so, with the number of texts. */
  readonly undecided: Readonly<ReasonCounts>;
  /** A model that is named as the judge of this run is asked only about texts without a verdict of this judge. */
  readonly leavesRest: boolean;
  /** Questions whose material the judge needs and the run folder lacks. */
  readonly withoutMaterial: number;
  /** Texts on which the judge failed, or that it was not asked about since it had failed on others. */
  readonly failed: number;
  readonly failure: { readonly message: string; readonly next: string | undefined } | undefined;
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

interface Tally {
  added: number;
  passed: number;
  readonly drafts: { added: number; passed: number };
  withoutVerdict: number;
  readonly undecided: ReasonCounts;
  readonly agreement: { bothRight: number; bothWrong: number; onlyFirst: number; onlyNew: number };
}

const newTally = (): Tally => ({
  added: 0,
  passed: 0,
  drafts: { added: 0, passed: 0 },
  withoutVerdict: 0,
  undecided: {},
  agreement: { bothRight: 0, bothWrong: 0, onlyFirst: 0, onlyNew: 0 },
});

function compare(
  { agreement }: Tally,
  { outcome, verdicts }: TextToJudge["episode"],
  { passed }: Pick<Verdict, "passed">,
): void {
  const first = verdicts?.[0]?.passed ?? wasRight(outcome);
  if (first === undefined) return;
  agreement[first ? (passed ? "bothRight" : "onlyFirst") : passed ? "onlyNew" : "bothWrong"] += 1;
}

function count(tally: Tally, { isAnswer, drafts, episode }: TextToJudge, verdict: Verdict): void {
  tally.drafts.added += drafts;
  if (verdict.passed) tally.drafts.passed += drafts;
  if (!isAnswer) return;
  tally.added++;
  if (verdict.passed) tally.passed++;
  compare(tally, episode, verdict);
}

/** New verdicts, and why there are none, by position of the episode and by text. */
type NewVerdicts = ReadonlyMap<number, ReadonlyMap<string, Judgement>>;

/** Has the judge look at each text. Also where it is stopped or something unexpected ends it midway, the verdicts until then are there. */
async function verdictsOn(
  texts: AsyncIterable<TextToJudge>,
  { judge, concurrency }: Pick<JudgeOrder, "concurrency"> & { readonly judge: Judge },
  { signal, redact }: Pick<JudgeServices, "signal" | "redact">,
) {
  const verdicts = new Map<number, Map<string, Judgement>>();
  const tally = newTally();
  const failures: string[] = [];
  const keep = (text: TextToJudge, judgement: Verdict | NoVerdict): void => {
    const ofEpisode = verdicts.get(text.n) ?? new Map<string, Judgement>();
    verdicts.set(text.n, ofEpisode.set(text.task.answer, judgement));
  };
  const keepVerdict = (text: TextToJudge, verdict: Verdict): void => {
    keep(text, verdict);
    count(tally, text, verdict);
  };
  const keepWhy = (text: TextToJudge, why: string | undefined): void => {
    tally.withoutVerdict++;
    countReason(tally.undecided, why);
    if (why !== undefined) keep(text, { why });
  };
  const asked = askEach(
    texts,
    async (text, guarded) => {
      if (text.known !== undefined) {
        keepVerdict(text, text.known);
        return false;
      }
      const { verdict, why, failure } = await guarded(() => askJudge(judge, text.task, signal));
      if (failure !== undefined) failures.push(redact(failure));
      else if (verdict === undefined) keepWhy(text, why);
      else keepVerdict(text, redactTexts(verdict, redact));
      return true;
    },
    { concurrency, signal },
  );
  // Verdicts that came are written first, also where something unexpected ended the rest.
  const ended = await asked.catch((error: unknown) => {
    const unexpected = signal.aborted ? undefined : { error };
    return { failed: 0, failure: undefined, unexpected };
  });
  const [message] = failures;
  const failure = ended.failure ?? (message === undefined ? undefined : { message, next: undefined });
  const failed = ended.failed + failures.length;
  return { verdicts, tally, unexpected: undefined, ...ended, failed, failure };
}

async function goldsOf(
  { index, run }: Pick<OpenedRunFolder, "index" | "run">,
  { files, signal }: Pick<JudgeServices, "files"> & { readonly signal?: AbortSignal },
): Promise<GoldSource> {
  const golds: Episode["gold"][] = [];
  for await (const { value } of readEpisodes(files, index)) {
    signal?.throwIfAborted();
    golds.push(value?.gold);
  }
  return goldSource(golds, namesOf(run));
}

/** Bytes of a run that are read before anyone chooses a judge. */
const READ_AHEAD = 4_000_000;

/**
 * Why `judgeRun` refuses exact match and F1 for this run (HASP599); undefined where they may judge, and for a run of over 4 MB, which is
 * not read. Rejects on I/O errors.
 */
export async function whyNoWordsOf(
  run: string,
  services: Pick<JudgeServices, "files">,
): Promise<string | undefined> {
  const { value: opened } = await openRunAt(services.files, run);
  if (opened === undefined || opened.index.size > READ_AHEAD) return undefined;
  return whyNoWords(await goldsOf(opened, services));
}

/** The file with the new verdicts; every other byte is copied, unreadable lines included. */
async function* rewritten(
  files: TraceFiles,
  index: EpisodeIndex,
  wanted: WantedVerdicts,
  verdicts: NewVerdicts,
): AsyncGenerator<Uint8Array> {
  const copy = async function* (from: number, to: number): AsyncGenerator<Uint8Array> {
    // A piece is valid until the next one is asked for.
    for await (const piece of files.chunks(index.path, from, to)) yield piece.slice();
  };
  let at = 0;
  for (const [n, given] of [...verdicts].toSorted(([a], [b]) => a - b)) {
    const entry = index.entries[n];
    const { value } = await readEpisode(files, index, n);
    if (entry === undefined || value === undefined) continue;
    yield* copy(at, entry.offset);
    const line = encodeEpisode(withVerdicts(value, wanted, given));
    // The next copy begins with its newline.
    yield line.subarray(0, -1);
    at = entry.offset + entry.bytes;
  }
  yield* copy(at, index.size);
}

/** Judges the run, of which no other process writes. */
async function judgeLocked(
  order: JudgeOrder & { readonly judge: Judge },
  opened: OpenedRunFolder,
  services: JudgeServices & { readonly lost: AbortSignal },
  found: Diagnostic[],
): Promise<JudgedRun> {
  const { judge, again } = order;
  const { folder, index } = opened;
  const { files, signal, lost } = services;
  const materials = await readMaterials(files, folder);
  const leavesRest = await decidesFirst(files, opened, judge);
  const wanted = { judge: judge.name, again, drafts: order.drafts || judge.callOf === undefined };
  const skipped = noneSkipped();
  const tasks = { index, judge, wanted, materials };
  const texts = textsOfRun(tasks, services, { skipped, diagnostics: found });
  const stop = AbortSignal.any([signal, lost]);
  const judged = await verdictsOn(texts, order, { ...services, signal: stop });
  // Another process may write by now.
  lost.throwIfAborted();
  const { verdicts, tally, failed, failure, unexpected } = judged;
  if (verdicts.size > 0) await files.writeAtomic(index.path, rewritten(files, index, wanted, verdicts));
  if (unexpected !== undefined) throw unexpected.error;
  const { had, draftsHad, nothingToJudge } = skipped;
  const withoutMaterial = skipped.withoutMaterial.size;
  const looked = verdicts.size + had + draftsHad + tally.withoutVerdict + withoutMaterial + failed;
  if (looked === 0 && !signal.aborted)
    refuse(
      "HASP595",
      `The run ${order.run} has no answer with an accepted one to compare it with.`,
      "Name a run whose questions have gold answers.",
    );
  found.push(...materialGone({ folder, hasFile: materials.size > 0 }, withoutMaterial));
  const counts = { had, nothingToJudge, withoutMaterial, failed, failure };
  return { run: folder, judge: judge.name, leavesRest, ...tally, ...counts, stopped: signal.aborted };
}

/** The judge that the order names, else that of the run's domain. */
async function openOrdered(
  { judge, domain, concurrency }: JudgeOrder,
  run: OpenedRunFolder,
  { files, openContainment }: Pick<JudgeServices, "files" | "openContainment">,
): Promise<OpenedJudge> {
  const ports = { concurrency, openContainment };
  if (judge !== undefined) return openNamed(files, run, judge, ports);
  return openJudge(domain ?? (await judgingDomain(files, run)), ports);
}

/**
 * Has a judge look at the answers of a run, and at its drafts: each gets a verdict more, after those that it has. A text of an episode is
 * judged once. The episode file is replaced as a whole or not at all, also where the judge fails or a person stops it: the verdicts until
 * then are kept. No value where there is no run, no judge (HASP547), or no answer to judge (HASP595). Questions whose material is gone
 * are a finding (HASP549). Rejects on I/O errors.
 */
export function judgeRun(order: JudgeOrder, services: JudgeServices): Promise<Checked<JudgedRun>> {
  const { files, asOnlyWriter } = services;
  const folder = runFolderOf(order.run);
  return checked(async (found) => {
    need(await openRunAt(files, order.run));
    return asOnlyWriter(folder, async ({ lost }) => {
      // Read again under the lock: another process may have written before.
      const opened = need(await openRunAt(files, order.run));
      const judge = await openOrdered(order, opened, services);
      try {
        if (judge.comparesWords === true)
          refuseWords(await goldsOf(opened, services), nameAnotherJudge(), order.run);
        return await judgeLocked({ ...order, judge }, opened, { ...services, lost }, found);
      } finally {
        await judge.close();
      }
    });
  });
}
